"""Alignment systems: the parts that `conf/alignment_system/` names, put together, fitted, asked for links, and saved.

A saved system is a folder: parts, thresholds and chosen options (JSON), and what its similarities learned. A similarity
that only counts words is fitted again on the documents at hand. Word vectors are not stored either: their name is, and
other vectors are refused.
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner_settings import Decoding
from textsimp.alignment.neural.paragraphs import gold_paragraphs, links_of, paragraph_blocks
from textsimp.alignment.parts import CRF, FROZEN, SYSTEM, SYSTEM_FILE, SystemConfig, variants_of
from textsimp.alignment.similarity import needs_of
from textsimp.alignment.similarity.similarity import Matrix, TrainedSimilarity
from textsimp.alignment.strategies import make_strategy
from textsimp.core.errors import InputError, bad_input
from textsimp.core.records import DocumentPair, Link
from textsimp.core.settings import NonNegative, called, read_as
from textsimp.core.writing import write_json
from textsimp.metrics.curves import best_threshold, precision_recall_curve
from textsimp.metrics.links import TASKS, Task, evaluated

Pairs = Sequence[DocumentPair]
_SIMILARITY = "similarity"
_FIT_AGAIN = "it is of another version; fit it again"


@dataclass(frozen=True)
class Choice:
    """The choice for a task: the place of its variant, and a threshold; null where nothing is ever linked."""

    variant: NonNegative
    threshold: Annotated[float, Field(ge=-2, le=2)] | None


@dataclass(frozen=True)
class _Stored:
    """The form of `SYSTEM_FILE`."""

    config: SystemConfig
    chosen: dict[str, Choice]
    word_vectors: str | None


class System(Protocol):
    """An alignment system that can be fitted and asked for links.

    It is a similarity with a strategy (`ComposedSystem`), the neural CRF (`neural.aligner.Aligner`), or the aligner
    over a frozen encoder (`frozen.frozen_aligner.FrozenAligner`).

    Attributes:
        least: the least probability of a link, below or above the system's own threshold; None for that threshold.
    """

    least: float | None

    @property
    def paragraphs(self) -> str | None:
        """Return what it aligns within, as in `SystemConfig`."""

    @property
    def has_probabilities(self) -> bool:
        """Return whether its scores are probabilities, and no similarities."""

    def fit(self, train: Pairs, dev: Pairs) -> list[dict[str, float]]:
        """Learn from labelled pairs and choose thresholds on dev. Returns a training curve, empty without training."""
        ...

    def prepare(self, pairs: Pairs) -> None:
        """Drop everything, then encode what the pairs need at once; their links depend on no others to the last bit."""
        ...

    def align(self, pair: DocumentPair) -> list[Link]:
        """Return the links of a document pair, sorted."""
        ...

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """Return how sure each sentence pair is in a task, -inf where it is never predicted. Shape: (m, n)."""
        ...

    def save(self, folder: Path) -> None:
        """Write the fitted system as a folder that replaces an older one only when it is complete."""
        ...


S = TypeVar("S", bound=System)


def make_system(config: SystemConfig, cache: Cache) -> System:
    """Return the system of a configuration; `InputError` names a part or option that there is not."""
    if config.strategy.name == CRF:
        return called("alignment strategy crf", _neural_crf, config.strategy.options, config, cache)
    if config.strategy.name == FROZEN:
        from textsimp.alignment.frozen.frozen_aligner import FrozenAligner  # torch is slow to import

        return FrozenAligner(config, cache)
    return ComposedSystem(config, cache)


def _neural_crf(
    config: SystemConfig,
    cache: Cache,
    decoding: Decoding | None = None,
    variant: str | None = None,
    as_precise_as: Decoding | None = None,
) -> System:
    """Return the trained aligner, or a key of `aligner_variant`, with other paragraphs and another decoding."""
    aligner = copy(cache.trained_aligner(config.parts, variant))
    aligner.paragraphs = config.paragraphs or aligner.paragraphs
    aligner.decoding = Decoding(decoding) if decoding else aligner.decoding
    aligner.as_precise_as = Decoding(as_precise_as) if as_precise_as else None
    return aligner


class ComposedSystem:
    """A similarity, a strategy over it, and for each task the threshold and options of the best dev F1 (section 4.3).

    Attributes:
        chosen: the variant that serves each task, and the score from which its links count.
    """

    has_probabilities = False
    least: float | None = None

    def __init__(self, config: SystemConfig, cache: Cache) -> None:
        self.config, self.cache, self.paragraphs = config, cache, config.paragraphs
        self.variants = [Variant(variant, cache) for variant in variants_of(config)]
        first = self.variants[0], np.inf if config.threshold is None else config.threshold
        self.chosen: dict[Task, tuple[Variant, float]] = dict.fromkeys(TASKS, first)

    def fit(self, train: Pairs, dev: Pairs) -> list[dict[str, float]]:
        """Of several variants with the best F1 on dev the first is taken."""
        curve = [row for similarity in self._trained() for row in similarity.train_once(train, dev)]
        if self.config.threshold is not None and len(self.variants) == 1:
            return curve  # there is nothing to choose
        for task in TASKS:
            tried = [(*self._threshold(variant, dev, task), variant) for variant in self.variants]
            _, threshold, variant = max(tried, key=lambda item: item[0])
            self.chosen[task] = variant, threshold
        return curve

    def prepare(self, pairs: Pairs) -> None:
        for variant in self.variants:
            variant.forget()
        self.cache.prepare(pairs)

    def align(self, pair: DocumentPair) -> list[Link]:
        """A pair over the threshold of Task 2 is aligned, over that of Task 1 alone partial."""
        linked, aligned = (self.scores(pair, task) >= self.chosen[task][1] for task in TASKS)
        return links_of(linked | aligned, aligned)

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """The strategy's scores, -inf where it has no link."""
        return self.chosen[task][0].scores(pair, task)

    def paragraph_alignment(self, pair: DocumentPair) -> NDArray[np.bool_]:
        """Return which paragraphs a two-step system aligns in Task 1. Shape: (k, l)."""
        return self.chosen["task1"][0].paragraph_alignment(pair, "task1")

    def state(self) -> dict[str, dict[str, float | None]]:
        """Return for each task the variant and the threshold, null where nothing is ever linked."""
        return {
            task: {"variant": self.variants.index(variant), "threshold": threshold if threshold < np.inf else None}
            for task, (variant, threshold) in self.chosen.items()
        }

    def take(self, chosen: Mapping[str, Choice], source: Path) -> None:
        """Take variants and thresholds that were fitted before; `InputError` where they are of another system."""
        for task in TASKS:
            row = chosen.get(task)
            if row is None or row.variant >= len(self.variants):
                raise bad_input(source, None, f"chosen.{task}: none of {len(self.variants)} variants", _FIT_AGAIN)
            self.chosen[task] = self.variants[row.variant], np.inf if row.threshold is None else row.threshold

    def save(self, folder: Path) -> None:
        state = {"config": asdict(self.config), "chosen": self.state(), "word_vectors": self._vectors_name()}
        with SYSTEM.written(folder) as target:
            write_json(target / SYSTEM_FILE, state)
            for number, similarity in enumerate(self._trained()):
                (target / f"{_SIMILARITY}.{number}").mkdir()
                similarity.save(target / f"{_SIMILARITY}.{number}")

    def load(self, folder: Path) -> None:
        """Take thresholds, options and weights from a folder that `save` wrote; `InputError` where it is damaged."""
        path = folder / SYSTEM_FILE
        stored = read_as(path, _Stored, _FIT_AGAIN)
        if stored.word_vectors != self._vectors_name():
            what = f"was fitted with other word vectors ({stored.word_vectors}, not {self._vectors_name()})"
            raise InputError(f"{path}: {what}; give those, or fit it again")
        self.take(stored.chosen, path)
        for number, similarity in enumerate(self._trained()):
            similarity.load(folder / f"{_SIMILARITY}.{number}")
            similarity.is_trained = True

    def _vectors_name(self) -> str | None:
        needs = {needs_of(name) for variant in self.variants for name in variant.config.similarities}
        return self.cache.vectors.name if "vectors" in needs else None

    def _trained(self) -> list[TrainedSimilarity]:
        distinct = {id(variant.similarity): variant.similarity for variant in self.variants}
        return [similarity for similarity in distinct.values() if isinstance(similarity, TrainedSimilarity)]

    def _threshold(self, variant: "Variant", dev: Pairs, task: Task) -> tuple[float, float]:
        """F1 in percent on dev and the threshold that gives it."""
        scores, gold = evaluated(variant.scores, dev, task)
        fixed = self.config.threshold
        if fixed is None:
            threshold, f1 = best_threshold(scores, gold, int(gold.sum()))
            return f1, threshold
        counted = np.where(scores >= fixed, 0.0, -np.inf)
        return precision_recall_curve(counted, gold, int(gold.sum())).max_f1, fixed


