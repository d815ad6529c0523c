"""Lexical similarities and the strategies that turn them into links, on sentences worked by hand."""

import math
from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from textsimp.alignment.similarity import make_similarity
from textsimp.alignment.similarity.lexical import CharacterNgrams, Jaccard, TfIdfSimilarity, ngram_counts
from textsimp.alignment.similarity.similarity import TextSimilarity
from textsimp.alignment.strategies import STRATEGIES, make_strategy
from textsimp.alignment.strategies.greedy import JaccardAlign, Threshold
from textsimp.alignment.strategies.strategy import Comparison
from textsimp.alignment.words import TfIdf
from textsimp.core.errors import InputError
from textsimp.core.records import Document, DocumentPair


def pair(simple: list[str], complex_: list[str]) -> DocumentPair:
    return DocumentPair("p", "test", "g", Document("c", 0, (tuple(complex_),)), Document("s", 1, (tuple(simple),)))


def test_jaccard_by_hand() -> None:
    documents = pair(["The cat sat, the CAT.", "...", "A dog"], ["The cat slept.", "!", "the cat sat"])
    matrix = Jaccard().fit([documents]).matrix(documents)
    # {the, cat, sat} and {the, cat, slept} share 2 of 4; sentences without a word are like nothing
    assert matrix.tolist() == [[0.5, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


@pytest.mark.parametrize(
    ("scope", "corpus", "documents", "frequencies"),
    [
        # the distinct sentences "a b", "a c" and "a a b"
        ("corpus", pair(["a b"], ["a c", "a b", "a a b"]), 3, (3, 2, 1)),
        # the sentences at hand, a repeated one counted twice
        ("article", pair(["b b"], ["c d"]), 4, (4, 3, 1)),
    ],
)
def test_tfidf_by_hand(scope: str, corpus: DocumentPair, documents: int, frequencies: tuple[int, int, int]) -> None:
    """df of a, b and c in N documents."""
    matrix = TfIdfSimilarity(scope).fit([corpus, corpus]).matrix(pair(["a b"], ["a c", "a b", "a a b"]))
    a, b, c = (math.log((documents + 1) / (1 + df)) + 1 for df in frequencies)
    norm = math.hypot(a, b)
    expected = [a * a / norm / math.hypot(a, c), 1.0, (2 * a * a + b * b) / norm / math.hypot(2 * a, b)]
    np.testing.assert_allclose(matrix, [expected], rtol=1e-12)


def test_tfidf_gives_unknown_words_the_largest_idf() -> None:
    known, other = pair(["a b"], ["a c"]), pair(["a new"], ["a new thing", "?"])
    matrix = TfIdf.fit([known]).matrix(other)
    a, unseen = math.log(3 / 3) + 1, math.log(3) + 1
    expected = (a * a + unseen**2) / math.hypot(a, unseen) / math.sqrt(a * a + 2 * unseen**2)
    np.testing.assert_allclose(matrix, [[expected, 0.0]], rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("tfidf", {"scope": "paragraph"}, "scope: 'paragraph' is none of corpus, article"),
        ("char_ngrams", {"n": 0}, "n: 0 should be"),
        *(("average_alignment", {"theta": theta}, "theta: ") for theta in (-0.1, math.nan, "0.5", True)),
        ("maximum_alignment", {"theta": 1.0}, "theta: 1.0 should be less than 1"),
        ("weighted_words", {"structure": -1}, "structure: -1"),
        ("weighted_words", {"direction": "both"}, "direction: 'both' is none of simple, complex, mean"),
        ("logistic", {"penalty": 0}, "penalty: 0"),
        *(("infersent", {name: 0}, f"{name}: 0") for name in ("hidden", "epochs")),
        ("esim", {"dropout": 1.0}, "dropout: 1.0 should be less than 1"),
        ("jaccard", {"n": 3}, "similarity jaccard: n: unknown; its options: none"),
        ("spans", {"max_span": 0}, "max_span: 0"),
        *(("spans", {"deletion": deletion}, f"deletion: {deletion}") for deletion in (-0.1, 1.1)),
        ("vicinity", {"acceptable": math.nan}, "acceptable: nan should be a finite number"),
        ("six_operations", {"skip_penalty": -1}, "skip_penalty: -1"),
        ("hmm", {"stay": 0}, "stay: 0 should be greater than 0"),
        ("hmm", {"stay": 0.5, "advance": 0.5}, "stay \\+ advance is 1, not under 1"),
        ("threshold", {"cut": 0.1}, "alignment strategy threshold: cut: unknown; its options: threshold"),
    ],
)
def test_options_are_checked(name: str, options: dict[str, Any], message: str) -> None:
    cache: Any = SimpleNamespace(vectors=None)
    with pytest.raises(InputError, match=message):
        make_strategy(name, options) if name in STRATEGIES else make_similarity(name, options, cache)


LEXICAL = [Jaccard(), TfIdfSimilarity("corpus"), TfIdfSimilarity("article"), CharacterNgrams(3)]


@pytest.mark.parametrize("similarity", LEXICAL, ids=["jaccard", "tfidf-corpus", "tfidf-article", "char_ngrams"])
def test_similarities_keep_their_contract(similarity: TextSimilarity) -> None:
    documents = pair(["One bird flew.", "It was red."], ["One red bird flew.", "It was cold.", "--"])
    matrix = similarity.fit([documents]).matrix(documents)
    assert matrix.shape == (2, 3) and matrix.dtype == np.float64
    assert (matrix >= 0).all() and (matrix <= 1).all()
    back = similarity.compare(documents.complex.sentences, documents.simple.sentences)
    np.testing.assert_allclose(back, matrix.T, rtol=1e-12)  # symmetric
    same = pair(["One bird flew."], ["One bird flew."])
    np.testing.assert_allclose(similarity.fit([same]).matrix(same), [[1.0]])
    wordless = pair(["?"], ["!"])
    assert similarity.fit([wordless]).matrix(wordless).tolist() == [[0.0]]
    assert similarity.compare([], ["one"]).shape == (0, 1) and similarity.compare([], []).shape == (0, 0)


def comparison(simple: list[str], complex_: list[str]) -> Comparison:
    return Comparison(simple, complex_, Jaccard().compare(simple, complex_))


def test_threshold_takes_every_pair_from_it_on() -> None:
    seen = Comparison(["a", "b"], ["c", "d"], np.array([[0.2, 0.5], [0.7, 0.1]]))
    nothing = -math.inf
    assert Threshold(0.5).align(seen).tolist() == [[nothing, 0.5], [0.7, nothing]]
    assert make_strategy("threshold", {}).align(seen).tolist() == seen.matrix.tolist()


@pytest.mark.parametrize(
    ("simple", "complex_", "links"),
    [
        (["a b c"], ["a x y", "a b x", "z"], [(0, 1, 0.5)]),
        # alone the second half shares 2 of 8 words; together the halves are the whole sentence
        (["a b c d e f", "g h"], ["a b c d e f g h"], [(0, 0, 0.75), (1, 0, 0.75)]),
        (["a b c d"], ["a b c", "d", "e"], [(0, 0, 0.75), (0, 1, 0.75)]),
        # joined with sentence 2, sentence 1 would be more like the first complex sentence
        (["a b", "c x y z"], ["a b c d", "x y z"], [(0, 0, 0.5), (1, 1, 0.75)]),
        (["a"], ["b"], []),
    ],
    ids=["best", "split", "fusion", "neighbour that prefers another", "no shared word"],
)
def test_jaccard_align(simple: list[str], complex_: list[str], links: list[tuple[int, int, float]]) -> None:
    scores = JaccardAlign().align(comparison(simple, complex_))
    assert [(i, j, round(float(scores[i, j]), 3)) for i, j in np.argwhere(scores > -math.inf).tolist()] == links


# Character n-grams.


def counted(text: str, n: int) -> dict[str, float]:
    grams, counts = ngram_counts(["other text", text], n)
    row = counts.toarray()[1]
    return {gram: number for gram, number in zip(grams, row.tolist(), strict=True) if number}


def test_ngrams_are_lower_cased_and_go_across_words() -> None:
    assert counted("A  bA\tb", 3) == {"a b": 2, " ba": 1, "ba ": 1}
    assert counted("aaaa", 3) == {"aaa": 2}
    assert counted("Äß😀", 2) == {"äß": 1, "ß😀": 1}
    assert counted("ab", 3) == {"ab\n": 1}, "a short text is one"
    assert counted(" ", 3) == {} == counted("", 3)


def plain(text: str) -> str:
    return " ".join(text.split())


def plain_cosine(left: Counter[str], right: Counter[str], idf: dict[str, float]) -> float:
    weights = [{g: (1 + math.log(k)) * idf[g] for g, k in side.items()} for side in (left, right)]
    dot = sum(value * weights[1].get(gram, 0.0) for gram, value in weights[0].items())
    norms = [math.sqrt(sum(value * value for value in side.values())) for side in weights]
    return dot / norms[0] / norms[1]


@pytest.mark.parametrize("n", [1, 3, 30])
def test_cosine_against_a_plain_count(n: int) -> None:
    generator = np.random.default_rng(n)
    alphabet = np.array(list("abc dé漢"))
    sides = [["x" * n + "".join(generator.choice(alphabet, 40)) + "x" for _ in range(9)] for _ in range(2)]
    documents = pair(*sides)
    counts = [
        [Counter(text[k : k + n] for k in range(len(text) - n + 1)) for text in map(plain, side)] for side in sides
    ]
    frequency = Counter(gram for side in counts for text in side for gram in text)
    idf = {gram: math.log(19 / (1 + number)) + 1 for gram, number in frequency.items()}
    expected = [[plain_cosine(left, right, idf) for right in counts[1]] for left in counts[0]]
    np.testing.assert_allclose(CharacterNgrams(n).fit([documents]).matrix(documents), expected, rtol=1e-9)


def test_counting_in_parts_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = pair(["the old bridge", "it fell"], ["an old bridge fell", "it", "of stone"])
    whole = CharacterNgrams().fit([documents]).matrix(documents)
    monkeypatch.setattr("textsimp.alignment.similarity.lexical._SENTENCES", 2)
    monkeypatch.setattr("textsimp.alignment.words._ROWS", 1)
    np.testing.assert_array_equal(CharacterNgrams().fit([documents]).matrix(documents), whole)
