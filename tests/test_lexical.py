"""Lexical similarities and the strategies that turn them into links, on sentences worked by hand."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from textsimp.alignment.similarity import make_similarity
from textsimp.alignment.similarity.lexical import CharacterNgrams, Jaccard, TfIdfSimilarity
from textsimp.alignment.similarity.similarity import TextSimilarity
from textsimp.alignment.strategies import STRATEGIES, make_strategy
from textsimp.alignment.strategies.greedy import JaccardAlign, Threshold
from textsimp.alignment.strategies.strategy import Comparison
from textsimp.alignment.words import TfIdf, words
from textsimp.core.errors import InputError
from textsimp.core.records import Document, DocumentPair


def pair(simple: list[str], complex_: list[str]) -> DocumentPair:
    return DocumentPair("p", "test", "g", Document("c", 0, (tuple(complex_),)), Document("s", 1, (tuple(simple),)))


def test_words_are_lower_cased_runs_of_letters_and_digits() -> None:
    assert words("Don't eat 3 Äpfel—ever!") == ["don", "t", "eat", "3", "äpfel", "ever"]
    assert words("?!") == []


def test_jaccard_by_hand() -> None:
    documents = pair(["The cat sat, the CAT.", "...", "A dog"], ["The cat slept.", "!", "the cat sat"])
    matrix = Jaccard().fit([documents]).matrix(documents)
    # {the, cat, sat} and {the, cat, slept} share 2 of 4; sentences without a word are like nothing
    assert matrix.tolist() == [[0.5, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]


def test_tfidf_by_hand() -> None:
    documents = pair(["a b"], ["a c", "a b", "a a b"])
    matrix = TfIdfSimilarity("corpus").fit([documents]).matrix(documents)
    # distinct sentences: "a b", "a c", "a a b"; N = 3, df(a) = 3, df(b) = 2, df(c) = 1
    a, b, c = (math.log(4 / (1 + df)) + 1 for df in (3, 2, 1))
    norm = math.hypot(a, b)
    expected = [a * a / norm / math.hypot(a, c), 1.0, (2 * a * a + b * b) / norm / math.hypot(2 * a, b)]
    np.testing.assert_allclose(matrix, [expected], rtol=1e-12)


def test_tfidf_gives_unknown_words_the_largest_idf() -> None:
    known, other = pair(["a b"], ["a c"]), pair(["a new"], ["a new thing", "?"])
    matrix = TfIdf().fit([known]).matrix(other)
    a, unseen = math.log(3 / 3) + 1, math.log(3) + 1
    expected = (a * a + unseen**2) / math.hypot(a, unseen) / math.sqrt(a * a + 2 * unseen**2)
    np.testing.assert_allclose(matrix, [[expected, 0.0]], rtol=1e-12)


def test_tfidf_counts_a_sentence_once_however_many_pairs_repeat_it() -> None:
    one = pair(["the old bridge"], ["the bridge of stone"])
    np.testing.assert_array_equal(TfIdf().fit([one]).matrix(one), TfIdf().fit([one, one]).matrix(one))


def test_tfidf_before_fit_says_so() -> None:
    with pytest.raises(RuntimeError, match="fit"):
        TfIdf().matrix(pair(["a"], ["b"]))


def test_tfidf_over_the_article_by_hand() -> None:
    documents, other = pair(["a b"], ["a c", "a b", "a a b"]), pair(["b b"], ["c d"])
    matrix = TfIdfSimilarity("article").fit([other]).matrix(documents)
    # N = 4 sentences, a repeated one counted twice: df(a) = 4, df(b) = 3, df(c) = 1
    a, b, c = (math.log(5 / (1 + df)) + 1 for df in (4, 3, 1))
    norm = math.hypot(a, b)
    expected = [a * a / norm / math.hypot(a, c), 1.0, (2 * a * a + b * b) / norm / math.hypot(2 * a, b)]
    np.testing.assert_allclose(matrix, [expected], rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("tfidf", {"scope": "paragraph"}, "scope: 'paragraph' is none of corpus, article"),
        ("char_ngrams", {"n": 0}, "n: 0 should be"),
        ("char_ngrams", {"n": 10**12}, "n: 1000000000000 should be"),
        ("char_ngrams", {"n": True}, "n: True should be a valid integer"),
        *(("average_alignment", {"theta": theta}, "theta: ") for theta in (-0.1, 1.0, math.nan, "0.5", True)),
        ("maximum_alignment", {"theta": 1.0}, "theta: 1.0 should be less than 1"),
        ("hungarian_alignment", {"theta": -0.1}, "theta: -0.1 should be"),
        ("weighted_words", {"structure": -1}, "structure: -1"),
        ("weighted_words", {"direction": "both"}, "direction: 'both' is none of simple, complex, mean"),
        ("logistic", {"penalty": 0}, "penalty: 0"),
        ("logistic", {"cells": 0}, "cells: 0"),
        *(("infersent", {name: 0}, f"{name}: 0") for name in ("hidden", "epochs", "max_words")),
        ("esim", {"dropout": 1.0}, "dropout: 1.0 should be less than 1"),
        ("esim", {"negatives": -1.0}, "negatives: -1.0"),
        ("jaccard", {"n": 3}, "similarity jaccard: n: unknown; its options: none"),
        ("spans", {"max_span": 0}, "max_span: 0"),
        *(("spans", {"deletion": deletion}, f"deletion: {deletion}") for deletion in (-0.1, 1.1, math.nan)),
        ("vicinity", {"acceptable": math.nan}, "acceptable: nan should be a finite number"),
        ("vicinity", {"slack": -0.1}, "slack: -0.1"),
        ("six_operations", {"skip_penalty": -1}, "skip_penalty: -1"),
        ("hmm", {"stay": 0}, "stay: 0 should be greater than 0"),
        ("hmm", {"stay": 0.5, "advance": 0.5}, "stay \\+ advance is 1, not under 1"),
        ("hmm", {"decay": 1.0}, "decay: 1.0"),
        ("hmm", {"smoothing": 0}, "smoothing: 0"),
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


def test_unknown_names_and_options_are_listed() -> None:
    with pytest.raises(InputError, match="'c3g'; known: .*jaccard"):
        make_similarity("c3g", {}, None)
    with pytest.raises(InputError, match=f"'dp'; known: {', '.join(sorted(STRATEGIES))}"):
        make_strategy("dp", {})


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
