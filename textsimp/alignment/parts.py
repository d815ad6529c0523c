"""The parts of an alignment system, as the files in `conf/alignment_system/` name them."""

import itertools
from dataclasses import dataclass, replace
from typing import Any, Literal

from textsimp.core.errors import InputError
from textsimp.core.model_folder import ModelKind
from textsimp.core.settings import Number

ENCODER, CRF = "encoder", "crf"
"""The similarity and the strategy that a trained neural aligner brings."""
FROZEN = "frozen_crf"
"""The similarity and the strategy of the aligner over a frozen encoder."""
CANDIDATES = "candidates"
"""The similarity that is another one, `of`, of the pairs that `measures` propose."""
SYSTEM_FILE = "system.json"
SYSTEM = ModelKind("saved alignment system", SYSTEM_FILE, "restore it, or fit it again")


@dataclass(frozen=True)
class Part:
    """A similarity or strategy by its name in the registry, with its options."""

    name: str
    options: dict[str, Any]


@dataclass(frozen=True)
class ParagraphStep:
    """The first step of a two-step system, which aligns paragraphs by the same similarity as sentences.

    merge: what one run of the sentence strategy gets: `simple` is a simple paragraph with all complex paragraphs that
        it is linked to; `components` joins all paragraphs that links connect.
    """

    strategy: Part
    merge: Literal["simple", "components"]


@dataclass(frozen=True)
class SystemConfig:
    """One published system: `alignment_system.NAME` in params.yaml.

    similarity: a name of `SIMILARITIES`, or `encoder` (the fine-tuned pair encoder of the trained aligner).
    strategy: a name of `STRATEGIES`, or `crf` (the whole neural aligner; option `decoding`).
    paragraphs: `none` (direct: the whole documents), `own` (two-step: aligned by `paragraph_step`), `predicted`
        (Algorithms 1-4 of the neural aligner) or `gold`; null leaves it to the aligner, for `crf` alone.
    threshold: the score from which a link counts, for both tasks; null tunes one for each task on dev (section 4.3).
    tuned: values to choose among on dev, by dotted name, such as `similarity.theta: [0.3, 0.5]`; for each task the
        combination of the highest F1 wins.
    """

    similarity: Part
    strategy: Part
    paragraphs: Literal["none", "own", "predicted", "gold"] | None
    paragraph_step: ParagraphStep | None
    threshold: Number | None
    tuned: dict[str, list[Any]]

    def __post_init__(self) -> None:
        if self.paragraphs is None and self.strategy.name != CRF:
            raise InputError(f"alignment_system: paragraphs: null is for the strategy {CRF} alone")
        if (self.paragraphs == "own") != (self.paragraph_step is not None):
            raise InputError("alignment_system: paragraph_step goes with `paragraphs: own`, and only with it")

    @property
    def parts(self) -> str:
        """Similarity and strategy, for messages."""
        return f"{self.similarity.name} with {self.strategy.name}"

    @property
    def similarities(self) -> list[str]:
        """The names of its similarity and of those that this is made of."""
        options = self.similarity.options
        parts = [options["of"], *options["measures"]] if self.similarity.name == CANDIDATES else []
        return [self.similarity.name, *(part["name"] for part in parts)]

    @property
    def has_probabilities(self) -> bool:
        """Return whether its scores are probabilities, and no similarities."""
        return self.strategy.name in (CRF, FROZEN)

    @property
    def needs_aligner(self) -> bool:
        """Return whether a trained neural aligner is part of it."""
        return ENCODER in self.similarities or self.strategy.name == CRF or self.paragraphs == "predicted"


def with_gold_paragraphs(config: SystemConfig) -> SystemConfig | None:
    """A two-step system that is given the gold paragraphs; None for a direct one."""
    if config.paragraphs not in ("own", "predicted"):
        return None
    tuned = {name: values for name, values in config.tuned.items() if not name.startswith("paragraph_step.")}
    return replace(config, paragraphs="gold", paragraph_step=None, tuned=tuned)


def variants_of(config: SystemConfig) -> list[SystemConfig]:
    """The system with each combination of the values of `tuned`, in the order that YAML gives."""
    variants = []
    for values in itertools.product(*config.tuned.values()):
        variant = config
        for name, value in zip(config.tuned, values, strict=True):
            variant = _with_option(variant, name, value)
        variants.append(variant)
    if not variants:
        raise InputError(f"alignment_system: {config.parts}: `tuned` names an option without values")
    return variants


def _with_option(config: SystemConfig, name: str, value: object) -> SystemConfig:
    owner, _, option = name.rpartition(".")
    step = config.paragraph_step
    parts: dict[str, Part | None] = {"similarity": config.similarity, "strategy": config.strategy}
    parts["paragraph_step"] = None if step is None else step.strategy
    if (part := parts.get(owner)) is None:
        what = f"{name!r} names no part; write similarity.OPTION, strategy.OPTION or paragraph_step.OPTION"
        raise InputError(f"alignment_system: tuned: {what}")
    part = replace(part, options={**part.options, option: value})
    if step is not None and owner == "paragraph_step":
        return replace(config, paragraph_step=replace(step, strategy=part))
    changes: dict[str, Any] = {owner: part}
    return replace(config, **changes)
