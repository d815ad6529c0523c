"""Rating sheets out and ratings in: drawn by seed, blind, safe in spreadsheets; what is wrong is one line."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alignment_sample import document_pair
from human_evaluation_sample import OUTPUTS, cells, exported, fill, refused, run, write_texts

from textsimp.core.records import AlignmentLabel, DocumentPair, Link, write_pairs
from textsimp.core.spreadsheet import guarded, unguarded
from textsimp.extras.human.drawing import draw_links, draw_study
from textsimp.extras.human.guidelines import KINDS, guidelines
from textsimp.extras.human.ratings import gather, read_ratings, table_of, write_ratings
from textsimp.extras.human.sheets import export_study
from textsimp.extras.human.study import Study, read_key


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, Path]:
    """A study and its sheets, which no test changes."""
    found, sheets, _ = exported(tmp_path_factory.mktemp("study"))
    return found, sheets


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study with a filled sheet, its texts, and links of two aligners, of which the second is one sentence off."""
    _, sheets, _ = exported(tmp_path)
    monkeypatch.chdir(tmp_path)
    fill(sheets / "rater-1.csv", tmp_path / "filled.csv", by_item)
    pairs = [document_pair(number) for number in range(4)]
    write_pairs("right.jsonl", pairs)
    write_pairs("shifted.jsonl", [shifted(pair) for pair in pairs])
    Path("cut.jsonl").write_text(Path("right.jsonl").read_text()[:2000])
    Path("short.txt").write_text("one\n")
    Path("gap.txt").write_text("a\nb\n \nd\n")
    return tmp_path


def shifted(pair: DocumentPair) -> DocumentPair:
    links = {(link.simple, min(link.complex + 1, 5)) for link in pair.alignments or ()}
    return replace(pair, alignments=tuple(Link(*place, AlignmentLabel.ALIGNED) for place in sorted(links)))


def by_item(rater: str, item: str, criterion: str) -> str:
    """A rating that depends on all three."""
    return str(1 + (int(item[-1], 16) + int(rater[-1]) + len(criterion)) % 5)


# ---- out


def test_everybody_gets_every_item_once(study: tuple[Study, Path]) -> None:
    found, sheets = study
    assert sorted(contents(sheets)) == [
        "guidelines.txt",
        *(f"rater-{n}.{end}" for n in "123" for end in ("csv", "html")),
    ]
    texts = {item.id: (item.original, item.text or "(no text)") for item in found.items}
    for rater in found.raters:
        header, *rows = cells(sheets / f"{rater}.csv")
        assert header == ["rater", "item", "complex", "output", "fluency", "adequacy", "simplicity"]
        assert all([row[0], *row[4:]] == [rater, "", "", ""] for row in rows) and len(rows) == len(texts)
        assert {row[1]: (unguarded(row[2]), unguarded(row[3])) for row in rows} == texts
        assert not any(re.match(r"[=+\-@\t\r]", cell) for row in rows for cell in row)
    (shared,) = [item for item in found.items if len(item.systems) > 1]
    assert (shared.line, shared.text, shared.systems) == (2, "The rules are stricter now .", ("old/LSTM", "new/LSTM"))
    assert read_key(sheets.with_name("key.json")) == found
    for criterion in found.guidelines.criteria:
        for meaning in (criterion.question, *criterion.points):
            assert all(meaning in (sheets / name).read_text() for name in ("guidelines.txt", "rater-1.html"))


def test_orders_differ_by_rater_and_keep_sentences_together(study: tuple[Study, Path]) -> None:
    many = replace(study[0], raters=tuple(f"rater-{number}" for number in range(1, 31)))
    orders = list(map(many.order, many.raters))
    assert len({tuple(item.id for items in order for item in items) for order in orders}) == len(orders)
    assert all(len({item.line for item in items}) == 1 for order in orders for items in order)
    first = {items[0].systems[0] for order in orders for items in order if items[0].line == 1}
    assert first == set(OUTPUTS), "each system comes first for somebody"


def test_same_seed_same_bytes_and_names_tell_nothing(study: tuple[Study, Path], tmp_path: Path) -> None:
    original, outputs = write_texts(tmp_path)
    renamed = {f"system {place}": path for place, path in enumerate(reversed(outputs.values()))}
    for seed in (13, 14):
        export_study(draw_study(original, renamed, 4, seed, 3), tmp_path / str(seed), tmp_path / f"{seed}.json")
    assert contents(study[1]) == contents(tmp_path / "13"), "neither names nor order of systems reach the raters"
    assert contents(study[1])["rater-1.csv"] != contents(tmp_path / "14")["rater-1.csv"]


