"""The rankings of a leaderboard: what each variant of SARI orders, tells apart, and orders otherwise than another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.comparison import Compared, PairedTests, compare_pairs
from textsimp.metrics.letters import compact_letters
from textsimp.metrics.rankings import correlations, flips, rank_intervals, ranks
from textsimp.metrics.registry import MetricOptions, Statistics, sari_recipes
from textsimp.metrics.resampling import Resampling, holm

VARIANTS = tuple(sari_recipes(MetricOptions()))
"""The variants of SARI, in each of which all pairs of systems are tested."""
RANKED = (*VARIANTS, "bleu")
"""The metrics that rank systems."""

Tests = Mapping[str, float]


@dataclass(frozen=True)
class ComparedSystems:
    """Scores and tests of systems, in the order of their keys.

    Attributes:
        scores: by ranked metric.
        resampled: by ranked metric. Shape of each: (systems, samples).
        tests: by variant of SARI and pair of systems, by number: difference, interval, both p values, and `p_holm`, the
            larger of the two p values, each corrected for all pairs (Holm 1979).
        alpha: a pair differs significantly where `p_holm` is below it.
    """

    keys: Sequence[str]
    scores: Mapping[str, Sequence[float]]
    resampled: Mapping[str, NDArray[np.float64]]
    tests: Mapping[str, Mapping[tuple[int, int], Tests]]
    alpha: float

    def differ(self, metric: str, pair: tuple[int, int]) -> bool:
        """Whether two systems differ significantly."""
        return self.tests[metric][pair]["p_holm"] < self.alpha

    def ranks(self, metric: str) -> dict[str, dict[str, float]]:
        """Rank, its 95 percent interval, and the share of resamples in which the system is first."""
        own = ranks(np.array(self.scores[metric]))
        bounds, first = rank_intervals(self.resampled[metric])
        rows = zip(self.keys, own.tolist(), bounds.tolist(), first.tolist(), strict=True)
        return {key: {"rank": rank, "low": low, "high": high, "first": share} for key, rank, (low, high), share in rows}

    def letters(self, metric: str) -> dict[str, str]:
        """Systems that share a letter do not differ significantly; `a` is with the best one."""
        scores = dict(zip(self.keys, self.scores[metric], strict=True))
        different = [(self.keys[a], self.keys[b]) for a, b in self.tests[metric] if self.differ(metric, (a, b))]
        return compact_letters(sorted(scores, key=lambda key: (-scores[key], key)), different)

    def pairs(self, metric: str) -> dict[str, dict[str, dict[str, float]]]:
        """The tests of each system against those whose keys follow."""
        rows: dict[str, dict[str, dict[str, float]]] = {key: {} for key in self.keys[:-1]}
        for (a, b), tests in self.tests[metric].items():
            rows[self.keys[a]][self.keys[b]] = dict(tests)
        return rows

    def flips(self, one: str, other: str) -> list[dict[str, Any]]:
        """The pairs that two metrics order differently: the system that `one` has higher, and the lower one."""
        found = []
        for pair in flips(self.scores[one], self.scores[other]):
            higher, lower = sorted(pair, key=lambda number: -self.scores[one][number])
            significant = [name for name in (one, other) if name in self.tests and self.differ(name, pair)]
            found.append({"higher": self.keys[higher], "lower": self.keys[lower], "significant": significant})
        return found


def compared_systems(
    statistics: Mapping[str, Statistics], scored: Compared, resampling: Resampling, alpha: float
) -> ComparedSystems:
    """Test all pairs of systems in every variant of SARI.

    Args:
        statistics: of each system, by metric; two systems at least.
        scored: the same systems in the same order, resampled.
    """
    keys = list(statistics)
    tested = [{metric: row[metric] for metric in VARIANTS} for row in statistics.values()]
    pairs = list(combinations(range(len(keys)), 2))
    found = compare_pairs(tested, pairs, resampling.samples, resampling.seed)
    return ComparedSystems(
        keys,
        {metric: [values[0] for values in scored.values[metric]] for metric in RANKED},
        {metric: scored.resampled[metric] for metric in RANKED},
        {metric: _corrected(tests) for metric, tests in found.tests.items()},
        alpha,
    )


def agreement(found: ComparedSystems) -> list[dict[str, Any]]:
    """Of each two ranked metrics: correlations, and how many pairs of systems they order differently.

    `one` and `both` count those of which one or both differences are significant; None with BLEU, which is not tested.
    """
    rows = []
    for one, other in combinations(RANKED, 2):
        flipped, tested = found.flips(one, other), other in VARIANTS
        sizes = [len(flip["significant"]) for flip in flipped]
        counts = {"one": sizes.count(1) if tested else None, "both": sizes.count(2) if tested else None}
        pairs = len(found.tests[VARIANTS[0]])
        correlated = correlations(found.scores[one], found.scores[other])
        rows.append({"metrics": [one, other], "pairs": pairs, **correlated, "flips": len(flipped), **counts})
    return rows


def flipped_pairs(found: ComparedSystems) -> list[dict[str, Any]]:
    """All pairs of systems that two variants of SARI order differently; see `ComparedSystems.flips`."""
    return [
        {"metrics": [one, other], **flip}
        for one, other in combinations(VARIANTS, 2)
        for flip in found.flips(one, other)
    ]


def _corrected(found: Mapping[tuple[int, int], tuple[PairedTests, ...]]) -> dict[tuple[int, int], Tests]:
    tests = [pair[0].as_dict() for pair in found.values()]
    corrected = [holm([one[p] for one in tests]) for p in ("p_bootstrap", "p_randomisation")]
    worse = [max(ps) for ps in zip(*corrected, strict=True)]
    return {pair: {**one, "p_holm": p} for pair, one, p in zip(found, tests, worse, strict=True)}
