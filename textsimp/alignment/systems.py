"""Alignment systems: the parts that `conf/alignment_system/` names, put together, fitted, asked for links, and saved.

A saved system is a folder: parts, thresholds and chosen options (JSON), and what its similarities learned. A similarity
that only counts words is fitted again on the documents at hand. Word vectors are not stored either: their name is, and
other vectors are refused.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from textsimp.alignment.cache import Cache, Pairs, SharedSimilarity
from textsimp.alignment.neural.aligner_settings import Decoding
from textsimp.alignment.neural.paragraphs import blocks_of, gold_paragraphs
from textsimp.alignment.parts import CRF, FROZEN, SystemConfig, variants_of
from textsimp.alignment.similarity import needs_of
from textsimp.alignment.similarity.similarity import Matrix, Trained
from textsimp.alignment.strategies import Comparison, make_strategy
from textsimp.core.errors import InputError, bad_input
from textsimp.core.model_folder import ModelKind
from textsimp.core.records import AlignmentLabel, DocumentPair, Link
from textsimp.core.settings import NonNegative, called, read_as
from textsimp.core.writing import write_json
from textsimp.metrics.curves import best_threshold, precision_recall_curve
from textsimp.metrics.links import TASKS, Task, alignment_scores, gold_mask, identical_mask

SYSTEM_FILE, _SIMILARITY = "system.json", "similarity"
_FIT_AGAIN = "it is of another version; fit it again"
_NEVER = np.nextafter(0, 1)
"""Of sentence pairs that are no candidates the probability is 0, and they are never linked."""
SYSTEM = ModelKind("saved alignment system", SYSTEM_FILE, "restore it, or fit it again")


@dataclass(frozen=True)
class Choice:
    """What serves a task: the place of its variant, and a threshold; null where nothing is ever linked."""

    variant: NonNegative
    threshold: Annotated[float, Field(ge=-2, le=2)] | None


@dataclass(frozen=True)
class _Stored:
    """What `SYSTEM_FILE` holds."""

    config: SystemConfig
    chosen: dict[str, Choice]
    word_vectors: str | None


class System(ABC):
    """An alignment system that can be fitted and asked for links.

    Attributes:
        least: the least probability of a link, below or above the system's own threshold; None for that threshold.
            Viterbi's links are those of one path, so that there it can only leave some out.
    """

    config: SystemConfig
    least: float | None = None

    @abstractmethod
    def fit(self, train: Pairs, dev: Pairs) -> list[dict[str, float]]:
        """Learn from labelled pairs and choose thresholds on dev. Returns a training curve, empty without training."""

    @abstractmethod
    def align(self, pair: DocumentPair) -> list[Link]:
        """The links of a document pair, sorted."""

    @abstractmethod
    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """How sure each sentence pair is in a task, for precision-recall curves; -inf where never predicted.

        Shape: (m, n).
        """

    @abstractmethod
    def prepare(self, pairs: Pairs) -> None:
        """Encode what several document pairs need at once, where batches are fullest, after dropping all other things.

        So the links of these pairs depend on no pairs seen before, to the last bit.
        """

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the fitted system as a folder that replaces an older one only when it is complete."""

    @abstractmethod
    def restore(self, folder: Path) -> None:
        """Take thresholds, options and weights from a folder that `save` wrote; `InputError` where it is damaged."""


def make_system(config: SystemConfig, cache: Cache) -> System:
    """The system of a configuration; `InputError` names a part or option that there is not."""
    if config.strategy.name == CRF:
        return called("alignment strategy crf", CrfSystem, config.strategy.options, config, cache)
    if config.strategy.name == FROZEN:
        from textsimp.alignment.frozen.frozen_system import FrozenSystem  # it builds on this module

        return FrozenSystem(config, cache)
    return ComposedSystem(config, cache)