def test_the_draw_depends_on_seed_and_sentences_alone(tmp_path: Path) -> None:
    original, outputs = write_texts(tmp_path)

    def lines(systems: list[str], seed: int, raters: int = 3) -> frozenset[int]:
        drawn = draw_study(original, {name: outputs[name] for name in systems}, 2, seed, raters)
        return frozenset(item.line for item in drawn.items)

    assert lines(["old/LSTM"], 1) == lines(list(OUTPUTS), 1) == lines(["reference"], 1, raters=9)
    assert len({lines(["reference"], seed) for seed in range(20)}) > 3
    original.write_text("a\nb\n a \nc\n")
    repeated = [draw_study(original, outputs, 3, seed, 1).items for seed in range(20)]
    assert all({item.original for item in items} == {"a", "b", "c"} for items in repeated)
    assert {items[0].line for items in repeated} == {1, 2}, "any of the equal lines can be drawn"


def test_links_are_rated_blind_and_told_apart_again(folder: Path) -> None:
    links = {name: Path(f"{name}.jsonl") for name in ("right", "shifted")}
    found = draw_links(links, 10, 3, 2, "alignments")
    assert found == draw_links(links, 10, 3, 2, "alignments") != draw_links(links, 10, 4, 2, "alignments")
    export_study(found, folder / "links", folder / "links.json")
    header, *rows = cells(folder / "links/rater-1.csv")
    assert header == ["rater", "item", "simple", "complex", "match"] and len({item.line for item in found.items}) == 10
    assert "shifted" not in (folder / "links/rater-1.html").read_text() + str(rows)
    good = {item.id for item in found.items if "right" in item.systems}
    sheet = fill(folder / "links/rater-1.csv", folder / "1.csv", lambda _, item, __: "2" if item in good else "0")
    means = gather(found, [sheet], False).groupby("system").rating.mean()
    assert means["right"] == 2 > means["shifted"]
    pair = document_pair(0)
    write_pairs("twice.jsonl", [pair, replace(pair, id="again")])
    twice = draw_links({"a": Path("twice.jsonl")}, 6, 1, 1, "alignments")
    assert len({item.original for item in twice.items}) == 6, "a sentence that texts repeat is drawn once"
    assert {item.systems for item in draw_links(links, 6, 3, 1, "inspection").items} >= {("right",), ("shifted",)}


def test_the_form_needs_nothing_else_and_runs_nothing_else(study: tuple[Study, Path]) -> None:
    page = (study[1] / "rater-1.html").read_text(encoding="utf-8")
    (style,), (_, script) = (re.findall(rf"<{tag}[^>]*>(.*?)</{tag}>", page, re.DOTALL) for tag in ("style", "script"))
    bare = re.sub(r"(?s)<(style|script)([^>]*)>.*?</\1>", r"<\1\2>", page)
    assert not re.search(r"<(img|link|iframe)\b|\s(src|href|action|on\w+)\s*=", bare)
    (policy,) = map(html.unescape, re.findall(r'content="(default-src .*?)"', bare))
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy and "http" not in policy
    for part in (style, script):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}'" in policy


def test_formulas_are_guarded_and_other_text_stays() -> None:
    for text in ("=1+1", "+1", "-1", "@SUM(A1)", "|cmd", "＝1", "＋1", "－1", "＠x"):
        assert guarded(text) == f"'{text}" and unguarded(guarded(text)) == text
    for text in ("", "a = b", "'quoted'", "'", "(1)", "3 - 2"):
        assert guarded(text) == text == unguarded(text)


def test_every_kind_has_criteria_of_its_own() -> None:
    criteria = [criterion for kind in KINDS for criterion in guidelines(kind).criteria]
    assert len(criteria) == len({criterion.key for criterion in criteria}) == 9
    assert all(set(points) <= set(one.scale) for one in criteria for points in one.shares.values())


