"""Jaccard similarity of word sets, used for alignment by Xu et al. 2015 (F2)."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.similarity.base import count_matrix, vocabulary
from textsimp.records import DocumentPair


class Jaccard:
    """|A n B| / |A u B| of the word sets of two sentences; 0 where neither has a word.

    Xu et al. compare lemmas; this compares lower-cased word forms, which needs no model of the language.
    """

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Nothing to collect."""
        return self

    def matrix(self, pair: DocumentPair) -> NDArray[np.float64]:
        """Shape: (m, n)."""
        return jaccard_matrix(pair.simple.sentences, pair.complex.sentences)


def jaccard_matrix(rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float64]:
    """Jaccard similarity of each text of `rows` with each of `columns`. Shape: (rows, columns)."""
    known = vocabulary([*rows, *columns])
    left, right = (count_matrix(texts, known).sign() for texts in (rows, columns))
    shared = (left @ right.T).toarray()  # (rows, columns)
    union = left.sum(1)[:, None] + right.sum(1)[None, :] - shared
    return np.divide(shared, union, out=np.zeros_like(shared), where=union > 0)
