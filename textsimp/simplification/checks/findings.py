"""What the checks of an output say of it."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What is looked at."""

    NUMBER = "number"
    NAME = "name"
    NEGATION = "negation"
    LIMIT = "limit"
    CONDITION = "condition"
    SPEAKER = "speaker"
    ROLE = "role"
    WORD = "word"
    PRONOUN = "pronoun"
    QUOTATION = "quotation"
    BRACKET = "bracket"
    SENTENCE = "sentence"


class Change(StrEnum):
    """What happened to it; all but `left out` alarm."""

    LOST = "lost"
    INVENTED = "invented"
    CHANGED = "changed"
    BROKEN = "broken"
    LEFT_OUT = "left out"


@dataclass(frozen=True)
class Finding:
    """One thing that the output says otherwise, as the text writes it."""

    kind: Kind
    change: Change
    text: str

    def __str__(self) -> str:
        """Return it in one line."""
        return f"{self.kind} {self.change}: {self.text}"
