"""Numbers with intervals and differences, as the analysis writes them, from statistics of segments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.resampling import bootstrap_sums, interval, two_sided
from textsimp.metrics.statistics import SegmentStatistics

Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = dict[str, float | None]


@dataclass(frozen=True)
class Resamples:
    """The scores of one system: of all segments, shape (1 + P,), and of resamples, shape (samples, 1 + P).

    Without resamples (None) intervals and p are null.
    """

    value: Floats
    found: Floats | None

    def numbers(self, column: int) -> Numbers:
        """`value`, `low` and `high` of one column; the bounds are of 95 percent."""
        low, high = _bounds(self.found, column)
        return {"value": float(self.value[column]), "low": low, "high": high}

    def minus(self, other: "Resamples", column: int) -> dict[str, Any]:
        """How far one column is above the other system's: `difference`, `low`, `high`, `p`, and `percent` of the other.

        The interval and p are of the paired bootstrap where both sides drew the same segments. `percent` is null where
        the other side is 0.
        """
        found = None if self.found is None or other.found is None else self.found - other.found
        low, high = _bounds(found, column)
        value, base = float(self.value[column]), float(other.value[column])
        return {
            "difference": value - base,
            "low": low,
            "high": high,
            "p": None if found is None else float(two_sided(found[:, column])),
            "percent": 100 * (value / base - 1) if base else None,
        }


def resample(systems: Mapping[str, SegmentStatistics], samples: int, seed: int) -> dict[str, Resamples]:
    """Every system with resamples of the segments, the same for all; `samples` 0 makes none."""
    sums = list(bootstrap_sums([one.counts for one in systems.values()], samples, seed)) if samples else []
    return {
        name: Resamples(
            one.function(one.counts.sum(0)),
            np.concatenate([one.function(chunk[place]) for chunk in sums]) if samples else None,
        )
        for place, (name, one) in enumerate(systems.items())
    }


def all_numbers(found: Resamples, parts: Sequence[str]) -> dict[str, Numbers]:
    """Each part with its interval; the score itself, in the first column, is none."""
    return {part: found.numbers(column) for column, part in enumerate(parts, 1)}


def all_differences(found: Resamples, other: Resamples, parts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Each part's difference to another system; the score itself, in the first column, is none."""
    return {part: found.minus(other, column) for column, part in enumerate(parts, 1)}


def _bounds(found: Floats | None, column: int) -> tuple[float | None, float | None]:
    if found is None:
        return None, None
    low, high = interval(found[:, column])
    return float(low), float(high)