class Variant:
    """One combination of options of a system: how sure it is of every sentence pair, kept once computed."""

    def __init__(self, config: SystemConfig, cache: Cache) -> None:
        self.config = config
        self.aligner = cache.trained_aligner(config.parts) if config.paragraphs == "predicted" else None
        self.similarity = cache.similarity(config.similarity)
        self.strategy = make_strategy(config.strategy.name, config.strategy.options)
        step = config.paragraph_step
        self.paragraph_strategy = make_strategy(step.strategy.name, step.strategy.options) if step else None
        self._scores: dict[tuple[int, Task], tuple[DocumentPair, Matrix]] = {}

    def forget(self) -> None:
        """Drop the scores."""
        self._scores.clear()

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """See `System.scores`."""
        key = (id(pair), task)
        if key not in self._scores:
            self._scores[key] = (pair, self._compute(pair, task))
        return self._scores[key][1]

    def _compute(self, pair: DocumentPair, task: Task) -> Matrix:
        whole = self.similarity.sentences(pair, task)
        if self.config.paragraphs == "none":
            return self.strategy.align(whole)
        scores = np.full(whole.matrix.shape, -np.inf)
        merge = self.config.paragraph_step.merge if self.config.paragraph_step else "simple"
        for block in paragraph_blocks(self.paragraph_alignment(pair, task), pair, merge):
            cells = np.ix_(block.simple, block.complex)
            scores[cells] = np.maximum(scores[cells], self.strategy.align(whole.block(block.simple, block.complex)))
        return scores

    def paragraph_alignment(self, pair: DocumentPair, task: Task) -> NDArray[np.bool_]:
        """Return which paragraphs are aligned. Shape: (k, l)."""
        if self.config.paragraphs == "gold":
            return gold_paragraphs(pair)
        if self.aligner is not None:
            return self.aligner.paragraph_alignment(pair)
        assert self.paragraph_strategy is not None, "SystemConfig has made sure"
        return self.paragraph_strategy.align(self.similarity.paragraphs(pair, task)) > -np.inf


