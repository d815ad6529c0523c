"""Rating sheets out, ratings in, means and agreement: drawn by seed, blind, safe; faults in one line."""

import itertools
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from alignment_sample import document_pair
from human_evaluation_sample import OUTPUTS, cells, exported, fill, refused, run, write_texts

from textsimp.cli import main
from textsimp.core.records import AlignmentLabel, DocumentPair, Link, write_pairs
from textsimp.core.results import Cell, Resampling, Results
from textsimp.core.spreadsheet import guarded, unguarded
from textsimp.extras.human.drawing import draw_links, draw_study
from textsimp.extras.human.guidelines import KINDS, guidelines
from textsimp.extras.human.ratings import gather, read_ratings, table_of, write_ratings
from textsimp.extras.human.sheets import export_study
from textsimp.extras.human.study import Study, read_key
from textsimp.extras.human.summary import agreement, matrix, summarise


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
    Path("short.txt").write_text("one\n")
    Path("gap.txt").write_text("a\nb\n \nd\n")
    return tmp_path


def shifted(pair: DocumentPair) -> DocumentPair:
    links = {(link.simple, min(link.complex + 1, 5)) for link in pair.alignments or ()}
    return replace(pair, alignments=tuple(Link(*place, AlignmentLabel.ALIGNED) for place in sorted(links)))


def by_item(rater: str, item: str, criterion: str) -> str:
    """A rating that depends on all three."""
    return str(1 + (int(item[-1], 16) + int(rater[-1]) + len(criterion)) % 5)


def test_everybody_gets_every_item_once(study: tuple[Study, Path]) -> None:
    found, sheets = study
    files = ["guidelines.txt", *(f"rater-{n}.{end}" for n in "123" for end in ("csv", "html"))]
    assert sorted(contents(sheets)) == files
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
    for meaning in (text for one in found.guidelines.criteria for text in (one.question, *one.points)):
        assert all(meaning in (sheets / name).read_text() for name in ("guidelines.txt", "rater-1.html"))


def test_orders_differ_by_rater_and_keep_sentences_together(study: tuple[Study, Path]) -> None:
    many = replace(study[0], raters=tuple(f"rater-{number}" for number in range(1, 31)))
    orders = list(map(many.order, many.raters))
    assert len({tuple(item.id for items in order for item in items) for order in orders}) == len(orders)
    assert all(len({item.line for item in items}) == 1 for order in orders for items in order)
    first = {items[0].systems[0] for order in orders for items in order if items[0].line == 1}
    assert first == set(OUTPUTS), "each system comes first for somebody"


def test_the_draw_depends_on_seed_and_sentences_alone(study: tuple[Study, Path], tmp_path: Path) -> None:
    original, outputs = write_texts(tmp_path)
    renamed = {f"system {place}": path for place, path in enumerate(reversed(outputs.values()))}
    for seed in (13, 14):
        export_study(draw_study(original, renamed, 4, seed, 3), tmp_path / str(seed), tmp_path / f"{seed}.json")
    assert contents(study[1]) == contents(tmp_path / "13"), "neither names nor order of systems reach the raters"
    assert contents(study[1])["rater-1.csv"] != contents(tmp_path / "14")["rater-1.csv"]
    drawn = [{item.line for item in draw_study(original, outputs, 2, seed, 1).items} for seed in range(20)]
    assert len(set(map(frozenset, drawn))) > 3
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
    assert {item.systems for item in draw_links(links, 6, 3, 1, "inspection").items} >= {("right",), ("shifted",)}


def test_formulas_are_guarded_and_other_text_stays() -> None:
    for text in ("=1+1", "+1", "-1", "@SUM(A1)", "|cmd", "＝1", "＋1", "－1", "＠x"):
        assert guarded(text) == f"'{text}" and unguarded(guarded(text)) == text
    for text in ("", "a = b", "'quoted'", "'", "(1)", "3 - 2"):
        assert guarded(text) == text == unguarded(text)


