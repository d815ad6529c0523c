"""Rankings of systems: ranks with ties, how sure they are, and letters that say which systems do not differ."""

from collections.abc import Collection, Sequence
from itertools import combinations
from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

from textsimp.core.results import Cell, Results
from textsimp.metrics.sari import VARIANTS

RANKED = (*VARIANTS, "bleu")
"""The metrics that rank systems; all pairs of systems are tested in the variants of SARI."""

_EQUAL = 1e-9
"""Scores this near are ties: sums in another order differ in the last bits."""


def ranked_systems(results: Results, scope: str) -> list[str]:
    """Return the systems of a scope that have ranks."""
    return [name for name in results.systems(scope) if results.get(scope, name, f"{RANKED[0]}.rank")]


def letters(results: Results, scope: str, metric: str, alpha: float) -> dict[str, str]:
    """Systems that share a letter do not differ significantly in a metric; `a` is with the best one."""
    systems = sorted(ranked_systems(results, scope))
    different = [pair for pair in combinations(systems, 2) if differ(results, scope, metric, *pair, alpha)]
    best_first = sorted(systems, key=lambda name: results.estimates[Cell(scope, name, metric)].value, reverse=True)
    return compact_letters(best_first, different)


def differ(results: Results, scope: str, metric: str, a: str, b: str, alpha: float) -> bool:
    """Return whether the corrected p of two systems is below alpha; False where they were not compared."""
    comparison = results.compared(scope, metric, a, b)
    return comparison is not None and comparison.p_holm is not None and comparison.p_holm < alpha


def ranks(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """1 + the number of systems with a higher score, in full precision; ties share the best rank of theirs.

    Shape: (..., systems) to the same.
    """
    return 1 + (scores[..., None, :] > scores[..., :, None] + _EQUAL).sum(-1)


def rank_intervals(resampled: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the 95 percent interval of each system's rank, and how often it is first, alone or with others.

    Args:
        resampled: the scores in each resample, the same resamples for all systems. Shape: (systems, samples).

    Returns:
        Percentiles, shape (systems, 2), and the share of resamples, shape (systems,).
    """
    drawn = ranks(resampled.T)  # (samples, systems)
    bounds = np.percentile(drawn, [2.5, 97.5], axis=0, method="inverted_cdf")
    return bounds.T.astype(np.int64), (drawn == 1).mean(0)


def compact_letters(names: Sequence[str], different: Collection[tuple[str, str]]) -> dict[str, str]:
    """Return the letters of each system, by insertion and absorption: the compact letter display of Piepho 2004.

    Two systems share a letter if and only if they do not differ; where letters run out there are numbers in brackets.

    Args:
        names: the systems, best first: `a` goes to the best one's first group.
        different: the pairs that differ, each in either order.
    """
    groups = [frozenset(names)]
    for a, b in different:
        split: list[frozenset[str]] = []
        for group in groups:
            split += [group - {a}, group - {b}] if a in group and b in group else [group]
        groups = _absorbed(split)
    order = {name: index for index, name in enumerate(names)}
    groups = sorted(filter(None, groups), key=lambda group: sorted(order[name] for name in group))
    return {name: "".join(_letter(n) for n, group in enumerate(groups) if name in group) for name in names}


def _absorbed(groups: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """The groups that are part of no other one, each once."""
    distinct = list(dict.fromkeys(groups))
    return [group for group in distinct if not any(group < larger for larger in distinct)]


def _letter(number: int) -> str:
    return ascii_letters[number] if number < len(ascii_letters) else f"({number + 1})"
