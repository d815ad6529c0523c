"""Similarities on word vectors: worked by hand on vectors of two dimensions, and against loops over word pairs."""

import itertools
import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import linprog
from word_similarity_sample import PLANE, SPACE, TinyVectors, fitted, random_texts

from textsimp.alignment.similarity.lexical import WeightedWordSimilarity
from textsimp.alignment.similarity.word_pairs import (
    AverageAlignment,
    HungarianAlignment,
    MaximumAlignment,
    WordAverage,
    WordMoversDistance,
    WordPairSimilarity,
)
from textsimp.alignment.words import TfIdf, words
from textsimp.core.records import Document, DocumentPair


def cosine(one: str, other: str, vectors: TinyVectors = SPACE) -> float:
    """The cosine as the definition has it, word by word."""
    if one == other:
        return 1.0
    a, b = (np.array(vectors.vectors.get(word, [0.0] * vectors.size)) for word in (one, other))
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / norms) if norms > 0 else 0.0


def against_loops(name: str, oracle: Callable[[list[str], list[str]], float]) -> None:
    rows, columns = random_texts(2, 9), random_texts(3, 8)
    matrix = fitted(name).compare(rows, columns)
    for (i, row), (j, column) in itertools.product(enumerate(rows), enumerate(columns)):
        expected = max(oracle(words(row), words(column)), 0.0) if words(row) and words(column) else 0.0
        assert matrix[i, j] == pytest.approx(expected, abs=1e-6), (row, column)


def test_word_average_by_hand() -> None:
    similarity = WordAverage(PLANE)
    # cat + cat + sun = (2, 2), dog + sea = (8, 4), moon + unknown = (-1, 0): lengths of single vectors count
    matrix = similarity.compare(["Cat, cat; SUN", "unknown"], ["dog sea", "moon unknown", "sun sun"])
    expected = [[24 / math.sqrt(8 * 80), 0.0, math.sqrt(0.5)], [0.0, 0.0, 0.0]]
    np.testing.assert_allclose(matrix, expected, atol=1e-7)


def test_word_average_is_the_cosine_of_sums() -> None:
    def of_sums(x: list[str], y: list[str]) -> float:
        a, b = (sum(np.array(SPACE.vectors.get(word, [0.0] * 3)) for word in side) for side in (x, y))
        norms = np.linalg.norm(a) * np.linalg.norm(b)
        return float(a @ b / norms) if norms > 0 else 0.0

    against_loops("word_average", of_sums)


@pytest.mark.parametrize("kind", [AverageAlignment, MaximumAlignment, HungarianAlignment])
def test_a_word_pair_at_theta_is_dropped(kind: type[WordPairSimilarity]) -> None:
    assert kind(PLANE, 0.6).compare(["cat"], ["dog"]) == 0.0
    assert kind(PLANE, 0.599).compare(["cat"], ["dog"]) == pytest.approx(0.6)


def test_average_alignment_against_loops() -> None:
    def equation_1(x: list[str], y: list[str]) -> float:
        found = [cosine(a, b) for a in x for b in y]
        return sum(phi for phi in found if phi > 0.3) / len(found)

    against_loops("average", equation_1)


def test_maximum_alignment_against_loops() -> None:
    def asymmetric(x: list[str], y: list[str]) -> float:
        best = [max(cosine(a, b) for b in y) for a in x]
        return sum(phi for phi in best if phi > 0.3) / len(x)

    against_loops("maximum", lambda x, y: (asymmetric(x, y) + asymmetric(y, x)) / 2)


def test_hungarian_alignment_against_all_one_to_one_alignments() -> None:
    def equation_3(x: list[str], y: list[str]) -> float:
        short, long = sorted((x, y), key=len)
        sums = (
            sum(phi for a, b in zip(short, chosen, strict=True) if (phi := cosine(a, b)) > 0.3)
            for chosen in itertools.permutations(long, len(short))
        )
        return max(sums) / len(short)

    rows, columns = random_texts(4, 6, longest=5), random_texts(5, 6, longest=5)
    matrix = fitted("hungarian").compare(rows, columns)
    for (i, row), (j, column) in itertools.product(enumerate(rows), enumerate(columns)):
        expected = equation_3(words(row), words(column)) if words(row) and words(column) else 0.0
        assert matrix[i, j] == pytest.approx(expected, abs=1e-6)


def test_wmd_by_hand() -> None:
    similarity = WordMoversDistance(PLANE)
    # vectors of length 1/2: cat-dog sqrt((1 - 0.6) / 2), cat-sun sqrt(1 / 2), cat-moon 1, cat-sea 0
    row = similarity.compare(["cat"], ["dog", "sun", "moon", "sea", "unknown"])
    np.testing.assert_allclose(row, [[1 - math.sqrt(0.2), 1 - math.sqrt(0.5), 0.0, 1.0, 1 - math.sqrt(0.5)]])
    # frequencies: 2/3 cat and 1/3 sun against 1/2 each; a sixth goes from cat to sun
    assert similarity.compare(["cat cat sun"], ["sun cat"]) == pytest.approx(1 - math.sqrt(0.5) / 6)
    # what a single word receives is fixed: 1/4 from dog, 3/4 from cat
    assert similarity.compare(["cat dog cat cat"], ["cat"]) == pytest.approx(1 - math.sqrt(0.2) / 4)


