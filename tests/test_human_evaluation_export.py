"""Rating sheets and forms: drawn by seed, blind, safe in spreadsheets and browsers."""

import base64
import hashlib
import html
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from human_evaluation_sample import OUTPUTS, cells, exported, run, write_texts

from textsimp.core.errors import InputError
from textsimp.core.reading import read_json
from textsimp.core.spreadsheet import guarded, unguarded
from textsimp.core.writing import write_json
from textsimp.extras.human.drawing import draw_study
from textsimp.extras.human.guidelines import guidelines
from textsimp.extras.human.sheets import export_study
from textsimp.extras.human.study import rater_names, read_key


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
        assert header == ["rater", "item", "complex", "output", "fluency", "adequacy", "simplicity"]
        assert {row[0] for row in rows} == {rater}
        assert sorted(row[1] for row in rows) == sorted(item.id for item in study.items)
        assert all(row[4:] == ["", "", ""] for row in rows)
        texts = {item.id: (item.original, item.text or "(no text)") for item in study.items}
        assert {row[1]: (unguarded(row[2]), unguarded(row[3])) for row in rows} == texts
        assert {cell[:2] for row in rows for cell in row if cell[:1] == "'"} >= {"'=", "'@"}
        assert not any(re.match(r"[=+\-@\t\r]", cell) for row in rows for cell in row)


def test_identical_outputs_are_shown_once(tmp_path: Path) -> None:
    study, _, key = exported(tmp_path)
    (shared,) = [item for item in study.items if len(item.systems) > 1]
    assert (shared.line, shared.text, shared.systems) == (2, "The rules are stricter now .", ("old/LSTM", "new/LSTM"))
    assert len(study.items) == 4 * 3 - 1
    assert read_key(key) == study


def test_orders_differ_by_rater_and_keep_sentences_together(tmp_path: Path) -> None:
    exported_study, _, _ = exported(tmp_path)
    study = replace(exported_study, raters=rater_names(1, 30))
    orders = list(map(study.order, study.raters))
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
        assert sorted(item.original for item in study.items) == ["a", "b", "c"]
        seen.add(study.items[0].line)
    assert seen == {1, 2}, "any of the equal lines can be drawn"
    with pytest.raises(InputError, match=r"complex: 3 different sentences, fewer than the 4 to be drawn"):
        draw_study(tmp_path / "complex", outputs, 4, 1, 1)


def test_formulas_are_guarded_and_other_text_stays() -> None:
    for text in ("=1+1", "+1", "-1", "@SUM(A1)", "|cmd", "＝1", "＋1", "－1", "＠x"):
        assert guarded(text) == f"'{text}" and unguarded(guarded(text)) == text
    for text in ("", "a = b", "'quoted'", "'", "(1)", "3 - 2"):
        assert guarded(text) == text == unguarded(text)


def test_the_form_needs_nothing_else_and_runs_nothing_else(tmp_path: Path) -> None:
    _, sheets, _ = exported(tmp_path)
    page = (sheets / "rater-1.html").read_text(encoding="utf-8")
    (style,), (_, script) = (re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", page, re.DOTALL) for tag in ("style", "script"))
    bare = re.sub(r"(?s)<(style|script)([^>]*)>.*?</\1>", r"<\1\2>", page)
    assert not re.search(r"<(img|link|iframe)\b|\s(src|href|action|on\w+)\s*=", bare)
    (policy,) = map(html.unescape, re.findall(r'content="(default-src .*?)"', bare))
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy and "http" not in policy
    for part in (style, script):
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_guidelines_explain_every_point(tmp_path: Path) -> None:
    _, sheets, _ = exported(tmp_path)
    text, page = ((sheets / name).read_text(encoding="utf-8") for name in ("guidelines.txt", "rater-1.html"))
    asked = guidelines("outputs")
    assert asked.keys == ("fluency", "adequacy", "simplicity")
    for criterion in asked.criteria:
        assert criterion.scale == (1, 2, 3, 4, 5)
        for meaning in (criterion.question, *criterion.points):
            assert meaning in text and meaning in page


def command(folder: Path, *more: object) -> list[object]:
    original, outputs = write_texts(folder)
    named = [part for name, path in outputs.items() for part in ("--output", f"{name}={path}")]
    return ["export", folder / "sheets", "--complex", original, *named, "--count", 4, *more]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--output", "b=short.txt"], "short.txt:2: 1 lines where "),
        (["--complex", "gap.txt"], "gap.txt:3: an empty complex sentence"),
        (["--count", "5"], "4 different sentences, fewer than the 5 to be drawn"),
        (["--count", "0"], "'--count': Input should be greater than or equal to 1"),
        (["--raters", "0"], "'--raters': Input should be greater than or equal to 1"),
        (["--output", "b=pairs.jsonl"], "pairs.jsonl: holds document pairs (JSON Lines)"),
        (["--output", "no file"], "'no file': expected NAME=FILE"),
        (["--output", "reference=short.txt"], "the name 'reference' is given twice"),
        (["--output", "x=absent.txt"], "absent.txt: no such file"),
        (["--key", "sheets/key.json"], "would be in the raters' folder"),
    ],
)
def test_bad_export_says_one_line_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "short.txt").write_text("one\n")
    (tmp_path / "pairs.jsonl").write_text('{"complex": {"paragraphs": [["One."]]}}\n')
    (tmp_path / "gap.txt").write_text("a\nb\n \nd\n")
    status, text = run(*command(tmp_path, *more))
    assert status == 2 and said in text
    assert not (tmp_path / "sheets").exists() and not list(tmp_path.glob("*.json"))


def test_the_command_writes_and_overwrites_nothing(tmp_path: Path) -> None:
    status, said = run(*command(tmp_path, "--raters", 2))
    assert status == 0 and "11 items of 4 sentences and 3 systems for 2 raters" in said
    assert read_key(tmp_path / "sheets.key.json").raters == ("rater-1", "rater-2")
    original, outputs = write_texts(tmp_path)
    one = ["--complex", original, "--output", f"a={outputs['reference']}", "--count", 1, "--raters", 1]
    assert "one: 1 item of 1 sentence and 1 system for 1 rater" in run("export", tmp_path / "one", *one)[1]
    before = contents(tmp_path / "sheets")
    status, said = run(*command(tmp_path, "--seed", 1))
    assert status == 2 and "is there already" in said and contents(tmp_path / "sheets") == before
    arguments = command(tmp_path, "--key", tmp_path / "sheets.key.json")
    arguments[1] = tmp_path / "new"
    status, said = run(*arguments)
    assert status == 2 and "sheets.key.json: is there already" in said and not (tmp_path / "new").exists()


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
