"""What the checks of an output look for, and what they say of it."""

from dataclasses import dataclass
from enum import StrEnum


class Fact(StrEnum):
    """What is looked for."""

    NUMBER = "number"
    NAME = "name"
    NEGATION = "negation"


class Change(StrEnum):
    """What happened to it; all but `left out` alarm."""

    LOST = "lost"
    INVENTED = "invented"
    LEFT_OUT = "left out"


@dataclass(frozen=True)
class Finding:
    """One fact that the output has otherwise, as the text writes it."""

    fact: Fact
    change: Change
    text: str

    def __str__(self) -> str:
        return f"{self.fact} {self.change}: {self.text}"
