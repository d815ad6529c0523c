"""A crowd's annotation: candidates and test questions out, workers judged, gold links in."""

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from crowd_sample import EXPORT, answered, document_pair, write_documents
from human_evaluation_sample import cells, run

from textsimp.core.records import AlignmentLabel, Document, read_pairs, write_pairs
from textsimp.extras.human.study import read_key


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Documents to align, as an aligner has them that finds the aligned pairs alone, and annotated ones."""
    write_documents(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def links(path: str) -> dict[str, set[tuple[int, int, AlignmentLabel]]]:
    return {pair.id: {(o.simple, o.complex, o.label) for o in pair.alignments or ()} for pair in read_pairs(path)}


def test_gold_comes_back_without_the_careless_worker(folder: Path) -> None:
    assert run(*EXPORT)[0] == 0
    study = read_key(Path("out.key.json"))
    assert run("import", "out.key.json", *answered(study), "--output", "ratings.csv")[0] == 0
    status, printed = run("gold", "out.key.json", "ratings.csv", "found.jsonl", "--output", "crowd.jsonl")
    assert status == 0 and printed.count(", trusted\n") == 3
    assert "rater-4: " in printed and "judgements, left out" in printed
    assert "Cohen's kappa 0.9" in printed or "Cohen's kappa 0.8" in printed
    gold, found = links("gold.jsonl"), links("crowd.jsonl")
    right = sum(len(gold[key] & found[key]) for key in gold)
    recall, precision = (right / sum(map(len, some.values())) for some in (gold, found))
    assert recall > 0.95 and precision > 0.95
    shares = {link.score for pair in read_pairs("crowd.jsonl") for link in pair.alignments or ()}
    assert shares <= {0.5, 2 / 3, 1.0, 1 - 1 / 3} and 1.0 in shares
    _, printed = run("gold", "out.key.json", "ratings.csv", "found.jsonl", "--output", "again.jsonl", "--json")
    trusted = [worker["is_trusted"] for worker in json.loads(printed)["workers"]]
    assert trusted == [True, True, True, False]
    assert Path("again.jsonl").read_bytes() == Path("crowd.jsonl").read_bytes()
    summary = run("summary", "ratings.csv", "--json")
    assert json.loads(summary[1])["agreement"]["alignment"]["raters"] == 4


def test_one_question_in_five_is_a_test_that_nothing_tells_from_the_others(folder: Path) -> None:
    run(*EXPORT)
    study = read_key(Path("out.key.json"))
    tests = {item.id for item in study.items if item.right is not None}
    tasks = len(study.items) - len(tests)
    assert len(tests) == -(-tasks // 4) and study.seconds == 10
    points = [item.right for item in study.items if item.right is not None]
    assert max(map(points.count, range(3))) - min(map(points.count, range(3))) <= 1
    for rater in study.raters:
        order = [row[1] for row in cells(Path("out") / f"{rater}.csv")[1:]]
        places = [place for place, item in enumerate(order) if item in tests]
        assert max(b - a for a, b in pairwise(places)) < 10 and order != sorted(order)
        text = (Path("out") / f"{rater}.html").read_text(encoding="utf-8")
        assert '"seconds": 10.0' in text or '"seconds":10.0' in text
        assert "tests.jsonl" not in text and "test question" not in text and '"right"' not in text


def test_whole_paragraphs_are_asked_for_where_a_link_connects_two(folder: Path) -> None:
    def cut(document: Document) -> Document:
        texts = document.sentences
        return replace(document, paragraphs=tuple(texts[start : start + 3] for start in range(0, len(texts), 3)))

    pairs = [replace(pair, complex=cut(pair.complex), simple=cut(pair.simple)) for pair in read_pairs("found.jsonl")]
    pairs = pairs[:4]  # there are test questions for no more
    write_pairs("cut.jsonl", pairs)
    arguments = [*EXPORT[:5], "one=cut.jsonl", *EXPORT[6:]]
    assert run(*arguments, "--whole-paragraphs")[0] == 0
    items = read_key(Path("out.key.json")).items
    asked = {place for item in items if item.right is None for place in item.places}
    connected = {(pair.id, link.simple // 3, link.complex // 3) for pair in pairs for link in pair.alignments or ()}
    inside = {(name, 3 * i + a, 3 * j + b) for name, i, j in connected for a in range(3) for b in range(3)}
    assert asked == inside
    assert {item.right for item in items} == {None, 0, 1, 2}
    status, printed = run("export", "other", "--kind", "alignments", "--links", "one=cut.jsonl", "--whole-paragraphs")
    assert status == 2 and "--whole-paragraphs: goes with --kind crowd" in printed


def damaged(name: str) -> tuple[str, ...]:
    """Damage one of the files; the arguments of the command that has to refuse it."""
    gold = ("gold", "out.key.json", "ratings.csv", "found.jsonl", "--output", "crowd.jsonl")
    with open("ratings.csv", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    key = json.loads(Path("out.key.json").read_text(encoding="utf-8"))
    tests = {item["id"] for item in key["items"] if item["right"] is not None}
    if name == "other key":
        rows = [[*row[:2], row[2].replace(rows[0][2], "item-0123456789"), *row[3:]] for row in rows]
    elif name == "no test answered":
        rows = [[*row[:5], "" if row[2] in tests and row[0] == "rater-1" else row[5]] for row in rows]
    elif name == "nobody trusted":
        rows = [[*row[:5], str((int(row[5]) + 1) % 3)] for row in rows]
    elif name == "cut":
        rows = rows[:-1]
    elif name == "other documents":
        write_pairs("found.jsonl", list(read_pairs("tests.jsonl")))
    with open("ratings.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return gold


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("other key", "is not in the key; give the key of these ratings"),
        ("no test answered", "rater-1 answered none of the test questions"),
        ("nobody trusted", "no worker has 85% of the test questions right"),
        ("cut", "rows were cut out: run `import` again"),
        ("other documents", "found.jsonl: document pair 'd0' is not that of the key"),
    ],
)
def test_what_is_wrong_is_one_line(folder: Path, name: str, message: str) -> None:
    run(*EXPORT)
    run("import", "out.key.json", *answered(read_key(Path("out.key.json"))), "--output", "ratings.csv")
    status, printed = run(*damaged(name))
    assert status == 2 and message in printed and not Path("crowd.jsonl").exists()


def _two(other: str) -> list[str]:
    """An export of the links of two aligners."""
    return [*EXPORT[:5], "one=gold.jsonl", "--links", f"two={other}", *EXPORT[6:]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (EXPORT[:6], "--test-questions: goes with --kind crowd"),
        ([*EXPORT[:3], "alignments", *EXPORT[4:]], "--test-questions: goes with --kind crowd"),
        ([*EXPORT[:7], "few.jsonl", *EXPORT[8:]], "test questions have the answer 0, 10 are needed"),
        (_two("tests.jsonl"), "tests.jsonl: no document pair 'd0', which gold.jsonl has"),
        (_two("edited.jsonl"), "edited.jsonl: document pair 'd0' differs from gold.jsonl's"),
    ],
    ids=["no tests", "other kind", "few tests", "other documents", "other sentences"],
)
def test_an_export_that_cannot_be_is_refused(folder: Path, arguments: Sequence[str], message: str) -> None:
    write_pairs("few.jsonl", [document_pair("t", 100)])
    edited = [replace(document_pair(pair.id, 99), id=pair.id) for pair in read_pairs("gold.jsonl")]
    write_pairs("edited.jsonl", edited)
    status, printed = run(*arguments)
    assert status == 2 and message in printed and not Path("out").exists()
