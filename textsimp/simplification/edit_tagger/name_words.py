"""Which words are names, where capitals do not tell: those that the pronouncing dictionary does not have."""

from textsimp.metrics.readability import pronunciations
from textsimp.simplification.entities import MONTHS, WEEKDAYS

__all__ = ["MONTHS", "WEEKDAYS", "is_known_name", "is_name_word"]


def is_name_word(word: str) -> bool:
    """Return whether a lower-cased word is in no list of words."""
    return len(word) > 2 and word.isalpha() and word not in pronunciations()


is_known_name = is_name_word
