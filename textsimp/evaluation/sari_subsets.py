"""Where systems are good: SARI by the length of the complex sentence, by what people do to it, and by operation.

The statistics of the segments are computed once for each system; everything here is a function of their sums over
subsets of the segments.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from textsimp.core.results import Contrast, Resampling, Results
from textsimp.evaluation.simplification import EvaluationSet, signatures_of
from textsimp.metrics.registry import IDENTITY, REFERENCE, MetricOptions, Texts, metric_statistics
from textsimp.metrics.resampling import resample
from textsimp.metrics.rewriting.kinds import CLASSES
from textsimp.metrics.sari import OPERATIONS, VARIANTS, SariRecipe, operations_by_order
from textsimp.metrics.scores import Counts, SegmentStatistics, Statistics
from textsimp.metrics.tokens import tokenise

METRICS = ("sari", "sari_corpus")


def add_subsets(
    results: Results,
    test: EvaluationSet,
    lines: Mapping[str, Sequence[str]],
    classes: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    max_tokens: int | None,
    longest: Sequence[int],
    min_sentences: int,
    resampling: Resampling,
) -> dict[str, str]:
    """Write both SARIs of all systems in slices of a test set, and by operation and order in the test set itself.

    The slices are `length=0-10` ..., `length=31-` (13a tokens of the complex sentence) and `kind=copy` ... (the class
    of rewriting of the first reference). Each has `sentences`, their number, under the system `reference`.

    Args:
        lines: of each system.
        classes: of each sentence.
        pairs: systems that are compared in the slices.
        max_tokens: outputs are cut there in SARI per sentence.
        longest: the longest sentences of each length's bin but the last.
        min_sentences: a slice of fewer sentences is not resampled.

    Returns:
        The signatures of both SARIs.
    """
    options = MetricOptions(max_tokens)
    systems = {
        name: metric_statistics(METRICS, Texts(test.complex, output, test.references), options)
        for name, output in lines.items()
    }
    lengths = np.array([len(tokenise(line, "13a")) for line in test.complex])
    slices = {
        f"length={low}-{'' if high is None else high}": (lengths >= low) & (high is None or lengths <= high)
        for low, high in length_bins(longest)
    }
    slices |= {f"kind={kind}": np.array([assigned == kind for assigned in classes]) for kind in CLASSES}
    for name, mask in slices.items():
        draws = resampling if mask.sum() >= min_sentences else None
        _add_slice(results, f"{test.name}/{name}", systems, np.flatnonzero(mask), pairs, draws)
    _add_orders(results, test.name, systems, max_tokens, resampling)
    return signatures_of(systems[IDENTITY])


def length_bins(longest: Sequence[int]) -> list[tuple[int, int | None]]:
    """Return the shortest and the longest length of each bin; every length is in exactly one bin."""
    starts = [0, *(length + 1 for length in longest)]
    return [*((low, high - 1) for low, high in pairwise(starts)), (starts[-1], None)]


def _add_slice(
    results: Results,
    scope: str,
    systems: Mapping[str, Statistics],
    rows: NDArray[np.intp],
    pairs: Sequence[tuple[str, str]],
    resampling: Resampling | None,
) -> None:
    """Write the scores of all systems on some of the segments, resampled among these, and the differences of pairs."""
    results.put(scope, REFERENCE, {"sentences": int(rows.size)})
    for metric in METRICS if rows.size else ():
        chosen = [{metric: replace(row[metric], counts=row[metric].counts[rows])} for row in systems.values()]
        resampled = dict(zip(systems, (row[metric] for row in resample(chosen, resampling)), strict=True))
        for name, row in resampled.items():
            results.put(scope, name, {metric: row.estimates()[0]})
        for name, base in pairs:
            results.comparisons[Contrast(scope, metric, name, base)] = resampled[name].minus(resampled[base])[0]


def _add_orders(
    results: Results, scope: str, systems: Mapping[str, Statistics], max_tokens: int | None, resampling: Resampling
) -> None:
    """Write add, keep and del of each order n-gram: `sari.add.1` to `sari.del.4`."""
    for metric in METRICS:
        rows = [{"": _by_order(row[metric], VARIANTS[metric](max_tokens))} for row in systems.values()]
        for name, row in zip(systems, resample(rows, resampling), strict=True):
            estimates = row[""].estimates()
            orders = len(estimates) // len(OPERATIONS)
            for number, estimate in enumerate(estimates):
                measure = f"{metric}.{OPERATIONS[number // orders]}.{number % orders + 1}"
                results.put(scope, name, {measure: estimate})


def _by_order(statistics: SegmentStatistics, recipe: SariRecipe) -> SegmentStatistics:
    """The same counts with add, keep and del of each order as their function, all in one row."""

    def function(sums: Counts) -> NDArray[np.float64]:
        return operations_by_order(sums, recipe).reshape(*sums.shape[:-1], -1)

    return replace(statistics, function=function)