# ---- in


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_filled_sheets_become_ratings(study: tuple[Study, Path], tmp_path: Path, delimiter: str) -> None:
    found, sheets = study
    paths = [fill(sheets / f"rater-{i}.csv", tmp_path / f"{i}.csv", by_item, delimiter) for i in (3, 1)]
    ratings = gather(found, paths, blanks_are_missing=False)
    assert [*ratings.rater] == ["rater-1"] * 36 + ["rater-3"] * 36, "sentences x systems x criteria, in the key's order"
    assert all(str(one.rating) == by_item(one.rater, one.item, one.criterion) for one in ratings.itertuples())
    first, second = (path.read_text(encoding="utf-8") for path in paths)
    both = tmp_path / "both.csv"
    both.write_bytes(b"\xef\xbb\xbf" + (first + second.partition("\n")[2]).replace("\n", "\r\n").encode())
    with both.open("ab") as file:
        file.write(delimiter.join(" " * 7).encode() + b"\r\n")
    assert gather(found, [both], False).equals(ratings), "as spreadsheet programs save it, with several raters"
    status, said = run("import", sheets.with_name("key.json"), both, "--output", tmp_path / "ratings.csv")
    assert status == 0 and said.startswith(f"{tmp_path / 'ratings.csv'}: 66 ratings by 2 raters, 0 missing in ")
    assert read_ratings(tmp_path / "ratings.csv").equals(ratings)


def test_blanks_are_an_error_or_missing(study: tuple[Study, Path], tmp_path: Path) -> None:
    found, sheets = study
    item = found.items[0].id
    path = fill(sheets / "rater-1.csv", tmp_path / "1.csv", lambda *row: " " if row[1] == item else by_item(*row))
    ratings = gather(found, [path], blanks_are_missing=True)
    assert {*ratings[ratings.rating.isna()].item} == {item} and ratings.rating.isna().sum() == 3
    line = 1 + [row[1] for row in cells(path)].index(item)
    command = ("import", sheets.with_name("key.json"), path, "--output", tmp_path / "x.csv")
    refused(
        f"1.csv:{line}: no fluency for {item}; have it rated, or count blanks as missing by --allow-blank", *command
    )


def test_the_table_reads_back(tmp_path: Path) -> None:
    ratings = table_of(
        [
            (rater, 1, "item-a", system, criterion, None if criterion == "adequacy" else 4)
            for rater in ("rater-1", 'ü, "x"')
            for system in ("=model", "'quoted", "-x/y", "plain")
            for criterion in guidelines("outputs").keys
        ]
    )
    write_ratings(tmp_path / "ratings.csv", ratings)
    assert read_ratings(tmp_path / "ratings.csv").equals(ratings)
    assert not any(cell.startswith(("=", "-")) for row in cells(tmp_path / "ratings.csv") for cell in row)


# ---- what is wrong

EXPORT = ["--complex", "complex.txt", *(p for n in OUTPUTS for p in ("--output", f"{n}={n.replace('/', '.')}.txt"))]
BAD_EXPORTS = {
    "short.txt:2: 1 lines where ": [*EXPORT, "--output", "b=short.txt"],
    "gap.txt:3: an empty complex sentence": [*EXPORT, "--complex", "gap.txt"],
    "4 different sentences, fewer than the 5 to be drawn": [*EXPORT, "--count", "5"],
    "right.jsonl: holds document pairs (JSON Lines)": [*EXPORT, "--output", "b=right.jsonl"],
    "'no file': expected NAME=FILE": [*EXPORT, "--output", "no file"],
    "the name 'reference' is given twice": [*EXPORT, "--output", "reference=short.txt"],
    "absent.txt: no such file": [*EXPORT, "--output", "x=absent.txt"],
    "--complex with --output, or --links: give one": [],
    "--kind outputs: is about outputs": ["--links", "right=right.jsonl"],
    "is about links": [*EXPORT, "--kind", "alignments"],
    "--kind 'poems': none of": ["--kind", "poems", "--links", "right=right.jsonl"],
    "fewer than the 99 to be drawn": ["--kind", "alignments", "--links", "right=right.jsonl", "--count", "99"],
    "cut.jsonl": ["--kind", "alignments", "--links", "right=right.jsonl", "--links", "cut=cut.jsonl"],
}


@pytest.mark.parametrize("said", BAD_EXPORTS)
def test_a_bad_export_writes_nothing(folder: Path, said: str) -> None:
    before = sorted(folder.iterdir())
    refused(said, "export", "new", "--count", 4, *BAD_EXPORTS[said])
    assert sorted(folder.iterdir()) == before


def test_an_export_overwrites_nothing(folder: Path) -> None:
    said = run("export", "new", *EXPORT, "--count", 4, "--raters", 2)
    assert said[0] == 0 and "11 items of 4 sentences and 3 systems for 2 raters" in said[1]
    before = contents(folder / "new")
    refused("new: is there already; name a new folder", "export", "new", *EXPORT, "--count", 4, "--seed", 1)
    assert contents(folder / "new") == before
    Path("other.key.json").write_text("{}")
    refused("other.key.json: is there already", "export", "other", *EXPORT, "--count", 4)
    assert not Path("other").exists()


Rows = list[list[str]]


