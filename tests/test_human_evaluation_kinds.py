"""Studies of other kinds than outputs: links from 0 to 2, changes from -2 to 2, classes of rewriting."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from alignment_sample import document_pair
from browser_driver import Browser
from human_evaluation_sample import COMPLEX, OUTPUTS, cells, fill, run, write_texts

from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, DocumentPair, Link, write_pairs
from textsimp.core.results import Resampling
from textsimp.extras.human.drawing import draw_links, draw_study
from textsimp.extras.human.guidelines import KINDS, guidelines
from textsimp.extras.human.ratings import AUTOMATIC, Rating, read_ratings
from textsimp.extras.human.sheets import export_study
from textsimp.extras.human.study import read_key
from textsimp.extras.human.summary import summarise
from textsimp.extras.human.tables import published_tables, summary_tables

HOSTILE = "<script>alert(1)</script> =1+1 'quoted' \"twice\""


def shifted(pair: DocumentPair) -> DocumentPair:
    """Every link one complex sentence further."""
    links = {(link.simple, min(link.complex + 1, 5)) for link in pair.alignments or ()}
    return replace(pair, alignments=tuple(Link(*place, AlignmentLabel.ALIGNED) for place in sorted(links)))


@pytest.fixture
def links(tmp_path: Path) -> dict[str, Path]:
    """The links of two aligners on the same documents, one with a hostile sentence."""
    pairs = [document_pair(number) for number in range(4)]
    first = pairs[0].complex
    pairs[0] = replace(
        pairs[0], complex=replace(first, paragraphs=((HOSTILE, *first.sentences[1:2]), *first.paragraphs[1:]))
    )
    write_pairs(tmp_path / "right.jsonl", pairs)
    write_pairs(tmp_path / "shifted.jsonl", [shifted(pair) for pair in pairs])
    return {name: tmp_path / f"{name}.jsonl" for name in ("right", "shifted")}


def test_every_kind_has_criteria_of_its_own() -> None:
    keys = [key for kind in KINDS for key in guidelines(kind).keys]
    assert len(keys) == len(set(keys)) and {"outputs", "alignments", "changes", "inspection"} <= set(KINDS)
    for kind in KINDS:
        for criterion in guidelines(kind).criteria:
            assert all(set(points) <= set(criterion.scale) for points in criterion.shares.values())
    with pytest.raises(InputError, match="--kind 'poems': none of alignments"):
        guidelines("poems")


def test_links_are_rated_blind_and_told_apart_again(links: dict[str, Path], tmp_path: Path) -> None:
    study = draw_links(links, 10, 3, 2, "alignments")
    assert study == draw_links(links, 10, 3, 2, "alignments") and study != draw_links(links, 10, 4, 2, "alignments")
    assert len({item.line for item in study.items}) == 10 and {len(item.systems) for item in study.items} <= {1, 2}
    export_study(study, tmp_path / "sheets", tmp_path / "key.json")
    assert read_key(tmp_path / "key.json") == study
    header, *rows = cells(tmp_path / "sheets" / "rater-1.csv")
    assert header == ["rater", "item", "simple", "complex", "match"] and len(rows) == len(study.items)
    assert "right" not in (tmp_path / "sheets" / "rater-1.html").read_text() + str(rows)
    right = {item.id for item in study.items if "right" in item.systems}
    filled = [
        fill(path, tmp_path / path.name, lambda rater, item, _: "2" if item in right else "0")
        for path in sorted((tmp_path / "sheets").glob("*.csv"))
    ]
    status, _ = run("import", tmp_path / "key.json", *filled, "--output", tmp_path / "ratings.csv")
    assert status == 0
    status, text = run("summary", tmp_path / "ratings.csv", "--json", "--samples", 50, "--table", 2)
    found = json.loads(text)
    assert status == 0 and found["against"] == "right"
    assert found["systems"]["right"]["match"]["value"] == 2 and found["systems"]["right"]["good"]["value"] == 100
    assert found["systems"]["shifted"]["good or partial"]["value"] < 50
    assert found["agreement"]["match"]["linear_kappa"] == found["agreement"]["match"]["quadratic_kappa"] == 1
    assert 0 < found["wilcoxon"]["shifted"]["match"] < 0.05
    assert [row["ours"] for row in found["published"]["table_2"][-2:]] == ["right", "shifted"]
    assert run("summary", tmp_path / "ratings.csv", "--table", 7)[0] == 2


def test_a_sentence_that_texts_repeat_is_drawn_once(tmp_path: Path) -> None:
    pair = document_pair(0)
    write_pairs(tmp_path / "twice.jsonl", [pair, replace(pair, id="again")])
    study = draw_links({"a": tmp_path / "twice.jsonl"}, 6, 1, 1, "alignments")
    assert len({item.original for item in study.items}) == 6
    with pytest.raises(InputError, match="6 different linked simple sentences, fewer than the 7"):
        draw_links({"a": tmp_path / "twice.jsonl"}, 7, 1, 1, "alignments")


def test_rated_changes_beside_the_printed_ones() -> None:
    ratings = [
        Rating("one", line, f"{system}{line}", system, measure, value)
        for line in range(3)
        for system in ("LightLS", "pbsmt (wiki (good + partial))", "mine")
        for measure, value in (("grammaticality", 4), ("meaning", 2), ("rank", -1))
    ]
    summary = summarise(ratings, None, Resampling(20, 1))
    rows = {row.system: row for row in published_tables(summary, [3])[3]}
    assert [name for name, row in rows.items() if row.ours] == ["PBSMT (Wiki (good + partial))", "LightLS", "mine"]
    assert rows["LightLS"].printed == {"grammaticality": "4.47", "meaning": "2.67", "rank": "-0.01"}
    assert not any("Moses" in name for name in rows), "of another paper"
    headers = {table.title: table.header for table in summary_tables(summary, published_tables(summary, [3]))}
    for title in ("Human evaluation", "Difference to LightLS", "Agreement of the raters"):
        assert headers[title][1:] == ("Grammaticality", "Meaning", "Simplicity"), "as the raters saw them called"
    assert headers["Beside table 3"][-2:] == ("simplicity ours", "simplicity paper")
    (line,) = (
        line
        for table in summary_tables(summary, published_tables(summary, [3]))
        for line in table.text(markdown=False).splitlines()
        if table.title == "Beside table 3" and line.startswith("LightLS")
    )
    assert line.split() == "LightLS 4.00 [4.00, 4.00] 4.47 2.00 [2.00, 2.00] 2.67 -1.00 [-1.00, -1.00] -0.01".split()
    with pytest.raises(InputError, match="--table 2: is about alignments, these ratings are not"):
        published_tables(summary, [2])
    with pytest.raises(InputError, match="--table 6: is about fluency, adequacy and simplicity"):
        published_tables(summary, [6])


def test_wilcoxon_is_that_of_all_signs() -> None:
    """By enumeration: of all ways to put signs before the ranks, the share that is as far from their mean."""
    gaps = [1, -2, 3, 4, -5, 6, 7]
    ratings = []
    for line, gap in enumerate(gaps):
        for rater in range(8):  # of eight raters as many as the gap says give a point more, or less
            value = 1 + (np.sign(gap) if rater < abs(gap) else 0)
            ratings += [
                Rating(str(rater), line, f"{system}{line}", system, "match", int(given))
                for system, given in (("one", value), ("other", 1))
            ]
    found = summarise(ratings, "other", Resampling(20, 1)).wilcoxon["one"]["match"]
    observed = sum(gap for gap in gaps if gap > 0)
    sums = [np.dot(signs, range(1, 8)) for signs in itertools.product((0, 1), repeat=7)]
    assert found == pytest.approx(np.mean([abs(total - 14) >= abs(observed - 14) for total in sums]), abs=1e-6)


def test_inspection_has_the_classes_of_the_rules_beside(links: dict[str, Path], tmp_path: Path) -> None:
    study = draw_links(links, 6, 3, 1, "inspection")
    export_study(study, tmp_path / "sheets", tmp_path / "key.json")
    sheet = fill(tmp_path / "sheets" / "rater-1.csv", tmp_path / "filled.csv", lambda *_: "8")
    assert run("import", tmp_path / "key.json", sheet, "--output", tmp_path / "ratings.csv")[0] == 0
    ratings = read_ratings(tmp_path / "ratings.csv")
    assert {rating.rater for rating in ratings} == {"rater-1", AUTOMATIC}
    assert {rating.rating for rating in ratings if rating.rater == AUTOMATIC} <= set(range(1, 8))
    summary = summarise(ratings, None, Resampling(20, 1))
    assert summary.raters == 1 and summary.automatic is not None
    assert summary.automatic.exact == 0 and sum(map(sum, summary.automatic.table)) == len(study.items)
    assert set(summary.agreement["class"]).isdisjoint({"linear_kappa", "alpha_ordinal"})
    shares = summary.systems["right"]
    assert (shares["not simpler"], shares["defective"]) == (shares["defective"], shares["not simpler"])
    assert {name: value.value for name, value in shares.items() if value}["defective"] == 100
    status, text = run("summary", tmp_path / "ratings.csv", "--samples", 20)
    assert status == 0 and "People's classes beside those of the rules" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--kind", "outputs", "--links", "right=right.jsonl"], "--kind outputs: is about outputs"),
        (["--kind", "alignments", "--complex", "complex.txt", "--output", "old=complex.txt"], "is about links"),
        (["--kind", "poems", "--links", "right=right.jsonl"], "--kind 'poems': none of"),
        (["--kind", "alignments"], "--complex with --output, or --links: give one"),
        (["--kind", "alignments", "--links", "right=right.jsonl", "--count", "99"], "fewer than the 99 to be drawn"),
        (["--kind", "alignments", "--links", "right=right.jsonl", "--links", "cut=cut.jsonl"], "cut.jsonl"),
    ],
)
def test_faulty_requests_write_nothing(
    arguments: list[str], said: str, links: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_texts(tmp_path)
    text = links["right"].read_text(encoding="utf-8")
    (tmp_path / "cut.jsonl").write_text(text[: len(text) // 2], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    status, printed = run("export", "out", *arguments)
    assert status == 2 and said in printed and printed.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("cell", "said"),
    [("3", "match is '3'"), ("-1", "match is '-1'"), ("", "no match for item-"), ("2.5", "match is '2.5'")],
)
def test_ratings_off_the_scale_are_refused(cell: str, said: str, links: dict[str, Path], tmp_path: Path) -> None:
    export_study(draw_links(links, 3, 3, 1, "alignments"), tmp_path / "sheets", tmp_path / "key.json")
    sheet = fill(tmp_path / "sheets" / "rater-1.csv", tmp_path / "filled.csv", lambda *_: cell)
    status, printed = run("import", tmp_path / "key.json", sheet, "--output", tmp_path / "ratings.csv")
    assert status == 2 and said in printed and not (tmp_path / "ratings.csv").exists()


def test_a_table_of_two_kinds_is_refused(tmp_path: Path) -> None:
    rows = ["rater,line,item,system,criterion,rating", "a,1,x,s,match,2", "a,1,y,s,fluency,2"]
    (tmp_path / "ratings.csv").write_text("\n".join(rows) + "\n")
    with pytest.raises(InputError, match=r"ratings.csv:3: criterion 'fluency' is none of match"):
        read_ratings(tmp_path / "ratings.csv")


@pytest.mark.parametrize(
    ("person", "rules", "criterion", "raters", "compared"),
    [(2, 2, "class", 1, True), (None, 2, "class", 1, False), (2, None, "class", 1, False), (2, 1, "match", 2, False)],
)
def test_classes_of_rules_are_beside_those_of_people_where_both_are(
    person: int | None, rules: int | None, criterion: str, raters: int, compared: bool
) -> None:
    ratings = [Rating(rater, 1, "x", "s", criterion, value) for rater, value in (("a", person), (AUTOMATIC, rules))]
    summary = summarise(ratings, "s", Resampling(10, 1))
    assert (summary.raters, summary.automatic is not None) == (raters, compared)


def test_scales_that_differ_have_no_average() -> None:
    for kind in ("outputs", "changes"):
        ratings = [Rating("a", 1, "x", "s", key, 2) for key in guidelines(kind).keys]
        assert ("average" in summarise(ratings, None, Resampling(10, 1)).systems["s"]) == (kind == "outputs")


def test_scales_below_zero_are_rated_by_keyboard(browser: Browser, tmp_path: Path) -> None:
    study = draw_study(*write_texts(tmp_path), 2, 1, 1, "changes")
    export_study(study, tmp_path / "sheets", tmp_path / "key.json")
    browser.open(tmp_path / "sheets" / "rater-1.html")
    browser.evaluate("localStorage.clear()")
    browser.open(tmp_path / "sheets" / "rater-1.html")
    for key in "451":
        browser.press(key)
    chosen = "[...document.querySelectorAll(':checked')].map((input) => [input.name.split('/')[1], input.value])"
    assert browser.evaluate(chosen) == [["grammaticality", "4"], ["meaning", "5"], ["rank", "-2"]]
    assert COMPLEX and OUTPUTS


def test_hostile_links_run_nothing(browser: Browser, links: dict[str, Path], tmp_path: Path) -> None:
    study = draw_links(links, 20, 3, 1, "alignments")
    export_study(study, tmp_path / "sheets", tmp_path / "key.json")
    browser.open(tmp_path / "sheets" / "rater-1.html")
    texts = "[...document.querySelectorAll('.text')].map((text) => text.textContent)"
    seen = []
    for _ in range(20):
        seen += browser.evaluate(texts)
        browser.press("n")
    assert HOSTILE in seen and browser.evaluate("document.scripts.length") == 2
