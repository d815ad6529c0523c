"""Jaccard similarity of word sets, used for alignment by Xu et al. 2015 (F2)."""

from collections.abc import Sequence

import numpy as np

from textsimp.alignment.similarity.base import Matrix, TextSimilarity
from textsimp.alignment.words import count_matrix, vocabulary
from textsimp.metrics.alignment import Task


class Jaccard(TextSimilarity):
    """|A n B| / |A u B| of the word sets of two texts; 0 where neither has a word.

    Xu et al. compare lemmas; this compares lower-cased word forms, which needs no model of the language.
    """

    def compare(self, rows: Sequence[str], columns: Sequence[str], task: Task = "task1") -> Matrix:
        """See `TextSimilarity.compare`."""
        known = vocabulary([*rows, *columns])
        left, right = (count_matrix(texts, known).sign() for texts in (rows, columns))
        shared = (left @ right.T).toarray()  # (rows, columns)
        union = left.sum(1)[:, None] + right.sum(1)[None, :] - shared
        return np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
