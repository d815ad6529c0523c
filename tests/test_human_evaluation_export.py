"""Rating sheets and forms: drawn by seed, blind, safe in spreadsheets and browsers."""

import base64
import hashlib
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from human_evaluation_sample import COMPLEX, OUTPUTS, cells, exported, write_texts
from typer.testing import CliRunner

from textsimp.cli.human import app
from textsimp.errors import InputError
from textsimp.human_evaluation.export import export_study, parsed_outputs
from textsimp.human_evaluation.guidelines import CRITERIA, KEYS, SCALE
from textsimp.human_evaluation.sheets import COLUMNS, guarded, unguarded
from textsimp.human_evaluation.study import Study, draw_study, read_key
from textsimp.textfiles import read_json, write_json


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_everybody_gets_every_item_once(tmp_path: Path) -> None:
    study, sheets, _ = exported(tmp_path)
    raters = [f"rater-{number}" for number in (1, 2, 3)]
    assert sorted(contents(sheets)) == sorted(
        ["guidelines.txt", *(f"{rater}.{kind}" for rater in raters for kind in ("csv", "html"))]
    )
    for rater in raters:
        header, *rows = cells(sheets / f"{rater}.csv")
        assert header == list(COLUMNS)
        assert {row[0] for row in rows} == {rater}
        assert sorted(row[1] for row in rows) == sorted(item.id for item in study.items)
        assert all(row[4:] == ["", "", ""] for row in rows)
        texts = {item.id: (item.complex, item.text or "(no text)") for item in study.items}
        assert {row[1]: (unguarded(row[2]), unguarded(row[3])) for row in rows} == texts


def test_identical_outputs_are_shown_once(tmp_path: Path) -> None:
    study, _, key = exported(tmp_path)
    (shared,) = [item for item in study.items if len(item.systems) > 1]
    assert (shared.line, shared.text, shared.systems) == (2, "The rules are stricter now .", ("old/LSTM", "new/LSTM"))
    assert len(study.items) == 4 * 3 - 1
    assert read_key(key) == study
    assert [item["systems"] for item in read_json(key)["items"]] == [list(item.systems) for item in study.items]


def test_orders_differ_by_rater_and_keep_sentences_together(tmp_path: Path) -> None:
    study, _, _ = exported(tmp_path)
    orders = [study.order(f"rater-{number}") for number in range(1, 31)]
    assert len({tuple(item.id for items in order for item in items) for order in orders}) == len(orders)
    for order in orders:
        assert [len({item.line for item in items}) for items in order] == [1] * 4
    first = [items[0].systems[0] for order in orders for items in order if items[0].line == 1]
    assert set(first) == set(OUTPUTS), "each system comes first for somebody"


def test_same_seed_same_bytes_and_names_tell_nothing(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / name).mkdir()
    _, sheets, _ = exported(tmp_path / "a")
    _, again, _ = exported(tmp_path / "b")
    assert contents(sheets) == contents(again)
    _, other, _ = exported(tmp_path / "c", seed=14)
    assert contents(sheets)["rater-1.csv"] != contents(other)["rater-1.csv"]
    original, outputs = write_texts(tmp_path)
    renamed = {f"system {place}": path for place, path in enumerate(reversed(outputs.values()))}
    export_study(draw_study(original, renamed, 4, 13, 3), tmp_path / "renamed", tmp_path / "renamed.json")
    assert contents(sheets) == contents(tmp_path / "renamed"), "neither names nor order of systems reach the raters"


def test_the_draw_depends_on_seed_and_sentences_alone(tmp_path: Path) -> None:
    original, outputs = write_texts(tmp_path)

    def lines(systems: list[str], seed: int, raters: int = 3) -> set[int]:
        study = draw_study(original, {name: outputs[name] for name in systems}, 2, seed, raters)
        return {item.line for item in study.items}

    assert lines(["old/LSTM"], 1) == lines(list(OUTPUTS), 1) == lines(["reference"], 1, raters=9)
    assert len({frozenset(lines(["reference"], seed)) for seed in range(20)}) > 3


