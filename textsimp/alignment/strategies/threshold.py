"""Every pair that is similar enough: the plain similarity models of section 4.1 (F2)."""

from dataclasses import dataclass

import numpy as np

from textsimp.alignment.strategies.base import Comparison, Matrix


@dataclass(frozen=True)
class Threshold:
    """Links all pairs whose similarity reaches `threshold` (Jaccard and TF-IDF of Table 2)."""

    threshold: float = -np.inf

    def align(self, comparison: Comparison) -> Matrix:
        """The similarities; see `Strategy.align`."""
        return np.where(comparison.matrix >= self.threshold, comparison.matrix, -np.inf)
