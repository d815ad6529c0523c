"""`textsimp annotate` of two files: agreement against scikit-learn, the gold of both, and files that are wrong."""

import json
import random
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from alignment_sample import document_pair
from annotation_sample import gold_labels, write_annotated
from commands import done, refused, run
from sklearn.metrics import cohen_kappa_score

from textsimp.core.records import DocumentPair, read_pairs, write_pairs

PAIRS = [document_pair(number) for number in range(3)]
LABELS = ["aligned", "partial", "not"]


def agree(*arguments: object) -> Any:
    return json.loads(done("annotate", *arguments, "--quiet", "--json").stdout)


def cells(pair: DocumentPair) -> Iterator[tuple[int, int]]:
    return product(range(len(pair.simple.sentences)), range(len(pair.complex.sentences)))


def drawn_labels(pair: DocumentPair, draw: random.Random) -> dict[tuple[int, int], str]:
    return {ends: label for ends in cells(pair) if (label := draw.choice(LABELS)) != "not"}


def test_kappas_are_those_of_scikit_learn(tmp_path: Path) -> None:
    draw = random.Random(3)
    first = [drawn_labels(pair, draw) for pair in PAIRS]
    second = [
        {ends: label if draw.random() < 0.7 else draw.choice(LABELS[:2]) for ends, label in labels.items()}
        for labels in first
    ]
    second[1].popitem()
    paths = [
        write_annotated(tmp_path / f"{name}.jsonl", PAIRS, labels) for name, labels in (("a", first), ("b", second))
    ]
    rows = agree(*paths)
    everything: tuple[list[str], list[str]] = ([], [])
    for row, pair, *opinions in zip(rows[:-1], PAIRS, first, second, strict=True):
        answers = [[labels.get(ends, "not") for ends in cells(pair)] for labels in opinions]
        _check(row, *answers)
        for all_of, some in zip(everything, answers, strict=True):
            all_of.extend(some)
    _check(rows[-1], *everything)
    assert rows[-1]["name"] == "all" and rows[-1]["same"] < rows[-1]["pairs"]


def _check(row: dict[str, Any], one: list[str], other: list[str]) -> None:
    def kappa(*classes: str) -> float:
        sides = ([next(kind for kind in classes if label in kind) for label in side] for side in (one, other))
        return float(cohen_kappa_score(*sides))

    assert row["pairs"] == len(one)
    assert row["kappa"] == pytest.approx(kappa("aligned", "partial", "not"), abs=1e-6)
    assert row["kappa_aligned"] == pytest.approx(kappa("aligned", "partial not"), abs=1e-6)
    assert row["kappa_linked"] == pytest.approx(kappa("aligned partial", "not"), abs=1e-6)
    both = [(a, b) for a, b in zip(one, other, strict=True) if "not" not in (a, b)]
    wanted = cohen_kappa_score(*zip(*both, strict=True))
    assert row["kappa_aligned_partial"] == pytest.approx(float(wanted), abs=1e-6)


def test_only_annotated_paragraphs_and_settled_sentences_count(tmp_path: Path) -> None:
    labels = [gold_labels(pair) for pair in PAIRS]
    one = write_annotated(tmp_path / "a.jsonl", PAIRS, labels, paragraphs=[[0, 0]])
    other = write_annotated(tmp_path / "b.jsonl", PAIRS, labels, paragraphs=[], settled=[0])
    for row, pair, found in zip(agree(one, other)[:-1], PAIRS, labels, strict=True):
        counted = {ends for ends in found if ends[0] == 0}
        paragraph = pair.complex.paragraph_of
        if pair.simple.paragraph_of[0] == 0:
            counted |= {(0, high) for high in range(len(paragraph)) if paragraph[high] == 0}
        assert row["pairs"] == row["same"] == len(counted)
        assert row["undecided"] == len(pair.simple.sentences) - 1


