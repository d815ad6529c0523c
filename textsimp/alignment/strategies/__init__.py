"""Alignment strategies by name: each turns similarities into scored links.

A new one is a class with `align` (see `Strategy`), a module here, and a line in `STRATEGIES`; its fields are the
options that a system's YAML may give.
"""

from collections.abc import Callable, Mapping
from typing import Any

from textsimp.alignment.strategies.dynamic import MonotoneHmm, SixOperations, SpanAlignment
from textsimp.alignment.strategies.greedy import (
    GreedyOneToOne,
    JaccardAlign,
    MostSimilarText,
    MostSimilarTextLis,
    Threshold,
)
from textsimp.alignment.strategies.strategy import Comparison, Strategy
from textsimp.alignment.strategies.vicinity import Vicinity
from textsimp.core.errors import InputError
from textsimp.core.settings import called

STRATEGIES: dict[str, Callable[..., Strategy]] = {
    "greedy_one_to_one": GreedyOneToOne,
    "hmm": MonotoneHmm,
    "jaccard_align": JaccardAlign,
    "mst": MostSimilarText,
    "mst_lis": MostSimilarTextLis,
    "six_operations": SixOperations,
    "spans": SpanAlignment,
    "threshold": Threshold,
    "vicinity": Vicinity,
}

__all__ = ["STRATEGIES", "Comparison", "Strategy", "make_strategy"]


def make_strategy(name: str, options: Mapping[str, Any]) -> Strategy:
    """The strategy of that name; `InputError` lists the names, or the options, where there is none such."""
    if name not in STRATEGIES:
        raise InputError(f"no alignment strategy {name!r}; known: {', '.join(sorted(STRATEGIES))}")
    return called(f"alignment strategy {name}", STRATEGIES[name], options)
