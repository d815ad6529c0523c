"""Cosine of TF-IDF vectors over a corpus or over one article: Paetzold et al. 2017, Zhu et al. 2010 (F2)."""

from collections.abc import Sequence
from typing import Self

from scipy.sparse import diags_array

from textsimp.alignment.similarity.base import Matrix, TextSimilarity
from textsimp.alignment.tfidf import TfIdf, inverse_frequency, sparse_cosine
from textsimp.alignment.words import count_matrix, vocabulary
from textsimp.errors import InputError
from textsimp.metrics.alignment import Task
from textsimp.records import DocumentPair

SCOPES = ("corpus", "article")


class TfIdfSimilarity(TextSimilarity):
    """Cosine of vectors of tf(w) * idf(w), idf(w) = ln((1 + N) / (1 + df(w))) + 1; 0 where a text has no word.

    Args:
        scope: what the N documents are. `corpus`: the distinct sentences of the fitted corpus, see
            `textsimp.alignment.tfidf.TfIdf`. `article`: the texts at hand, each as one document; for `matrix` these
            are the sentences of both articles, as Zhu et al. take it from Nelken and Shieber 2006. There idf is
            ln(N / df); the constants keep a word that is in all sentences, or a pair of one sentence each, from
            counting nothing.

    Raises:
        InputError: for another scope.
    """

    def __init__(self, scope: str = "corpus") -> None:
        if scope not in SCOPES:
            raise InputError(f"similarity tfidf: scope: {scope!r} is none of {', '.join(SCOPES)}")
        self.scope, self._corpus = scope, TfIdf()

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """See `Similarity.fit`; an article needs nothing but itself."""
        if self.scope == "corpus":
            self._corpus.fit(pairs)
        return self

    def compare(self, rows: Sequence[str], columns: Sequence[str], task: Task = "task1") -> Matrix:
        """See `TextSimilarity.compare`. Raises RuntimeError before `fit` where the scope is the corpus."""
        if self.scope == "corpus":
            return self._corpus.compare(rows, columns)
        known = vocabulary([*rows, *columns])
        left, right = (count_matrix(texts, known) for texts in (rows, columns))
        frequency = left.sign().sum(0) + right.sign().sum(0)  # (words,)
        idf = diags_array(inverse_frequency(frequency, len(rows) + len(columns)))
        return sparse_cosine(left @ idf, right @ idf)