def test_every_kind_has_criteria_of_its_own() -> None:
    criteria = [criterion for kind in KINDS for criterion in guidelines(kind).criteria]
    assert len(criteria) == len({criterion.key for criterion in criteria}) == 9
    assert all(set(points) <= set(one.scale) for one in criteria for points in one.shares.values())


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_filled_sheets_become_ratings(study: tuple[Study, Path], tmp_path: Path, delimiter: str) -> None:
    found, sheets = study
    paths = [fill(sheets / f"rater-{i}.csv", tmp_path / f"{i}.csv", by_item, delimiter) for i in (3, 1)]
    ratings = gather(found, paths, blanks_are_missing=False)
    assert [*ratings.rater] == ["rater-1"] * 36 + ["rater-3"] * 36, "sentences x systems x criteria, in the key's order"
    assert all(str(one.rating) == by_item(one.rater, one.item, one.criterion) for one in ratings.itertuples())
    first, second = (path.read_text(encoding="utf-8") for path in paths)
    both = tmp_path / "both.csv"
    saved = (first + second.partition("\n")[2] + delimiter * 6 + "\n").replace("\n", "\r\n")
    both.write_bytes(b"\xef\xbb\xbf" + saved.encode())
    status, said = run("import", sheets.with_name("key.json"), both, "--output", tmp_path / "ratings.csv")
    assert status == 0 and said.startswith(f"{tmp_path / 'ratings.csv'}: 66 ratings by 2 raters, 0 missing in ")
    assert read_ratings(tmp_path / "ratings.csv").equals(ratings), "as spreadsheet programs save it, of several raters"


def test_blanks_are_an_error_or_missing(study: tuple[Study, Path], tmp_path: Path) -> None:
    found, sheets = study
    item = found.items[0].id
    path = fill(sheets / "rater-1.csv", tmp_path / "1.csv", lambda *row: " " if row[1] == item else by_item(*row))
    ratings = gather(found, [path], blanks_are_missing=True)
    assert {*ratings[ratings.rating.isna()].item} == {item} and ratings.rating.isna().sum() == 3
    line = 1 + [row[1] for row in cells(path)].index(item)
    said = f"1.csv:{line}: no fluency for {item}; have it rated, or count blanks as missing by --allow-blank"
    refused(said, "import", sheets.with_name("key.json"), path, "--output", tmp_path / "x.csv")


def test_the_table_reads_back(tmp_path: Path) -> None:
    names = itertools.product(("r1", 'ü, "x"'), ("=model", "'quoted", "-x/y"), guidelines("outputs").keys)
    ratings = table_of(
        [(rater, 1, "item-a", system, key, None if key == "adequacy" else 4) for rater, system, key in names]
    )
    write_ratings(tmp_path / "ratings.csv", ratings)
    assert read_ratings(tmp_path / "ratings.csv").equals(ratings)
    assert not any(cell.startswith(("=", "-")) for row in cells(tmp_path / "ratings.csv") for cell in row)


# what is wrong

