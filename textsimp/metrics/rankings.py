"""Rankings of systems: ranks with ties, how sure they are, and how far two metrics agree on them."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau, spearmanr

_EQUAL = 1e-9
"""Scores this near are ties: sums in another order differ in the last bits."""


def ranks(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """1 + the number of systems with a higher score, in full precision; ties share the best rank of theirs.

    Args:
        scores: higher is better. Shape: (..., systems).

    Returns:
        The same shape.
    """
    return 1 + (scores[..., None, :] > scores[..., :, None] + _EQUAL).sum(-1)


def rank_intervals(resampled: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """What ranks the resamples of the test set give.

    Args:
        resampled: the scores in each resample, the same resamples for all systems. Shape: (systems, samples).

    Returns:
        The 95 percent interval of each system's rank (percentiles, shape (systems, 2)), and the share of resamples in
        which it is first, alone or with others (shape (systems,)).
    """
    found = ranks(resampled.T)  # (samples, systems)
    bounds = np.percentile(found, [2.5, 97.5], axis=0, method="inverted_cdf")
    return bounds.T.astype(np.int64), (found == 1).mean(0)


def correlations(one: Sequence[float], other: Sequence[float]) -> dict[str, float | None]:
    """Spearman's rho and Kendall's tau-b of two metrics over systems; None where one of them is constant."""
    if min(np.ptp(one), np.ptp(other)) <= _EQUAL:
        return {"spearman": None, "kendall": None}
    rho, tau = spearmanr(one, other).statistic, kendalltau(one, other).statistic
    return {"spearman": float(rho), "kendall": float(tau)}


def flips(one: Sequence[float], other: Sequence[float]) -> list[tuple[int, int]]:
    """The pairs of systems that two metrics order differently; a tie in one of them is no order."""
    return [
        (a, b)
        for a, b in combinations(range(len(one)), 2)
        if (one[a] - one[b]) * (other[a] - other[b]) < 0
        and min(abs(one[a] - one[b]), abs(other[a] - other[b])) > _EQUAL
    ]
