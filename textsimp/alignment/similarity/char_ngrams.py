"""Cosine of character n-gram vectors: C3G of Stajner et al. 2017, section 3.2 (F2)."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from textsimp.alignment.similarity.base import Matrix, TextSimilarity
from textsimp.alignment.tfidf import inverse_frequency, sparse_cosine
from textsimp.errors import InputError
from textsimp.metrics.alignment import Task
from textsimp.records import DocumentPair

_PAD = "\n"
"""Fills up texts shorter than n; no text contains it, as white space becomes single spaces."""
_SENTENCES = 20_000
"""Sentences of which n-grams are counted at once."""
_LARGEST = 1 << 62


class CharacterNgrams(TextSimilarity):
    """Cosine of vectors of (1 + ln tf(g)) * idf(g), idf(g) = ln((1 + N) / (1 + df(g))) + 1, over character n-grams g.

    Texts are lower-cased, runs of white space become one space, and n-grams go across words; a text shorter than n is
    one n-gram. N and df count the distinct sentences of the fitted corpus, both sides together, as in
    `textsimp.alignment.tfidf`; an n-gram that the corpus lacks has df = 0. 0 where a text is empty. The paper says
    "log TF-IDF weighting (Salton and McGill, 1986)"; the constants of idf are those of the word vectors here.

    Args:
        n: characters (Unicode code points) of an n-gram.

    Raises:
        InputError: where n is under 1.
    """

    def __init__(self, n: int = 3) -> None:
        if n < 1:
            raise InputError(f"similarity char_ngrams: n is {n}; an n-gram has at least one character")
        self.n = n
        self._frequency: dict[str, int] | None = None
        self._sentences = 0

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Take the document frequencies from the sentences of these pairs."""
        documents = {id(side): side for pair in pairs for side in (pair.simple, pair.complex)}
        sentences = list(dict.fromkeys(text for document in documents.values() for text in document.sentences))
        frequency: dict[str, int] = {}
        for start in range(0, len(sentences), _SENTENCES):
            grams, counts = ngram_counts(sentences[start : start + _SENTENCES], self.n)
            for gram, number in zip(grams, counts.sign().sum(0).astype(int).tolist(), strict=True):
                frequency[gram] = frequency.get(gram, 0) + number
        self._frequency, self._sentences = frequency, len(sentences)
        return self

    def compare(self, rows: Sequence[str], columns: Sequence[str], task: Task = "task1") -> Matrix:
        """See `TextSimilarity.compare`. Raises RuntimeError before `fit`."""
        if self._frequency is None:
            raise RuntimeError("CharacterNgrams.fit comes first")
        grams, counts = ngram_counts([*rows, *columns], self.n)
        frequency = np.array([self._frequency.get(gram, 0) for gram in grams], dtype=np.int64)
        idf = inverse_frequency(frequency, self._sentences)
        counts.data = (1 + np.log(counts.data)) * idf[counts.indices]
        return sparse_cosine(counts[: len(rows)], counts[len(rows) :])


def ngram_counts(texts: Sequence[str], n: int) -> tuple[list[str], csr_array]:
    """The distinct character n-grams of some texts, and how often each is in each text. Shape: (texts, n-grams)."""
    plain = [" ".join(text.lower().split()) for text in texts]
    padded = [text.ljust(n, _PAD) if text else text for text in plain]
    joined, lengths = "".join(padded), np.array([len(text) for text in padded], dtype=np.int64)
    numbers = np.maximum(lengths - n + 1, 0)  # n-grams of each text
    offsets = np.cumsum(numbers) - numbers
    starts = np.arange(numbers.sum()) + np.repeat(np.cumsum(lengths) - lengths - offsets, numbers)  # (n-grams,)
    keys = _keys(joined, n)[starts]
    distinct, columns = np.unique(keys, return_inverse=True)
    first = np.empty(len(distinct), dtype=np.int64)
    first[columns[::-1]] = starts[::-1]
    counts = csr_array((np.ones(len(keys)), columns, np.append(offsets, len(keys))), shape=(len(texts), len(distinct)))
    counts.sum_duplicates()
    return [joined[start : start + n] for start in first.tolist()], counts


def _keys(text: str, n: int) -> NDArray[np.int64]:
    """A number for the n characters from each position on, equal where they are. Shape: (len(text) - n + 1,)."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    symbols, ids = np.unique(codes, return_inverse=True)
    keys, largest = ids, len(symbols)
    for offset in range(1, n):
        if largest * len(symbols) > _LARGEST:
            distinct, keys = np.unique(keys, return_inverse=True)
            largest = len(distinct)
        keys, largest = keys[:-1] * len(symbols) + ids[offset:], largest * len(symbols)
    return keys
