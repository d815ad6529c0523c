"""How sure the scores of systems on one test set are: an interval for each, and every difference between two (F1)."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from textsimp.metrics.comparison import compare_pairs
from textsimp.metrics.registry import Statistics, part_names
from textsimp.metrics.resampling import Resampling


def significance(systems: Mapping[str, Statistics], resampling: Resampling) -> dict[str, Any]:
    """Intervals and differences of all systems, from the statistics of their segments.

    Args:
        systems: for each system the statistics by metric, of the same lines.

    Returns:
        `intervals`: `{SYSTEM: {PART: [low, high]}}`, parts as in `registry.part_names`. `pairs`: `{METRIC: {A: {B:
        {difference, low, high, p_bootstrap, p_randomisation}}}}` for each system A and those after it: A minus B.
    """
    names, rows = list(systems), list(systems.values())
    found = compare_pairs(rows, list(combinations(range(len(names)), 2)), resampling.samples, resampling.seed)
    intervals: dict[str, dict[str, list[float]]] = {name: {} for name in names}
    pairs: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for metric, statistics in rows[0].items():
        for name, bounds in zip(names, found.intervals[metric], strict=True):
            parts = zip(part_names(metric, statistics), bounds, strict=True)
            intervals[name].update({part: list(pair) for part, pair in parts})
        pairs[metric] = {name: {} for name in names[:-1]}
        for (a, b), (tests, *_) in found.tests[metric].items():
            pairs[metric][names[a]][names[b]] = tests.as_dict()
    return {"intervals": intervals, "pairs": pairs}
