"""The words of a sentence, their counts, and TF-IDF, as all lexical similarities see them."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from scipy.sparse import csr_array, diags_array

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import read_json
from textsimp.core.records import DocumentPair
from textsimp.core.settings import structured
from textsimp.metrics.scores import quotient
from textsimp.metrics.tokens import words

T = TypeVar("T", bound=Hashable)


def count_matrix(sentences: Sequence[str], columns: Mapping[str, int]) -> csr_array:
    """Return how often each word is in each sentence, words without a column left out. Shape: (sentences, words)."""
    return counted([[columns[word] for word in words(sentence) if word in columns] for sentence in sentences], columns)


def counted(rows: Sequence[Sequence[int]], columns: Sized) -> csr_array:
    """Return how often each of the columns is in each row. Shape: (rows, columns)."""
    ends = np.cumsum([0, *map(len, rows)])
    flat = np.array([column for row in rows for column in row], dtype=np.int64)
    counts = csr_array((np.ones(len(flat)), flat, ends), shape=(len(rows), len(columns)))
    counts.sum_duplicates()
    return counts


def numbered(rows: Iterable[Iterable[T]]) -> dict[T, int]:
    """A number for each thing in the rows, in the order of first occurrence."""
    return {thing: number for number, thing in enumerate(dict.fromkeys(thing for row in rows for thing in row))}


def runs(ends: NDArray[np.integer], most: int) -> Iterator[tuple[int, int]]:
    """Yield runs of things, as the first one and the first one behind, of at most `most` parts, or of a single thing.

    `ends` has the first part of each thing; the end of the last one follows. Shape: (k + 1,).
    """
    first = 0
    while first < len(ends) - 1:
        last = max(first + 1, int(np.searchsorted(ends, ends[first] + most, side="right")) - 1)
        yield first, last
        first = last


def place_distance(m: int, n: int) -> NDArray[np.float64]:
    """Difference of the relative places of two sentences in their documents. Shape: (m, n)."""
    return np.abs((np.arange(m)[:, None] + 0.5) / max(m, 1) - (np.arange(n)[None, :] + 0.5) / max(n, 1))


def best_of_rows(similar: NDArray[np.float64], count: int) -> NDArray[np.bool_]:
    """Mark so many of the highest numbers of each row, of equals the first ones. Same shape."""
    marks = np.zeros(similar.shape, dtype=bool)
    np.put_along_axis(marks, (-similar).argsort(1, kind="stable")[:, :count], True, axis=1)
    return marks


def vocabulary(sentences: Iterable[str]) -> dict[str, int]:
    """A column for each word, in the order of first occurrence."""
    return numbered(map(words, sentences))


def distinct_sentences(pairs: Iterable[DocumentPair]) -> list[str]:
    """The distinct sentences of both sides of document pairs, in their order."""
    documents = {id(side): side for pair in pairs for side in (pair.simple, pair.complex)}
    return list(dict.fromkeys(text for document in documents.values() for text in document.sentences))


_ROWS = 256
"""Rows of one sparse product."""

# more documents than there are atoms give less than 200
_Weight = Annotated[float, Field(ge=0, lt=200)]


@dataclass(frozen=True)
class TfIdf:
    """Cosine of vectors of tf(w) * idf(w), idf(w) = ln((1 + N) / (1 + df(w))) + 1.

    tf counts the word in the sentence; N and df count the distinct sentences of the fitted corpus, both sides
    together, as news articles repeat sentences from level to level. The constants keep words that are in every
    sentence, and give words that the corpus lacks the idf of df = 0. 0 where a sentence has no word.

    Attributes:
        idf: of the words of the corpus.
        unseen: idf of any other word.
    """

    idf: dict[str, _Weight]
    unseen: _Weight

    @classmethod
    def fit(cls, pairs: Sequence[DocumentPair]) -> Self:
        """Take the document frequencies from the sentences of these pairs."""
        sentences = distinct_sentences(pairs)
        known = vocabulary(sentences)
        frequency = count_matrix(sentences, known).sign().sum(0)  # (words,)
        idf = inverse_frequency(frequency, len(sentences))
        return cls(dict(zip(known, idf.tolist(), strict=True)), float(inverse_frequency(0, len(sentences))))

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the fitted similarity whose fields a file holds; `InputError` where it is damaged."""
        state = read_json(path)
        try:
            return structured(state, cls)
        except InputError as error:
            raise bad_input(path, None, f"no word weights ({error})", "train again") from None

    def matrix(self, pair: DocumentPair) -> NDArray[np.float64]:
        """Similarity of each simple with each complex sentence. Shape: (m, n)."""
        return self.compare(pair.simple.sentences, pair.complex.sentences)

    def compare(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float64]:
        """Similarity of each text of `rows` with each of `columns`. Shape: (rows, columns)."""
        known = vocabulary([*rows, *columns])
        idf = diags_array(self.weights(known))
        return sparse_cosine(*(count_matrix(texts, known) @ idf for texts in (rows, columns)))

    def weights(self, words: Iterable[str]) -> NDArray[np.float64]:
        """idf of each word. Shape: (words,)."""
        return np.array([self.idf.get(word, self.unseen) for word in words])


def inverse_frequency(frequency: NDArray[Any] | int, documents: int) -> NDArray[np.float64]:
    """idf = ln((1 + N) / (1 + df)) + 1 of things that are in df of N documents. Same shape as `frequency`."""
    return np.log((1 + documents) / (1 + np.asarray(frequency))) + 1


def sparse_cosine(rows: csr_array, columns: csr_array) -> NDArray[np.float64]:
    """Return the cosine of each row of one matrix with each of the other; 0 where a row is empty.

    Weights are not negative. Shapes: (m, W), (n, W) to (m, n).
    """
    cosine = row_products(_unit(rows), _unit(columns))
    return np.clip(cosine, 0.0, 1.0, out=cosine)


def row_products(rows: csr_array, columns: csr_array) -> NDArray[np.float64]:
    """Return the scalar product of each row of one matrix with each of the other. Shapes: (m, W), (n, W) to (m, n).

    The product is made for some rows at a time: as a whole it may take more memory than the result.
    """
    transposed = columns.T.tocsr()
    products = np.empty((rows.shape[0], columns.shape[0]))
    for start in range(0, len(products), _ROWS):
        part = slice(start, start + _ROWS)
        products[part] = (rows[part] @ transposed).toarray()
    return products


def _unit(weighted: csr_array) -> csr_array:
    norms = np.sqrt((weighted * weighted).sum(1))  # (sentences,)
    return diags_array(quotient(np.ones_like(norms), norms)) @ weighted
