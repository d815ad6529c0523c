"""Similarities that count words or characters.

Jaccard (Xu et al. 2015), cosines of TF-IDF vectors (Paetzold et al. 2017, Zhu et al. 2010) and of character
n-grams (C3G of Stajner et al. 2017, section 3.2), and the IDF-weighted words of Hwang et al. 2015 (via Kajiwara
and Komachi 2016, section 2).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Self, cast

import numpy as np
from scipy.sparse import csr_array, diags_array

from textsimp.alignment.similarity.similarity import Matrix, TextSimilarity
from textsimp.alignment.similarity.word_pairs import Block, Indexes, TextWords, WordPairSimilarity
from textsimp.alignment.words import (
    TfIdf,
    count_matrix,
    counted,
    distinct_sentences,
    inverse_frequency,
    sparse_cosine,
    vocabulary,
)
from textsimp.core.records import DocumentPair
from textsimp.core.settings import NonNegativeNumber, Positive
from textsimp.metrics.scores import quotient


class Jaccard(TextSimilarity):
    """|A n B| / |A u B| of the word sets of two texts; 0 where neither has a word.

    Xu et al. compare lemmas; this compares lower-cased word forms, which needs no model of the language.
    """

    def compare(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        known = vocabulary([*rows, *columns])
        left, right = (count_matrix(texts, known).sign() for texts in (rows, columns))
        shared = (left @ right.T).toarray()  # (rows, columns)
        union = left.sum(1)[:, None] + right.sum(1)[None, :] - shared
        return quotient(shared, union)


class TfIdfSimilarity(TextSimilarity):
    """Cosine of vectors of tf(w) * idf(w), idf(w) = ln((1 + N) / (1 + df(w))) + 1; 0 where a text has no word.

    Args:
        scope: what the N documents are. `corpus`: the distinct sentences of the fitted corpus, see
            `textsimp.alignment.words.TfIdf`. `article`: the texts at hand, each as one document; for `matrix` these
            are the sentences of both articles, as Zhu et al. take it from Nelken and Shieber 2006. There idf is
            ln(N / df); the constants keep a word that is in all sentences, or a pair of one sentence each, from
            counting nothing.
    """

    def __init__(self, scope: Literal["corpus", "article"] = "corpus") -> None:
        self.scope = scope
        self._corpus: TfIdf

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """An article needs nothing but itself."""
        if self.scope == "corpus":
            self._corpus = TfIdf.fit(pairs)
        return self

    def compare(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        if self.scope == "corpus":
            return self._corpus.compare(rows, columns)
        known = vocabulary([*rows, *columns])
        left, right = (count_matrix(texts, known) for texts in (rows, columns))
        frequency = left.sign().sum(0) + right.sign().sum(0)  # (words,)
        idf = diags_array(inverse_frequency(frequency, len(rows) + len(columns)))
        return sparse_cosine(left @ idf, right @ idf)


_PAD = "\n"
"""Fills up texts shorter than n; no text contains it, as white space becomes single spaces."""
_SENTENCES = 20_000
"""Sentences of which n-grams are counted at once."""


class CharacterNgrams(TextSimilarity):
    """Cosine of vectors of (1 + ln tf(g)) * idf(g), idf(g) = ln((1 + N) / (1 + df(g))) + 1, over character n-grams g.

    Texts are lower-cased, runs of white space become one space, and n-grams go across words; a text shorter than n is
    one n-gram. N and df count the distinct sentences of the fitted corpus, both sides together, as in
    `textsimp.alignment.words`; an n-gram that the corpus lacks has df = 0. 0 where a text is empty. The paper says
    "log TF-IDF weighting (Salton and McGill, 1986)"; the constants of idf are those of the word vectors here.

    Args:
        n: characters (Unicode code points) of an n-gram.
    """

    def __init__(self, n: Positive = 3) -> None:
        self.n = n
        self.frequency: dict[str, int]
        self.documents: int

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Take the document frequencies from the sentences of these pairs."""
        sentences, frequency = distinct_sentences(pairs), dict[str, int]()
        for start in range(0, len(sentences), _SENTENCES):
            grams, counts = ngram_counts(sentences[start : start + _SENTENCES], self.n)
            for gram, number in zip(grams, counts.sign().sum(0).astype(int).tolist(), strict=True):
                frequency[gram] = frequency.get(gram, 0) + number
        self.frequency, self.documents = frequency, len(sentences)
        return self

    def compare(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        grams, counts = ngram_counts([*rows, *columns], self.n)
        frequency = np.array([self.frequency.get(gram, 0) for gram in grams], dtype=np.int64)  # (n-grams,)
        idf = inverse_frequency(frequency, self.documents)
        counts.data = (1 + np.log(counts.data)) * idf[counts.indices]
        return sparse_cosine(counts[: len(rows)], counts[len(rows) :])


def ngram_counts(texts: Sequence[str], n: int) -> tuple[list[str], csr_array]:
    """The distinct character n-grams of some texts, sorted, and how often each is in each text.

    Shape: (texts, n-grams).
    """
    plain = [" ".join(text.lower().split()) for text in texts]
    padded = [text.ljust(n, _PAD) if text else text for text in plain]
    rows = [[text[start : start + n] for start in range(len(text) - n + 1)] for text in padded]
    columns = {gram: number for number, gram in enumerate(sorted({gram for row in rows for gram in row}))}
    return list(columns), counted([[columns[gram] for gram in row] for row in rows], columns)


@dataclass(eq=False, repr=False)
class WeightedWordSimilarity(WordPairSimilarity):
    """s(x, y) = 1/Z sum_{w in x} max_{w' in y} sigma(w, w') idf(w), Z = sum_{w in x} idf(w); at least 0.

    Hwang et al. have sigma from co-occurrence in a dictionary; here it is the cosine of word vectors, which needs no
    dictionary. They add the similarity of syntactic neighbours; here, with no parser, the words to the left and right
    stand in for them:

        sigma'(w, w') = (sigma(w, w') + structure (sigma(left w, left w') + sigma(right w, right w')) / 2)
                        / (1 + structure).

    Before the first and after the last word of a text is a mark that is at 1 from itself and at 0 from any word, so a
    text is at 1 from itself. idf is that of `textsimp.alignment.words.TfIdf`. The formula has a direction, and the
    sources at hand do not say which of the two texts x is; dev chooses.

    Attributes:
        structure: weight of the neighbours, at least 0.
        direction: x is the `simple` text (rows), the `complex` text (columns), or the `mean` of both is taken.
    """

    structure: NonNegativeNumber = 0.25
    direction: Literal["simple", "complex", "mean"] = "mean"

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Take the document frequencies from the sentences of these pairs."""
        self._idf = TfIdf.fit(pairs)
        return self

    def _similarities(self, block: Block) -> Matrix:
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
        rows = (by_word[column[start : start + length]] for by_word, column in weighted)
        yield start, cast(Matrix, sum(rows))


def _neighbours(texts: TextWords) -> tuple[Indexes, Indexes]:
    """The words before and after each token, len(distinct) at the border of its text. Shapes: (T,)."""
    left, right = np.roll(texts.tokens, 1), np.roll(texts.tokens, -1)
    left[texts.starts] = right[texts.starts - 1] = len(texts.distinct)
    return left, right
