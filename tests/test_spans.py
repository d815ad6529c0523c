"""Alignment of spans against enumeration of all ways to cut two documents into beads."""

from collections.abc import Iterator, Sequence
from functools import partial
from time import process_time

import numpy as np
import pytest

from textsimp.alignment.strategies.dynamic import SpanAlignment
from textsimp.alignment.strategies.strategy import Comparison, Matrix
from textsimp.core.errors import InputError

Bead = tuple[int, int, int, int]
"""First simple and complex text, and how many of each."""


def cosine(rows: Sequence[str], columns: Sequence[str]) -> Matrix:
    """Cosine of word counts."""
    known = sorted({word for text in [*rows, *columns] for word in text.split()})
    sides = [np.array([[text.split().count(word) for word in known] for text in texts]) for texts in (rows, columns)]
    norms = [np.linalg.norm(side, axis=1) for side in sides]
    return (sides[0] @ sides[1].T) / np.outer(*norms)


def compared(simple: Sequence[str], complex_: Sequence[str]) -> Comparison:
    return Comparison(simple, complex_, cosine(simple, complex_), cosine)


def links(strategy: SpanAlignment, simple: Sequence[str], complex_: Sequence[str]) -> list[tuple[int, int]]:
    scores = strategy.align(compared(simple, complex_))
    return [(i, j) for i, j in np.argwhere(scores > -np.inf).tolist()]


def random_comparison(generator: np.random.Generator, m: int, n: int) -> Comparison:
    """Texts that are known by their numbers, and a random similarity of every two spans, some over 1."""
    names = [[str(index) for index in range(size)] for size in (m, n)]
    known: dict[tuple[str, str], float] = {}

    def compare(rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        for pair in ((row, column) for row in rows for column in columns):
            known.setdefault(pair, generator.uniform(-0.2, 1.05))
        return np.array([[known[row, column] for column in columns] for row in rows])

    return Comparison(*names, compare(*names), compare)


def first_beads(i: int, j: int, m: int, n: int, max_span: int) -> list[Bead]:
    """The beads that may begin at texts i and j."""
    longer = range(2, max_span + 1)
    sizes = [(1, 0), (0, 1), (1, 1), *((size, 1) for size in longer), *((1, size) for size in longer)]
    return [(i, j, a, b) for a, b in sizes if i + a <= m and j + b <= n]


def cuts(i: int, j: int, m: int, n: int, max_span: int) -> Iterator[tuple[Bead, ...]]:
    """All ways to cut what is left from texts i and j on."""
    if (i, j) == (m, n):
        yield ()
    for bead in first_beads(i, j, m, n, max_span):
        yield from ((bead, *rest) for rest in cuts(i + bead[2], j + bead[3], m, n, max_span))


def cost(comparison: Comparison, bead: Bead) -> float:
    """The formula of the module's docstring, spelt out."""
    i, j, a, b = bead
    x, y = " ".join(comparison.simple[i : i + a]), " ".join(comparison.complex[j : j + b])
    unlike = partial(dissimilarity, comparison)
    over_complex = np.mean([unlike(x, text) for text in comparison.complex])
    over_simple = np.mean([unlike(text, y) for text in comparison.simple])
    return unlike(x, y) * a * b / ((over_complex + over_simple) / 2)


def dissimilarity(comparison: Comparison, left: str, right: str) -> float:
    return max(0.0, 1 - comparison.compare([left], [right])[0, 0])


def all_costs(comparison: Comparison, max_span: int, deletion: float) -> dict[Bead, float]:
    """The cost of every bead."""
    m, n = comparison.matrix.shape
    pairs = [cost(comparison, (i, j, 1, 1)) for i in range(m) for j in range(n)]
    alone = float(np.quantile([value for value in pairs if value > 0], deletion))
    beads = {bead for i in range(m + 1) for j in range(n + 1) for bead in first_beads(i, j, m, n, max_span)}
    return {bead: cost(comparison, bead) if bead[2] and bead[3] else alone for bead in beads}


def linked(comparison: Comparison, cut: Sequence[Bead]) -> Matrix:
    """The links of a cut with the similarity of the spans."""
    scores = np.full(comparison.matrix.shape, -np.inf)
    for i, j, a, b in cut:
        if a and b:
            spans = [" ".join(comparison.simple[i : i + a])], [" ".join(comparison.complex[j : j + b])]
            scores[i : i + a, j : j + b] = comparison.compare(*spans)
    return scores


@pytest.mark.parametrize("max_span", [1, 2, 3])
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1), (2, 2), (2, 5), (5, 2), (4, 4)])
def test_cheapest_of_all_cuts(shape: tuple[int, int], max_span: int) -> None:
    generator, kinds = np.random.default_rng(17), set()
    for deletion in (0.0, 0.15, 0.3, 0.6, 0.9):
        comparison = random_comparison(generator, *shape)
        costs = all_costs(comparison, max_span, deletion)
        totals = {cut: sum(costs[bead] for bead in cut) for cut in cuts(0, 0, *shape, max_span)}
        found = SpanAlignment(max_span, deletion).align(comparison)
        # several cuts have the same links and cost: texts alone may come in any order
        best = [cut for cut, total in totals.items() if total < min(totals.values()) + 1e-9]
        assert any(np.array_equal(linked(comparison, cut), found) for cut in best)
        kinds |= {bead[2:] for cut in best for bead in cut}
    if shape == (4, 4):  # every kind of bead was worth something
        spans = range(2, max_span + 1)
        assert kinds == {(1, 0), (0, 1), (1, 1), *((size, 1) for size in spans), *((1, size) for size in spans)}


