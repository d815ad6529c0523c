"""Character n-gram similarity on texts worked by hand, against a plain count, and its cost on long articles."""

import math
import tracemalloc
from collections import Counter
from time import process_time

import numpy as np
import pytest

from textsimp.alignment.similarity.lexical import CharacterNgrams, ngram_counts
from textsimp.core.records import Document, DocumentPair


def pair(simple: list[str], complex_: list[str]) -> DocumentPair:
    return DocumentPair("p", "test", "g", Document("c", 0, (tuple(complex_),)), Document("s", 1, (tuple(simple),)))


def counted(text: str, n: int) -> dict[str, float]:
    grams, counts = ngram_counts(["other text", text], n)
    row = counts.toarray()[1]
    return {gram: number for gram, number in zip(grams, row.tolist(), strict=True) if number}


def test_ngrams_are_lower_cased_and_go_across_words() -> None:
    assert counted("A  bA\tb", 3) == {"a b": 2, " ba": 1, "ba ": 1}
    assert counted("aaaa", 3) == {"aaa": 2}
    assert counted("Äß😀", 2) == {"äß": 1, "ß😀": 1}
    assert counted("abca", 1) == {"a": 2, "b": 1, "c": 1}


def test_a_short_text_is_one_ngram_and_an_empty_one_none() -> None:
    assert counted("ab", 3) == {"ab\n": 1}
    assert counted(" ", 3) == {} == counted("", 3)


def test_cosine_by_hand() -> None:
    documents = pair(["abab"], ["abc", "abab", "xyz", ""])
    matrix = CharacterNgrams(2).fit([documents]).matrix(documents)
    # distinct sentences: "abab" (ab 2, ba 1), "abc" (ab, bc), "xyz" (xy, yz), ""; N = 4, df(ab) = 2, the others 1
    ab, once = math.log(5 / 3) + 1, math.log(5 / 2) + 1
    twice = (1 + math.log(2)) * ab
    expected = twice * ab / math.hypot(twice, once) / math.hypot(ab, once)
    np.testing.assert_allclose(matrix, [[expected, 1.0, 0.0, 0.0]], rtol=1e-12)


def test_ngrams_that_the_corpus_lacks_have_the_largest_idf() -> None:
    fitted = CharacterNgrams(2).fit([pair(["ab"], ["ac"])])
    known, unseen = math.log(3 / 2) + 1, math.log(3) + 1  # N = 2, df = 1 and 0
    expected = known * known / math.hypot(known, unseen) ** 2
    np.testing.assert_allclose(fitted.compare(["abx"], ["aby", "aby"]), [[expected, expected]], rtol=1e-12)


def test_trigrams_are_the_default() -> None:
    documents = pair(["abc"], ["abd", "zabc"])
    assert CharacterNgrams().fit([documents]).matrix(documents)[0, 0] == 0  # share "ab" alone
    assert CharacterNgrams(2).fit([documents]).matrix(documents)[0, 0] > 0


def plain_cosine(left: Counter[str], right: Counter[str], idf: dict[str, float]) -> float:
    weights = [{g: (1 + math.log(k)) * idf[g] for g, k in side.items()} for side in (left, right)]
    dot = sum(value * weights[1].get(gram, 0.0) for gram, value in weights[0].items())
    norms = [math.sqrt(sum(value * value for value in side.values())) for side in weights]
    return dot / norms[0] / norms[1]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 30])
def test_cosine_against_a_plain_count(n: int) -> None:
    generator = np.random.default_rng(n)
    alphabet = np.array(list("abc dé漢"))
    sides = [["x" * n + "".join(generator.choice(alphabet, 40)) + "x" for _ in range(9)] for _ in range(2)]
    documents = pair(*sides)
    counts = [[Counter(text[k : k + n] for k in range(len(text) - n + 1)) for text in _plain(side)] for side in sides]
    frequency = Counter(gram for side in counts for text in side for gram in text)
    idf = {gram: math.log(19 / (1 + number)) + 1 for gram, number in frequency.items()}
    expected = [[plain_cosine(left, right, idf) for right in counts[1]] for left in counts[0]]
    np.testing.assert_allclose(CharacterNgrams(n).fit([documents]).matrix(documents), expected, rtol=1e-9)


def _plain(texts: list[str]) -> list[str]:
    return [" ".join(text.split()) for text in texts]


def test_similarity_is_symmetric() -> None:
    left, right = ["the old bridge", "it fell", "a"], ["an old bridge fell", "it"]
    similarity = CharacterNgrams().fit([pair(left, right)])
    np.testing.assert_array_equal(similarity.compare(left, right), similarity.compare(right, left).T)


def test_a_repeated_sentence_counts_once() -> None:
    one = pair(["the old bridge"], ["the bridge of stone"])
    more = [one, pair(["the old bridge"], ["the bridge of stone", "the old bridge"])]
    np.testing.assert_array_equal(CharacterNgrams().fit([one]).matrix(one), CharacterNgrams().fit(more).matrix(one))


def test_counting_in_parts_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = pair(["the old bridge", "it fell"], ["an old bridge fell", "it", "of stone"])
    whole = CharacterNgrams().fit([documents]).matrix(documents)
    monkeypatch.setattr("textsimp.alignment.similarity.lexical._SENTENCES", 2)
    monkeypatch.setattr("textsimp.alignment.words._ROWS", 1)
    np.testing.assert_array_equal(CharacterNgrams().fit([documents]).matrix(documents), whole)


def test_empty_sides_have_empty_matrices() -> None:
    similarity = CharacterNgrams().fit([pair(["a"], ["b"])])
    assert [similarity.compare(*sides).shape for sides in (([], ["a"]), (["a"], []), ([], []))] == [
        (0, 1),
        (1, 0),
        (0, 0),
    ]


def test_misuse_says_so() -> None:
    with pytest.raises(RuntimeError, match="fit"):
        CharacterNgrams().compare(["a"], ["b"])


def test_an_article_of_a_thousand_sentences_takes_under_a_second() -> None:
    generator = np.random.default_rng(0)
    words = ["".join(generator.choice(list("etaoinshrdlu"), size)) for size in generator.integers(2, 9, 2000)]
    sides = [[" ".join(generator.choice(words, 20)) for _ in range(1000)] for _ in range(2)]
    documents = pair(*sides)
    began = process_time()
    similarity = CharacterNgrams().fit([documents])
    similarity.matrix(documents)
    assert process_time() - began < 1
    tracemalloc.start()
    similarity.matrix(documents)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6  # the result alone has 8 MB; the n-grams as a dense matrix would have 28 MB a side
