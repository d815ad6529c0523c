"""Systems on the same test set: an interval for each score, and differences in pairs with two tests.

Everything is computed from the statistics of the segments, nothing is scored again. For the tests see `resampling`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.resampling import Difference, as_large, bootstrap_sums, interval, random_swaps, two_sided
from textsimp.metrics.statistics import Counts, SegmentStatistics

_CHUNK = 2000
"""Samples whose sums are scored at a time."""


@dataclass(frozen=True)
class PairedTests:
    """The difference of a score to that of another system.

    Attributes:
        bootstrap: with interval and p of the paired bootstrap.
        p_randomisation: of approximate randomisation.
    """

    bootstrap: Difference
    p_randomisation: float

    def as_dict(self) -> dict[str, float]:
        """The numbers by name."""
        numbers = self.bootstrap.as_dict()
        p = numbers.pop("p")
        return {**numbers, "p_bootstrap": p, "p_randomisation": self.p_randomisation}


@dataclass(frozen=True)
class ComparedSystem:
    """One system, each list for the score and then its parts: values, 95 percent intervals, tests (None: the base)."""

    values: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    tests: tuple[PairedTests, ...] | None


@dataclass(frozen=True)
class Compared:
    """Systems compared in pairs; tuples are for the score and then its parts.

    Attributes:
        values: by metric, of each system.
        intervals: by metric, of each system: 95 percent intervals.
        resampled: by metric, the score in each resample of the bootstrap. Shape of each: (systems, samples).
        tests: by metric, for each pair (A, B) of system numbers that was asked for: A minus B.
    """

    values: dict[str, list[tuple[float, ...]]]
    intervals: dict[str, list[tuple[tuple[float, float], ...]]]
    resampled: dict[str, NDArray[np.float64]]
    tests: dict[str, dict[tuple[int, int], tuple[PairedTests, ...]]]


def compare_pairs(
    systems: Sequence[Mapping[str, SegmentStatistics]], pairs: Sequence[tuple[int, int]], samples: int, seed: int = 1
) -> Compared:
    """Intervals of all systems by the bootstrap, and tests of the pairs asked for.

    Args:
        systems: for each system the statistics by metric, all on the same N segments.
        pairs: numbers of two systems each.
        samples: resamples of the segments; the same for all systems, pairs and metrics.

    Raises:
        ValueError: the systems' metrics or numbers of segments differ, or there is no system, segment or sample.
    """
    kinds = {tuple((name, str(one.signature), one.counts.shape) for name, one in row.items()) for row in systems}
    if len(kinds) != 1 or samples < 1 or not all(one.counts.size for one in systems[0].values()):
        raise ValueError(f"the same metrics of the same segments, and a sample at least; got {kinds}, {samples}")
    # all metrics side by side: the segments are drawn once
    counts = [np.hstack([one.counts for one in row.values()]) for row in systems]
    found = _scores(bootstrap_sums(counts, samples, seed), systems)
    values = [{name: one.function(one.counts.sum(0)) for name, one in row.items()} for row in systems]  # each (1 + P,)
    randomised = _randomisation(systems, counts, values, pairs, samples, seed)
    tests: dict[str, dict[tuple[int, int], tuple[PairedTests, ...]]] = {name: {} for name in systems[0]}
    for name, ps in randomised.items():
        for (a, b), p in zip(pairs, ps, strict=True):
            tests[name][a, b] = _tests(found[a][name] - found[b][name], values[a][name] - values[b][name], p)
    return Compared(
        {name: [tuple(map(float, row[name])) for row in values] for name in systems[0]},
        {name: [_bounds(row[name]) for row in found] for name in systems[0]},
        {name: np.stack([row[name][:, 0] for row in found]) for name in systems[0]},
        tests,
    )


def compare_systems(
    systems: Sequence[Mapping[str, SegmentStatistics]], base: int, samples: int, seed: int = 1
) -> dict[str, list[ComparedSystem]]:
    """The same with tests of each system against the system number `base`.

    Returns:
        For each metric the systems in their order.
    """
    pairs = [(number, base) for number in range(len(systems)) if number != base]
    found = compare_pairs(systems, pairs, samples, seed)
    return {
        name: [
            ComparedSystem(values, found.intervals[name][number], found.tests[name].get((number, base)))
            for number, values in enumerate(rows)
        ]
        for name, rows in found.values.items()
    }


def _bounds(found: NDArray[np.float64]) -> tuple[tuple[float, float], ...]:
    """Intervals of resampled scores. Shape: (samples, 1 + P)."""
    return tuple((float(low), float(high)) for low, high in interval(found).T)


def _scores(
    chunks: Iterable[Sequence[Counts]], systems: Sequence[Mapping[str, SegmentStatistics]]
) -> list[dict[str, NDArray[np.float64]]]:
    """The scores of resampled sums, by system and metric, from chunks of (samples, K of all metrics) for each system.

    Shape of each: (samples, 1 + P).
    """
    found: list[dict[str, list[NDArray[np.float64]]]] = [{name: [] for name in row} for row in systems]
    for chunk in chunks:
        for scores, sums, row in zip(found, chunk, systems, strict=True):
            for name, columns in _columns(row).items():
                scores[name].append(row[name].function(sums[:, columns]))
    return [{name: np.concatenate(parts) for name, parts in scores.items()} for scores in found]


def _randomisation(
    systems: Sequence[Mapping[str, SegmentStatistics]],
    counts: Sequence[Counts],
    values: Sequence[Mapping[str, NDArray[np.float64]]],
    pairs: Sequence[tuple[int, int]],
    samples: int,
    seed: int,
) -> dict[str, NDArray[np.float64]]:
    """p values of approximate randomisation, by metric. Shape of each: (pairs, 1 + P).

    The same segments are swapped in all pairs, so that the sums over them are taken once for each system.
    """
    columns, totals = _columns(systems[0]), [own.sum(0) for own in counts]
    observed = {name: np.stack([values[a][name] - values[b][name] for a, b in pairs]) for name in columns if pairs}
    larger = {name: np.zeros(differences.shape) for name, differences in observed.items()}
    for swapped in random_swaps(len(counts[0]), samples, seed, _CHUNK) if pairs else ():
        moved = [swapped @ own for own in counts]  # each (samples of the chunk, K)
        for place, (a, b) in enumerate(pairs):
            one, other = totals[a] - moved[a] + moved[b], totals[b] - moved[b] + moved[a]
            for name, part in columns.items():
                found = systems[a][name].function(one[:, part]) - systems[b][name].function(other[:, part])
                larger[name][place] += as_large(found, observed[name][place]).sum(0)
    return {name: (number + 1) / (samples + 1) for name, number in larger.items()}


def _columns(systems: Mapping[str, SegmentStatistics]) -> dict[str, slice]:
    """Where the counts of each metric stand when all are side by side."""
    ends = np.cumsum([one.counts.shape[1] for one in systems.values()]).tolist()
    return {name: slice(first, last) for name, first, last in zip(systems, [0, *ends[:-1]], ends, strict=True)}


def _tests(
    bootstrapped: NDArray[np.float64], observed: NDArray[np.float64], p_randomisation: NDArray[np.float64]
) -> tuple[PairedTests, ...]:
    """From differences, and p values. Shapes: (samples, 1 + P), (1 + P,), (1 + P,)."""
    columns = (observed, *interval(bootstrapped), two_sided(bootstrapped), p_randomisation)
    rows = zip(*(map(float, column) for column in columns), strict=True)
    return tuple(PairedTests(Difference(*numbers), p) for *numbers, p in rows)
