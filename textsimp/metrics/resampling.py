"""Intervals and tests of scores and their differences: paired resampling of anything that sums of counts give.

A score such as F1 or SARI is a function of counts that add up over units (sentences, documents, article sets). Both
tests work on the counts of each unit, once computed: nothing is scored again.

Paired bootstrap: Koehn 2004 (Statistical significance tests for machine translation evaluation). Approximate
randomisation: Riezler and Maxwell 2005 (On some pitfalls in automatic evaluation and significance testing for MT).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from textsimp.core import pool
from textsimp.core.devices import processors
from textsimp.core.results import Comparison, Contrast, Estimate, Resampling, Results
from textsimp.metrics.scores import Counts, SegmentStatistics, Statistics

_CELLS = 1 << 22
"""Numbers in one chunk of the resampling weights (32 MiB)."""
_CHUNK = 2000
"""Samples of approximate randomisation whose sums are scored at a time."""
_PAYS = 500
"""Pairs of systems that are worth several processes."""


@dataclass(frozen=True)
class Resampled:
    """A score of one system with its parts.

    Attributes:
        value: of all units. Shape: (1 + P,).
        draws: of each resample of the units, the same for every system; None without. Shape: (samples, 1 + P).
    """

    value: NDArray[np.float64]
    draws: NDArray[np.float64] | None

    def estimates(self) -> list[Estimate]:
        """Return the score and its parts, each with its 95 percent interval."""
        if self.draws is None:
            return [Estimate(value) for value in self.value.tolist()]
        return [Estimate(*row) for row in zip(self.value.tolist(), *interval(self.draws).tolist(), strict=True)]

    def minus(self, base: "Resampled", parts: bool = True) -> list[Comparison]:
        """Subtract another system's score, and the parts if wanted; with interval and p of the bootstrap.

        It is the paired bootstrap where both were resampled together.
        """
        wanted = slice(None if parts else 1)
        difference = (self.value - base.value)[wanted].tolist()
        if self.draws is None or base.draws is None:
            return [Comparison(value) for value in difference]
        draws = self.draws[:, wanted] - base.draws[:, wanted]
        columns = (difference, *interval(draws).tolist(), two_sided(draws).tolist())
        return [Comparison(*row) for row in zip(*columns, strict=True)]


def score_systems(
    results: Results,
    scope: str,
    systems: Mapping[str, Statistics],
    pairs: Sequence[tuple[str, str]],
    resampling: Resampling,
    parts: bool = False,
    corrected: bool = False,
    among: Collection[str] | None = None,
) -> dict[str, dict[str, Resampled]]:
    """Write the scores of systems on one test set into results, and the differences of pairs of them by both tests.

    Args:
        systems: the statistics by metric of each system, all of the same units.
        pairs: names of two systems, of which the second is subtracted from the first.
        parts: whether the parts of the scores are compared too.
        corrected: whether `p_holm` is given, over all pairs of a measure.
        among: the metrics of which the pairs are compared; None for all.

    Returns:
        The resampled scores by system and metric.

    Raises:
        ValueError: as `resample`.
    """
    names = {name: number for number, name in enumerate(systems)}
    resampled = dict(zip(systems, resample(list(systems.values()), resampling), strict=True))
    for name, row in systems.items():
        for metric, statistics in row.items():
            estimates = resampled[name][metric].estimates()
            results.put(scope, name, dict(zip(statistics.measures(metric), estimates, strict=True)))
    tested = [{name: row[name] for name in row if among is None or name in among} for row in systems.values()]
    randomised = randomisation(tested, [(names[a], names[b]) for a, b in pairs], resampling, parts)
    for metric, statistics in tested[0].items():
        measures = statistics.measures(metric)[: None if parts else 1]
        tests: dict[Contrast, Comparison] = {}
        for (a, b), ps in zip(pairs, randomised[metric].tolist() if pairs else (), strict=True):
            compared = resampled[a][metric].minus(resampled[b][metric], parts)
            for measure, comparison, p in zip(measures, compared, ps, strict=True):
                tests[Contrast(scope, measure, a, b)] = replace(comparison, p_randomisation=p)
        results.comparisons.update(_holm_corrected(tests) if corrected else tests)
    return resampled


def resample(systems: Sequence[Statistics], resampling: Resampling | None) -> list[dict[str, Resampled]]:
    """Return every score of all units and of resamples of the units, the same for all systems and metrics.

    Raises:
        ValueError: the systems' metrics or numbers of units differ, or there is no system or unit.
    """
    kinds = {tuple((name, str(row[name].signature), row[name].counts.shape) for name in row) for row in systems}
    if len(kinds) != 1 or not all(statistics.counts.size for statistics in systems[0].values()):
        raise ValueError(f"the same metrics of the same units, one at least; got {kinds}")
    draws: list[dict[str, list[NDArray[np.float64]]]] = [{name: [] for name in row} for row in systems]
    columns = _columns(systems[0])
    # all metrics side by side: the units are drawn once
    for chunk in bootstrap_sums([_side_by_side(row) for row in systems], resampling) if resampling else ():
        for scores, sums, row in zip(draws, chunk, systems, strict=True):
            for name, part in columns.items():
                scores[name].append(row[name].function(sums[:, part]))
    resampled: list[dict[str, Resampled]] = []
    for row, scores in zip(systems, draws, strict=True):
        of_all = {name: statistics.function(statistics.counts.sum(0)) for name, statistics in row.items()}
        drawn = {name: np.concatenate(scores[name]) if resampling else None for name in row}
        resampled.append({name: Resampled(of_all[name], drawn[name]) for name in row})
    return resampled


def randomisation(
    systems: Sequence[Statistics], pairs: Sequence[tuple[int, int]], resampling: Resampling, parts: bool = True
) -> dict[str, NDArray[np.float64]]:
    """Return by metric the probability of a difference as large as the observed one, were two systems interchangeable.

    Every sample swaps two systems' counts of each unit with probability 1/2; p = (as large + 1) / (samples + 1). The
    same units are swapped in all pairs, so that the sums over them are taken once for each system. Pairs are of
    numbers of systems. Shape of each: (pairs, 1 + P), or (pairs, 1) without `parts`.
    """
    pieces = processors() if len(pairs) >= _PAYS else 1
    size = max(1, -(-len(pairs) // pieces))
    work = partial(_randomised, systems, resampling, parts)
    tasks = {f"pairs {start}": pairs[start : start + size] for start in range(0, len(pairs), size)}
    chunks = pool.by_key(work, tasks, "randomise pairs", "piece", least=1).values()
    return {name: np.concatenate([ps[name] for ps in chunks]) for name in systems[0]} if pairs else {}


def _randomised(
    systems: Sequence[Statistics], resampling: Resampling, parts: bool, pairs: Sequence[tuple[int, int]]
) -> dict[str, NDArray[np.float64]]:
    wanted = slice(None if parts else 1)
    systems = [{name: _as_values(statistics, wanted) for name, statistics in row.items()} for row in systems]
    columns, counts = _columns(systems[0]), [_side_by_side(row) for row in systems]
    totals = [rows.sum(0) for rows in counts]
    values = [{name: row[name].function(row[name].counts.sum(0))[wanted] for name in columns} for row in systems]
    observed = {name: np.stack([values[a][name] - values[b][name] for a, b in pairs]) for name in columns}
    larger = {name: np.zeros(differences.shape) for name, differences in observed.items()}
    for swapped in _random_swaps(len(counts[0]), resampling):
        moved = [swapped @ rows for rows in counts]  # each (samples of the chunk, K)
        for number, (a, b) in enumerate(pairs):
            first, second = totals[a] - moved[a] + moved[b], totals[b] - moved[b] + moved[a]
            for name, part in columns.items():
                sides = systems[a][name].function(first[:, part]), systems[b][name].function(second[:, part])
                drawn = (sides[0] - sides[1])[:, wanted]
                # sums of the same counts in another order differ in the last bits
                larger[name][number] += (np.abs(drawn) >= np.abs(observed[name][number]) - 1e-9).sum(0)
    return {name: (number + 1) / (resampling.samples + 1) for name, number in larger.items()}


def bootstrap_sums(systems: Sequence[Counts], resampling: Resampling) -> Iterator[list[Counts]]:
    """Yield sums of each system's counts of units that are drawn with replacement, the same for all, in chunks.

    Shapes of each system: (units, K), where K may differ, to (samples of the chunk, K).
    """
    generator, units = np.random.default_rng(resampling.seed), len(systems[0])
    for size in _chunks(units, resampling.samples, resampling.samples):
        drawn = generator.integers(0, units, size=(size, units))
        drawn += units * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * units)
        del drawn  # as large as the weights
        weights = times.reshape(size, units).astype(float)
        # not side by side in one product: equal systems are to have equal sums to the last bit
        yield [weights @ counts for counts in systems]


def interval(draws: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the 95 percent interval of resampled scores, by percentiles. Shape: (samples, ...) to (2, ...)."""
    return np.percentile(draws, [2.5, 97.5], axis=0)