EXPORT = ["--complex", "complex.txt", *(p for n in OUTPUTS for p in ("--output", f"{n}={n.replace('/', '.')}.txt"))]
BAD_EXPORTS = {
    "short.txt:2: 1 lines where ": [*EXPORT, "--output", "b=short.txt"],
    "gap.txt:3: an empty complex sentence": [*EXPORT, "--complex", "gap.txt"],
    "4 different sentences, fewer than the 5 to be drawn": [*EXPORT, "--count", "5"],
    "right.jsonl: holds document pairs (JSON Lines)": [*EXPORT, "--output", "b=right.jsonl"],
    "--complex with --output, or --links: give one": [],
    "--kind outputs: is about outputs": ["--links", "right=right.jsonl"],
    "is about links": [*EXPORT, "--kind", "alignments"],
    "--kind 'poems': none of": ["--kind", "poems", "--links", "right=right.jsonl"],
    "fewer than the 99 to be drawn": ["--kind", "alignments", "--links", "right=right.jsonl", "--count", "99"],
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
BAD_SHEETS: dict[str, Callable[[Rows], object]] = {
    "no column 'item'": lambda rows: rows[0].__setitem__(1, "id"),
    "two columns 'rater'": lambda rows: rows[0].append("rater"),
    "filled.csv:2: item 'item-x' was not given to rater 'rater-1'": lambda rows: rows[1].__setitem__(1, "item-x"),
    "was not given to rater 'rater-9'": lambda rows: rows[1].__setitem__(0, "rater-9"),
    "filled.csv:13: ": lambda rows: rows.append(rows[1]),
    "filled.csv:3: fluency is '6'; give a whole number from 1 to 5": lambda rows: rows[2].__setitem__(4, "6"),
    "no row for 1 items, such as": lambda rows: rows.pop(),
    "no row below the header": lambda rows: rows.__delitem__(slice(1, None)),
}


@pytest.mark.parametrize("said", BAD_SHEETS)
def test_a_bad_sheet_writes_nothing(folder: Path, said: str) -> None:
    rows = cells(Path("filled.csv"))
    BAD_SHEETS[said](rows)
    doubled = ([cell.replace('"', '""') for cell in row] for row in rows)
    Path("filled.csv").write_text("".join(",".join(f'"{one}"' for one in row) + "\n" for row in doubled))
    refused(said, "import", "key.json", "filled.csv", "--output", "ratings.csv")
    assert not Path("ratings.csv").exists()


BAD_KEYS: dict[str, Callable[[dict[str, Any]], object]] = {
    "(items: missing)": lambda key: key.pop("items"),
    "not a key": lambda key: key.update(format="another"),
    "its items do not fit its raters": lambda key: key["items"][0].update(raters=["unknown"]),
    "(items[0].line: 'three' should be a valid integer)": lambda key: key["items"][0].update(line="three"),
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
    ":3: line 'one' is no whole number": HEADER + GOOD + "r,one,item-b,LSTM,fluency,3\n",
    ":3: criterion 'match' is none of fluency": HEADER + GOOD + "r,1,item-b,LSTM,match,2\n",
    ":3: fluency '7' is not on its scale": HEADER + GOOD + "r,1,item-b,LSTM,fluency,7\n",
    ":3: an empty rater, item or system": HEADER + GOOD + "r,1,item-b,,fluency,3\n",
}


@pytest.mark.parametrize("said", BAD_TABLES)
def test_a_bad_table_is_refused(tmp_path: Path, said: str) -> None:
    (tmp_path / "ratings.csv").write_text(BAD_TABLES[said])
    refused(said, "summary", tmp_path / "ratings.csv")


# the summary

CRITERIA = ("fluency", "adequacy", "simplicity")
Scores = Mapping[str, Sequence[Sequence[int | None]]]


def rated(scores: Scores, criteria: Sequence[str] = CRITERIA, shared: Sequence[tuple[int, str]] = ()) -> pd.DataFrame:
    """Ratings of each system, sentence by sentence and rater by rater, the same on every criterion.

    shared: sentence (from 1) and system whose output is that of the system "a".
    """
    return table_of(
        [
            (f"rater-{rater}", line, f"item-{line}-{'a' if (line, system) in shared else system}", *cell)
            for system, sentences in scores.items()
            for line, values in enumerate(sentences, 1)
            for rater, value in enumerate(values, 1)
            for cell in ((system, criterion, value) for criterion in criteria)
        ]
    )


def values(results: Results, system: str) -> dict[str, float]:
    return {name: estimate.value for name, estimate in results.measures("ratings", system).items()}


def test_means_by_hand() -> None:
    given = [("r1", 1, "fluency", 5), ("r2", 1, "fluency", 4), ("r1", 2, "fluency", 3), ("r2", 2, "fluency", None)]
    given += [("r1", 1, "adequacy", 2), ("r1", 1, "simplicity", 1)]
    ratings = table_of([(rater, line, f"i{line}", "a", key, value) for rater, line, key, value in given])
    found = summarise(ratings, None, Resampling(100, 1))
    wanted = {"fluency": (5 + 4 + 3) / 3, "adequacy": 2, "simplicity": 1, "average": (4 + 2 + 1) / 3}
    assert values(found, "a") == pytest.approx(wanted)
    assert found.notes == {"against": "a", "sentences": "2", "raters": "2", "items": "2"}
    average = found.estimates[Cell("ratings", "a", "average")]
    assert average.low == average.high == pytest.approx((4.5 + 2 + 1) / 3), "the one sentence rated on all criteria"


def test_a_shared_output_counts_once_for_agreement_and_for_both_systems() -> None:
    ratings = rated({"a": [[5, 5], [1, 2]], "b": [[5, 5], [3, 3]]}, shared=[(1, "b")])
    assert sorted(matrix(ratings, "fluency").tolist()) == [[1, 2], [3, 3], [5, 5]]
    found = summarise(ratings, None, Resampling(50, 1))
    assert found.notes["items"] == "3" and found.value("agreement", "fluency", "exact") == pytest.approx(2 / 3)
    assert found.notes["against"] == "b", "the best average"
    assert (values(found, "a")["fluency"], values(found, "b")["fluency"]) == (3.25, 4.0)


def test_scales_that_differ_have_no_average_and_classes_no_mean() -> None:
    for kind, has_average in (("outputs", True), ("changes", False), ("inspection", False)):
        ratings = table_of([("a", 1, "x", "s", key, 2) for key in guidelines(kind).keys])
        assert ("average" in values(summarise(ratings, None, Resampling(10, 1)), "s")) == has_average
    shares = summarise(rated({"s": [[7], [8], [2], [5]]}, ["class"]), None, Resampling(10, 1))
    wanted = {"deletion": 25, "deletion + paraphrase": 25, "complex rewrites": 25, "defective": 50, "not simpler": 25}
    assert wanted.items() <= values(shares, "s").items() and "class" not in values(shares, "s")
    assert {"quadratic_kappa", "alpha_ordinal"}.isdisjoint(shares.measures("agreement", "class"))


def by_rater(*rows: str) -> np.ndarray:
    """Ratings written as one line of digits a rater, a dot for a missing one; shape (items, raters)."""
    return np.array([[np.nan if cell == "." else float(cell) for cell in row] for row in rows]).T


# Krippendorff 2011, section C: four observers, with gaps
SECTION_C = by_rater("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
PUBLISHED = [
    (SECTION_C, "alpha_nominal", 0.743),
    (SECTION_C, "alpha_ordinal", 0.815),
    (by_rater("134", "1..", "23."), "exact", 2 / 4),
    # the third rater shares no item with the others; the fourth agrees with the first and half with the second
    (by_rater("12..12", "11..12", "..12..", "12...."), "kappa", (0.5 + 1 + 0) / 3),
    *((by_rater(*rows), "kappa", None) for rows in (("444", "444"), ("1.", ".2"), ("..", ".."), ("123",))),
]


@pytest.mark.parametrize(("ratings", "name", "wanted"), PUBLISHED)
def test_coefficients_of_published_examples_and_by_hand(ratings: np.ndarray, name: str, wanted: float | None) -> None:
    found = agreement(ratings)
    assert found[name] == (None if wanted is None else pytest.approx(wanted, abs=0.0005))
    assert wanted is not None or found["alpha_ordinal"] is None


def test_the_command_prints_tables_or_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    table = tmp_path / "ratings.csv"
    scores: Scores = {"old": [[2, 3], [2, 2], [3, 3], [2, 1]], "new": [[4, 4], [5, 5], [4, 5], [5, 4]]}
    write_ratings(table, rated(scores))
    status, text = run("summary", table, "--samples", 300)
    assert status == 0 and re.search(r"fluency +2\.25 \[.*\] +4\.50 \[", text) and "against new: p after" in text
    found = json.loads(run("summary", table, "--json", "--against", "old", "--samples", 60, "--seed", 4)[1])
    assert found["resampling"] == {"samples": 60, "seed": 4} and found["notes"]["against"] == "old"
    assert found["estimates"]["ratings"]["new"]["average"][0] == 4.5
    refused("--against 'd': not in the ratings; they have old", "summary", table, "--against", "d")
    write_ratings(tmp_path / "none.csv", rated({"b": [[None]]}))
    refused("no system is rated on all criteria", "summary", tmp_path / "none.csv")
    monkeypatch.setitem(sys.modules, "krippendorff", None)
    monkeypatch.delitem(sys.modules, "textsimp.extras.human.summary")
    monkeypatch.setattr(sys, "argv", ["textsimp", "human", "summary", str(table)])
    with pytest.raises(SystemExit) as stop:
        main()
    said = "error: krippendorff is not installed; run `pip install 'textsimp[human]'`\n"
    assert (stop.value.code, capsys.readouterr().err) == (2, said)
