"""One-to-one alignment, best pairs first: Hwang et al. 2015, as Kajiwara and Komachi 2016 (section 2) tell it (F2)."""

import numpy as np

from textsimp.alignment.strategies.base import Comparison, Matrix, no_links

_BLOCK = 1 << 14
"""Pairs that are looked at between two moments when those of used texts are dropped all at once."""


class GreedyOneToOne:
    """Links pairs in falling order of similarity as long as both texts are free.

    Order does not count, and pairs of similarity 0 or less are never linked. Of equally similar pairs the one with the
    earlier simple text goes first, then the one with the earlier complex text. A link's score is its similarity.
    """

    def align(self, comparison: Comparison) -> Matrix:
        """See `Strategy.align`. Sorts the pairs once: O(mn log mn)."""
        matrix, scores = comparison.matrix, no_links(comparison)
        positive = np.flatnonzero(matrix > 0)
        falling = positive[np.argsort(-matrix.ravel()[positive], kind="stable")]
        free_simple, free_complex = (np.ones(size, dtype=bool) for size in matrix.shape)
        for start in range(0, len(falling), _BLOCK):
            rows, columns = np.divmod(falling[start : start + _BLOCK], matrix.shape[1])
            free = free_simple[rows] & free_complex[columns]
            for i, j in zip(rows[free].tolist(), columns[free].tolist(), strict=True):
                if free_simple[i] and free_complex[j]:
                    scores[i, j] = matrix[i, j]
                    free_simple[i] = free_complex[j] = False
        return scores
