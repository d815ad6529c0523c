"""Alignment strategies against hand-worked examples, enumeration, and the plain form of each algorithm."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, combinations_with_replacement, pairwise, product
from time import process_time

import numpy as np
import pytest

from textsimp.alignment.similarity.lexical import Jaccard
from textsimp.alignment.strategies.dynamic import MonotoneHmm, SixOperations, SpanAlignment
from textsimp.alignment.strategies.greedy import GreedyOneToOne, MostSimilarText, MostSimilarTextLis, longest_sequence
from textsimp.alignment.strategies.strategy import Comparison, Matrix, Strategy
from textsimp.alignment.strategies.vicinity import Vicinity
from textsimp.core.errors import InputError

STRATEGIES = [
    *(MostSimilarText(), MostSimilarTextLis(), GreedyOneToOne(), SixOperations(), MonotoneHmm()),
    *(SpanAlignment(1), Vicinity(0.3, grow=False), Vicinity()),
]
SHAPES = [(1, 1), (1, 4), (4, 1), (2, 2), (2, 5), (5, 2), (4, 4)]


def align(strategy: Strategy, matrix: list[list[float]] | Matrix) -> Matrix:
    values = np.array(matrix, dtype=np.float64)
    texts = [[""] * size for size in values.shape]
    return strategy.align(Comparison(texts[0], texts[1], values))


def linked_cells(scores: Matrix) -> list[tuple[int, int]]:
    return [(i, j) for i, j in np.argwhere(scores > -np.inf).tolist()]


def links(strategy: Strategy, matrix: list[list[float]] | Matrix) -> list[tuple[int, int]]:
    return linked_cells(align(strategy, matrix))


shared_words = Jaccard().compare


def by_shared_words(simple: list[str], complex_: list[str]) -> Comparison:
    return Comparison(simple, complex_, shared_words(simple, complex_), shared_words)


def random_matrices(shapes: list[tuple[int, int]], each: int = 5) -> Iterator[Matrix]:
    """Similarities on a coarse grid, so that many are equal or 0, and continuous ones."""
    generator = np.random.default_rng(7)
    for shape in shapes:
        for _ in range(each):
            yield generator.integers(0, 4, shape) / 4
            yield generator.random(shape)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: type(strategy).__name__)
def test_a_link_has_the_similarity_as_score(strategy: Strategy) -> None:
    """In whatever order the numbers are in memory; an empty side has no links."""
    for matrix in random_matrices([*SHAPES, (6, 5)], each=4):
        scores = align(strategy, matrix)
        linked = scores > -np.inf
        assert scores.shape == matrix.shape and scores.dtype == np.float64
        np.testing.assert_array_equal(scores[linked], matrix[linked])
        assert scores.tobytes() == align(strategy, matrix.copy(order="F")).tobytes()
    for shape in ((0, 0), (0, 3), (3, 0)):
        assert align(strategy, np.zeros(shape)).shape == shape


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda strategy: type(strategy).__name__)
def test_articles_of_hundreds_of_sentences_stay_feasible(strategy: Strategy) -> None:
    matrix = np.random.default_rng(1).random((400, 400))
    began = process_time()
    align(strategy, matrix)
    assert process_time() - began < 1


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
    for size in range(8):
        for _ in range(10):
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
    for matrix in random_matrices([*SHAPES, (9, 7), (30, 20)]):
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
    for matrix in random_matrices(SHAPES):
        assert links(SixOperations(skip_penalty), matrix) == sorted(six_operations(matrix, skip_penalty)[1])


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


def test_hmm_takes_the_shorter_of_equally_probable_steps() -> None:
    # every step has probability 1/4 from 0, 1 and the first skip on
    hmm = MonotoneHmm(stay=0.25, advance=0.25, decay=0.5)
    assert links(hmm, [[0.5, 0, 0], [0.5, 0.5, 0.5]]) == [(0, 0), (1, 0)]


# Spans of adjacent texts, against all ways to cut two documents into beads.

Bead = tuple[int, int, int, int]
"""First simple and complex text, and how many of each."""


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
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (5, 2), (4, 4)])
def test_cheapest_of_all_cuts(shape: tuple[int, int], max_span: int) -> None:
    generator, kinds = np.random.default_rng(17), set()
    for deletion in (0.0, 0.15, 0.3, 0.9):
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
FILLER = "unlike anything else here"


def test_equal_texts_do_not_make_it_free_to_leave_texts_out() -> None:
    left = [OTTER, FILLER, BADGER, f"{HERON} again"]
    for rounding in (0.0, 1e-7):
        matrix = shared_words(left, [OTTER, BADGER, HERON]) - rounding
        scores = SpanAlignment(1, 0.0).align(Comparison(left, [OTTER, BADGER, HERON], matrix))
        assert np.argwhere(scores > -np.inf).tolist() == [[0, 0], [2, 1], [3, 2]]


def test_the_same_texts_are_linked_in_order() -> None:
    # nothing is unlike anything: all cuts cost 0
    assert linked_cells(SpanAlignment().align(by_shared_words([OTTER] * 3, [OTTER] * 3))) == [(0, 0), (1, 1), (2, 2)]


def test_a_similarity_of_sentences_alone_has_no_spans() -> None:
    comparison = Comparison([OTTER], [OTTER], np.ones((1, 1)))
    with pytest.raises(InputError, match="compares sentences only"):
        SpanAlignment(2).align(comparison)
    assert SpanAlignment(1).align(comparison).tolist() == [[1.0]]


# The vicinity-driven search.

PARAGRAPHS = Vicinity(acceptable=0.3, grow=False)


@pytest.mark.parametrize("sides", ["n-1", "1-n"])
def test_sentences_grow_while_the_joined_texts_become_more_alike(sides: str) -> None:
    # joined: 3/7, then 5/7, then 7/7; the fourth (2/7 by itself) would bring 7/8
    parts, whole = ["one two three", "four five", "six seven", "one two eight"], "one two three four five six seven"
    texts = (parts, [whole]) if sides == "n-1" else ([whole], parts)
    expected = [(0, 0), (1, 0), (2, 0)]
    for slack, more in ((0.0, []), (0.05, []), (0.13, [(3, 0)])):
        found = linked_cells(Vicinity(acceptable=0.2, slack=slack).align(by_shared_words(*texts)))
        assert [cell if sides == "n-1" else cell[::-1] for cell in found] == expected + more


def test_what_does_not_grow_leaves_the_vicinity_to_the_others() -> None:
    # (1, 0) is the most alike of V1 (2/4), but does not add to text 0, which is the same as its partner
    simple, complex_ = ["one two three", "one two nine"], ["one two three", "nine ten eleven twelve"]
    comparison = by_shared_words(simple, complex_)
    assert comparison.matrix.tolist() == [[1, 0], [2 / 4, 1 / 6]]
    strict = Vicinity(acceptable=0.15, slack=0.0)
    assert linked_cells(strict.align(comparison)) == [(0, 0), (1, 1)]
    assert linked_cells(Vicinity(acceptable=0.15, grow=False).align(comparison)) == [(0, 0), (1, 0)]
    # at the same similarity nothing has grown
    same = by_shared_words(["one two", "two one"], ["one two"])
    assert linked_cells(strict.align(same)) == [(0, 0)]
    assert linked_cells(Vicinity(acceptable=0.15, slack=0.01).align(same)) == [(0, 0), (1, 0)]


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
            for _ in range(4):
                alike = generator.integers(3, 8, shape) / 8
                matrix = np.where(generator.random(shape) < density, alike, 0.1)
                expected = list(plain_search(matrix, 0.3))
                assert links(PARAGRAPHS, matrix) == sorted(expected)
                jumps += sum(after[0] - before[0] > 9 for before, after in pairwise(expected))
    assert jumps > 5  # beyond the first window


def test_every_link_belongs_to_a_1_1_1_n_or_n_1_alignment() -> None:
    generator = np.random.default_rng(5)
    for strategy in (PARAGRAPHS, Vicinity()):
        for _ in range(30):
            linked = align(strategy, generator.random((9, 8))) > -np.inf
            alone = (linked.sum(1)[:, None] == 1) | (linked.sum(0) == 1)
            assert linked.any() and alone[linked].all()


def test_growth_without_joined_texts() -> None:
    # (0.6 + second) / sqrt(2) is over 0.6 from second = 0.2485; over 0.55 from 0.178; then (1.1 + third) / sqrt(3)
    assert links(Vicinity(0.1, slack=0.0), [[0.6], [0.25]]) == [(0, 0), (1, 0)]
    assert links(Vicinity(0.1, slack=0.0), [[0.6, 0.24]]) == [(0, 0)]
    assert links(Vicinity(0.1), [[0.6, 0.18]]) == [(0, 0), (0, 1)]
    assert links(Vicinity(0.1, slack=0.0), [[0.6, 0.5, 0.24]]) == [(0, 0), (0, 1)]
    assert links(Vicinity(0.1, slack=0.0), [[0.6, 0.5, 0.25]]) == [(0, 0), (0, 1), (0, 2)]
