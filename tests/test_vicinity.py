"""The vicinity-driven search against the plain form of the search, and what its options change."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

import numpy as np
import pytest

from textsimp.alignment.strategies.strategy import Comparison, Matrix
from textsimp.alignment.strategies.vicinity import Vicinity

PARAGRAPHS = Vicinity(acceptable=0.3, grow=False)


def shared_words(rows: Sequence[str], columns: Sequence[str]) -> Matrix:
    """Jaccard coefficient: common words over all words."""
    sides = [[set(text.split()) for text in texts] for texts in (rows, columns)]
    return np.array([[len(left & right) / len(left | right) for right in sides[1]] for left in sides[0]])


def align(strategy: Vicinity, matrix: Matrix | list[list[float]]) -> Matrix:
    values = np.array(matrix, dtype=np.float64)
    return strategy.align(Comparison([""] * values.shape[0], [""] * values.shape[1], values))


def links(scores: Matrix) -> list[tuple[int, int]]:
    return [(i, j) for i, j in np.argwhere(scores > -np.inf).tolist()]


def with_cells(shape: tuple[int, int], cells: dict[tuple[int, int], float], others: float = 0.1) -> Matrix:
    matrix = np.full(shape, others)
    for cell, value in cells.items():
        matrix[cell] = value
    return matrix


def test_far_along_one_side_is_closer_than_the_corner_of_a_square() -> None:
    for k in (3, 7, 15, 31, 40):  # (k, k) is farther than 1.4 k
        matrix = with_cells((k + 1, 2 * k), {(k, k): 0.9, (0, k + 2): 0.4})
        assert links(align(PARAGRAPHS, matrix))[0] == ((k, k) if 2 * k**2 < (k + 2) ** 2 else (0, k + 2))
        matrix = with_cells((k + 3, 2 * k + 3), {(0, 0): 0.5, (k + 2, k + 2): 0.9, (3, k + 4): 0.4})
        assert links(align(PARAGRAPHS, matrix))[1] == ((k + 2, k + 2) if k == 3 else (3, k + 4))


def test_gap_widens_the_second_vicinity() -> None:
    matrix = with_cells((5, 5), {(0, 0): 0.5, (1, 4): 0.9, (2, 2): 0.4, (1, 3): 0.5})
    assert links(align(Vicinity(0.3, gap=0, grow=False), matrix)) == [(0, 0), (2, 2)]
    assert links(align(Vicinity(0.3, gap=1, grow=False), matrix)) == [(0, 0), (2, 2)]
    assert links(align(Vicinity(0.3, gap=2, grow=False), matrix)) == [(0, 0), (1, 3), (1, 4)]
    assert links(align(Vicinity(0.3, gap=3, grow=False), matrix)) == [(0, 0), (1, 4)]


def compared(simple: list[str], complex_: list[str]) -> Comparison:
    return Comparison(simple, complex_, shared_words(simple, complex_), shared_words)


@pytest.mark.parametrize("sides", ["n-1", "1-n"])
def test_sentences_grow_while_the_joined_texts_become_more_alike(sides: str) -> None:
    # joined: 3/7, then 5/7, then 7/7; the fourth (2/7 by itself) would bring 7/8
    parts, whole = ["one two three", "four five", "six seven", "one two eight"], "one two three four five six seven"
    texts = (parts, [whole]) if sides == "n-1" else ([whole], parts)
    expected = [(0, 0), (1, 0), (2, 0)]
    for slack, more in ((0.0, []), (0.05, []), (0.13, [(3, 0)])):
        found = links(Vicinity(acceptable=0.2, slack=slack).align(compared(*texts)))
        assert [cell if sides == "n-1" else cell[::-1] for cell in found] == expected + more


def test_what_does_not_grow_leaves_the_vicinity_to_the_others() -> None:
    # (1, 0) is the most alike of V1 (2/4), but does not add to text 0, which is the same as its partner
    simple, complex_ = ["one two three", "one two nine"], ["one two three", "nine ten eleven twelve"]
    comparison = compared(simple, complex_)
    assert comparison.matrix.tolist() == [[1, 0], [2 / 4, 1 / 6]]
    strict = Vicinity(acceptable=0.15, slack=0.0)
    assert links(strict.align(comparison)) == [(0, 0), (1, 1)]
    assert links(Vicinity(acceptable=0.15, grow=False).align(comparison)) == [(0, 0), (1, 0)]
    # at the same similarity nothing has grown
    assert links(strict.align(compared(["one two", "two one"], ["one two"]))) == [(0, 0)]
    assert links(Vicinity(acceptable=0.15, slack=0.01).align(compared(["one two", "two one"], ["one two"]))) == [
        (0, 0),
        (1, 0),
    ]


def test_nothing_acceptable() -> None:
    assert links(align(PARAGRAPHS, np.full((20, 30), 0.29))) == []
    assert links(align(PARAGRAPHS, np.full((1, 1), 0.3))) == [(0, 0)]


def plain_search(matrix: Matrix, alpha: float) -> Iterator[tuple[int, int]]:
    """The search without joined texts, as the module's docstring has it, by looking at every pair."""
    m, n = matrix.shape
    run: list[tuple[int, int]] = []
    while True:
        i, j = run[-1] if run else (0, 0)
        vicinities: list[dict[tuple[int, int], tuple[float, ...]]] = [{}, {}, {}]
        for cell in product(range(m), range(n)):
            down, right = cell[0] - i, cell[1] - j
            if matrix[cell] < alpha or down < 0 or right < 0:
                continue
            if not run:
                vicinities[2][cell] = (down**2 + right**2, -matrix[cell], cell[0])
            elif down == right == 1:
                vicinities[0][cell] = (-matrix[cell], 0, 0)
            elif (down, right) == (0, 1) and all(row == i for row, _ in run):
                vicinities[0][cell] = (-matrix[cell], 1, 0)
            elif (down, right) == (1, 0) and all(column == j for _, column in run):
                vicinities[0][cell] = (-matrix[cell], 2, 0)
            elif (down, right) in ((1, 2), (2, 1)):
                vicinities[1][cell] = (-matrix[cell], down, 0)
            elif down and right:
                vicinities[2][cell] = (down**2 + right**2, -matrix[cell], cell[0])
        found = next((cells for cells in vicinities if cells), None)
        if found is None:
            return
        cell = min(found, key=lambda cell: found[cell])
        yield cell
        run = [*run, cell] if run and (cell[0] == i or cell[1] == j) else [cell]


