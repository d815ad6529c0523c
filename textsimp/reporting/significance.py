"""Intervals of the scores on one test set, and differences between systems, as the stages write them."""

from dataclasses import dataclass
from typing import Any

from textsimp.reporting.reading import finite
from textsimp.reporting.tables import LEVEL, Cell, difference_cell, interval_cell, number_cell

_NUMBERS = ("low", "high", "p_bootstrap", "p_randomisation")


@dataclass(frozen=True)
class Difference:
    """Score of one system minus that of another, its 95 percent interval, and the p of both tests (see resampling)."""

    value: float
    low: float
    high: float
    p_bootstrap: float
    p_randomisation: float

    @property
    def is_significant(self) -> bool:
        """Whether both tests say so: the interval excludes 0, and approximate randomisation finds p < 0.05."""
        return (self.low > 0 or self.high < 0) and self.p_randomisation < LEVEL

    @property
    def cell(self) -> Cell:
        """As a table shows it."""
        return difference_cell(self.value, self.low, self.high, self.p_randomisation)

    @property
    def turned(self) -> "Difference":
        """The other system minus the one."""
        return Difference(-self.value, -self.high, -self.low, self.p_bootstrap, self.p_randomisation)


@dataclass(frozen=True)
class Significance:
    """Of the systems of one test set, named `TRAINING_SET/SIMPLIFIER` or as the stage names them.

    intervals: system -> metric or part -> (low, high). pairs: metric -> A -> B -> A minus B, for A before B.
    """

    intervals: dict[str, dict[str, tuple[float, float]]]
    pairs: dict[str, dict[str, dict[str, Difference]]]

    def difference(self, metric: str, one: str, other: str) -> Difference | None:
        """One system minus another; None for the same one and for systems that were not compared."""
        found = self.pairs.get(metric, {})
        if other in found.get(one, {}):
            return found[one][other]
        return found[other][one].turned if one in found.get(other, {}) else None

    def score_cell(self, system: str, part: str, value: float | None) -> Cell:
        """A score with its interval, where there is one."""
        bounds = self.intervals.get(system, {}).get(part)
        if value is None or bounds is None:
            return number_cell(None if value is None else float(value))
        return interval_cell(float(value), *bounds)


NOTHING = Significance({}, {})


def difference_of(value: Any, name: str) -> Difference:
    """From JSON, where the difference itself stands under `name`."""
    return Difference(finite(value[name]), *(finite(value[key]) for key in _NUMBERS))


def significance_of(value: Any) -> Significance:
    """From JSON; what is no number there is an `InputError`, what is absent a `KeyError`."""
    return Significance(
        {
            str(system): {str(part): (finite(low), finite(high)) for part, (low, high) in parts.items()}
            for system, parts in value["intervals"].items()
        },
        {
            str(metric): {
                str(a): {str(b): difference_of(tests, "difference") for b, tests in rows.items()}
                for a, rows in found.items()
            }
            for metric, found in value["pairs"].items()
        },
    )
