"""Ceilings of recall against all choices that an aligner could make on small gold alignments."""

import itertools

import numpy as np
import pytest

from textsimp.metrics.alignment_ceiling import KINDS, ceilings
from textsimp.records import AlignmentLabel, Document, DocumentPair, Link

PARTIAL, ALIGNED = AlignmentLabel.PARTIAL, AlignmentLabel.ALIGNED


def pair(m: int, n: int, links: list[tuple[int, int]], label: AlignmentLabel = PARTIAL) -> DocumentPair:
    sides = [
        Document(side, level, (tuple(f"{side} {k}" for k in range(size)),))
        for level, (side, size) in enumerate((("c", n), ("s", m)))
    ]
    return DocumentPair("p", "test", "g", *sides, tuple(Link(i, j, label) for i, j in sorted(links)))


def links_of(gold: DocumentPair) -> dict[str, int]:
    found = ceilings([gold])["task1"]
    return {kind: found[kind]["links"] for kind in KINDS}


def test_a_split_a_merge_and_a_fusion() -> None:
    assert links_of(pair(2, 1, [(0, 0), (1, 0)])) == {"one_complex": 2, "one_simple": 1, "one_to_one": 1, "either": 2}
    assert links_of(pair(1, 2, [(0, 0), (0, 1)])) == {"one_complex": 1, "one_simple": 2, "one_to_one": 1, "either": 2}
    fusion = [(i, j) for i in range(2) for j in range(2)]
    assert links_of(pair(2, 2, fusion)) == {"one_complex": 2, "one_simple": 2, "one_to_one": 2, "either": 4}
    large = [(i, j) for i in range(3) for j in range(3)]
    assert links_of(pair(3, 3, large)) == {"one_complex": 3, "one_simple": 3, "one_to_one": 3, "either": 6}


def matching(links: list[tuple[int, int]]) -> int:
    """The most links of which no two share a sentence."""
    if not links:
        return 0
    (i, j), rest = links[0], links[1:]
    return max(matching(rest), 1 + matching([link for link in rest if link[0] != i and link[1] != j]))


def most(gold: np.ndarray, rows: bool, columns: bool) -> int:
    """The most links of any choice: one a row, one a column, or a link of either."""
    links = [tuple(link) for link in np.argwhere(gold).tolist()]

    def choices(axis: int) -> list[set[tuple[int, int]]]:
        groups = [[link for link in links if link[axis] == k] for k in range(gold.shape[axis])]
        return [set(chosen) for chosen in itertools.product(*[group or [None] for group in groups])]

    if rows and columns:
        return max(len((a | b) - {None}) for a in choices(0) for b in choices(1))
    return max(len(a - {None}) for a in choices(0 if rows else 1))


@pytest.mark.parametrize("seed", range(25))
def test_against_all_choices(seed: int) -> None:
    generator = np.random.default_rng(seed)
    gold = generator.random((int(generator.integers(1, 5)), int(generator.integers(1, 5)))) < 0.45
    found = links_of(pair(*gold.shape, [tuple(link) for link in np.argwhere(gold).tolist()]))
    assert found["one_complex"] == most(gold, True, False)
    assert found["one_simple"] == most(gold, False, True)
    assert found["either"] == most(gold, True, True)
    assert found["one_to_one"] == matching([tuple(link) for link in np.argwhere(gold).tolist()])


def test_percentages_and_identical_pairs() -> None:
    gold = pair(2, 3, [(0, 0), (0, 1), (1, 2)], ALIGNED)
    same = DocumentPair("p", "t", "g", Document("c", 0, (("x",),)), Document("s", 1, (("x",),)), (Link(0, 0, ALIGNED),))
    found = ceilings([gold, same])
    assert found["task1"] == found["task2"]
    assert found["task1"]["gold"] == 3
    assert found["task1"]["one_complex"]["recall"] == pytest.approx(200 / 3)
    assert found["task1"]["one_complex"]["f1"] == pytest.approx(100 * 2 * 2 / (2 + 3))
    assert ceilings([pair(1, 1, [(0, 0)])])["task2"]["either"] == {"links": 0, "recall": 0.0, "f1": 0.0}