class ComposedSystem(System):
    """A similarity, a strategy over it, and for each task the threshold and options of the best dev F1 (section 4.3).

    Attributes:
        chosen: the variant that serves each task, and the score from which its links count.
    """

    def __init__(self, config: SystemConfig, cache: Cache) -> None:
        self.config, self.cache = config, cache
        self.variants = [Variant(variant, cache) for variant in variants_of(config)]
        first = self.variants[0], np.inf if config.threshold is None else config.threshold
        self.chosen: dict[Task, tuple[Variant, float]] = dict.fromkeys(TASKS, first)

    def fit(self, train: Pairs, dev: Pairs) -> list[dict[str, float]]:
        """Of several variants with the best F1 on dev the first is taken."""
        curve = [row for variant in self.variants for row in variant.similarity.train(train, dev)]
        if self.config.threshold is not None and len(self.variants) == 1:
            return curve  # there is nothing to choose
        for task in TASKS:
            tried = [(*self._threshold(variant, dev, task), variant) for variant in self.variants]
            _, threshold, variant = max(tried, key=lambda item: item[0])
            self.chosen[task] = variant, threshold
        return curve

    def align(self, pair: DocumentPair) -> list[Link]:
        """A pair over the threshold of Task 2 is aligned, over that of Task 1 alone partial."""
        linked, aligned = (self.scores(pair, task) >= self.chosen[task][1] for task in TASKS)
        return [
            Link(i, j, AlignmentLabel.ALIGNED if aligned[i, j] else AlignmentLabel.PARTIAL)
            for i, j in np.argwhere(linked | aligned).tolist()
        ]

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """The strategy's scores, -inf where it has no link."""
        return self.chosen[task][0].scores(pair, task)

    def paragraphs(self, pair: DocumentPair) -> NDArray[np.bool_]:
        """Which paragraphs a two-step system aligns in Task 1. Shape: (k, l)."""
        return self.chosen["task1"][0].paragraphs(pair, "task1")

    def prepare(self, pairs: Pairs) -> None:
        self.cache.forget()
        for variant in self.variants:
            variant.forget()
        if self.cache.aligner is not None:
            self.cache.aligner.scorer.prepare(pairs)

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
            for number, shared in enumerate(self._trained()):
                (target / f"{_SIMILARITY}.{number}").mkdir()
                shared.similarity.save(target / f"{_SIMILARITY}.{number}")  # type: ignore[attr-defined]

    def restore(self, folder: Path) -> None:
        path = folder / SYSTEM_FILE
        stored = read_as(path, _Stored, _FIT_AGAIN)
        if stored.word_vectors != self._vectors_name():
            what = f"was fitted with other word vectors ({stored.word_vectors}, not {self._vectors_name()})"
            raise InputError(f"{path}: {what}; give those, or fit it again")
        self.take(stored.chosen, path)
        for number, shared in enumerate(self._trained()):
            shared.similarity.load(folder / f"{_SIMILARITY}.{number}")  # type: ignore[attr-defined]
            shared.is_trained = True

    def _vectors_name(self) -> str | None:
        needs = {needs_of(name) for variant in self.variants for name in variant.config.similarities}
        return self.cache.vectors.name if "vectors" in needs else None

    def _trained(self) -> list[SharedSimilarity]:
        distinct = {id(variant.similarity): variant.similarity for variant in self.variants}
        return [shared for shared in distinct.values() if isinstance(shared.similarity, Trained)]

    def _threshold(self, variant: "Variant", dev: Pairs, task: Task) -> tuple[float, float]:
        """F1 in percent on dev and the threshold that gives it."""
        scores, gold = evaluated(variant, dev, task)
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

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        key = (id(pair), task)
        if key not in self._scores:
            self._scores[key] = (pair, self._compute(self.similarity.sentences(pair, task), pair, task))
        return self._scores[key][1]

    def forget(self) -> None:
        """Drop the scores."""
        self._scores.clear()

    def _compute(self, whole: Comparison, pair: DocumentPair, task: Task) -> Matrix:
        if self.config.paragraphs == "none":
            return self.strategy.align(whole)
        scores = np.full(whole.matrix.shape, -np.inf)
        merge = self.config.paragraph_step.merge if self.config.paragraph_step else "simple"
        for block in blocks_of(self.paragraphs(pair, task), pair, merge):
            cells = np.ix_(block.simple, block.complex)
            scores[cells] = np.maximum(scores[cells], self.strategy.align(whole.block(block.simple, block.complex)))
        return scores

    def paragraphs(self, pair: DocumentPair, task: Task) -> NDArray[np.bool_]:
        """Which paragraphs are aligned. Shape: (k, l)."""
        if self.config.paragraphs == "gold":
            return gold_paragraphs(pair)
        if self.aligner is not None:
            return self.aligner.paragraph_alignment(pair)
        assert self.paragraph_strategy is not None, "SystemConfig has made sure"
        return self.paragraph_strategy.align(self.similarity.paragraphs(pair, task)) > -np.inf


