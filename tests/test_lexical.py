"""Lexical similarities and the strategies that turn them into links, on sentences worked by hand."""

import math

import numpy as np
import pytest

from textsimp.alignment.similarity import SIMILARITIES, Jaccard, TfIdf, make_similarity
from textsimp.alignment.similarity.base import words
from textsimp.alignment.strategies import (
    JaccardAlign,
    ScoredLink,
    Threshold,
    make_strategy,
)
from textsimp.errors import InputError
from textsimp.records import Document, DocumentPair


def pair(simple: list[str], complex_: list[str]) -> DocumentPair:
    return DocumentPair("p", "test", "g", Document("c", 0, (tuple(complex_),)), Document("s", 1, (tuple(simple),)))


def test_words_are_lower_cased_runs_of_letters_and_digits() -> None:
    assert words("Don't eat 3 Äpfel—ever!") == ["don", "t", "eat", "3", "äpfel", "ever"]
    assert words("?!") == []


def test_jaccard_by_hand() -> None:
    documents = pair(["The cat sat, the CAT.", "...", "A dog"], ["The cat slept.", "!", "the cat sat"])
    matrix = make_similarity("jaccard").fit([documents]).matrix(documents)
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


@pytest.mark.parametrize("name", sorted(SIMILARITIES))
def test_similarities_keep_their_contract(name: str) -> None:
    documents = pair(["One bird flew.", "It was red."], ["One red bird flew.", "It was cold.", "--"])
    matrix = make_similarity(name).fit([documents]).matrix(documents)
    assert matrix.shape == (2, 3) and matrix.dtype == np.float64
    assert (matrix >= 0).all() and (matrix <= 1).all()
    same = pair(["One bird flew."], ["One bird flew."])
    np.testing.assert_allclose(make_similarity(name).fit([same]).matrix(same), [[1.0]])
    wordless = pair(["?"], ["!"])
    assert make_similarity(name).fit([wordless]).matrix(wordless).tolist() == [[0.0]]


def test_unknown_names_are_listed() -> None:
    with pytest.raises(InputError, match="'c3g'; known: jaccard, tfidf"):
        make_similarity("c3g")
    with pytest.raises(InputError, match="'dp'; known: jaccard_align, threshold"):
        make_strategy("dp", 0.1)


def test_threshold_takes_every_pair_from_it_on() -> None:
    matrix = np.array([[0.2, 0.5], [0.7, 0.1]])
    found = Threshold(0.5).align(matrix, pair(["a", "b"], ["c", "d"]))
    assert found == [ScoredLink(0, 1, 0.5), ScoredLink(1, 0, 0.7)]


def greedy(simple: list[str], complex_: list[str], threshold: float = 0.0) -> list[tuple[int, int, float]]:
    documents = pair(simple, complex_)
    found = JaccardAlign(threshold).align(Jaccard().matrix(documents), documents)
    return [(link.simple, link.complex, round(link.score, 3)) for link in found]


def test_jaccard_align_takes_the_best_complex_sentence() -> None:
    assert greedy(["a b c"], ["a x y", "a b x", "z"]) == [(0, 1, 0.5)]
    assert greedy(["a b c"], ["a x y", "a b x", "z"], threshold=0.6) == []


def test_jaccard_align_links_a_split_through_its_neighbour() -> None:
    # the second half alone, 2 of 8 words, is under the threshold; together the halves are the whole sentence
    simple, complex_ = ["a b c d e f", "g h"], ["a b c d e f g h"]
    assert greedy(simple, complex_, threshold=0.5) == [(0, 0, 0.75), (1, 0, 0.75)]


def test_jaccard_align_links_a_fusion() -> None:
    assert greedy(["a b c d"], ["a b c", "d", "e"]) == [(0, 0, 0.75), (0, 1, 0.75)]


def test_jaccard_align_leaves_a_neighbour_that_prefers_another() -> None:
    # joined with sentence 2, sentence 1 would be more like the first complex sentence
    assert greedy(["a b", "c x y z"], ["a b c d", "x y z"]) == [(0, 0, 0.5), (1, 1, 0.75)]


def test_jaccard_align_links_nothing_that_shares_no_word() -> None:
    assert greedy(["a"], ["b"]) == []


def test_a_threshold_on_the_scores_is_a_threshold_in_the_strategy() -> None:
    generator = np.random.default_rng(0)
    letters = np.array(list("abcdefghij"))
    sides = [[" ".join(generator.choice(letters, 5)) for _ in range(20)] for _ in range(2)]
    documents = pair(*sides)
    matrix = Jaccard().matrix(documents)
    for name in ("threshold", "jaccard_align"):
        every = make_strategy(name, 0.0).align(matrix, documents)
        for threshold in (0.2, 0.4, 0.6):
            kept = [link for link in every if link.score >= threshold]
            assert make_strategy(name, threshold).align(matrix, documents) == kept
