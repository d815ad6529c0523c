"""Alignment strategies against hand-worked examples, enumeration, and the plain form of each algorithm."""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, pairwise
from time import process_time

import numpy as np
import pytest

from textsimp.alignment.strategies.dynamic import MonotoneHmm, SixOperations, SpanAlignment
from textsimp.alignment.strategies.greedy import GreedyOneToOne, MostSimilarText, MostSimilarTextLis, longest_sequence
from textsimp.alignment.strategies.strategy import Comparison, Matrix, Strategy
from textsimp.alignment.strategies.vicinity import Vicinity

STRATEGIES = [
    *(MostSimilarText(), MostSimilarTextLis(), GreedyOneToOne(), SixOperations(), MonotoneHmm()),
    *(SpanAlignment(1), Vicinity(0.3, grow=False), Vicinity()),
]
SHAPES = [(1, 1), (1, 4), (4, 1), (2, 2), (2, 5), (5, 2), (4, 4)]


def align(strategy: Strategy, matrix: list[list[float]] | Matrix) -> Matrix:
    values = np.array(matrix, dtype=np.float64)
    texts = [[""] * size for size in values.shape]
    return strategy.align(Comparison(texts[0], texts[1], values))


def links(strategy: Strategy, matrix: list[list[float]] | Matrix) -> list[tuple[int, int]]:
    return [(i, j) for i, j in np.argwhere(align(strategy, matrix) > -np.inf).tolist()]


def random_matrices(shapes: list[tuple[int, int]], each: int = 12) -> Iterator[Matrix]:
    """Similarities on a coarse grid, so that many are equal or 0, and continuous ones."""
    generator = np.random.default_rng(7)
    for shape in shapes:
        for _ in range(each):
            yield generator.integers(0, 4, shape) / 4
            yield generator.random(shape)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: type(strategy).__name__)
def test_a_link_has_the_similarity_as_score(strategy: Strategy) -> None:
    for matrix in random_matrices(SHAPES):
        scores = align(strategy, matrix)
        linked = scores > -np.inf
        assert scores.shape == matrix.shape and scores.dtype == np.float64
        np.testing.assert_array_equal(scores[linked], matrix[linked])


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: type(strategy).__name__)
@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_an_empty_side_has_no_links(strategy: Strategy, shape: tuple[int, int]) -> None:
    assert align(strategy, np.zeros(shape)).shape == shape


def same_answer_again(strategy: Strategy, matrix: Matrix) -> bool:
    return align(strategy, matrix).tobytes() == align(strategy, matrix.copy(order="F")).tobytes()


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: type(strategy).__name__)
def test_the_order_in_memory_does_not_count(strategy: Strategy) -> None:
    assert all(same_answer_again(strategy, matrix) for matrix in random_matrices([(6, 5)]))


def test_most_similar_text() -> None:
    # the second and third prefer the same text, which MST allows; the first of equals wins; 0 is no similarity
    matrix = [[0.2, 0.5, 0.5], [0.9, 0.1, 0.0], [0.8, 0.7, 0.0], [0.0, 0.0, 0.0], [-0.5, -0.1, -0.2]]
    assert links(MostSimilarText(), matrix) == [(0, 1), (1, 0), (2, 0)]


def rows_with_best(offsets: list[int], size: int, others: float = 0.1) -> Matrix:
    matrix = np.full((len(offsets), size), others)
    matrix[np.arange(len(offsets)), offsets] = 0.9
    return matrix


@pytest.mark.parametrize(
    ("offsets", "changes", "expected"),
    [
        # the example of section 3.1: L = {(s1, c4), (s3, c7)}, U = {s2}; s2 prefers c9, of c4 ... c7 it takes c6
        ([3, 8, 6], {(1, 5): 0.4, (1, 2): 0.6, (1, 7): 0.7, (2, 6): 0.95}, [3, 5, 6]),
        # both ends of the range belong to it
        ([3, 8, 6], {(1, 3): 0.4, (2, 6): 0.95}, [3, 3, 6]),
        ([3, 8, 6], {(1, 6): 0.4, (2, 6): 0.95}, [3, 6, 6]),
        ([0, 1, 1, 1, 8], {}, [0, 1, 1, 1, 8]),
        # L = 2, 2, 3; the first text may go back to 0, the last on to 8
        ([4, 2, 2, 3, 0], {(0, 0): 0.5, (4, 8): 0.5}, [0, 2, 2, 3, 8]),
    ],
    ids=["between", "first of the range", "last of the range", "repeated offsets", "open ends"],
)
def test_lis(offsets: list[int], changes: dict[tuple[int, int], float], expected: list[int]) -> None:
    matrix = rows_with_best(offsets, 9)
    for cell, value in changes.items():
        matrix[cell] = value
    assert [j for _, j in links(MostSimilarText(), matrix)] == offsets
    assert links(MostSimilarTextLis(), matrix) == list(enumerate(expected))


def test_lis_keeps_the_more_similar_of_equally_long_sequences() -> None:
    assert links(MostSimilarTextLis(), [[0.1, 0.8], [0.7, 0.2]]) == [(0, 1), (1, 1)]
    assert links(MostSimilarTextLis(), [[0.1, 0.6], [0.7, 0.2]]) == [(0, 0), (1, 0)]


def test_lis_links_nothing_to_what_shares_nothing() -> None:
    matrix = rows_with_best([0, 1, 2], 3, others=0.0)
    matrix[1] = 0.0
    assert links(MostSimilarTextLis(), matrix) == [(0, 0), (2, 2)]
    assert links(MostSimilarTextLis(), np.zeros((3, 2))) == []