def test_a_repeated_sentence_is_drawn_once(tmp_path: Path) -> None:
    (tmp_path / "complex").write_text("a\nb\n a \na\nc\n")
    (tmp_path / "out").write_text("1\n2\n3\n4\n5\n")
    outputs = {"x": tmp_path / "out"}
    seen = set()
    for seed in range(20):
        study = draw_study(tmp_path / "complex", outputs, 3, seed, 1)
        assert sorted(item.complex for item in study.items) == ["a", "b", "c"]
        seen.add(study.items[0].line)
    assert seen == {1, 2}, "any of the equal lines can be drawn"
    with pytest.raises(InputError, match=r"complex: 3 different sentences, fewer than --count 4"):
        draw_study(tmp_path / "complex", outputs, 4, 1, 1)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "|cmd", "＝1", "＋1", "－1", "＠x"])
def test_formulas_are_guarded(text: str) -> None:
    assert guarded(text) == f"'{text}" and unguarded(guarded(text)) == text


@pytest.mark.parametrize("text", ["", "a = b", "'quoted'", "'", "(1)", "3 - 2"])
def test_other_text_stays(text: str) -> None:
    assert guarded(text) == text == unguarded(text)


def test_no_cell_of_a_sheet_starts_a_formula(tmp_path: Path) -> None:
    _, sheets, _ = exported(tmp_path)
    everything = [cell for row in cells(sheets / "rater-1.csv") for cell in row]
    assert any(cell.startswith("'=") for cell in everything) and any(cell.startswith("'@") for cell in everything)
    assert not any(re.match(r"[=+\-@\t\r]", cell) for cell in everything)


