"""Pearson, Spearman and Kendall correlations of weighted points, for resampling: a point drawn twice weighs two.

All are computed from the weights exactly, copies of a point being ties. With s(a, b) the sign of a - b, Spearman's rho
is Pearson's of the sums over j of w_j s(x_i, x_j), and Kendall's tau-b the sum of w_i w_j s(x_i, x_j) s(y_i, y_j) over
the root of the same for x twice and for y twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from textsimp.metrics.scores import quotient

Floats: TypeAlias = NDArray[np.float64]
KINDS = ("pearson", "spearman", "kendall")
_CHUNK = 500
"""Resamples at a time."""
_DIGITS = 9
"""Values that differ beyond are ties: their last bits depend on the kind of processor."""
_NOTHING = 1e-18
"""A product of variances this small is the rounding of a constant side, which has no correlation."""


def weighted_correlations(x: Floats, y: Floats, weights: Floats) -> Floats:
    """The correlations of `KINDS` of B weighted samples of n points; 0 where one side is constant.

    Shapes: (B, n) three times, to (B, 3).
    """
    parts = []
    for a, b, w in zip(_chunks(x), _chunks(y), _chunks(weights), strict=True):
        signs = [_signs(side[:, :, None], side[:, None, :]) for side in (a, b)]  # (B, n, n)
        ranks = [np.einsum("bij,bj->bi", sign, w) for sign in signs]
        pairs = [(signs[0], signs[1]), (signs[0], signs[0]), (signs[1], signs[1])]
        both, left, right = (np.einsum("bij,bi,bj->b", p * q, w, w) for p, q in pairs)
        parts.append(
            np.stack(
                [_pearson(a, b, w), _pearson(ranks[0], ranks[1], w), quotient(both, np.sqrt(left * right))], axis=1
            )
        )
    return np.concatenate(parts)


def clustered_correlations(xs: Sequence[Floats], y: Floats, weights: Floats) -> list[Floats]:
    """The same of several x with one y, of G groups of m points that are drawn together: B weights of the groups.

    Shapes: (G, m) each, (G, m), (B, G), to (B, 3) each.
    """
    of_y = _Grouped.of(y)
    norm_y, ranks_y = of_y.concordance(of_y, weights), [of_y.ranks(w) for w in _chunks(weights)]
    each = [np.repeat(w, y.shape[1], axis=1) for w in _chunks(weights)]
    correlations = []
    for of_x in map(_Grouped.of, xs):
        norm = np.sqrt(of_x.concordance(of_x, weights) * norm_y)
        kendall = quotient(of_x.concordance(of_y, weights), norm)
        spearman = []
        for w, points, rank_y in zip(_chunks(weights), each, ranks_y, strict=True):
            rank_x = of_x.ranks(w)
            sums = [np.einsum("bi,bi,bi->b", points, a, b) for a, b in ((rank_x, rank_y), (rank_x,) * 2, (rank_y,) * 2)]
            spearman.append(quotient(sums[0], np.sqrt(sums[1] * sums[2])))
        pearson = _pearson_of_groups(of_x.values, of_y.values, weights)
        correlations.append(np.stack([pearson, np.concatenate(spearman), kendall], axis=1))
    return correlations


def _signs(a: Floats, b: Floats) -> Floats:
    signs: Floats = np.sign(np.round(a - b, _DIGITS))
    return signs


@dataclass(frozen=True)
class _Grouped:
    """Points in groups: their values around 0, (G, m), and the signs of their differences, (G m, G m)."""

    values: Floats
    signs: NDArray[np.float32]

    @classmethod
    def of(cls, values: Floats) -> "_Grouped":
        flat = values.reshape(-1)
        return cls(values - values.mean(), _signs(flat[:, None], flat[None]).astype(np.float32))

    @cached_property
    def gains(self) -> Floats:
        """What the rank of each point gains from one copy of each group. Shape: (G, G m)."""
        groups, size = self.values.shape
        return self.signs.reshape(groups * size, groups, size).sum(2, dtype=np.float64).T

    def ranks(self, weights: Floats) -> Floats:
        """Twice the ranks, around 0. Shape: (B, G) to (B, G m)."""
        return weights @ self.gains

    def concordance(self, other: "_Grouped", weights: Floats) -> Floats:
        """The weighted sum of products of signs. Shape: (B, G) to (B,)."""
        groups, size = self.values.shape
        cells = (self.signs * other.signs).reshape(groups, size, groups, size).sum((1, 3), dtype=np.float64)
        return np.einsum("bg,bg->b", weights @ cells, weights)


def _chunks(resamples: Floats) -> list[Floats]:
    return [resamples[start : start + _CHUNK] for start in range(0, len(resamples), _CHUNK)]


def _pearson_of_groups(x: Floats, y: Floats, weights: Floats) -> Floats:
    sums = weights @ np.stack([side.sum(1) for side in (x, y, x * y, x * x, y * y)], axis=1)  # (B, 5)
    points = weights.sum(1) * x.shape[1]
    a, b, both, left, right = (column / points for column in sums.T)
    spread = np.maximum(left - a * a, 0) * np.maximum(right - b * b, 0)
    return quotient(both - a * b, np.sqrt(np.where(spread > _NOTHING, spread, 0)))


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


def _pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Shapes: (B, n) three times, to (B,)."""
    total = weights.sum(-1, keepdims=True)
    a, b = (side - quotient((weights * side).sum(-1, keepdims=True), total) for side in (x, y))
    both, left, right = ((weights * p * q).sum(-1) for p, q in ((a, b), (a, a), (b, b)))
    spread = left * right
    return quotient(both, np.sqrt(np.where(spread > _NOTHING, spread, 0)))