def test_where_two_agree_their_links_are_the_gold(tmp_path: Path) -> None:
    labels = [gold_labels(pair) for pair in PAIRS]
    paths: list[Path] = [write_annotated(tmp_path / f"{name}.jsonl", PAIRS, labels) for name in "ab"]
    assert [row["kappa"] for row in agree(*paths, "--output", tmp_path / "gold.jsonl")] == [1.0] * 4
    assert list(read_pairs(tmp_path / "gold.jsonl")) == PAIRS


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    labels = [gold_labels(pair) for pair in PAIRS]
    other = [{**found, min(found): "partial"} for found in labels]
    return {
        "a": write_annotated(tmp_path / "a.jsonl", PAIRS, labels),
        "b": write_annotated(tmp_path / "b.jsonl", PAIRS, other),
        "c": write_annotated(tmp_path / "c.jsonl", PAIRS, other, round="adjudication"),
    }


def test_who_decides_makes_the_gold(files: dict[str, Path], tmp_path: Path) -> None:
    agree(files["a"], files["b"], "--adjudicated", files["c"], "--output", tmp_path / "gold.jsonl")
    assert [gold_labels(pair) for pair in read_pairs(tmp_path / "gold.jsonl")] == [
        gold_labels(pair) for pair in read_pairs(files["b"])
    ]


def _changed(path: Path, change: Any) -> Path:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows = change(rows) or rows
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


DAMAGE: dict[str, Callable[[list[Any]], Any]] = {
    "no document pair 'pair-1', which": lambda rows: rows[1].update(id="other"),
    "simple sentence 0 (from 0) is another": lambda rows: rows[0]["simple"]["paragraphs"][0].__setitem__(0, "Edited."),
    "document pair 1 of 3 where there are 2 lines; the file is cut or edited": lambda rows: rows[:2],
    "nobody has begun it; annotate it": lambda rows: rows[0].pop("alignments") and None,
    "complex sentence 99": lambda rows: rows[0]["alignments"].append([0, 99, "aligned"]),
    "'paragraphs' names [0, 99], which is not there": lambda rows: rows[0]["annotation"].update(paragraphs=[[0, 99]]),
    "annotation.settled[0]: 'x' should be a valid integer": lambda rows: rows[0]["annotation"].update(settled=["x"]),
    "is in": lambda rows: [rows[0], rows[0], rows[2]],
}


@pytest.mark.parametrize("said", DAMAGE)
def test_a_damaged_file_is_one_line(said: str, files: dict[str, Path], tmp_path: Path) -> None:
    _changed(files["b"], DAMAGE[said])
    _refused(tmp_path, said, files["a"], files["b"], "--html", tmp_path / "page.html")


def _refused(tmp_path: Path, reason: str, *arguments: object) -> None:
    refused(run("annotate", *arguments), reason)
    assert not (tmp_path / "page.html").exists() and not (tmp_path / "gold.jsonl").exists()


def test_undecided_work_is_no_gold(files: dict[str, Path], tmp_path: Path) -> None:
    gold = ["--output", tmp_path / "gold.jsonl"]
    _refused(tmp_path, "3 sentence pairs have two labels", files["a"], files["b"], *gold)
    decided = [files["a"], files["b"], "--adjudicated", files["c"], *gold]
    _changed(files["c"], lambda rows: rows[1]["annotation"].update(flags=[[0, 1]]))
    _refused(tmp_path, "has 1 open flags, first S1 with C2; finish it in the page", *decided)
    _changed(files["c"], lambda rows: rows[1]["annotation"].update(flags=[], settled=[0]))
    _refused(tmp_path, "undecided simple sentences, first S2", *decided)
    own = [files["a"], files["b"], "--adjudicated", files["b"]]
    _refused(tmp_path, "b.jsonl:1: of a round 'open', not of adjudication; give what was", *own, *gold)
    _refused(tmp_path, "--adjudicated: goes with --output", *own)


def test_one_annotator_twice_is_said(tmp_path: Path) -> None:
    pairs = [document_pair(number) for number in range(2)]
    labels = [gold_labels(pair) for pair in pairs]
    files = [write_annotated(tmp_path / f"{n}.jsonl", pairs, labels, annotator=name) for n, name in enumerate("aab")]
    files += [tmp_path / "c.jsonl", tmp_path / "d.jsonl"]
    for unnamed in files[3:]:
        write_pairs(unnamed, pairs)
    said = [run("annotate", *chosen).stderr for chosen in (files[:2], files[1:3], files[3:])]
    assert "both are by a;" in said[0] and "both are by" not in said[1] + said[2]
    assert agree(*files[3:])[-1]["pairs"] == 24, "of 72: those of paragraphs that a link joins"
