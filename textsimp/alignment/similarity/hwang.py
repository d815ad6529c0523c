"""IDF-weighted word-level similarity of Hwang et al. 2015, via Kajiwara and Komachi 2016, section 2 (F2)."""

from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np

from textsimp.alignment.similarity.base import Matrix
from textsimp.alignment.similarity.word_pairs import Block, Indexes, TextWords, WordPairSimilarity, checked_option
from textsimp.alignment.tfidf import TfIdf
from textsimp.alignment.vectors.base import WordVectors
from textsimp.errors import InputError
from textsimp.records import DocumentPair

DIRECTIONS = ("simple", "complex", "mean")


class WeightedWordSimilarity(WordPairSimilarity):
    """s(x, y) = 1/Z sum_{w in x} max_{w' in y} sigma(w, w') idf(w), Z = sum_{w in x} idf(w); at least 0.

    Hwang et al. have sigma from co-occurrence in a dictionary; here it is the cosine of word vectors, which needs no
    dictionary. They add the similarity of syntactic neighbours; here, with no parser, the words to the left and right
    stand in for them:

        sigma'(w, w') = (sigma(w, w') + structure (sigma(left w, left w') + sigma(right w, right w')) / 2)
                        / (1 + structure).

    Before the first and after the last word of a text is a mark that is at 1 from itself and at 0 from any word, so a
    text is at 1 from itself. idf is that of `textsimp.alignment.tfidf.TfIdf`. The formula has a direction, and the
    sources at hand do not say which of the two texts x is. On the dev articles of the news sample, with the default
    encoder's word vectors, one-to-one matching and structure 0.25, F1 is

        direction   Task 1   Task 2
        simple        81.5     49.2
        complex       78.3     64.6   (it sees what the simple text leaves out)
        mean          82.2     53.1

    Args:
        structure: weight of the neighbours, at least 0. On the same data 0 and 0.25 are alike, and 1 is worse.
        direction: x is the `simple` text (rows), the `complex` text (columns), or the `mean` of both is taken.

    Raises:
        InputError: for a weight under 0 or another direction.
    """

    def __init__(self, vectors: WordVectors, structure: float = 0.25, direction: str = "mean") -> None:
        super().__init__(vectors)
        if direction not in DIRECTIONS:
            known = ", ".join(DIRECTIONS)
            raise InputError(f"similarity weighted_words: direction: {direction!r} is none of {known}")
        self.structure = checked_option("similarity weighted_words: structure", structure, np.inf)
        self.direction, self._idf = direction, TfIdf()

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """See `Similarity.fit`: takes the document frequencies from the sentences of these pairs."""
        self._idf.fit(pairs)
        return self

    def _similarities(self, block: Block) -> Matrix:
        """See `WordPairSimilarity`. Raises RuntimeError before `fit`."""
        rows, columns = block.rows, block.columns
        forth = np.empty((len(rows.tokens), len(columns.places)))
        back = np.empty((len(columns.tokens), len(rows.places)))
        for number, (start, sigma) in enumerate(_in_context(block, self.structure)):
            if self.direction != "complex":
                forth[:, number] = sigma.max(0)
            if self.direction != "simple":
                back[start : start + len(sigma)] = np.maximum.reduceat(sigma, rows.starts, axis=1)
        if self.direction == "simple":
            return self._weighted_mean(forth, block.vocabulary, rows)
        of_complex = self._weighted_mean(back, block.vocabulary, columns).T
        if self.direction == "complex":
            return of_complex
        return (self._weighted_mean(forth, block.vocabulary, rows) + of_complex) / 2

    def _weighted_mean(self, values: Matrix, vocabulary: Sequence[str], texts: TextWords) -> Matrix:
        """Mean over the tokens of each text, weighted by idf. Shapes: (T, N) to (k, N)."""
        weights = self._idf.weights(vocabulary[number] for number in texts.distinct.tolist())[texts.tokens]
        sums = np.add.reduceat(values * weights[:, None], texts.starts, axis=0)
        return sums / np.add.reduceat(weights, texts.starts)[:, None]


def _in_context(block: Block, structure: float) -> Iterator[tuple[int, Matrix]]:
    """The first token of each column, and sigma' of its tokens with those of all rows. Shape: (tokens, row tokens)."""
    cosine = np.pad(block.cosine.T, (0, 1))  # last on both sides: the mark at a text's border
    cosine[-1, -1] = 1.0
    parts = [(1.0, block.rows.tokens, block.columns.tokens)]
    if structure > 0:
        neighbours = zip(_neighbours(block.rows), _neighbours(block.columns), strict=True)
        parts += [(structure / 2, row, column) for row, column in neighbours]
    weighted = [(weight / (1 + structure) * cosine[:, row], column) for weight, row, column in parts]
    for start, length in zip(block.columns.starts.tolist(), block.columns.lengths.tolist(), strict=True):
        yield start, sum(by_word[column[start : start + length]] for by_word, column in weighted)


def _neighbours(texts: TextWords) -> tuple[Indexes, Indexes]:
    """The words before and after each token, len(distinct) at the border of its text. Shapes: (T,)."""
    left, right = np.roll(texts.tokens, 1), np.roll(texts.tokens, -1)
    left[texts.starts] = right[texts.starts - 1] = len(texts.distinct)
    return left, right
