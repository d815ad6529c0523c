"""Lexical similarities and the strategies that turn them into links, on sentences worked by hand."""

import math

import numpy as np
import pytest

from textsimp.alignment.similarity import make_similarity
from textsimp.alignment.similarity.base import TextSimilarity
from textsimp.alignment.similarity.char_ngrams import CharacterNgrams
from textsimp.alignment.similarity.jaccard import Jaccard
from textsimp.alignment.similarity.tfidf_cosine import TfIdfSimilarity
from textsimp.alignment.strategies import STRATEGIES, make_strategy
from textsimp.alignment.strategies.base import Comparison
from textsimp.alignment.strategies.jaccard_align import JaccardAlign
from textsimp.alignment.strategies.threshold import Threshold
from textsimp.alignment.tfidf import TfIdf
from textsimp.alignment.words import words
from textsimp.errors import InputError
from textsimp.records import Document, DocumentPair


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
    matrix = TfIdf().fit([documents]).matrix(documents)
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


def test_tfidf_over_the_corpus_is_the_same_as_a_similarity() -> None:
    documents = pair(["the old bridge", "?"], ["the bridge of stone", "the old town"])
    expected = TfIdf().fit([documents]).matrix(documents)
    np.testing.assert_array_equal(TfIdfSimilarity("corpus").fit([documents]).matrix(documents), expected)


def test_tfidf_over_the_article_by_hand() -> None:
    documents, other = pair(["a b"], ["a c", "a b", "a a b"]), pair(["b b"], ["c d"])
    matrix = TfIdfSimilarity("article").fit([other]).matrix(documents)
    # N = 4 sentences, a repeated one counted twice: df(a) = 4, df(b) = 3, df(c) = 1
    a, b, c = (math.log(5 / (1 + df)) + 1 for df in (4, 3, 1))
    norm = math.hypot(a, b)
    expected = [a * a / norm / math.hypot(a, c), 1.0, (2 * a * a + b * b) / norm / math.hypot(2 * a, b)]
    np.testing.assert_allclose(matrix, [expected], rtol=1e-12)


def test_tfidf_knows_two_scopes() -> None:
    with pytest.raises(InputError, match="'paragraph' is none of corpus, article"):
        TfIdfSimilarity("paragraph")


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
    with pytest.raises(InputError, match="threshold: .*'cut'; its options: threshold"):
        make_strategy("threshold", {"cut": 0.1})


def comparison(simple: list[str], complex_: list[str]) -> Comparison:
    return Comparison(simple, complex_, Jaccard().compare(simple, complex_))


def test_threshold_takes_every_pair_from_it_on() -> None:
    seen = Comparison(["a", "b"], ["c", "d"], np.array([[0.2, 0.5], [0.7, 0.1]]))
    nothing = -math.inf
    assert Threshold(0.5).align(seen).tolist() == [[nothing, 0.5], [0.7, nothing]]
    assert make_strategy("threshold", {}).align(seen).tolist() == seen.matrix.tolist()


def greedy(simple: list[str], complex_: list[str]) -> list[tuple[int, int, float]]:
    scores = JaccardAlign().align(comparison(simple, complex_))
    return [(i, j, round(float(scores[i, j]), 3)) for i, j in np.argwhere(scores > -math.inf).tolist()]


def test_jaccard_align_takes_the_best_complex_sentence() -> None:
    assert greedy(["a b c"], ["a x y", "a b x", "z"]) == [(0, 1, 0.5)]


def test_jaccard_align_links_a_split_through_its_neighbour() -> None:
    # alone the second half shares 2 of 8 words; together the halves are the whole sentence
    assert greedy(["a b c d e f", "g h"], ["a b c d e f g h"]) == [(0, 0, 0.75), (1, 0, 0.75)]


def test_jaccard_align_links_a_fusion() -> None:
    assert greedy(["a b c d"], ["a b c", "d", "e"]) == [(0, 0, 0.75), (0, 1, 0.75)]


def test_jaccard_align_leaves_a_neighbour_that_prefers_another() -> None:
    # joined with sentence 2, sentence 1 would be more like the first complex sentence
    assert greedy(["a b", "c x y z"], ["a b c d", "x y z"]) == [(0, 0, 0.5), (1, 1, 0.75)]


def test_jaccard_align_links_nothing_that_shares_no_word() -> None:
    assert greedy(["a"], ["b"]) == []