OTTER, BADGER, HERON = "otter swims river fast", "badger digs deep burrow", "heron waits in reeds"
WHOLE = "otter swims river fast badger digs deep burrow heron waits in reeds"
FILLER = "unlike anything else here"


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ([OTTER, BADGER], [OTTER, BADGER], [(0, 0), (1, 1)]),
        ([OTTER, FILLER, BADGER, HERON], [OTTER, BADGER, f"{HERON} again"], [(0, 0), (2, 1), (3, 2)]),
        ([OTTER, BADGER, FILLER], [f"{OTTER} {BADGER}"], [(0, 0), (1, 0)]),
        ([FILLER, OTTER, BADGER, HERON], [WHOLE], [(1, 0), (2, 0), (3, 0)]),
        ([OTTER, FILLER, f"{BADGER} {HERON}"], [OTTER, BADGER, HERON], [(0, 0), (2, 1), (2, 2)]),
    ],
)
def test_beads_by_hand(left: list[str], right: list[str], expected: list[tuple[int, int]], turned: bool) -> None:
    strategy = SpanAlignment(3, 0.0)
    if turned:
        assert links(strategy, right, left) == sorted((j, i) for i, j in expected)
    else:
        assert links(strategy, left, right) == expected


def test_equal_texts_do_not_make_it_free_to_leave_texts_out() -> None:
    left = [OTTER, FILLER, BADGER, f"{HERON} again"]
    for rounding in (0.0, 1e-7):
        matrix = cosine(left, [OTTER, BADGER, HERON]) - rounding
        scores = SpanAlignment(1, 0.0).align(Comparison(left, [OTTER, BADGER, HERON], matrix))
        assert np.argwhere(scores > -np.inf).tolist() == [[0, 0], [2, 1], [3, 2]]


def test_the_same_texts_are_linked_in_order() -> None:
    # nothing is unlike anything: all cuts cost 0
    assert links(SpanAlignment(), [OTTER] * 3, [OTTER] * 3) == [(0, 0), (1, 1), (2, 2)]
    assert links(SpanAlignment(), [OTTER], [OTTER]) == [(0, 0)]


def test_a_large_document_is_fast() -> None:
    generator = np.random.default_rng(1)
    matrix = generator.random((2000, 600))
    start = process_time()

    def compare(rows: list[str], columns: list[str]) -> np.ndarray:
        return generator.random((len(rows), len(columns)))

    SpanAlignment().align(Comparison([""] * 2000, [""] * 600, matrix, compare))
    assert process_time() - start < 10


def test_a_similarity_of_sentences_alone_has_no_spans() -> None:
    comparison = Comparison([OTTER], [OTTER], np.ones((1, 1)))
    with pytest.raises(InputError, match="compares sentences only"):
        SpanAlignment(2).align(comparison)
    assert SpanAlignment(1).align(comparison).tolist() == [[1.0]]
