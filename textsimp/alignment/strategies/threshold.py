"""Every pair that is similar enough: the plain similarity models of section 4.1 (F2)."""

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.strategies.base import ScoredLink
from textsimp.records import DocumentPair


class Threshold:
    """Links all sentence pairs whose similarity reaches the threshold (Jaccard and TF-IDF of Table 2)."""

    def __init__(self, threshold: float) -> None:
        self.threshold = threshold

    def align(self, matrix: NDArray[np.float64], pair: DocumentPair) -> list[ScoredLink]:
        """Links with the similarity as score; see `Strategy.align`."""
        found = np.argwhere(matrix >= self.threshold)
        return [ScoredLink(i, j, float(matrix[i, j])) for i, j in found.tolist()]
