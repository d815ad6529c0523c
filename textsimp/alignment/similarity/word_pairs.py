"""Cosines of all word pairs of two lists of texts: Kajiwara and Komachi 2016, section 3, and others like it (F2)."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from textsimp.alignment.similarity.base import Matrix, TextSimilarity
from textsimp.alignment.vectors.base import WordVectors
from textsimp.alignment.words import words
from textsimp.errors import InputError
from textsimp.metrics.alignment import Task

Indexes = NDArray[np.int64]
CELLS = 1 << 22
"""Numbers in the largest array of one block (32 MiB), unless a single row has more with all columns; see `blocks`."""
_DECIMALS = 10
"""Cosines are rounded, so that words with the same vector tie in any order of summation, and 0.5 is not over 0.5."""


@dataclass(frozen=True)
class TextWords:
    """The words of some texts, each of which has at least one.

    Attributes:
        places: where the texts stand in the list that they come from. Shape: (k,).
        distinct: their words as numbers of a vocabulary, ascending, each once. Shape: (W,).
        tokens: for every token in order, the position of its word in `distinct`. Shape: (T,).
        starts: the first token of each text. Shape: (k,).
    """

    places: Indexes
    distinct: Indexes
    tokens: Indexes
    starts: Indexes

    @property
    def lengths(self) -> Indexes:
        """Tokens of each text. Shape: (k,)."""
        return np.diff(self.starts, append=len(self.tokens))

    @property
    def counts(self) -> csr_array:
        """How often each word is in each text. Shape: (k, W)."""
        ends = np.append(self.starts, len(self.tokens))
        return csr_array((np.ones(len(self.tokens)), self.tokens, ends), shape=(len(self.places), len(self.distinct)))

    @property
    def text_of(self) -> Indexes:
        """The text of each token. Shape: (T,)."""
        return np.repeat(np.arange(len(self.places)), self.lengths)

    def split(self) -> list[Indexes]:
        """The tokens of each text."""
        return np.split(self.tokens, self.starts[1:])

    def part(self, start: int, stop: int) -> "TextWords":
        """Some consecutive texts, with the words that are in them."""
        ends = np.append(self.starts, len(self.tokens))
        tokens = self.tokens[ends[start] : ends[stop]]
        used, local = np.unique(tokens, return_inverse=True)
        return TextWords(self.places[start:stop], self.distinct[used], local, self.starts[start:stop] - ends[start])


@dataclass(frozen=True)
class Block:
    """Some consecutive rows and all columns of a comparison.

    Attributes:
        vocabulary: the words that `distinct` of both sides numbers.
        cosine: of the distinct words of both sides, at most 1. Shape: (rows.W, columns.W).
    """

    vocabulary: Sequence[str]
    rows: TextWords
    columns: TextWords
    cosine: Matrix


class WordPairSimilarity(TextSimilarity):
    """A similarity of texts that is made of the cosines of their word vectors.

    A word is at 1 from itself. A word without a vector (or with one of length 0) is at 0 from any other.
    """

    def __init__(self, vectors: WordVectors) -> None:
        self.vectors = vectors

    def compare(self, rows: Sequence[str], columns: Sequence[str], task: Task = "task1") -> Matrix:
        """See `TextSimilarity.compare`; what an equation puts below 0 is 0."""
        result = np.zeros((len(rows), len(columns)))
        for block in blocks(self.vectors, rows, columns):
            found = self._similarities(block)
            result[np.ix_(block.rows.places, block.columns.places)] = np.clip(found, 0.0, 1.0)
        return result

    @abstractmethod
    def _similarities(self, block: Block) -> Matrix:
        """The similarity of every row with every column of a block. Shape: (rows, columns)."""


def blocks(vectors: WordVectors, rows: Sequence[str], columns: Sequence[str]) -> Iterator[Block]:
    """The texts that have a word, in blocks of at most `CELLS` row tokens x distinct column words.

    A similarity keeps a few arrays of that size at most. With the word vectors and the result, which grow with the
    words and with the text pairs, that bounds memory: one block of 1,000 x 1,000 sentences takes under 200 MiB.
    """
    known: dict[str, int] = {}
    left, right = (text_words(texts, known) for texts in (rows, columns))
    if not len(left.places) or not len(right.places):
        return
    unit = unit_vectors(vectors, list(known))
    for start, stop in _ranges(left.lengths, CELLS // len(right.distinct)):
        part = left.part(start, stop)
        yield Block(list(known), part, right, _cosine(unit, part.distinct, right.distinct))


def text_words(texts: Sequence[str], known: dict[str, int]) -> TextWords:
    """The words of the texts that have any; `known` numbers words and grows by the new ones."""
    found = [[known.setdefault(word, len(known)) for word in words(text)] for text in texts]
    lengths = np.array([len(row) for row in found], dtype=np.int64)
    flat = np.array([number for row in found for number in row], dtype=np.int64)
    places = np.flatnonzero(lengths)
    distinct, tokens = np.unique(flat, return_inverse=True)
    return TextWords(places, distinct, tokens, (np.cumsum(lengths) - lengths)[places])


def unit_vectors(vectors: WordVectors, vocabulary: Sequence[str]) -> Matrix:
    """Word vectors scaled to length 1, 0 where there is none. Shape: (W, D)."""
    raw, known = vectors.lookup(vocabulary)
    raw = np.where(known[:, None], raw.astype(np.float64), 0.0)
    norms = np.linalg.norm(raw, axis=1, keepdims=True)  # (W, 1)
    return np.divide(raw, norms, out=raw, where=norms > 0)


def best_partners(cosine: Matrix, texts: TextWords) -> Matrix:
    """max over the words w' of a text of cos(w, w'), for each word and text. Shapes: (V, W) to (V, k)."""
    by_word = np.ascontiguousarray(cosine.T)
    return np.stack([by_word[tokens].max(0) for tokens in texts.split()], axis=1)


def first_partners(cosine: Matrix, texts: TextWords) -> Indexes:
    """The first token of a text with the best cosine with w, for each word and text. Shapes: (V, W) to (V, k)."""
    by_word = np.ascontiguousarray(cosine.T)
    found = [by_word[tokens].argmax(0) for tokens in texts.split()]
    return np.stack(found, axis=1) + texts.starts


def checked_option(what: str, value: float, under: float) -> float:
    """An option that is a number from 0 on and under a bound; `InputError` says what it is where it is not."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value < under:
        raise InputError(f"{what} is {value!r}; it must be a number from 0 on and under {under}")
    return value


def _cosine(unit: Matrix, rows: Indexes, columns: Indexes) -> Matrix:
    """cos(w, w') of numbered words. Shapes: (W, D), (V,), (V',) to (V, V')."""
    cosine = unit[rows] @ unit[columns].T  # (V, V')
    np.minimum(np.round(cosine, _DECIMALS, out=cosine), 1.0, out=cosine)
    _, here, there = np.intersect1d(rows, columns, assume_unique=True, return_indices=True)
    cosine[here, there] = 1.0
    return cosine


def _ranges(lengths: Indexes, most: int) -> Iterator[tuple[int, int]]:
    """Consecutive texts with at most so many tokens together, or a single longer one."""
    start, total = 0, 0
    for index, length in enumerate(lengths.tolist()):
        if index > start and total + length > most:
            yield start, index
            start, total = index, 0
        total += length
    yield start, len(lengths)
