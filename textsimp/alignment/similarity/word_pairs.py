"""Similarities from the cosines of word vectors, of all word pairs of two lists of texts.

Averages: WAVG of Stajner et al. 2017, section 3.2, and additive embeddings. Word alignments: sections 3.1 to 3.3 of
Kajiwara and Komachi 2016, after Song and Roth 2015, and CWASA (Stajner et al. 2017, section 3.2, after Franco-Salvador
et al. 2016). Word Mover's Distance: section 3.4 of Kajiwara and Komachi 2016, after Kusner et al. 2015.

phi(x_i, y_j) is the cosine of the vectors of two words, and counts 0 unless it is over theta (section 4.1: "noise ...
was removed by aligning only those word pairs which had a word similarity phi > theta"); theta is from 0 on and under 1.
Words are occurrences: one that is twice in a text counts twice.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from scipy.sparse import csr_array

from textsimp.alignment.similarity.similarity import Matrix, TextSimilarity
from textsimp.alignment.words import runs, words
from textsimp.core.word_vectors import WordVectors
from textsimp.metrics.scores import quotient

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
    def ends(self) -> Indexes:
        """The first token of each text, and the end of the last one. Shape: (k + 1,)."""
        return np.append(self.starts, len(self.tokens))

    @property
    def lengths(self) -> Indexes:
        """Tokens of each text. Shape: (k,)."""
        return np.diff(self.ends)

    @property
    def counts(self) -> csr_array:
        """Return how often each word is in each text. Shape: (k, W)."""
        shape = (len(self.places), len(self.distinct))
        return csr_array((np.ones(len(self.tokens)), self.tokens, self.ends), shape=shape)

    @property
    def text_of(self) -> Indexes:
        """The text of each token. Shape: (T,)."""
        return np.repeat(np.arange(len(self.places)), self.lengths)

    def split(self) -> list[Indexes]:
        """The tokens of each text."""
        return np.split(self.tokens, self.starts[1:])

    def part(self, start: int, stop: int) -> "TextWords":
        """Some consecutive texts, with the words that are in them."""
        first, end = self.ends[[start, stop]]
        used, local = np.unique(self.tokens[first:end], return_inverse=True)
        return TextWords(self.places[start:stop], self.distinct[used], local, self.starts[start:stop] - first)


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


_Theta = Annotated[float, Field(ge=0, lt=1)]


@dataclass(eq=False, repr=False)
class WordPairSimilarity(TextSimilarity):
    """A similarity of texts that is made of the cosines of their word vectors.

    A word is at 1 from itself. A word without a vector (or with one of length 0) is at 0 from any other.
    """

    vectors: WordVectors

    def compare(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        """Return the similarities; those that an equation puts below 0 are 0."""
        result = np.zeros((len(rows), len(columns)))
        for block in blocks(self.vectors, rows, columns):
            similarities = self._similarities(block)
            result[np.ix_(block.rows.places, block.columns.places)] = np.clip(similarities, 0.0, 1.0)
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
    for start, stop in runs(left.ends, CELLS // len(right.distinct)):
        part = left.part(start, stop)
        yield Block(list(known), part, right, _cosine(unit, part.distinct, right.distinct))


def text_words(texts: Sequence[str], known: dict[str, int]) -> TextWords:
    """The words of the texts that have any; `known` numbers words and grows by the new ones."""
    numbers = [[known.setdefault(word, len(known)) for word in words(text)] for text in texts]
    lengths = np.array([len(row) for row in numbers], dtype=np.int64)
    flat = np.array([number for row in numbers for number in row], dtype=np.int64)
    places = np.flatnonzero(lengths)
    distinct, tokens = np.unique(flat, return_inverse=True)
    return TextWords(places, distinct, tokens, (np.cumsum(lengths) - lengths)[places])


def unit_vectors(vectors: WordVectors, vocabulary: Sequence[str]) -> Matrix:
    """Word vectors scaled to length 1, 0 where there is none. Shape: (W, D)."""
    raw, known = vectors.lookup(vocabulary)
    raw = np.where(known[:, None], raw.astype(np.float64), 0.0)
    return quotient(raw, np.linalg.norm(raw, axis=1, keepdims=True))


def best_partners(cosine: Matrix, texts: TextWords) -> Matrix:
    """max over the words w' of a text of cos(w, w'), for each word and text. Shapes: (V, W) to (V, k)."""
    by_word = np.ascontiguousarray(cosine.T)
    return np.stack([by_word[tokens].max(0) for tokens in texts.split()], axis=1)


def first_partners(cosine: Matrix, texts: TextWords) -> Indexes:
    """The first token of a text with the best cosine with w, for each word and text. Shapes: (V, W) to (V, k)."""
    by_word = np.ascontiguousarray(cosine.T)
    tokens_of_words = [by_word[tokens].argmax(0) for tokens in texts.split()]
    return np.stack(tokens_of_words, axis=1) + texts.starts


def _cosine(unit: Matrix, rows: Indexes, columns: Indexes) -> Matrix:
    """cos(w, w') of numbered words. Shapes: (W, D), (V,), (V',) to (V, V')."""
    cosine = unit[rows] @ unit[columns].T  # (V, V')
    np.minimum(np.round(cosine, _DECIMALS, out=cosine), 1.0, out=cosine)
    _, row, column = np.intersect1d(rows, columns, assume_unique=True, return_indices=True)
    cosine[row, column] = 1.0
    return cosine


class WordAverage(TextSimilarity):
    """cos(mean of the vectors of one text's words, mean of the other's), every occurrence counted; at least 0.

    The additive embeddings that Kajiwara and Komachi 2016 compare with (section 4.1) are the sums of the vectors; sum
    and mean differ in length only, so the cosine is the same. Words without a vector are left out; 0 where a text has
    no word with one.
    """

    def __init__(self, vectors: WordVectors) -> None:
        self.vectors = vectors

    def compare(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        left, right = (self._directions(texts) for texts in (rows, columns))
        return np.clip(left @ right.T, 0.0, 1.0)

    def _directions(self, texts: Sequence[str]) -> Matrix:
        """Mean vectors scaled to length 1, or 0 where there is none. Shape: (texts, D)."""
        known: dict[str, int] = {}
        of_texts = text_words(texts, known)
        result = np.zeros((len(texts), self.vectors.size))
        if known:
            vectors, has_one = self.vectors.lookup(list(known))
            sums = of_texts.counts @ np.where(has_one[:, None], vectors.astype(np.float64), 0.0)  # (k, D)
            norms = np.linalg.norm(sums, axis=1, keepdims=True)
            result[of_texts.places] = quotient(sums, norms)
        return result


@dataclass(eq=False, repr=False)
class WordAlignment(WordPairSimilarity):
    """A similarity that is made of phi: the cosines over theta, else 0."""

    theta: _Theta = 0.5

    def phi(self, cosine: Matrix) -> Matrix:
        """Same shape."""
        return np.where(cosine > self.theta, cosine, 0.0)


class AverageAlignment(WordAlignment):
    """STS_ave(x, y) = sum_i sum_j phi(x_i, y_j) / (|x| |y|) (equation 1)."""

    def _similarities(self, block: Block) -> Matrix:
        total = block.rows.counts @ self.phi(block.cosine) @ block.columns.counts.T  # (rows, columns)
        return total / np.outer(block.rows.lengths, block.columns.lengths)


class MaximumAlignment(WordAlignment):
    """STS_max(x, y) = (STS_asym(x, y) + STS_asym(y, x)) / 2, STS_asym(x, y) = sum_i max_j phi(x_i, y_j) / |x| (2)."""

    def _similarities(self, block: Block) -> Matrix:
        phi = self.phi(block.cosine)
        rows, columns = block.rows, block.columns
        forth = (rows.counts @ best_partners(phi, columns)) / rows.lengths[:, None]  # (rows, columns)
        back = (columns.counts @ best_partners(phi.T, rows)) / columns.lengths[:, None]  # (columns, rows)
        return (forth + back.T) / 2


class HungarianAlignment(WordAlignment):
    """STS_hun(x, y) = sum_i phi(x_i, h(x_i)) / min(|x|, |y|), h the one-to-one alignment of the largest sum (3)."""

    def _similarities(self, block: Block) -> Matrix:
        from scipy.optimize import linear_sum_assignment  # slow to import

        phi = self.phi(block.cosine)
        columns = block.columns.split()
        total = np.empty((len(block.rows.places), len(columns)))
        for i, row in enumerate(block.rows.split()):
            of_row = phi[row]  # (tokens, W)
            for j, column in enumerate(columns):
                weights = of_row[:, column]
                total[i, j] = weights[linear_sum_assignment(weights, maximize=True)].sum()
        return total / np.minimum.outer(block.rows.lengths, block.columns.lengths)


class Cwasa(WordPairSimilarity):
    """Mean cosine over the set of word alignments of two texts; at least 0.

    Section 3.2 says that the model "finds the optimal word alignment by computing cosine similarity between continuous
    representations of all words". Our reading: each word of either text is aligned with its best partner in the other;
    the set is the union of both directions, so that two words that are each other's best partner count once. Words are
    occurrences, and of equally good partners the first is taken.
    """

    def _similarities(self, block: Block) -> Matrix:
        rows, columns, cosine = block.rows, block.columns, block.cosine
        partner, back = first_partners(cosine, columns), first_partners(cosine.T, rows)
        forth = np.take_along_axis(cosine, columns.tokens[partner], axis=1)  # (words of rows, columns)
        into = np.take_along_axis(cosine.T, rows.tokens[back], axis=1)  # (words of columns, rows)
        mutual = _mutual(rows, columns, partner, back)  # (row tokens, columns)
        twice = np.add.reduceat(np.where(mutual, forth[rows.tokens], 0.0), rows.starts, axis=0)  # (rows, columns)
        total = rows.counts @ forth + (columns.counts @ into).T - twice
        number = np.add.outer(rows.lengths, columns.lengths) - np.add.reduceat(mutual, rows.starts, axis=0, dtype=int)
        return total / number


def _mutual(rows: TextWords, columns: TextWords, partner: Indexes, back: Indexes) -> NDArray[np.bool_]:
    """Return whether a row's token is the best partner of its own best partner in a column. Shape: (tokens, columns).

    `partner` is the best token of each column for each word of the rows, (rows.W, columns), and `back` the best token
    of each row for each word of the columns, (columns.W, rows).
    """
    theirs = columns.tokens[partner][rows.tokens]  # (row tokens, columns)
    return back[theirs, rows.text_of[:, None]] == np.arange(len(rows.tokens))[:, None]


class WordMoversDistance(WordPairSimilarity):
    """STS_wmd(x, y) = 1 - WMD(x, y), WMD(x, y) = min_A sum_uv A_uv psi(x_u, y_v) over distinct words (equation 4).

    A moves the mass freq(x_u) / |x| of each word of x to the masses freq(y_v) / |y|. psi is the Euclidean distance of
    word vectors; the paper does not say how long they are. Here all have length 1/2, so that psi, and with it the
    similarity, is from 0 to 1 (with cosine c, psi = sqrt((1 - c) / 2)). With length 1, WMD doubles: the order of all
    text pairs is the same, but most pairs of unrelated sentences fall below 0, under a sentence that has no word. A
    word without a vector is as far from any other as a word at a right angle.
    """

    def _similarities(self, block: Block) -> Matrix:
        from ot import emd2  # not at the top: POT loads for a second, also where no one asks for this similarity

        distance = np.sqrt((1 - block.cosine) / 2)
        columns = _histograms(block.columns)
        cost = np.empty((len(block.rows.places), len(columns)))
        for i, (row, row_mass) in enumerate(_histograms(block.rows)):
            of_row = distance[row]  # (distinct words of the text, W)
            for j, (column, mass) in enumerate(columns):
                # the masses sum to 1, and nobody reads the duals: without both checks a call takes half the time
                cost[i, j] = emd2(row_mass, mass, of_row[:, column], center_dual=False, check_marginals=False)
        return 1 - cost


def _histograms(texts: TextWords) -> list[tuple[Indexes, Matrix]]:
    counted = [np.unique(tokens, return_counts=True) for tokens in texts.split()]
    return [(word, count / count.sum()) for word, count in counted]
