"""Dynamic programming over six operations: Coster and Kauchak 2011, section 3 (F2)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.strategies.base import Comparison, Matrix, no_links
from textsimp.errors import InputError

_STEPS = ((1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2))
"""Simple and complex texts that each operation takes, in the order of the paper's recurrence."""
_LINKS: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    (),
    ((0, 0),),
    ((1, 0), (0, 0)),
    ((0, 1), (0, 0)),
    ((0, 1), (1, 0)),
)
"""Links of each operation: how many texts before the last simple and the last complex one, in order of addition."""


@dataclass(frozen=True)
class SixOperations:
    """The alignment of the largest sum of similarities that skips, 1-1, 1-2, 2-1 and crossed 2-2 steps can make.

    With i complex and j simple texts,

        a(i, j) = max of  a(i, j - 1) - skip_penalty                            skip the simple text
                          a(i - 1, j) - skip_penalty                            skip the complex text
                          a(i - 1, j - 1) + sim(i, j)                           one to one
                          a(i - 1, j - 2) + sim(i, j - 1) + sim(i, j)           one complex to two simple
                          a(i - 2, j - 1) + sim(i - 1, j) + sim(i, j)           two complex to one simple
                          a(i - 2, j - 2) + sim(i - 1, j) + sim(i, j - 1)       two to two, crossed

    and a(i, 0) = a(0, j) = 0: texts left over at the beginning cost nothing. Of equal alternatives the first counts.
    A link's score is its similarity; the paper drops links under 0.5, which is the system's threshold here.

    Attributes:
        skip_penalty: what a skipped text costs; 0.0001 in the paper.
    """

    skip_penalty: float = 0.0001

    def __post_init__(self) -> None:
        if not 0 <= self.skip_penalty < np.inf:
            raise InputError(f"alignment strategy six_operations: skip_penalty {self.skip_penalty} is not 0 or more")

    def align(self, comparison: Comparison) -> Matrix:
        """See `Strategy.align`. Time O(m n), by anti-diagonals; memory one byte a pair beside the matrices."""
        matrix, scores = comparison.matrix, no_links(comparison)
        for link in self._links(matrix) if matrix.size else ():
            scores[link] = matrix[link]
        return scores

    def _links(self, matrix: Matrix) -> Iterator[tuple[int, int]]:
        """Follow the chosen operations back from the last texts."""
        chosen = self._operations(matrix)
        i, j = matrix.shape
        while i and j:
            operation = chosen[i, j]
            yield from ((i - 1 - up, j - 1 - left) for up, left in _LINKS[operation])
            i, j = i - _STEPS[operation][0], j - _STEPS[operation][1]

    def _operations(self, matrix: Matrix) -> NDArray[np.int8]:
        """The operation that wins for the first i simple and j complex texts. Shape: (m + 1, n + 1).

        Cells of an anti-diagonal (i + j = d) need only those of the four before it. The similarities have a border of
        -inf, so that no operation takes a text before the first one.
        """
        m, n = matrix.shape
        framed = np.full((m + 1, n + 1), -np.inf)
        framed[1:, 1:] = matrix
        chosen = np.zeros((m + 1, n + 1), dtype=np.int8)
        values = [np.zeros(m + 2)] * 4  # a of the last diagonals, newest first, at i + 1; the borders are 0
        for diagonal in range(2, m + n + 1):
            low, high = max(1, diagonal - n), min(m, diagonal - 1) + 1
            alternatives = self._alternatives(framed, values, diagonal, low, high)  # (6, cells)
            best = alternatives.argmax(0)
            chosen.ravel()[_along(n, diagonal, low, high)] = best
            newest = np.zeros(m + 2)
            newest[low + 1 : high + 1] = alternatives.max(0)
            values = [newest, *values[:3]]
        return chosen

    def _alternatives(self, framed: Matrix, values: list[Matrix], diagonal: int, low: int, high: int) -> Matrix:
        """The six alternatives of the cells i = low ... high - 1 of a diagonal. Shape: (6, cells)."""
        n, flat = framed.shape[1] - 1, framed.ravel()
        rows = np.empty((len(_STEPS), high - low))
        for row, (up, left), links in zip(rows, _STEPS, _LINKS, strict=True):
            row[:] = values[up + left - 1][low + 1 - up : high + 1 - up]
            if not links:
                row -= self.skip_penalty
            for before, aside in links:
                row += flat[_along(n, diagonal - before - aside, low - before, high - before)]
        return rows


def _along(n: int, diagonal: int, low: int, high: int) -> slice:
    """Cells (i, diagonal - i), i = low ... high - 1, of a flat matrix with n + 1 columns."""
    return slice(low * n + diagonal, (high - 1) * n + diagonal + 1, n)