class Tags(HTMLParser):
    """The elements and attributes of a page, and what is in its scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open = ""
        self.attributes: list[tuple[str, str]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open = tag
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        self.open = ""

    def handle_data(self, data: str) -> None:
        if self.open in self.inside:
            self.inside[self.open].append(data)


def test_the_form_needs_nothing_else_and_runs_nothing_else(tmp_path: Path) -> None:
    _, sheets, _ = exported(tmp_path)
    page = Tags((sheets / "rater-1.html").read_text(encoding="utf-8"))
    assert page.tags.count("script") == 2 and not {"img", "link", "iframe"} & set(page.tags)
    assert not [pair for pair in page.attributes if pair[0] in ("src", "href", "action") or pair[0].startswith("on")]
    (policy,) = [value for name, value in page.attributes if name == "content" and "default-src" in value]
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy and "http" not in policy
    for part in ("".join(page.inside["style"]), page.inside["script"][-1]):
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_no_system_name_in_what_raters_get(tmp_path: Path) -> None:
    original, outputs = write_texts(tmp_path)
    named = {f"unmistakable-{place}": path for place, path in enumerate(outputs.values())}
    export_study(draw_study(original, named, 4, 13, 2), tmp_path / "sheets", tmp_path / "key.json")
    assert not [name for name, data in contents(tmp_path / "sheets").items() if b"unmistakable" in data]
    assert b"unmistakable-0" in (tmp_path / "key.json").read_bytes()


def test_guidelines_explain_every_point(tmp_path: Path) -> None:
    _, sheets, _ = exported(tmp_path)
    text, page = ((sheets / name).read_text(encoding="utf-8") for name in ("guidelines.txt", "rater-1.html"))
    assert KEYS == ("fluency", "adequacy", "simplicity") and SCALE == (1, 2, 3, 4, 5)
    for criterion in CRITERIA:
        for meaning in (criterion.question, *criterion.points):
            assert meaning in text and meaning in page


def run(*arguments: object) -> tuple[int, str]:
    """Exit status and the last line printed."""
    found = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return found.exit_code, found.output.strip().rpartition("\n")[2]


def command(folder: Path, *more: object) -> list[object]:
    original, outputs = write_texts(folder)
    named = [part for name, path in outputs.items() for part in ("--output", f"{name}={path}")]
    return ["export", folder / "sheets", "--complex", original, *named, "--count", 4, *more]


def test_command_writes_sheets_and_key(tmp_path: Path) -> None:
    status, said = run(*command(tmp_path, "--raters", 2))
    assert status == 0 and "11 items of 4 sentences and 3 systems for 2 raters" in said
    assert len(contents(tmp_path / "sheets")) == 5
    assert isinstance(read_key(tmp_path / "sheets.key.json"), Study)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--count", "5"], "4 different sentences, fewer than --count 5"),
        (["--count", "0"], "--count 0: needs to be 1 at least"),
        (["--raters", "0"], "--raters 0: needs to be 1 at least"),
        (["--output", "no file"], "'no file': expected NAME=FILE"),
        (["--output", "reference=x"], "a second system with the name 'reference'"),
        (["--output", "x=absent.txt"], "absent.txt: no such file"),
        (["--key", "sheets/key.json"], "would be in the raters' folder"),
    ],
)
def test_bad_export_says_one_line_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    status, text = run(*command(tmp_path, *more))
    assert status == 2 and said in text
    assert not (tmp_path / "sheets").exists() and not list(tmp_path.glob("*.json"))


def test_misaligned_files_and_empty_sentences_are_refused(tmp_path: Path) -> None:
    arguments = command(tmp_path)
    (tmp_path / "reference.txt").write_text("one\ntwo\n")
    status, said = run(*arguments)
    assert status == 2 and f"{tmp_path / 'reference.txt'}:3: 2 lines where {tmp_path / 'complex.txt'} has 4" in said
    arguments = command(tmp_path)
    (tmp_path / "complex.txt").write_text("a\nb\n \nd\n")
    status, said = run(*arguments)
    assert status == 2 and f"{tmp_path / 'complex.txt'}:3: an empty complex sentence" in said


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    assert run(*command(tmp_path))[0] == 0
    before = contents(tmp_path / "sheets")
    status, said = run(*command(tmp_path, "--seed", 1))
    assert status == 2 and "is there already" in said and contents(tmp_path / "sheets") == before
    arguments = command(tmp_path, "--key", tmp_path / "sheets.key.json")
    arguments[1] = tmp_path / "new"
    status, said = run(*arguments)
    assert status == 2 and "sheets.key.json: is there already" in said and not (tmp_path / "new").exists()


def test_names_may_hold_anything_printable() -> None:
    found = parsed_outputs(["a b/c=x=y", "ü=z"])
    assert found == {"a b/c": Path("x=y"), "ü": Path("z")}
    with pytest.raises(InputError, match="expected NAME=FILE"):
        parsed_outputs(["a\nb=x"])


@pytest.mark.parametrize(
    "change",
    [
        lambda key: key.pop("items"),
        lambda key: key.update(format="another"),
        lambda key: key.update(criteria=["fluency"]),
        lambda key: key.update(items=[]),
        lambda key: key["items"][0].update(systems=["unknown"]),
        lambda key: key["items"][0].update(id=key["items"][1]["id"]),
        lambda key: key["items"][0].update(line="three"),
        lambda key: key.update(raters="rater-1"),
    ],
)
def test_a_damaged_key_is_refused(tmp_path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    _, _, path = exported(tmp_path)
    key = read_json(path)
    change(key)
    write_json(path, key)
    with pytest.raises(InputError, match=r"key\.json: .*key"):
        read_key(path)


def test_hostile_texts_are_in_the_sample() -> None:
    texts = [*COMPLEX, *(text for output in OUTPUTS.values() for text in output)]
    assert all(any(mark in text for text in texts) for mark in ("<script>", "</script>", "=", "\u2028", '"', "{{"))
