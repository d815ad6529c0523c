"""Cosine of mean word vectors: WAVG of Stajner et al. 2017, section 3.2, and additive embeddings (F2)."""

from collections.abc import Sequence

import numpy as np

from textsimp.alignment.similarity.base import Matrix, TextSimilarity
from textsimp.alignment.similarity.word_pairs import text_words
from textsimp.alignment.vectors.base import WordVectors
from textsimp.metrics.alignment import Task


class WordAverage(TextSimilarity):
    """cos(mean of the vectors of one text's words, mean of the other's), every occurrence counted; at least 0.

    The additive embeddings that Kajiwara and Komachi 2016 compare with (section 4.1) are the sums of the vectors; sum
    and mean differ in length only, so the cosine is the same. Words without a vector are left out; 0 where a text has
    no word with one.
    """

    def __init__(self, vectors: WordVectors) -> None:
        self.vectors = vectors

    def compare(self, rows: Sequence[str], columns: Sequence[str], task: Task = "task1") -> Matrix:
        """See `TextSimilarity.compare`."""
        left, right = (self._directions(texts) for texts in (rows, columns))
        return np.clip(left @ right.T, 0.0, 1.0)

    def _directions(self, texts: Sequence[str]) -> Matrix:
        """Mean vectors scaled to length 1, or 0 where there is none. Shape: (texts, D)."""
        known: dict[str, int] = {}
        found = text_words(texts, known)
        result = np.zeros((len(texts), self.vectors.size))
        if known:
            vectors, has_one = self.vectors.lookup(list(known))
            sums = found.counts @ np.where(has_one[:, None], vectors.astype(np.float64), 0.0)  # (k, D)
            norms = np.linalg.norm(sums, axis=1, keepdims=True)
            result[found.places] = np.divide(sums, norms, out=np.zeros_like(sums), where=norms > 0)
        return result
