"""Scores by kind of link on a small alignment worked by hand, and their sums against the totals."""

import random
from dataclasses import replace

import pytest

from textsimp.errors import InputError
from textsimp.metrics.alignment import TASKS, alignment_scores
from textsimp.metrics.alignment_breakdown import LINK_TYPES, breakdown, link_table, link_types
from textsimp.records import AlignmentLabel, Document, DocumentPair, Link

A, P = AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL
COMPLEX = ("a b c d", "e f g h", "i j", "k l", "m n o p", "same words")
SIMPLE = ("a b", "c d", "e f g h x", "i j k l", "z", "same words")
GOLD = (Link(0, 0, P), Link(1, 0, P), Link(2, 1, A), Link(3, 2, P), Link(3, 3, P), Link(5, 5, A))
FOUND = (Link(0, 0, P), Link(2, 1, P), Link(3, 2, A), Link(4, 4, P), Link(5, 5, A))


def pair(links: tuple[Link, ...], gap: int = 1) -> DocumentPair:
    return DocumentPair("p", "t", "g", Document("c", 0, (COMPLEX,)), Document("s", gap, (SIMPLE,)), links)


def test_link_types_by_what_hangs_together() -> None:
    links = [(0, 0), (1, 0), (2, 1), (3, 2), (3, 3), (4, 4), (5, 4), (5, 5)]
    assert link_types(6, 6, links) == ["1-n", "1-n", "1-1", "n-1", "n-1", "n-m", "n-m", "n-m"]
    assert link_types(2, 2, []) == []


def test_by_hand() -> None:
    found = breakdown([(pair(GOLD), FOUND)])
    # 4 right of 5 predicted and 6 gold, with the identical pair
    scores = {"precision": 80.0, "recall": pytest.approx(400 / 6), "f1": pytest.approx(800 / 11)}
    assert found["with_identical"]["task1"] == scores
    assert found["link_types"] == {
        "1-1": {"gold": 1, "recall": 100.0, "predicted": 4, "precision": 75.0},
        "1-n": {"gold": 2, "recall": 50.0, "predicted": 0, "precision": 0.0},
        "n-1": {"gold": 2, "recall": 50.0, "predicted": 0, "precision": 0.0},
        "n-m": {"gold": 0, "recall": 0.0, "predicted": 0, "precision": 0.0},
    }
    # gold leaves simple sentence 4 alone, the system sentence 1
    assert found["unaligned"] == {"gold": 1, "predicted": 1, "precision": 0.0, "recall": 0.0, "f1": 0.0}
    low, some, half, high, full = found["word_overlap"]
    assert low["task1"] == {"gold": 0, "predicted": 1, "precision": 0.0, "recall": 0.0, "f1": 0.0}
    assert some["task1"]["gold"] == 0
    # "a b" and "c d" in "a b c d", "i j" and "k l" in "i j k l": 2 of 4 words each
    scores = {"precision": 100.0, "recall": 50.0, "f1": pytest.approx(200 / 3)}
    assert half["task1"] == {"gold": 4, "predicted": 2, **scores}
    assert half["task2"] == {"gold": 0, "predicted": 1, "precision": 0.0, "recall": 0.0, "f1": 0.0}
    assert full["from"] == 0.8
    assert full["task2"] == {"gold": 1, "predicted": 0, "precision": 0.0, "recall": 0.0, "f1": 0.0}
    assert high["task1"]["gold"] == 0
    assert list(found["level_gap"]) == ["1"]


def test_counts_add_up_to_the_totals() -> None:
    draw = random.Random(3)
    cells = [(i, j) for i in range(len(SIMPLE)) for j in range(len(COMPLEX))]
    pairs = []
    for number in range(20):
        chosen = (sorted(draw.sample(cells, draw.randint(0, 9))) for _ in range(2))
        gold, found = ([Link(i, j, draw.choice([A, P])) for i, j in links] for links in chosen)
        pairs.append((pair(tuple(gold), number % 3), found))
    parts, totals = breakdown(pairs), alignment_scores(pairs)
    for task in TASKS:
        counts = totals["counts"][task]
        for groups in (parts["word_overlap"], list(parts["level_gap"].values())):
            assert sum(group[task]["gold"] for group in groups) == counts["gold"]
            assert sum(group[task]["predicted"] for group in groups) == counts["predicted"]
    for side in ("gold", "predicted"):
        assert sum(parts["link_types"][kind][side] for kind in LINK_TYPES) == totals["counts"]["task1"][side]
    hits = sum(parts["link_types"][kind]["recall"] * parts["link_types"][kind]["gold"] for kind in LINK_TYPES) / 100
    assert hits == pytest.approx(totals["counts"]["task1"]["correct"])
    assert set(parts["level_gap"]) == {"0", "1", "2"}
    table = link_table(pairs)
    assert len(table) == len(table.drop_duplicates(["pair", "simple", "complex"]))


def test_three_fifths_lie_in_the_fourth_bin() -> None:
    documents = [Document(name, 0, ((text,),)) for name, text in (("c", "a b c d e"), ("s", "a b c"))]
    found = breakdown([(DocumentPair("p", "t", "g", *documents, (Link(0, 0, P),)), ())])
    assert [part["task1"]["gold"] for part in found["word_overlap"]] == [0, 0, 0, 1, 0]


def test_unlabelled_pairs_and_wrong_links_are_refused() -> None:
    bare = replace(pair(()), alignments=None)
    with pytest.raises(InputError, match="has no 'alignments'"):
        breakdown([(bare, ())])
    with pytest.raises(InputError, match="names no sentence"):
        breakdown([(pair(GOLD), (Link(9, 0, A),))])


def test_nothing_predicted_and_nothing_gold() -> None:
    found = breakdown([(pair(()), ())])
    assert found["with_identical"]["task1"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0}
    assert found["level_gap"] == {} and len(found["word_overlap"]) == 5
    assert found["unaligned"]["f1"] == 100