def cell(column: int, text: str) -> Callable[[Rows], object]:
    """Change a cell of the third line."""
    return lambda rows: rows[2].__setitem__(column, text)


BAD_SHEETS: dict[str, Callable[[Rows], object]] = {
    ":3: fluency is '6'; give a whole number from 1 to 5": cell(4, "6"),
    ":3: adequacy is '0'": cell(5, "0"),
    ":3: simplicity is '4.5'": cell(6, "4.5"),
    ":3: fluency is '５'": cell(4, "５"),
    ":3: fluency is '=5'": cell(4, "=5"),
    ":3: rater 'rater-9' is not in key.json; it has rater-1, rater-2, rater-3": cell(0, "rater-9"),
    ":3: no rater": cell(0, ""),
    ":3: item 'item-0123456789' is not in key.json": cell(1, "item-0123456789"),
    ":3: no item": cell(1, ""),
    "no row for 1 items of rater-1, such as item-": lambda rows: rows.pop(2),
    "by rater-1 stands in filled.csv:3 already": lambda rows: rows.append(rows[2]),
    ":1: no column 'item'": lambda rows: [row.pop(1) for row in rows],
    ":1: two columns 'fluency'": lambda rows: rows[0].__setitem__(5, "fluency"),
    "no row below the header": lambda rows: rows.__delitem__(slice(1, None)),
}


@pytest.mark.parametrize("said", BAD_SHEETS)
def test_a_bad_sheet_writes_nothing(folder: Path, said: str) -> None:
    rows = cells(Path("filled.csv"))
    BAD_SHEETS[said](rows)
    Path("filled.csv").write_text("".join(",".join(f'"{one}"' for one in map(_doubled, row)) + "\n" for row in rows))
    refused(said, "import", "key.json", "filled.csv", "--output", "ratings.csv")
    assert not Path("ratings.csv").exists()


def _doubled(text: str) -> str:
    return text.replace('"', '""')


BAD_KEYS: dict[str, Callable[[dict[str, Any]], object]] = {
    "(items: missing)": lambda key: key.pop("items"),
    "not a key": lambda key: key.update(format="another"),
    "with other criteria": lambda key: key.update(criteria=["fluency"]),
    "(items: a list should have at least 1 item": lambda key: key.update(items=[]),
    "its items do not fit its systems and raters": lambda key: key["items"][0].update(systems=["unknown"]),
    "do not fit its systems": lambda key: key["items"][0].update(id=key["items"][1]["id"]),
    "(items[0].line: 'three' should be a valid integer)": lambda key: key["items"][0].update(line="three"),
    "(raters: 'rater-1' should be a valid array)": lambda key: key.update(raters="rater-1"),
}


@pytest.mark.parametrize("said", BAD_KEYS)
def test_a_damaged_key_is_refused(folder: Path, said: str) -> None:
    key = json.loads(Path("key.json").read_text())
    BAD_KEYS[said](key)
    Path("key.json").write_text(json.dumps(key))
    refused(said, "import", "key.json", "filled.csv", "--output", "ratings.csv")


HEADER, GOOD = "rater,line,item,system,criterion,rating\n", "r,1,item-a,LSTM,fluency,3\n"
BAD_TABLES = {
    "no rating": HEADER,
    ":1: no column 'rater'": "a,b\n",
    ":3: r, item-a, LSTM, fluency is there twice": HEADER + GOOD + GOOD,
    ":3: item-a has two ratings by r": HEADER + GOOD + "r,1,item-a,other,fluency,4\n",
    ":4: item-a has two ratings by r": HEADER + GOOD * 1 + "r,1,item-b,other,fluency,4\nr,2,item-a,other,fluency,3\n",
    ":3: line 'one' is no whole number": HEADER + GOOD + "r,one,item-b,LSTM,fluency,3\n",
    ":3: criterion 'match' is none of fluency": HEADER + GOOD + "r,1,item-b,LSTM,match,2\n",
    ":3: fluency '7' is not on its scale": HEADER + GOOD + "r,1,item-b,LSTM,fluency,7\n",
    ":3: an empty rater, item or system": HEADER + GOOD + "r,1,item-b,,fluency,3\n",
    ":3: 2 cells where the header has 6": HEADER + GOOD + "r,1\n",
    "1 of 3 rows of r: rows were cut out": HEADER + GOOD,
}


@pytest.mark.parametrize("said", BAD_TABLES)
def test_a_bad_table_is_refused(tmp_path: Path, said: str) -> None:
    (tmp_path / "ratings.csv").write_text(BAD_TABLES[said])
    refused(said, "summary", tmp_path / "ratings.csv")
