"""Many lines as random groups: the same scores, and the intervals and p values of the lines."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from textsimp.core.results import Resampling
from textsimp.evaluation.scored_files import RepeatedLines
from textsimp.metrics.grouping import Units
from textsimp.metrics.quality import distinct_of_shares, distinct_statistics
from textsimp.metrics.resampling import interval, randomisation, resample
from textsimp.metrics.scores import Counts, SegmentStatistics, Signature, first_per_unit, mean_of_segments

DRAW = Resampling(4000, 13)
GROUPS = 1000
TOLERANCE = 0.15
"""Of the width of an interval: 2 percent of it come from the draw of 1000 groups, as much from that of the samples."""


def ratio(counts: Counts) -> SegmentStatistics:
    """A ratio of sums, as of syllables to words."""
    return SegmentStatistics(Signature.of("RATIO"), counts, first_per_unit)


def counts_of(lines: int, seed: int) -> Counts:
    draw = np.random.default_rng(seed)
    length = draw.integers(3, 40, size=lines)
    return np.stack([draw.binomial(3 * length, 0.4), length], axis=1).astype(float)


def grouped(systems: dict[str, Counts], most: int = GROUPS, chunk: int = 300) -> dict[str, SegmentStatistics]:
    units = Units(DRAW.seed, most)
    for start in range(0, len(next(iter(systems.values()))), chunk):
        parts = {name: counts[start : start + chunk] for name, counts in systems.items()}
        units.add({name: {"m": ratio(part)} for name, part in parts.items()}, len(next(iter(parts.values()))))
    return {name: row["m"] for name, row in units.statistics().items()}


def bounds(statistics: SegmentStatistics) -> Sequence[float]:
    (row,) = resample([{"m": statistics}], DRAW)
    draws = row["m"].draws
    assert draws is not None
    return interval(draws[:, 0]).tolist()


def test_few_lines_are_units_as_they_are() -> None:
    counts = counts_of(GROUPS, 1)
    assert np.array_equal(grouped({"a": counts})["a"].counts, counts)


def test_groups_have_the_sums_of_all_lines() -> None:
    counts = counts_of(5 * GROUPS, 1)
    found = grouped({"a": counts})["a"].counts
    assert found.shape == (GROUPS, 2)
    assert found.sum(0).tolist() == counts.sum(0).tolist()
    assert np.array_equal(found, grouped({"a": counts}, chunk=77)["a"].counts)


def test_intervals_are_those_of_lines() -> None:
    """Of a file that is sorted, whose neighbours are alike."""
    counts = counts_of(5 * GROUPS, 2)
    counts = counts[np.argsort(counts[:, 0] / counts[:, 1])]
    expected, found = bounds(ratio(counts)), bounds(grouped({"a": counts})["a"])
    assert found == pytest.approx(expected, abs=TOLERANCE * (expected[1] - expected[0]))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_p_of_a_mean_is_that_of_lines(seed: int) -> None:
    """One is better in 57 of 24,000 lines, the other in 73: twice the binomial tail."""
    units, gains = Units(seed), np.repeat([1, -1, 0], [57, 73, 24_000 - 130])
    units.add({str(sign): {"m": mean_of_segments(gains == sign, Signature.of("M"))} for sign in (1, -1)}, len(gains))
    found = randomisation(list(units.statistics().values()), [(0, 1)], Resampling(2000, seed))["m"]
    assert found == pytest.approx(2 * sum(math.comb(130, k) for k in range(58)) / 2**130, abs=0.04)


@pytest.mark.parametrize("lines", [40, 700])
def test_shares_of_repeated_lines(lines: int) -> None:
    draw = np.random.default_rng(6)
    sources, outputs = ([f"line {number}" for number in draw.integers(0, most, lines)] for most in (lines, 9))
    repeated, units = RepeatedLines(), Units(1, 50)
    for start in range(0, lines, 30):
        old, new = sources[start : start + 30], outputs[start : start + 30]
        repeated.add(units.add({}, len(old)), [old, new])
    expected = distinct_statistics(sources, outputs)
    shares = repeated.shares(50 if units.are_groups else None)[:, ::-1]
    assert len(shares) == min(lines, 50) and units.are_groups == (lines > 50)
    assert distinct_of_shares(shares).score().value == pytest.approx(expected.score().value, abs=1e-9)
    if not units.are_groups:
        assert np.array_equal(shares, expected.counts)
