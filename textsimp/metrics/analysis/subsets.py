"""Where systems are good: SARI by the length of the complex sentence, by what people do to it, and by operation.

The statistics of the segments are computed once for each system; everything here is a function of their sums over
subsets of the segments.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.analysis.config import Plan
from textsimp.metrics.analysis.resamples import resample
from textsimp.metrics.analysis.systems import new_and_old
from textsimp.metrics.registry import MetricOptions, Statistics, Texts, metric_statistics, sari_recipes
from textsimp.metrics.rewriting.distribution import CLASSES, Rewritings
from textsimp.metrics.sari import OPERATIONS, SariRecipe, operations_by_order
from textsimp.metrics.simplification import EvaluationSet
from textsimp.metrics.statistics import Counts, SegmentStatistics
from textsimp.metrics.tokenisation import tokenise

METRICS = ("sari", "sari_corpus")
Rows = NDArray[np.intp]
"""Places of segments."""


def sari_of(lines: Mapping[str, Sequence[str]], test: EvaluationSet, plan: Plan) -> dict[str, Statistics]:
    """The statistics of both SARIs for each system."""
    options = MetricOptions(plan.max_tokens)
    return {
        name: metric_statistics(METRICS, Texts(test.complex, output, test.references), options)
        for name, output in lines.items()
    }


def by_length(systems: Mapping[str, Statistics], sources: Sequence[str], plan: Plan) -> list[dict[str, Any]]:
    """SARI in each bin of the length of the complex sentences, in 13a tokens.

    Returns:
        The bins from short to long: `from`, `to` (null for the open last one), and what `subset_scores` gives.
    """
    lengths = np.array([len(tokenise(line, "13a")) for line in sources])
    return [
        {"from": low, "to": high, **subset_scores(systems, _inside(lengths, low, high), plan)}
        for low, high in length_bins(plan.config.lengths)
    ]


def length_bins(longest: Sequence[int]) -> list[tuple[int, int | None]]:
    """The shortest and the longest length of each bin; every length is in exactly one."""
    starts = [0, *(length + 1 for length in longest)]
    return [*((low, high - 1) for low, high in pairwise(starts)), (starts[-1], None)]


def by_kind(systems: Mapping[str, Statistics], reference: Rewritings, plan: Plan) -> dict[str, dict[str, Any]]:
    """SARI where the first reference copies, deletes, paraphrases ...: what `subset_scores` gives, by class."""
    places = {kind: np.flatnonzero([found == kind for found in reference.classes]) for kind in CLASSES}
    return {kind.value: subset_scores(systems, rows, plan) for kind, rows in places.items()}


def by_order(systems: Mapping[str, Statistics], plan: Plan) -> dict[str, Any]:
    """Add, keep and del of each order n-gram: `{METRIC: {SYSTEM: {OPERATION: [{value, low, high}, ...]}}}`."""
    recipes = sari_recipes(MetricOptions(plan.max_tokens))
    found: dict[str, Any] = {}
    for metric in METRICS:
        flat = {name: _by_order(row[metric], metric, recipes) for name, row in systems.items()}
        scores = resample(flat, plan.config.samples, plan.config.seed)
        found[metric] = {}
        for name, one in scores.items():
            columns = np.arange(one.value.size).reshape(len(OPERATIONS), -1)  # (operations, orders)
            found[metric][name] = {
                operation: [one.numbers(column) for column in row]
                for operation, row in zip(OPERATIONS, columns, strict=True)
            }
    return found


def subset_scores(systems: Mapping[str, Statistics], rows: Rows, plan: Plan) -> dict[str, Any]:
    """The scores of all systems on some of the segments, resampled among these.

    Returns:
        `sentences`: their number. `systems`: `{METRIC: {SYSTEM: {value, low, high}}}`; `new_to_old`: `{METRIC: {SYSTEM:
        {difference, low, high, p, percent}}}`, by the name of the old system, new minus old. Empty where there is no
        sentence; bounds and p are null where there are fewer than `min_sentences`.
    """
    if not rows.size:
        return {"sentences": 0, "systems": {}, "new_to_old": {}}
    samples = plan.config.samples if rows.size >= plan.config.min_sentences else 0
    scores: dict[str, Any] = {}
    differences: dict[str, Any] = {}
    for metric in METRICS:
        chosen = {name: replace(row[metric], counts=row[metric].counts[rows]) for name, row in systems.items()}
        found = resample(chosen, samples, plan.config.seed)
        scores[metric] = {name: one.numbers(0) for name, one in found.items()}
        pairs = new_and_old(found, plan)
        differences[metric] = {old: one.minus(other, 0) for old, (one, other) in pairs.items()}
    return {"sentences": int(rows.size), "systems": scores, "new_to_old": differences}


def _inside(lengths: NDArray[np.int64], low: int, high: int | None) -> Rows:
    return np.flatnonzero((lengths >= low) & (lengths <= (np.inf if high is None else high)))


def _by_order(one: SegmentStatistics, metric: str, recipes: Mapping[str, SariRecipe]) -> SegmentStatistics:
    """The same counts with add, keep and del of each order as their function, all in one row."""

    def function(sums: Counts) -> NDArray[np.float64]:
        return operations_by_order(sums, recipes[metric]).reshape(*sums.shape[:-1], -1)

    return replace(one, function=function)
