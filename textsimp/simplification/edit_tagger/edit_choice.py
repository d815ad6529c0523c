"""Which of a sentence's edits are made: the k most probable sets of edits that do not overlap.

With z of each edit, moved by a bias of its kind, a set A has log P(A) = sum over A of log s(z) + sum over the others
of log s(-z), s the logistic function. As log s(z) - log s(-z) = z, the best set has the greatest sum of z. To leave a
sentence as it is costs `unchanged` on top: who asks for a simplification wants one where there is a sound edit.
"""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from textsimp.core.errors import InputError
from textsimp.simplification.edit_tagger.edit_candidates import KINDS, Edit

Floats = NDArray[np.float64]
_Bias = Annotated[float, Field(ge=-100, le=100)]


@dataclass(frozen=True)
class Choice:
    """A set of edits, in order, and its log probability (of all sets, those that overlap too)."""

    edits: tuple[Edit, ...]
    log_probability: float


@dataclass(frozen=True)
class Biases:
    """What is added to z: of each kind by name; `unchanged` is taken from a sentence without edits."""

    kinds: Mapping[str, _Bias]
    unchanged: _Bias

    def __post_init__(self) -> None:
        if self.kinds.keys() != set(KINDS):
            raise InputError(f"kinds: not those of edits: {', '.join(KINDS)}")

    def of(self, edits: Sequence[Edit], scores: Floats) -> Floats:
        """z with its biases. Shape: (E,)."""
        return scores + np.array([self.kinds[KINDS[edit.kind]] for edit in edits]).reshape(len(edits))


def choose(edits: Sequence[Edit], scores: Floats, biases: Biases, size: int) -> list[Choice]:
    """The `size` best sets, best first; fewer where there are no more.

    Args:
        edits: those that a sentence offers.
        scores: z of each. Shape: (E,).
    """
    moved = biases.of(edits, scores)
    without_edits = -float(np.logaddexp(0, moved).sum())
    choices = [
        Choice(tuple(edits[number] for number in numbers), without_edits + total - biases.unchanged * (not numbers))
        for total, numbers in _best_sets(edits, moved, size + 1)
    ]
    return sorted(choices, key=lambda choice: -choice.log_probability)[:size]


def _best_sets(edits: Sequence[Edit], scores: Floats, size: int) -> list[tuple[float, tuple[int, ...]]]:
    """The sets without overlap with the greatest sums, by the place where they end; the empty one is among them."""
    by_end: dict[int, list[int]] = {}
    for number, edit in enumerate(edits):
        by_end.setdefault(edit.end, []).append(number)
    best: list[list[tuple[float, tuple[int, ...]]]] = [[(0.0, ())]]
    for end in range(1, max(by_end, default=0) + 1):
        options = list(best[-1])
        for number in by_end.get(end, ()):
            score = float(scores[number])
            options += [(total + score, (*numbers, number)) for total, numbers in best[edits[number].start]]
        best.append(heapq.nlargest(size, options, key=lambda option: option[0]))
    last = best[-1]
    return last if any(not numbers for _, numbers in last) else [*last, (0.0, ())]
