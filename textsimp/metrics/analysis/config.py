"""How the analysis is made (section `analysis` of params.yaml), and of which systems."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from textsimp.errors import InputError

NEW = "auto"
"""The training set whose systems are compared with their counterparts: the paper's new data."""


@dataclass(frozen=True)
class AnalysisConfig:
    """Section `analysis` of params.yaml.

    language: of the texts; a name of `rewriting.languages.LANGUAGES`.
    units: of a corpus with more units, so many are drawn.
    samples: resamples for the intervals and tests.
    seed: of the draws and resamples.
    lengths: the longest complex sentences of each bin, in tokens; longer ones than the last have a bin of their own.
    min_sentences: a subset of fewer sentences has no interval, as too few of them cannot say how much they differ.
    """

    language: str
    units: int
    samples: int
    seed: int
    lengths: list[int]
    min_sentences: int

    def __post_init__(self) -> None:
        for name in ("units", "samples", "min_sentences"):
            if getattr(self, name) < 1:
                raise InputError(f"analysis.{name}: {getattr(self, name)}; give a number of 1 or more")
        if self.seed < 0:
            raise InputError(f"analysis.seed: {self.seed} is negative; give a number of 0 or more")
        if min(self.lengths, default=1) < 1 or any(a >= b for a, b in pairwise(self.lengths)):
            raise InputError(f"analysis.lengths: {self.lengths}; give numbers of 1 or more, each above the one before")


@dataclass(frozen=True)
class Plan:
    """What is analysed.

    training_sets, simplifiers: names; differences are of `NEW` to every other training set, in whatever order.
    max_tokens: outputs are cut there in SARI per sentence; None cuts nothing.
    """

    training_sets: Sequence[str]
    simplifiers: Sequence[str]
    max_tokens: int | None
    config: AnalysisConfig

    @property
    def others(self) -> list[str]:
        """The training sets that `NEW` is compared with; none where it is absent."""
        return [name for name in self.training_sets if name != NEW] if NEW in self.training_sets else []
