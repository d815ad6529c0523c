"""Scores and their signatures.

A score carries its recipe, as sacrebleu's do: SARI per sentence and SARI over a corpus rank systems differently, so
scores of different signatures never share a column of a table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

VERSION = 1


@dataclass(frozen=True)
class Signature:
    """The recipe of a score: the metric's name and named settings, in the order in which they are printed.

    `str()` gives `SARI|level:sentence|del:precision|tok:none|case:lc|nrefs:8|version:1`. The version counts the
    changes of our code that changed numbers.
    """

    metric: str
    settings: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, metric: str, **settings: str | int) -> "Signature":
        """The signature of `metric` with settings in the order given, and the version."""
        return cls(metric, tuple((key, str(value)) for key, value in settings.items()) + (("version", str(VERSION)),))

    def including(self, **settings: str | int) -> "Signature":
        """The same with more settings, before the version."""
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
