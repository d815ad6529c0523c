"""A score as sums over segments, and its signature: the one form in which every metric is kept, compared and resampled.

The counts of each segment are computed once. The score of a corpus, of each segment, and of any resample of the
segments are the same function of sums of these counts. A metric is a function that gives them, named `..._statistics`,
of N outputs, R sets of N references and N complex sentences, where it needs them; it raises `ValueError` where the
numbers of lines differ or are 0.

A score carries its recipe, as sacrebleu's do: SARI per sentence and SARI over a corpus rank systems differently, so
scores of different signatures never share a column of a table.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

VERSION = 1
Counts: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Signature:
    """The recipe of a score: the metric's name and named settings, in the order in which they are printed.

    `str()` gives `SARI|level:sentence|del:precision|tok:none|case:lc|nrefs:8|version:1`. The version counts the
    changes of our code that changed numbers.
    """

    metric: str
    settings: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, metric: str, **settings: str | int | float) -> "Signature":
        """Return the signature of `metric` with settings in the order given, and the version."""
        return cls(metric, (("version", str(VERSION)),)).including(**settings)

    def including(self, **settings: str | int | float) -> "Signature":
        """Return the same with more settings, before the version."""
        more = tuple((key, str(value)) for key, value in settings.items())
        return Signature(self.metric, (*self.settings[:-1], *more, self.settings[-1]))

    def __str__(self) -> str:
        return "|".join((self.metric, *(f"{key}:{value}" for key, value in self.settings)))


@dataclass(frozen=True)
class Score:
    """A metric's value, the parts that it is made of, and its signature; full precision, rounded only in tables."""

    value: float
    signature: Signature
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class SegmentStatistics:
    """Counts that a score is computed from.

    Attributes:
        counts: of each segment. Shape: (N, K).
        function: the score and its parts of sums of counts. Shape: (..., K) to (..., 1 + P).
        parts: the names of the P parts.
        is_mean: whether the score and its parts are means of those of the segments.
        part: the name of the score itself where it is called by one too, as F1 beside precision and recall.
    """

    signature: Signature
    counts: Counts
    function: Callable[[Counts], NDArray[np.float64]]
    parts: tuple[str, ...] = ()
    part: str = ""
    is_mean: bool = False

    def score(self) -> Score:
        """Return the score of all segments together."""
        value, *others = self.function(self.counts.sum(0)).tolist()
        return Score(value, self.signature, dict(zip(self.parts, others, strict=True)))

    def per_segment(self) -> NDArray[np.float64]:
        """Return the score and its parts for each segment alone. Shape: (N, 1 + P)."""
        return self.function(self.counts)

    def measures(self, metric: str) -> tuple[str, ...]:
        """Return names in results of the score and its parts, as `sari`, `sari.add`; without `metric`, of parts."""
        return tuple(".".join(name for name in (metric, part) if name) for part in (self.part, *self.parts))


Statistics: TypeAlias = Mapping[str, SegmentStatistics]
"""The statistics of one system by metric, all of the same segments."""


def concatenated(parts: Sequence[SegmentStatistics]) -> SegmentStatistics:
    """Return the statistics of consecutive parts of a text, one at least, as those of the whole."""
    return replace(parts[0], counts=np.concatenate([part.counts for part in parts]))


def mean_of_segments(values: Sequence[float] | NDArray[np.float64], signature: Signature) -> SegmentStatistics:
    """Statistics of a score that is the mean of one value per segment. Shape of `values`: (N,)."""
    column = np.asarray(values, dtype=np.float64)
    return SegmentStatistics(signature, np.stack([column, np.ones_like(column)], axis=1), first_per_unit, is_mean=True)


def first_per_unit(sums: Counts) -> NDArray[np.float64]:
    """Return every count but the last, divided by the last. Shape: (..., K) to (..., K - 1)."""
    return quotient(sums[..., :-1], sums[..., -1:])


def quotient(numerator: NDArray[Any], denominator: NDArray[Any], empty: float = 0.0) -> NDArray[np.float64]:
    """Elementwise quotient, `empty` where the denominator is 0."""
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    return np.divide(numerator, denominator, out=np.full(shape, empty), where=np.asarray(denominator) > 0)


def f1(precision: Counts, recall: Counts) -> NDArray[np.float64]:
    """Return the harmonic mean of precision and recall, 0 where both are 0."""
    return quotient(2 * precision * recall, precision + recall)


def check_lines(metric: str, *sides: Sequence[str]) -> None:
    """`ValueError` unless the sides of a metric (at least two) have the same number of lines (at least one)."""
    lengths = [len(lines) for lines in sides]
    if len(sides) < 2 or len(set(lengths)) != 1 or not lengths[0]:
        raise ValueError(f"{metric} needs as many lines everywhere, one at least; got {lengths}")
