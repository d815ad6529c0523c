"""How sure precision, recall and F1 of aligners are: intervals, and tests of differences in F1 (F1).

The units that are drawn are article sets (`DocumentPair.group`), as the levels of one article depend on each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.alignment import TASKS, Task, pair_counts
from textsimp.metrics.resampling import (
    Resampling,
    approximate_randomisation,
    bootstrap_sums,
    interval,
    paired_bootstrap,
)
from textsimp.records import DocumentPair, Link

Predictions: TypeAlias = Sequence[Sequence[Link]]
Counts: TypeAlias = NDArray[np.float64]
"""Correct, predicted and gold links of each unit. Shape: (units, 3)."""

_MEASURES = ("precision", "recall", "f1")


@dataclass(frozen=True)
class SignificanceConfig:
    """`significance` in params.yaml.

    alignment_systems: what every other alignment system is compared with, as far as they are evaluated.
    samples, seed: resamples of article sets, for intervals and tests.
    """

    alignment_systems: list[str]
    samples: int
    seed: int

    @property
    def resampling(self) -> Resampling:
        """How article sets are drawn again."""
        return Resampling(self.samples, self.seed)


def intervals(
    pairs: Sequence[DocumentPair], links: Predictions, resampling: Resampling
) -> dict[Task, dict[str, list[float]]]:
    """95 percent intervals of precision, recall and F1, in percent: `{task: {measure: [low, high]}}`."""
    return {task: score_intervals(counts, resampling) for task, counts in group_counts(pairs, links).items()}


def difference(
    pairs: Sequence[DocumentPair], links: Predictions, others: Predictions, resampling: Resampling
) -> dict[Task, dict[str, float]]:
    """How far the F1 of `links` is above that of `others`: `{task: f1_difference(...)}`."""
    first, second = group_counts(pairs, links), group_counts(pairs, others)
    return {task: f1_difference(first[task], second[task], resampling) for task in TASKS}


def score_intervals(counts: Counts, resampling: Resampling) -> dict[str, list[float]]:
    """95 percent intervals of precision, recall and F1, in percent, by the bootstrap over the units."""
    scores = np.concatenate(
        [_scores(sums) for (sums,) in bootstrap_sums([counts], resampling.samples, resampling.seed)]
    )
    return dict(zip(_MEASURES, interval(scores).T.tolist(), strict=True))


def f1_difference(counts: Counts, others: Counts, resampling: Resampling) -> dict[str, float]:
    """How far F1 is above that of the other system, in points.

    Returns:
        `f1`, the difference; `low`, `high` and `p_bootstrap` of the paired bootstrap; `p_randomisation`.
    """
    found = paired_bootstrap(counts, others, _f1, resampling.samples, resampling.seed)
    p_randomisation = approximate_randomisation(counts, others, _f1, resampling.samples, resampling.seed)
    bounds = {"f1": found.difference, "low": found.low, "high": found.high}
    return {**bounds, "p_bootstrap": found.p, "p_randomisation": p_randomisation}


def group_counts(pairs: Sequence[DocumentPair], links: Predictions) -> dict[Task, Counts]:
    """Correct, predicted and gold links of each article set."""
    places = {group: place for place, group in enumerate(sorted({pair.group for pair in pairs}))}
    counts = {task: np.zeros((len(places), 3)) for task in TASKS}
    for pair, found in zip(pairs, links, strict=True):
        for task, numbers in pair_counts(pair, found).items():
            counts[task][places[pair.group]] += numbers
    return counts


def _f1(counts: Counts) -> NDArray[np.float64]:
    """F1 in percent from summed counts. Shapes: (..., 3) to (...)."""
    return _scores(counts)[..., 2]


def _scores(counts: Counts) -> NDArray[np.float64]:
    """Precision, recall and F1 in percent, 0 where nothing is counted. Shapes: (..., 3) to (..., 3)."""
    correct, predicted, gold = np.moveaxis(counts, -1, 0)
    shares = np.stack([correct, correct, 2 * correct], axis=-1)
    totals = np.stack([predicted, gold, predicted + gold], axis=-1)
    return np.divide(100 * shares, totals, out=np.zeros_like(totals), where=totals > 0)
