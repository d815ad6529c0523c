"""Correlations of weighted points."""

import numpy as np
import pytest
from scipy import stats

from experiments.agreement.correlations import clustered_correlations, weighted_correlations, williams


def test_groups_are_drawn_with_all_their_points() -> None:
    draw = np.random.default_rng(1)
    x, other, y = draw.integers(0, 9, (3, 7, 4)).astype(float)
    weights = draw.multinomial(7, [1 / 7] * 7, size=3).astype(float)
    for side, ours in zip((x, other), clustered_correlations([x, other], y, weights), strict=True):
        for row, times in zip(ours, weights.astype(int), strict=True):
            points = [np.repeat(values, times, axis=0).ravel() for values in (side, y)]
            kinds = (stats.pearsonr, stats.spearmanr, stats.kendalltau)
            assert row == pytest.approx([kind(*points).statistic for kind in kinds], abs=1e-9)


def test_a_constant_side_has_no_correlation() -> None:
    x, y = np.full((1, 6), 0.1), np.arange(6.0)[None]
    assert weighted_correlations(x, y, np.ones((1, 6))).tolist() == [[0, 0, 0]]


def test_williams_is_steigers_formula() -> None:
    first, second, between, n = 0.6, 0.3, 0.4, 50
    matrix = np.array([[1, first, second], [first, 1, between], [second, between, 1]])
    mean = (first + second) / 2
    below = 2 * (n - 1) / (n - 3) * np.linalg.det(matrix) + mean**2 * (1 - between) ** 3
    t = (first - second) * np.sqrt((n - 1) * (1 + between) / below)
    assert williams(first, second, between, n) == pytest.approx(2 * stats.t.sf(t, n - 3), abs=1e-12)
    assert williams(0.5, 0.5, 1.0, n) == 1
