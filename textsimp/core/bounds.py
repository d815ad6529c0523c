"""Types of numbers in settings: what a field may hold is said where it is declared, and checked when it is read."""

from dataclasses import dataclass
from typing import Annotated, Any

BILLION = 10**9
"""More than any count of the settings."""


@dataclass(frozen=True)
class Bounds:
    """A number from `low` to `high`; or above `low`, where it is `above`."""

    low: float
    high: float
    above: bool = False

    def fault(self, value: float) -> str | None:
        """What is wrong with a number; None where it is within the bounds."""
        if self.low <= value <= self.high and not (self.above and value == self.low):
            return None
        least = f"above {self.low:g}" if self.above else f"{self.low:g} at least"
        return f"{value:g} is not {least} and {self.high:g} at most"


Positive = Annotated[int, Bounds(1, BILLION)]
"""A number of things of which there is one at least."""
NonNegative = Annotated[int, Bounds(0, BILLION)]
"""A number of things of which there may be none."""
Seed = Annotated[int, Bounds(0, 2**32 - 1)]
"""Of a random generator, numpy's included."""
Share = Annotated[float, Bounds(0, 1)]
"""A part of a whole, a probability or a similarity."""
Percent = Annotated[float, Bounds(0, 100)]
"""A part of a whole of 100."""
PositiveNumber = Annotated[float, Bounds(0, BILLION, above=True)]
"""A rate or a length that cannot be nothing."""
Number = Annotated[float, Bounds(-BILLION, BILLION)]
"""Any number that is one."""
NonNegativeNumber = Annotated[float, Bounds(0, BILLION)]
"""A rate, a weight or a penalty."""
Samples = Annotated[int, Bounds(1, 100_000)]
"""How often something is drawn again: more would fill the memory and change no digit that is shown."""


def fault(kind: Any, value: float) -> str | None:
    """What is wrong with a number for one of these types, where no file gave it; None for a good one."""
    bounds: Bounds = kind.__metadata__[0]
    return bounds.fault(value)