def two_sided(draws: NDArray[np.float64]) -> NDArray[np.float64]:
    """Twice the smaller share of resampled differences on one side of 0, at most 1. Shape: (samples, ...) to (...)."""
    return np.minimum(1.0, 2 * np.minimum((draws <= 0).mean(0), (draws >= 0).mean(0)))


def holm(ps: Sequence[float]) -> list[float]:
    """Return n p values corrected for their number (Holm 1979): the smallest times n, the next times n - 1."""
    corrected, highest = [0.0] * len(ps), 0.0
    for rank, index in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        highest = max(highest, min(1.0, ps[index] * (len(ps) - rank)))
        corrected[index] = highest
    return corrected


def _holm_corrected(tests: Mapping[Contrast, Comparison]) -> dict[Contrast, Comparison]:
    """The comparisons of the pairs of one or several measures, each measure corrected by itself."""
    corrected = dict(tests)
    for measure in dict.fromkeys(contrast.measure for contrast in tests):
        contrasts = [contrast for contrast in tests if contrast.measure == measure]
        both = [holm([getattr(tests[key], name) for key in contrasts]) for name in ("p_bootstrap", "p_randomisation")]
        for contrast, ps in zip(contrasts, zip(*both, strict=True), strict=True):
            corrected[contrast] = replace(tests[contrast], p_holm=max(ps))
    return corrected


