"""A crowd's annotation: candidates and test questions out, workers judged, gold links in."""

import csv
import json
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from annotation_sample import annotated_row
from crowd_sample import EXPORT, answered, document_pair, write_documents
from human_evaluation_sample import cells, refused, run
from sklearn.metrics import cohen_kappa_score

from textsimp.core.records import AlignmentLabel, DocumentPair, read_pairs, write_pairs
from textsimp.extras.human.crowd import MEASURES, first_by
from textsimp.extras.human.study import Study, read_key

GOLD = ("gold", "out.key.json", "ratings.csv", "found.jsonl", "--output", "crowd.jsonl")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Documents to align, as an aligner has them that finds the aligned pairs alone, and annotated ones."""
    write_documents(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def rated(folder: Path) -> Study:
    """The study of these documents, with the answers of its workers."""
    assert run(*EXPORT)[0] == 0
    study = read_key(Path("out.key.json"))
    assert run("import", "out.key.json", *answered(study), "--output", "ratings.csv")[0] == 0
    return study


def links(path: str) -> dict[str, set[tuple[int, int, AlignmentLabel]]]:
    return {pair.id: {(o.simple, o.complex, o.label) for o in pair.alignments or ()} for pair in read_pairs(path)}


def asked_places(key: str) -> set[tuple[str, int, int]]:
    return {place for item in read_key(Path(key)).items if item.right is None for place in item.places}


def test_gold_comes_back_without_the_careless_worker(rated: Study) -> None:
    write_pairs("found.jsonl", [*read_pairs("found.jsonl"), document_pair("new", 99)])
    status, printed = run(*GOLD)
    assert "warning: 1 document pair of which nobody was asked left out" in printed
    assert status == 0 and printed.count(" True\n") == 3 and "kept: 3 of 4 workers" in printed
    gold, found = links("gold.jsonl"), links("crowd.jsonl")
    right = sum(len(gold[key] & found[key]) for key in found)
    assert all(right / sum(map(len, some.values())) > 0.95 for some in (gold, found))
    shares = {link.score for pair in read_pairs("crowd.jsonl") for link in pair.alignments or ()}
    assert shares <= {2 / 3, 1.0, 1 - 1 / 3} and 1.0 in shares
    with open("ratings.csv", encoding="utf-8", newline="") as file:
        answers = {(row["rater"], row["item"]): int(row["rating"]) for row in csv.DictReader(file)}
    candidates = [item.id for item in rated.items if item.right is None]
    pairs = [(answers[a, i], answers[b, i]) for i in candidates for a, b in combinations(rated.raters[:3], 2)]
    assert f"on the candidates: {cohen_kappa_score(*zip(*pairs, strict=True)):.3f} (the paper" in printed


def test_one_question_in_five_is_a_test_that_nothing_tells_from_the_others(rated: Study) -> None:
    points = {item.id: item.right for item in rated.items if item.right is not None}
    assert len(points) == -(-(len(rated.items) - len(points)) // 4) and rated.seconds == 10
    numbers = [list(points.values()).count(point) for point in range(3)]
    assert max(numbers) - min(numbers) <= 1
    for rater in rated.raters:
        order = [row[1] for row in cells(Path("out") / f"{rater}.csv")[1:]]
        places = [place for place, item in enumerate(order) if item in points]
        assert max(b - a for a, b in pairwise(places)) < 10 and order != sorted(order)
        text = (Path("out") / f"{rater}.html").read_text(encoding="utf-8")
        assert '"seconds":10.0' in text and "test question" not in text and '"right"' not in text


def test_a_question_is_for_some_of_a_larger_pool(folder: Path) -> None:
    status, said = run(*EXPORT, "--raters", 9)
    study = read_key(Path("out.key.json"))
    candidates = [item for item in study.items if item.right is None]
    tests = {item.id for item in study.items if item.right is not None}
    assert {len(item.raters) for item in candidates} == {5} and len({item.raters for item in candidates}) > 9
    share = -(-len(candidates) * 5 // 9)
    for rater in study.raters:
        part = {item.id for item in candidates if rater in item.raters}
        assert len(part) in (share, share - 1) and {item.id for item in study.asked[rater]} == part | tests
        assert {row[1] for row in cells(Path("out") / f"{rater}.csv")[1:]} == part | tests
    assert status == 0 and f"{share + len(tests)} questions for each of 9 workers, {len(tests)} of them tests" in said


def test_whole_paragraphs_are_asked_for_where_a_link_or_an_annotator_joins_two(folder: Path) -> None:
    """Step 1 of section 3.1: of the second file paragraphs are linked in the page, and no sentence is labelled."""

    def cut(pair: DocumentPair, size: int) -> DocumentPair:
        sides = (pair.complex, pair.simple)
        complex_, simple = (
            replace(s, paragraphs=tuple(s.sentences[n : n + size] for n in range(0, len(s.sentences), size)))
            for s in sides
        )
        return replace(pair, complex=complex_, simple=simple)

    pairs = [cut(pair, 3) for pair in read_pairs("found.jsonl")][:4]  # there are test questions for no more
    write_pairs("cut.jsonl", pairs)
    assert run(*EXPORT[:5], "one=cut.jsonl", *EXPORT[6:], "--whole-paragraphs")[0] == 0
    joined = {(pair.id, link.simple // 3, link.complex // 3) for pair in pairs for link in pair.alignments or ()}
    assert asked_places("out.key.json") == {
        (name, 3 * i + a, 3 * j + b) for name, i, j in joined for a in range(3) for b in range(3)
    }
    linked = [[[0, 1], [1, 1]], [], [], []]
    rows = [
        annotated_row(pair, (number, 4), {}, paragraphs=linked[number], settled=[]) for number, pair in enumerate(pairs)
    ]
    Path("me.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert run("export", "mine", *EXPORT[2:5], "me=me.jsonl", *EXPORT[6:], "--whole-paragraphs")[0] == 0
    assert asked_places("mine.key.json") == {(pairs[0].id, i, j) for i in range(6) for j in range(3, 6)}


def test_candidates_are_the_first_by_each_of_the_four_measures(folder: Path) -> None:
    pairs = list(read_pairs("gold.jsonl"))[:2]
    alone = [first_by([name], pairs) for name in MEASURES]
    assert len(alone) == 4
    for found in alone:
        firsts = [sorted(simple for simple, _ in own) for own in found]
        assert firsts == [list(range(len(pair.simple.sentences))) for pair in pairs]
    together = first_by(list(MEASURES), pairs)
    assert together == [set().union(*own) for own in zip(*alone, strict=True)]
    gold = [{(link.simple, link.complex) for link in pair.alignments or ()} for pair in pairs]
    assert all(own <= found for own, found in zip(gold, together, strict=True))


def two(other: str) -> list[str]:
    """An export of the links of two aligners."""
    return [*EXPORT[:5], "one=gold.jsonl", "--links", f"two={other}", *EXPORT[6:]]


def test_the_links_of_aligners_are_joined_by_document(folder: Path) -> None:
    """The second file has the documents in another order."""
    write_pairs("reordered.jsonl", reversed(list(read_pairs("gold.jsonl"))))
    for name, other in (("out", "gold.jsonl"), ("other", "reordered.jsonl")):
        assert run("export", name, *two(other)[2:])[0] == 0
    assert Path("other.key.json").read_bytes() == Path("out.key.json").read_bytes()


BAD_EXPORTS = {
    "--kind crowd: takes --links and --test-questions, not": EXPORT[:6],
    "--test-questions, --whole-paragraphs: go with --kind crowd": [*EXPORT[:3], "alignments", *EXPORT[4:]],
    "test questions have the answer 0, 10 are needed": [*EXPORT[:7], "few.jsonl", *EXPORT[8:]],
    "0 test questions have the answer 1, ": [*EXPORT[:7], "torn.jsonl", *EXPORT[8:]],
    "tests.jsonl: no document pair 'd0', which gold.jsonl has": two("tests.jsonl"),
    "edited.jsonl:1: document pair 'd0' differs from gold.jsonl:1: ": two("edited.jsonl"),
    "--measures: no 'tf-idf'; known: char_ngrams, tfidf": [*EXPORT, "--measures", "tf-idf"],
}


@pytest.mark.parametrize("said", BAD_EXPORTS)
def test_an_export_that_cannot_be_is_refused(folder: Path, said: str) -> None:
    write_pairs("few.jsonl", [document_pair("t", 100)])
    tests = list(read_pairs("tests.jsonl"))  # and the same texts with other answers
    write_pairs("torn.jsonl", [*tests, *(replace(pair, id=f"no-{pair.id}", alignments=()) for pair in tests)])
    write_pairs("edited.jsonl", [replace(document_pair(f"d{number}", 99), id=f"d{number}") for number in range(8)])
    refused(said, *BAD_EXPORTS[said])
    assert not Path("out").exists()


def test_damaged_ratings_give_no_gold(rated: Study) -> None:
    with open("ratings.csv", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    damage = {
        "is not in the key; give the key": [
            [*r[:2], r[2].replace(rows[0][2], "item-0123456789"), *r[3:]] for r in rows
        ],
        "no worker has 85% of the test questions right": [[*r[:5], str((int(r[5]) + 1) % 3)] for r in rows],
    }
    text = Path("ratings.csv").read_text()
    for said, changed in damage.items():
        with open("ratings.csv", "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([header, *changed])
        refused(said, *GOLD)
    Path("ratings.csv").write_text(text)
    refused("tests.jsonl: document pair 'd0' is absent", *GOLD[:3], "tests.jsonl", *GOLD[4:])
    assert not Path("crowd.jsonl").exists()
