"""Pearson, Spearman and Kendall correlations of weighted points, for resampling: a point drawn twice stands twice."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau, rankdata
from scipy.stats import t as student

Floats: TypeAlias = NDArray[np.float64]
KINDS = ("pearson", "spearman", "kendall")
_DIGITS = 9
"""Values that differ beyond are ties: their last bits depend on the kind of processor."""


def weighted_correlations(x: Floats, y: Floats, weights: Floats) -> Floats:
    """The correlations of `KINDS` of B weighted samples of n points; 0 where one side is constant.

    Shapes: (B, n) three times, to (B, 3).
    """
    return np.array([_correlations(*rows) for rows in zip(x, y, weights.astype(int), strict=True)])


def clustered_correlations(xs: Sequence[Floats], y: Floats, weights: Floats) -> list[Floats]:
    """The same of several x with one y, of G groups of m points that are drawn together: B weights of the groups.

    Shapes: (G, m) each, (G, m), (B, G), to (B, 3) each.
    """
    points = np.repeat(weights.astype(int), y.shape[1], axis=1)
    return [np.array([_correlations(x.ravel(), y.ravel(), times) for times in points]) for x in xs]


def _correlations(x: Floats, y: Floats, times: NDArray[np.int64]) -> list[float]:
    x, y = (np.repeat(np.round(side, _DIGITS), times) for side in (x, y))
    if not (np.ptp(x) and np.ptp(y)):
        return [0.0] * len(KINDS)
    linear = [np.corrcoef(*sides)[0, 1] for sides in ((x, y), (rankdata(x), rankdata(y)))]
    return [*linear, kendalltau(x, y).statistic]


def williams(first: float, second: float, between: float, n: int) -> float:
    """Two-sided p that two correlations with the same third variable are equal (Williams 1959, Steiger 1980).

    Args:
        first, second: Pearson's r of each of two metrics with the ratings; between: of the metrics with each other.
        n: number of points, 4 at least.

    Returns:
        1 where the metrics are the same.
    """
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    spread = 2 * determinant * (n - 1) / (n - 3) + ((first + second) / 2) ** 2 * (1 - between) ** 3
    if spread <= 0 or first == second:
        return 1.0
    statistic = (first - second) * np.sqrt((n - 1) * (1 + between) / spread)
    return float(2 * student.sf(abs(statistic), n - 3))
