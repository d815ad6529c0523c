"""A score as sums over segments: the one form in which every metric is kept, compared and resampled.

The counts of each segment are computed once. The score of a corpus, of each segment, and of any resample of the
segments are the same function of sums of these counts.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.score import Score, Signature

Counts: TypeAlias = NDArray[np.float64]
Function: TypeAlias = Callable[[Counts], NDArray[np.float64]]
"""From sums of counts, shape (..., K), to the score and its parts, shape (..., 1 + P)."""


@dataclass(frozen=True)
class SegmentStatistics:
    """What a score is computed from.

    Attributes:
        signature: the recipe.
        counts: of each segment. Shape: (N, K).
        function: the score and its parts of summed counts.
        parts: the names of the P parts.
    """

    signature: Signature
    counts: Counts
    function: Function
    parts: tuple[str, ...] = ()

    def score(self) -> Score:
        """The score of all segments together."""
        return score_of_sums(self.counts.sum(0), self.function, self.signature, self.parts)

    def per_segment(self) -> NDArray[np.float64]:
        """The score and its parts for each segment alone. Shape: (N, 1 + P)."""
        return self.function(self.counts)


def score_of_sums(sums: Counts, function: Function, signature: Signature, parts: Sequence[str] = ()) -> Score:
    """The score whose counts sum up to `sums`. Shape: (K,)."""
    value, *others = (float(number) for number in function(sums))
    return Score(value, signature, dict(zip(parts, others, strict=True)))


def mean_of_segments(values: Sequence[float] | NDArray[np.float64], signature: Signature) -> SegmentStatistics:
    """Statistics of a score that is the mean of one value for each segment. Shape of `values`: (N,)."""
    column = np.asarray(values, dtype=np.float64)
    return SegmentStatistics(signature, np.stack([column, np.ones_like(column)], axis=1), first_per_unit)


def first_per_unit(sums: Counts) -> NDArray[np.float64]:
    """Every count but the last, divided by the last. Shape: (..., K) to (..., K - 1)."""
    return quotient(sums[..., :-1], sums[..., -1:])


def quotient(numerator: Counts, denominator: Counts) -> NDArray[np.float64]:
    """Elementwise quotient, 0 where the denominator is 0."""
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    return np.divide(numerator, denominator, out=np.zeros(shape), where=np.asarray(denominator) > 0)


def f1(precision: Counts, recall: Counts) -> NDArray[np.float64]:
    """The harmonic mean of precision and recall, 0 where both are 0."""
    return quotient(2 * precision * recall, precision + recall)