def test_wmd_against_linear_programming() -> None:
    def equation_4(x: list[str], y: list[str]) -> float:
        left, right = Counter(x), Counter(y)
        distance = [math.sqrt(max(1 - cosine(a, b), 0.0) / 2) for a in left for b in right]
        out_of = np.kron(np.eye(len(left)), np.ones(len(right)))
        into = np.kron(np.ones(len(left)), np.eye(len(right)))
        masses = [n / len(x) for n in left.values()] + [n / len(y) for n in right.values()]
        return 1 - linprog(distance, A_eq=np.vstack([out_of, into]), b_eq=masses).fun

    against_loops("wmd", equation_4)


def test_cwasa_against_a_set_of_alignments() -> None:
    def over_the_union(x: list[str], y: list[str]) -> float:
        found = {(i, max(range(len(y)), key=lambda j: round(cosine(a, y[j]), 9))) for i, a in enumerate(x)}
        found |= {(max(range(len(x)), key=lambda i: round(cosine(x[i], b), 9)), j) for j, b in enumerate(y)}
        return sum(cosine(x[i], y[j]) for i, j in found) / len(found)

    against_loops("cwasa", over_the_union)


def documents(*sentences: str) -> list[DocumentPair]:
    return [DocumentPair("p", "test", "g", Document("c", 0, (sentences,)), Document("s", 1, (sentences[:1],)))]


def test_weighted_words_by_hand() -> None:
    # of three sentences all have cat, one has sun; dog is in none
    pairs = documents("cat cat", "cat sun", "cat")
    cat, sun, dog = 1.0, math.log(2) + 1, math.log(4) + 1
    forth = (cat * 0.6 + sun * 0.8) / (cat + sun)
    found = {
        direction: WeightedWordSimilarity(PLANE, 0.0, direction).fit(pairs).compare(["cat sun"], ["dog moon dog"])
        for direction in ("simple", "complex", "mean")
    }
    back = (2 * dog * 0.8 + dog * 0.0) / (3 * dog)  # moon's best is sun, at a right angle
    assert found["simple"] == pytest.approx(forth)
    assert found["complex"] == pytest.approx(back)
    assert found["mean"] == pytest.approx((forth + back) / 2)


def test_weighted_words_look_at_neighbours() -> None:
    similarity = WeightedWordSimilarity(PLANE, 1.0, "simple").fit(documents("cat", "dog", "sun"))
    # cat, first in both: (1 + (1 + cos(dog, sun)) / 2) / 2; dog, last in x: with sun, last in y,
    # (0.8 + (cos(cat, cat) + 1) / 2) / 2. All three words have the same idf.
    assert similarity.compare(["cat dog"], ["cat sun"]) == pytest.approx((0.95 + 0.9) / 2)
    # a text of one word has the marks around it: dog-dog (1 + 0) / 2 loses to dog-sun, the last, (0.8 + 1 / 2) / 2
    assert similarity.compare(["dog"], ["cat dog sun"]) == pytest.approx(0.65)


@pytest.mark.parametrize(("name", "structure"), [("hwang", 0.5), ("hwang plain", 0.0), ("hwang simple", 0.5)])
def test_weighted_words_against_loops(name: str, structure: float) -> None:
    weights = TfIdf().fit(documents(*random_texts(9, 6)))

    def sigma(x: list[str], i: int, y: list[str], j: int) -> float:
        x, y = ["<", *x, ">"], ["<", *y, ">"]
        marks = {("<", "<"): 1.0, (">", ">"): 1.0}
        near = [(x[i + side], y[j + side]) for side in (0, 2)]
        around = [marks.get(two, cosine(*two)) for two in near]
        return (cosine(x[i + 1], y[j + 1]) + structure * sum(around) / 2) / (1 + structure)

    def directed(x: list[str], y: list[str]) -> float:
        idf = weights.weights(x)
        best = [max(sigma(x, i, y, j) for j in range(len(y))) for i in range(len(x))]
        return float(idf @ best / idf.sum())

    if name == "hwang simple":
        against_loops(name, directed)
    else:
        against_loops(name, lambda x, y: (directed(x, y) + directed(y, x)) / 2)


def test_weighted_words_before_fit_say_so() -> None:
    with pytest.raises(RuntimeError, match="fit"):
        WeightedWordSimilarity(PLANE).compare(["cat"], ["dog"])


def test_matrices_show_what_the_similarities_add_up() -> None:
    from benchmarks.word_matrices import COMPLEX, SIMPLE, matrices

    found = matrices(COMPLEX, SIMPLE, 0.2, None)
    cosine, one_to_one = found["Hungarian"]
    _, best = found["Maximum"]
    assert cosine.shape == (len(words(COMPLEX)), len(words(SIMPLE))) and not ((cosine > 0) & (cosine <= 0.2)).any()
    assert one_to_one.sum(0).max() == one_to_one.sum(1).max() == 1
    assert best.any(1).tolist() == (cosine > 0).any(1).tolist() and best.any(0).tolist() == (cosine > 0).any(0).tolist()
    chosen = (cosine * one_to_one).sum()
    assert chosen >= sum(max(row) for row in cosine) / 2 and chosen <= (cosine * best).sum()
