"""Systems on the same test set: an interval for each score, and each difference to one of them with two tests.

Everything is computed from the statistics of the segments, nothing is scored again. For the tests see `resampling`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.resampling import Difference, as_large_share, bootstrap_sums, interval, swapped_sums, two_sided
from textsimp.metrics.statistics import Counts, SegmentStatistics


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


def compare_systems(
    systems: Sequence[Mapping[str, SegmentStatistics]], base: int, samples: int, seed: int = 1
) -> dict[str, list[ComparedSystem]]:
    """Intervals of all systems by the bootstrap, and tests of each against the system number `base`.

    Args:
        systems: for each system the statistics by metric, all on the same N segments.
        samples: resamples of the segments; the same for all systems and metrics.

    Returns:
        For each metric the systems in their order.

    Raises:
        ValueError: the systems' metrics or numbers of segments differ, or there is no system, segment or sample.
    """
    kinds = {tuple((name, str(one.signature), one.counts.shape) for name, one in row.items()) for row in systems}
    if len(kinds) != 1 or samples < 1 or not all(one.counts.size for one in systems[0].values()):
        raise ValueError(f"the same metrics of the same segments, and a sample at least; got {kinds}, {samples}")
    # all metrics side by side: the segments are drawn once
    counts = [np.hstack([one.counts for one in row.values()]) for row in systems]
    found = _scores(bootstrap_sums(counts, samples, seed), systems)
    swapped = {
        number: _scores(swapped_sums(counts[number], counts[base], samples, seed), [systems[number], systems[base]])
        for number in range(len(systems))
        if number != base
    }
    result: dict[str, list[ComparedSystem]] = {}
    for name in systems[0]:
        values = [row[name].function(row[name].counts.sum(0)) for row in systems]  # each (1 + P,)
        result[name] = []
        for number, value in enumerate(values):
            tests = None
            if number in swapped:
                one, other = swapped[number]
                differences = found[number][name] - found[base][name]
                tests = _tests(differences, value - values[base], one[name] - other[name])
            bounds = tuple((float(low), float(high)) for low, high in interval(found[number][name]).T)
            result[name].append(ComparedSystem(tuple(map(float, value)), bounds, tests))
    return result


def _scores(
    chunks: Iterable[Sequence[Counts]], systems: Sequence[Mapping[str, SegmentStatistics]]
) -> list[dict[str, NDArray[np.float64]]]:
    """The scores of resampled sums, by system and metric, from chunks of (samples, K of all metrics) for each system.

    Shape of each: (samples, 1 + P).
    """
    found: list[dict[str, list[NDArray[np.float64]]]] = [{name: [] for name in row} for row in systems]
    for chunk in chunks:
        for scores, sums, row in zip(found, chunk, systems, strict=True):
            last = 0
            for name, one in row.items():
                first, last = last, last + one.counts.shape[1]
                scores[name].append(one.function(sums[:, first:last]))
    return [{name: np.concatenate(parts) for name, parts in scores.items()} for scores in found]


def _tests(
    bootstrapped: NDArray[np.float64], observed: NDArray[np.float64], randomised: NDArray[np.float64]
) -> tuple[PairedTests, ...]:
    """From differences. Shapes: (samples, 1 + P), (1 + P,), (samples, 1 + P)."""
    columns = (observed, *interval(bootstrapped), two_sided(bootstrapped), as_large_share(randomised, observed))
    rows = zip(*(map(float, column) for column in columns), strict=True)
    return tuple(PairedTests(Difference(*numbers), p) for *numbers, p in rows)
