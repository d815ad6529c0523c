"""How far probabilities are from what happens."""

import numpy as np
from numpy.typing import NDArray

BINS = 10
LEAST = 0.05
"""Probabilities below it have no part: they are most, and right."""


def expected_calibration_error(probabilities: NDArray[np.float64], happened: NDArray[np.bool_]) -> float:
    """Mean over predictions of |mean probability - share that happened| of their bin, ten bins of equal width.

    Args:
        probabilities: those below `LEAST` are left out. Shape: (N,).
        happened: Shape: (N,).

    Returns:
        From 0 to 1; 0 where nothing is left.
    """
    counted = probabilities >= LEAST
    bins = np.minimum((probabilities[counted] * BINS).astype(int), BINS - 1)
    gaps = np.bincount(bins, probabilities[counted], BINS) - np.bincount(bins, happened[counted], BINS)
    return float(np.abs(gaps).sum() / max(counted.sum(), 1))