def test_against_the_plain_search() -> None:
    generator = np.random.default_rng(11)
    jumps = 0
    for shape in [(1, 1), (1, 6), (6, 1), (5, 7), (12, 30), (30, 12), (25, 25)]:
        for density in (0.02, 0.1, 0.5):
            for _ in range(6):
                alike = generator.integers(3, 8, shape) / 8
                matrix = np.where(generator.random(shape) < density, alike, 0.1)
                expected = list(plain_search(matrix, 0.3))
                assert links(align(PARAGRAPHS, matrix)) == sorted(expected)
                jumps += sum(after[0] - before[0] > 9 for before, after in pairwise(expected))
    assert jumps > 5  # beyond the first window


def test_every_link_belongs_to_a_1_1_1_n_or_n_1_alignment() -> None:
    generator = np.random.default_rng(5)
    for strategy in (PARAGRAPHS, Vicinity(), Vicinity(gap=3, grow=False)):
        for _ in range(30):
            linked = align(strategy, generator.random((9, 8))) > -np.inf
            alone = (linked.sum(1)[:, None] == 1) | (linked.sum(0) == 1)
            assert linked.any() and alone[linked].all()


def test_growth_without_joined_texts() -> None:
    # (0.6 + second) / sqrt(2) is over 0.6 from second = 0.2485; over 0.55 from 0.178; then (1.1 + third) / sqrt(3)
    assert links(align(Vicinity(0.1, slack=0.0), [[0.6], [0.25]])) == [(0, 0), (1, 0)]
    assert links(align(Vicinity(0.1, slack=0.0), [[0.6, 0.24]])) == [(0, 0)]
    assert links(align(Vicinity(0.1), [[0.6, 0.18]])) == [(0, 0), (0, 1)]
    assert links(align(Vicinity(0.1, slack=0.0), [[0.6, 0.5, 0.24]])) == [(0, 0), (0, 1)]
    assert links(align(Vicinity(0.1, slack=0.0), [[0.6, 0.5, 0.25]])) == [(0, 0), (0, 1), (0, 2)]
