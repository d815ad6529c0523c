"""Similarities on word vectors: laws of all, examples worked by hand, and loops over word pairs."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from scipy.optimize import linprog

from textsimp.alignment.similarity import word_pairs
from textsimp.alignment.similarity.lexical import WeightedWordSimilarity
from textsimp.alignment.similarity.similarity import TextSimilarity
from textsimp.alignment.similarity.word_pairs import (
    AverageAlignment,
    Cwasa,
    HungarianAlignment,
    MaximumAlignment,
    WordAverage,
    WordMoversDistance,
    WordPairSimilarity,
    blocks,
)
from textsimp.alignment.words import TfIdf, words
from textsimp.core.records import Document, DocumentPair


class TinyVectors:
    """The vectors of a dictionary."""

    name = "tiny"

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self.vectors, self.size = vectors, len(next(iter(vectors.values())))

    def lookup(self, wanted: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        rows = [self.vectors.get(word, [0.0] * self.size) for word in wanted]
        known = np.array([word in self.vectors for word in wanted])
        return np.array(rows, dtype=np.float32).reshape(len(wanted), self.size), known


# cosines: cat-dog 0.6, dog-sun 0.8, cat-sun 0, moon against cat -1; sea as cat, five times longer
PLANE = TinyVectors({"cat": [1, 0], "dog": [3, 4], "sun": [0, 2], "moon": [-1, 0], "sea": [5, 0], "void": [0, 0]})
NUMBERS = [f"w{number}" for number in range(14)]  # w12 and w13 have no vector
SPACE = TinyVectors(dict(zip(NUMBERS[:12], np.random.default_rng(1).normal(0.3, 1, (12, 3)).tolist(), strict=True)))
ALL: dict[str, Callable[[TinyVectors], TextSimilarity]] = {
    "word_average": WordAverage,
    "average": lambda vectors: AverageAlignment(vectors, 0.3),
    "maximum": lambda vectors: MaximumAlignment(vectors, 0.3),
    "hungarian": lambda vectors: HungarianAlignment(vectors, 0.3),
    "wmd": WordMoversDistance,
    "cwasa": Cwasa,
    "hwang": lambda vectors: WeightedWordSimilarity(vectors, 0.5),
    "hwang plain": lambda vectors: WeightedWordSimilarity(vectors, 0.0),
    "hwang simple": lambda vectors: WeightedWordSimilarity(vectors, 0.5, "simple"),
    "hwang complex": lambda vectors: WeightedWordSimilarity(vectors, 0.5, "complex"),
}


def random_texts(seed: int, number: int, longest: int = 7) -> list[str]:
    """Texts over few words, so that words repeat within and across texts; one without a word and one of one word."""
    generator = np.random.default_rng(seed)
    found = [" ".join(generator.choice(NUMBERS, generator.integers(1, longest + 1))) for _ in range(number - 2)]
    return [*found[:2], "?!", *found[2:], "w3"]


def fitted(name: str, vectors: TinyVectors = SPACE) -> TextSimilarity:
    simple, complex_ = (Document(side, 0, (tuple(random_texts(9, 6)),)) for side in "sc")
    return ALL[name](vectors).fit([DocumentPair("p", "test", "g", complex_, simple)])


@pytest.mark.parametrize("name", ALL)
def test_similarities_keep_their_contract(name: str) -> None:
    rows, columns = random_texts(6, 12), random_texts(7, 10)
    matrix = fitted(name).compare(rows, columns)
    assert matrix.shape == (12, 10) and matrix.dtype == np.float64
    assert (matrix >= 0).all() and (matrix <= 1).all() and matrix.max() > 0
    assert not matrix[2].any() and not matrix[:, 2].any(), "texts without a word"
    assert fitted(name).compare([], columns).shape == (0, 10)
    assert fitted(name).compare(rows, []).shape == (12, 0)
    assert fitted(name).compare(["?"], ["!", ""]).tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("name", [name for name in ALL if name != "average"])
def test_a_text_is_at_1_from_itself(name: str) -> None:
    rows = [text for text in random_texts(8, 8) if any(word in SPACE.vectors for word in words(text))]
    np.testing.assert_allclose(np.diag(fitted(name).compare(rows, rows)), 1.0, rtol=1e-12)


@pytest.mark.parametrize("name", [name for name in ALL if name != "word_average"])
def test_small_blocks_give_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, columns = random_texts(14, 15), random_texts(15, 12)
    whole = fitted(name).compare(rows, columns)
    monkeypatch.setattr(word_pairs, "CELLS", 100)
    assert len(list(blocks(SPACE, rows, columns))) > 3
    np.testing.assert_allclose(fitted(name).compare(rows, columns), whole, atol=1e-12)


def test_words_without_a_vector_are_like_themselves_only() -> None:
    (block,) = blocks(PLANE, ["cat new void"], ["new other void dog"])
    names = [[block.vocabulary[number] for number in side.distinct] for side in (block.rows, block.columns)]
    assert names == [["cat", "new", "void"], ["new", "void", "other", "dog"]]
    np.testing.assert_allclose(block.cosine, [[0, 0, 0, 0.6], [1, 0, 0, 0], [0, 1, 0, 0]], atol=1e-9)


def test_words_of_one_direction_tie_exactly() -> None:
    names = [f"k{number}" for number in range(1, 30)]
    vectors = TinyVectors({name: [number, number / 3, number * 0.7] for number, name in enumerate(names, 1)})
    (block,) = blocks(vectors, [" ".join(names)], [" ".join(names)])
    assert (block.cosine == 1.0).all()


def cosine(one: str, other: str, vectors: TinyVectors = SPACE) -> float:
    """The cosine as the definition has it, word by word."""
    if one == other:
        return 1.0
    a, b = (np.array(vectors.vectors.get(word, [0.0] * vectors.size)) for word in (one, other))
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / norms) if norms > 0 else 0.0


def of_sums(x: list[str], y: list[str]) -> float:
    a, b = (sum(np.array(SPACE.vectors.get(word, [0.0] * 3)) for word in side) for side in (x, y))
    norms = np.linalg.norm(a) * np.linalg.norm(b)
    return float(a @ b / norms) if norms > 0 else 0.0


def equation_1(x: list[str], y: list[str]) -> float:
    found = [cosine(a, b) for a in x for b in y]
    return sum(phi for phi in found if phi > 0.3) / len(found)


def asymmetric(x: list[str], y: list[str]) -> float:
    """Of equation 2."""
    best = [max(cosine(a, b) for b in y) for a in x]
    return sum(phi for phi in best if phi > 0.3) / len(x)


def equation_3(x: list[str], y: list[str]) -> float:
    """Over all one-to-one alignments."""
    short, long = sorted((x, y), key=len)
    sums = (
        sum(phi for a, b in zip(short, chosen, strict=True) if (phi := cosine(a, b)) > 0.3)
        for chosen in itertools.permutations(long, len(short))
    )
    return max(sums) / len(short)


def equation_4(x: list[str], y: list[str]) -> float:
    """By linear programming."""
    left, right = Counter(x), Counter(y)
    distance = [math.sqrt(max(1 - cosine(a, b), 0.0) / 2) for a in left for b in right]
    out_of = np.kron(np.eye(len(left)), np.ones(len(right)))
    into = np.kron(np.ones(len(left)), np.eye(len(right)))
    masses = [n / len(x) for n in left.values()] + [n / len(y) for n in right.values()]
    return 1 - linprog(distance, A_eq=np.vstack([out_of, into]), b_eq=masses).fun


def over_the_union(x: list[str], y: list[str]) -> float:
    """Over the set of word alignments of both directions."""
    found = {(i, max(range(len(y)), key=lambda j: round(cosine(a, y[j]), 9))) for i, a in enumerate(x)}
    found |= {(max(range(len(x)), key=lambda i: round(cosine(x[i], b), 9)), j) for j, b in enumerate(y)}
    return sum(cosine(x[i], y[j]) for i, j in found) / len(found)


ORACLES: dict[str, Callable[[list[str], list[str]], float]] = {
    "word_average": of_sums,
    "average": equation_1,
    "maximum": lambda x, y: (asymmetric(x, y) + asymmetric(y, x)) / 2,
    "hungarian": equation_3,
    "wmd": equation_4,
    "cwasa": over_the_union,
}


@pytest.mark.parametrize("name", ORACLES)
def test_against_loops(name: str) -> None:
    against_loops(name, ORACLES[name], longest=5 if name == "hungarian" else 7)


def against_loops(name: str, oracle: Callable[[list[str], list[str]], float], longest: int = 7) -> None:
    rows, columns = random_texts(2, 9, longest), random_texts(3, 8, longest)
    matrix = fitted(name).compare(rows, columns)
    for (i, row), (j, column) in itertools.product(enumerate(rows), enumerate(columns)):
        expected = max(oracle(words(row), words(column)), 0.0) if words(row) and words(column) else 0.0
        assert matrix[i, j] == pytest.approx(expected, abs=1e-6), (row, column)


@pytest.mark.parametrize("kind", [AverageAlignment, MaximumAlignment, HungarianAlignment])
def test_a_word_pair_at_theta_is_dropped(kind: type[WordPairSimilarity]) -> None:
    assert kind(PLANE, 0.6).compare(["cat"], ["dog"]) == 0.0
    assert kind(PLANE, 0.599).compare(["cat"], ["dog"]) == pytest.approx(0.6)


def documents(*sentences: str) -> list[DocumentPair]:
    return [DocumentPair("p", "test", "g", Document("c", 0, (sentences,)), Document("s", 1, (sentences[:1],)))]


@pytest.mark.parametrize("name", [name for name in ALL if name.startswith("hwang")])
def test_weighted_words_against_loops(name: str) -> None:
    weights, structure = TfIdf.fit(documents(*random_texts(9, 6))), 0.0 if name == "hwang plain" else 0.5

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

    oracles = {"hwang simple": directed, "hwang complex": lambda x, y: directed(y, x)}
    against_loops(name, oracles.get(name, lambda x, y: (directed(x, y) + directed(y, x)) / 2))


def test_matrices_show_what_the_similarities_add_up() -> None:
    from benchmarks.word_matrices import COMPLEX, SIMPLE, matrices

    found = matrices(COMPLEX, SIMPLE, 0.2, None)
    cosine, one_to_one = found["Hungarian"]
    _, best = found["Maximum"]
    assert cosine.shape == (len(words(COMPLEX)), len(words(SIMPLE))) and not ((cosine > 0) & (cosine <= 0.2)).any()
    assert one_to_one.sum(0).max() == one_to_one.sum(1).max() == 1
    assert all(best.any(axis).tolist() == (cosine > 0).any(axis).tolist() for axis in (0, 1))
