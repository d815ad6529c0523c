"""What `conf/alignment_system/NAME.yaml` says: the parts of an alignment system (F2)."""

from dataclasses import dataclass
from typing import Any

from textsimp.errors import InputError

PARAGRAPHS = ("none", "own", "predicted", "gold", None)
MERGES = ("simple", "components")
ENCODER, CRF = "encoder", "crf"
"""The similarity and the strategy that a trained neural aligner brings."""


@dataclass(frozen=True)
class Part:
    """A similarity or strategy by its name in the registry, with its options."""

    name: str
    options: dict[str, Any]


@dataclass(frozen=True)
class ParagraphStep:
    """How a two-step system aligns paragraphs, by the same similarity as sentences.

    merge: what one run of the sentence strategy gets: `simple` is a simple paragraph with all complex paragraphs that
        it is linked to; `components` joins all paragraphs that links connect.
    """

    strategy: Part
    merge: str

    def __post_init__(self) -> None:
        if self.merge not in MERGES:
            raise InputError(f"alignment_system: paragraph_step.merge: {self.merge!r} is none of {', '.join(MERGES)}")


@dataclass(frozen=True)
class SystemConfig:
    """One published system: `alignment_system.NAME` in params.yaml.

    label, source: how reports print it, and who published it.
    similarity: a name of `SIMILARITIES`, or `encoder` (the fine-tuned pair encoder of the trained aligner).
    strategy: a name of `STRATEGIES`, or `crf` (the whole neural aligner; option `decoding`).
    paragraphs: `none` (direct: the whole documents), `own` (two-step: aligned by `paragraph_step`), `predicted`
        (Algorithms 1-4 of the neural aligner) or `gold`; null leaves it to the aligner, for `crf` alone.
    threshold: the score from which a link counts, for both tasks; null tunes one for each task on dev (section 4.3).
    tuned: values to choose among on dev, by dotted name, such as `similarity.theta: [0.3, 0.5]`; for each task the
        combination of the highest F1 wins.
    """

    label: str
    source: str
    similarity: Part
    strategy: Part
    paragraphs: str | None
    paragraph_step: ParagraphStep | None
    threshold: float | None
    tuned: dict[str, list[Any]]

    def __post_init__(self) -> None:
        if self.paragraphs not in PARAGRAPHS:
            known = ", ".join(map(str, PARAGRAPHS))
            raise InputError(f"alignment_system: paragraphs: {self.paragraphs!r} is none of {known}")
        if self.paragraphs is None and self.strategy.name != CRF:
            raise InputError(f"alignment_system: paragraphs: null is for the strategy {CRF} alone")
        if (self.paragraphs == "own") != (self.paragraph_step is not None):
            raise InputError("alignment_system: paragraph_step goes with `paragraphs: own`, and only with it")

    @property
    def needs_aligner(self) -> bool:
        """Whether a trained neural aligner is part of it."""
        return ENCODER == self.similarity.name or CRF == self.strategy.name or self.paragraphs == "predicted"
