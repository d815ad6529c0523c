"""Alignment strategies by name (F2): each turns a similarity matrix into scored links.

A new one is a class with `align` (see `Strategy`), a module here, and a line in `STRATEGIES`.
"""

from collections.abc import Callable

from textsimp.alignment.strategies.base import ScoredLink, Strategy
from textsimp.alignment.strategies.greedy import JaccardAlign
from textsimp.alignment.strategies.threshold import Threshold
from textsimp.errors import InputError

STRATEGIES: dict[str, Callable[[float], Strategy]] = {"threshold": Threshold, "jaccard_align": JaccardAlign}

__all__ = [
    "STRATEGIES",
    "JaccardAlign",
    "ScoredLink",
    "Strategy",
    "Threshold",
    "make_strategy",
]


def make_strategy(name: str, threshold: float) -> Strategy:
    """The strategy of that name; `InputError` lists the names where there is none."""
    if name not in STRATEGIES:
        raise InputError(f"no alignment strategy {name!r}; known: {', '.join(sorted(STRATEGIES))}")
    return STRATEGIES[name](threshold)
