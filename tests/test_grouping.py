"""Many lines as random groups: the same scores, and the intervals and p values of the lines."""

from collections.abc import Sequence

import numpy as np
import pytest

from textsimp.core.results import Resampling
from textsimp.evaluation.scored_files import RepeatedLines
from textsimp.metrics.grouping import Units
from textsimp.metrics.quality import distinct_of_shares, distinct_statistics
from textsimp.metrics.resampling import interval, randomisation, resample
from textsimp.metrics.scores import Counts, SegmentStatistics, Signature, first_per_unit

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


@pytest.mark.parametrize("in_order", [False, True])
def test_intervals_are_those_of_lines(in_order: bool) -> None:
    """Also of a file that is sorted, whose neighbours are alike."""
    counts = counts_of(5 * GROUPS, 2)
    if in_order:
        counts = counts[np.argsort(counts[:, 0] / counts[:, 1])]
    expected, found = bounds(ratio(counts)), bounds(grouped({"a": counts})["a"])
    assert found == pytest.approx(expected, abs=TOLERANCE * (expected[1] - expected[0]))


def test_a_count_of_few_lines_keeps_its_skewed_interval() -> None:
    counts = np.stack([np.arange(5 * GROUPS) < 3, np.ones(5 * GROUPS)], axis=1).astype(float)
    low, high = bounds(grouped({"a": counts})["a"])
    assert low == 0 and high * 5 * GROUPS == pytest.approx(7, abs=1)  # a Poisson variable of mean 3


def test_few_lines_that_differ_are_not_significant() -> None:
    """One line that is better of thousands: the signs of one line say nothing, whatever its size."""
    base = counts_of(5 * GROUPS, 3)
    better = base.copy()
    better[17, 0] += 500
    systems = grouped({"a": better, "b": base})
    p = randomisation([{"m": systems["a"]}, {"m": systems["b"]}], [(0, 1)], DRAW)["m"]
    assert p[0, 0] == 1
    equal = grouped({"a": base, "b": base})
    first, second = resample([{"m": equal["a"]}, {"m": equal["b"]}], DRAW)
    assert first["m"].minus(second["m"])[0].p_bootstrap == 1


def test_p_values_are_those_of_lines() -> None:
    base = counts_of(5 * GROUPS, 4)
    noise = np.random.default_rng(5).normal(0, 1.5, 5 * GROUPS)
    noise += 1.7 * 1.5 / np.sqrt(5 * GROUPS) - noise.mean()  # a p of about 0.09
    other = base + np.stack([noise, np.zeros(5 * GROUPS)], axis=1)
    pairs = ({"a": ratio(other), "b": ratio(base)}, grouped({"a": other, "b": base}))
    expected, found = (randomisation([{"m": pair["a"]}, {"m": pair["b"]}], [(0, 1)], DRAW)["m"][0, 0] for pair in pairs)
    assert 0.01 < expected < 0.2 and found == pytest.approx(expected, abs=0.05)


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