def with_least(system: S, least: float | None) -> S:
    """Return a system with another least probability of a link; it shares everything else with the given one.

    Raises:
        InputError: its scores are no probabilities, or `least` is none.
    """
    if least is None:
        return system
    if isinstance(system, ComposedSystem):
        raise InputError(f"min_probability: {system.config.parts} has similarities, no probabilities; leave it out")
    if not 0 <= least <= 1:
        raise InputError(f"min_probability: {least:.6g} is no probability; give a number from 0 to 1")
    asked = copy(system)
    asked.least = least
    return asked


def is_saved_system(folder: Path) -> bool:
    """Return whether a folder holds a system that was saved, and no trained neural aligner."""
    return (folder / SYSTEM_FILE).is_file()


def saved_config(folder: Path) -> SystemConfig:
    """The parts of a saved system; `InputError` where the folder holds none, or one of another version."""
    if not is_saved_system(folder):
        what = "give the folder of a saved system, or fit one with --train and --dev"
        raise InputError(f"{folder}: no {SYSTEM_FILE}; {what}")
    SYSTEM.check(folder)
    return read_as(folder / SYSTEM_FILE, _Stored, _FIT_AGAIN).config


def load_system(folder: Path, cache: Cache, config: SystemConfig) -> System:
    """Read what the `save` of a composed system or of an aligner over a frozen encoder wrote.

    Raises:
        InputError: the folder holds no system, another than `config`, a damaged one, or one with other word vectors.
    """
    if saved_config(folder) != config:
        raise InputError(f"{folder / SYSTEM_FILE}: holds a system of other parts than {config.parts}; fit it again")
    if config.strategy.name == CRF:
        raise InputError(f"{folder}: the neural CRF is no saved system; give the folder of a trained aligner")
    system: Any = make_system(config, cache)  # composed, or over a frozen encoder: both load what they saved
    system.load(folder)
    return cast(System, system)