def _as_values(statistics: SegmentStatistics, wanted: slice) -> SegmentStatistics:
    """Of a mean over the segments, the shares that they have in what is wanted of it: fewer numbers than counts."""
    if not statistics.is_mean:
        return statistics
    shares = statistics.per_segment()[:, wanted] / len(statistics.counts)
    return replace(statistics, counts=shares, function=lambda sums: sums)


def _columns(row: Statistics) -> dict[str, slice]:
    """Return the columns of each metric when all are side by side."""
    ends = np.cumsum([statistics.counts.shape[1] for statistics in row.values()]).tolist()
    return {name: slice(first, last) for name, first, last in zip(row, [0, *ends[:-1]], ends, strict=True)}


def _side_by_side(row: Statistics) -> Counts:
    return np.hstack([statistics.counts for statistics in row.values()])


def _random_swaps(units: int, resampling: Resampling) -> Iterator[Counts]:
    """1 for each unit that a sample swaps between two systems, else 0. Shape of each: (samples of the chunk, units)."""
    generator = np.random.default_rng(resampling.seed)
    for size in _chunks(units, resampling.samples, _CHUNK):
        yield generator.integers(0, 2, size=(size, units)).astype(float)


def _chunks(units: int, samples: int, most: int) -> Iterator[int]:
    size = min(max(1, _CELLS // units), most)
    for start in range(0, samples, size):
        yield min(size, samples - start)