class CrfSystem(System):
    """The neural CRF aligner, with its own thresholds from training.

    Options in YAML: `decoding`, instead of the trained one; `variant`, a key of `aligner_variant`; `as_precise_as`, a
    decoding whose Task 1 precision on dev the system's own has to reach, by a higher threshold where that is needed.
    """

    def __init__(
        self,
        config: SystemConfig,
        cache: Cache,
        decoding: Decoding | None = None,
        variant: str | None = None,
        as_precise_as: Decoding | None = None,
    ) -> None:
        self.config, self.cache = config, cache
        self.aligner = cache.trained_aligner(config.parts, variant)
        self.decoding = Decoding(decoding) if decoding else self.aligner.config.crf.decoding
        self.as_precise_as = Decoding(as_precise_as) if as_precise_as else None

    def fit(self, train: Pairs, dev: Pairs) -> list[dict[str, float]]:
        """Nothing, as training has chosen the thresholds, but for `as_precise_as`."""
        if self.as_precise_as is not None:
            settings = replace(self.aligner.settings, link_threshold=self._precise(dev, self.as_precise_as))
            self.aligner = replace(self.aligner, settings=settings)
        return []

    def _precise(self, dev: Pairs, decoding: Decoding) -> float:
        reference = CrfSystem(self.config, self.cache, decoding)
        wanted = alignment_scores((pair, reference.align(pair)) for pair in dev)["task1"]["precision"]
        scores, gold = evaluated(self, dev, "task1")
        curve = precision_recall_curve(scores, gold, int(gold.sum()))
        enough = curve.threshold[curve.precision >= wanted - 1e-9]
        trained = self.aligner.settings.link_threshold
        return max(trained, float(enough.min())) if len(enough) else trained

    def align(self, pair: DocumentPair) -> list[Link]:
        if self.least is None:
            return self.aligner.align(pair, self.config.paragraphs, self.decoding)
        aligner, scores = self.aligner, self.scores(pair, "task1")
        if self.decoding is Decoding.POSTERIOR:
            aligner = replace(aligner, settings=replace(aligner.settings, link_threshold=max(self.least, _NEVER)))
        links = aligner.align(pair, self.config.paragraphs, self.decoding)
        return [link for link in links if scores[link.simple, link.complex] >= self.least]

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """See `Aligner.task_scores`."""
        return self.aligner.task_scores(pair, task, self.config.paragraphs, self.decoding)

    def prepare(self, pairs: Pairs) -> None:
        self.aligner.forget()
        self.aligner.prepare(pairs)

    def save(self, folder: Path) -> None:
        """Refused: training has written all that it has."""
        raise InputError(f"{folder}: the neural CRF is saved as a trained aligner, not as a system; leave out --save")

    def restore(self, folder: Path) -> None:
        """Refused, as `save` is."""
        raise InputError(f"{folder}: the neural CRF is no saved system; give the folder of a trained aligner")


def with_least(system: System, least: float | None) -> System:
    """Return a system with another least probability of a link; it shares everything else with the given one.

    Raises:
        InputError: its scores are no probabilities, or `least` is none.
    """
    if least is None:
        return system
    if not system.config.has_probabilities:
        raise InputError(f"min_probability: {system.config.parts} has similarities, no probabilities; leave it out")
    if not 0 <= least <= 1:
        raise InputError(f"min_probability: {least:.6g} is no probability; give a number from 0 to 1")
    asked = copy(system)
    asked.least = least
    return asked


def is_saved_system(folder: Path) -> bool:
    """Whether a folder holds a system that `System.save` wrote."""
    return (folder / SYSTEM_FILE).is_file()


def saved_config(folder: Path) -> SystemConfig:
    """The parts of a saved system; `InputError` where the folder holds none, or one of another version."""
    if not is_saved_system(folder):
        what = "give the folder of a saved system, or fit one with --train and --dev"
        raise InputError(f"{folder}: no {SYSTEM_FILE}; {what}")
    SYSTEM.check(folder)
    return read_as(folder / SYSTEM_FILE, _Stored, _FIT_AGAIN).config


def load_system(folder: Path, cache: Cache, config: SystemConfig) -> System:
    """Read what `System.save` wrote.

    Args:
        config: what the system has to be.

    Raises:
        InputError: the folder holds no system, another one, a damaged one, or one with other word vectors.
    """
    if saved_config(folder) != config:
        raise InputError(f"{folder / SYSTEM_FILE}: holds a system of other parts than {config.parts}; fit it again")
    system = make_system(config, cache)
    system.restore(folder)
    return system


def evaluated(system: System | Variant, pairs: Pairs, task: Task) -> tuple[Matrix, NDArray[np.bool_]]:
    """Scores and gold marks of all sentence pairs that count, identical ones left out. Shape of both: (N,)."""
    masks = [~identical_mask(pair) for pair in pairs]
    scores = [system.scores(pair, task)[mask] for pair, mask in zip(pairs, masks, strict=True)]
    gold = [gold_mask(pair, task)[mask] for pair, mask in zip(pairs, masks, strict=True)]
    return np.concatenate(scores), np.concatenate(gold)