def test_longest_sequence_against_all_subsequences() -> None:
    generator = np.random.default_rng(3)
    for size in range(9):
        for _ in range(25):
            offsets, weights = generator.integers(0, 5, size).tolist(), generator.integers(1, 9, size).tolist()
            chosen = [kept for length in range(size + 1) for kept in combinations(range(size), length)]
            rising = [kept for kept in chosen if all(offsets[a] <= offsets[b] for a, b in pairwise(kept))]
            found = longest_sequence(offsets, weights)
            assert tuple(found) in rising
            value = {kept: (len(kept), sum(weights[k] for k in kept)) for kept in rising}
            assert value[tuple(found)] == max(value.values())


def naive_greedy(matrix: Matrix) -> list[tuple[int, int]]:
    pairs = sorted(np.ndindex(*matrix.shape), key=lambda pair: (-matrix[pair], pair))
    found: list[tuple[int, int]] = []
    for i, j in pairs:
        if matrix[i, j] > 0 and all(i != a and j != b for a, b in found):
            found.append((i, j))
    return sorted(found)


def test_greedy_one_to_one_against_a_naive_loop() -> None:
    for matrix in random_matrices([*SHAPES, (9, 7), (140, 130)], each=3):
        assert links(GreedyOneToOne(), matrix) == naive_greedy(matrix)


def six_operations(similarity: Matrix, skip_penalty: float) -> tuple[float, list[tuple[int, int]]]:
    """The plain recursion over i complex and j simple texts, first of equals; best sum and links (simple, complex)."""

    def a(i: int, j: int) -> tuple[float, list[tuple[int, int]]]:
        if i == 0 or j == 0:
            return 0.0, []
        steps = [(0, 1, []), (1, 0, []), (1, 1, [(0, 0)])]
        steps += [(1, 2, [(0, 1), (0, 0)])] if j >= 2 else []
        steps += [(2, 1, [(1, 0), (0, 0)])] if i >= 2 else []
        steps += [(2, 2, [(1, 0), (0, 1)])] if i >= 2 and j >= 2 else []
        ways = []
        for up, left, pairs in steps:
            total, found = a(i - up, j - left)
            chosen = [(j - 1 - y, i - 1 - x) for x, y in pairs]
            for pair in chosen:
                total += float(similarity[pair])
            ways.append((total if chosen else total - skip_penalty, found + chosen))
        return max(ways, key=lambda way: way[0])

    return a(similarity.shape[1], similarity.shape[0])


@pytest.mark.parametrize("skip_penalty", [0.0001, 0.0, 0.25])
def test_six_operations_against_the_recursion(skip_penalty: float) -> None:
    for matrix in random_matrices(SHAPES, each=5):
        assert links(SixOperations(skip_penalty), matrix) == sorted(six_operations(matrix, skip_penalty)[1])


def test_the_skip_penalty_decides_whether_unlike_sentences_are_paired() -> None:
    # the unlike pair costs 0.1: more than two skips at 0.0001, less than two at 0.2
    matrix = np.full((3, 3), -1.0)
    np.fill_diagonal(matrix, [0.5, -0.1, 0.5])
    assert links(SixOperations(), matrix) == [(0, 0), (2, 2)]
    assert links(SixOperations(0.2), matrix) == [(0, 0), (1, 1), (2, 2)]


def path_probability(hmm: MonotoneHmm, matrix: Matrix, path: tuple[int, ...]) -> float:
    total, before = 0.0, -1
    for i, position in enumerate(path):
        step = position - before
        skip = (1 - hmm.stay - hmm.advance) * (1 - hmm.decay) * hmm.decay ** (step - 2)
        total += np.log({0: hmm.stay, 1: hmm.advance}.get(step, skip))
        total += hmm.sharpness * np.log(matrix[i, position] + hmm.smoothing)
        before = position
    return total


@pytest.mark.parametrize(
    "hmm", [MonotoneHmm(), MonotoneHmm(0.1, 0.2, 0.9, 0.3, 1.0), MonotoneHmm(0.6, 0.3, 0.1, 1e-6, 0.5)]
)
def test_hmm_against_all_monotone_paths(hmm: MonotoneHmm) -> None:
    for matrix in random_matrices([*SHAPES, (3, 7), (6, 4)]):
        found = links(hmm, matrix)
        assert [i for i, _ in found] == list(range(len(matrix)))
        path = tuple(j for _, j in found)
        paths = list(combinations_with_replacement(range(matrix.shape[1]), len(matrix)))
        assert path in paths
        best = max(path_probability(hmm, matrix, other) for other in paths)
        assert path_probability(hmm, matrix, path) == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: type(strategy).__name__)
def test_articles_of_a_thousand_sentences_stay_feasible(strategy: Strategy) -> None:
    matrix = np.random.default_rng(1).random((1000, 1000))
    began = process_time()
    align(strategy, matrix)
    assert process_time() - began < 3


def test_hmm_takes_the_shorter_of_equally_probable_steps() -> None:
    # every step has probability 1/4 from 0, 1 and the first skip on
    hmm = MonotoneHmm(stay=0.25, advance=0.25, decay=0.5)
    assert links(hmm, [[0.5, 0, 0], [0.5, 0.5, 0.5]]) == [(0, 0), (1, 0)]
