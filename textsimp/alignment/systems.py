"""Alignment systems: the parts that `conf/alignment_system/` names, put together, fitted and asked for links (F2)."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.neural.paragraphs import gold_paragraphs
from textsimp.alignment.options import checked_call
from textsimp.alignment.resources import Resources
from textsimp.alignment.shared import KnownSimilarity, SharedSimilarities
from textsimp.alignment.strategies import Comparison, make_strategy
from textsimp.alignment.system_config import CRF, Part, SystemConfig
from textsimp.alignment.two_step import blocks_of
from textsimp.errors import InputError
from textsimp.metrics.alignment import TASKS, Task, alignment_scores, gold_mask, identical_mask
from textsimp.metrics.curves import best_threshold, precision_recall_curve
from textsimp.records import AlignmentLabel, DocumentPair, Link

Matrix = NDArray[np.float64]
Pairs = Sequence[DocumentPair]


class System(Protocol):
    """An alignment system that can be fitted and asked for links."""

    config: SystemConfig

    def fit(self, train: Pairs, dev: Pairs) -> list[dict[str, float]]:
        """Learn from labelled pairs and choose thresholds on dev. Returns a training curve, empty without training."""
        ...

    def align(self, pair: DocumentPair) -> list[Link]:
        """The links of a document pair, sorted."""
        ...

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """How sure each sentence pair is in a task, for precision-recall curves; -inf where never predicted.

        Shape: (m, n).
        """
        ...

    def forget(self) -> None:
        """Drop what was kept of document pairs, to bound memory over many of them."""
        ...


def make_system(config: SystemConfig, shared: SharedSimilarities) -> System:
    """The system of a configuration; `InputError` names a part or option that there is not."""
    if config.strategy.name == CRF:
        return checked_call("alignment strategy crf", CrfSystem, config.strategy.options, config, shared.resources)
    return ComposedSystem(config, shared)


class ComposedSystem:
    """A similarity, a strategy over it, and for each task the threshold and options of the best dev F1 (section 4.3).

    Attributes:
        chosen: the parts that serve each task, and the score from which they count.
    """

    def __init__(self, config: SystemConfig, shared: SharedSimilarities) -> None:
        self.config, self.shared = config, shared
        self.variants = [Scorer(variant, shared) for variant in variants_of(config)]
        first = self.variants[0], np.inf if config.threshold is None else config.threshold
        self.chosen: dict[Task, tuple[Scorer, float]] = dict.fromkeys(TASKS, first)

    def fit(self, train: Pairs, dev: Pairs) -> list[dict[str, float]]:
        """See `System.fit`. Of several variants with the best F1 on dev the first is taken."""
        curve = [row for variant in self.variants for row in variant.similarity.train(train, dev)]
        for task in TASKS:
            tried = [(*self._threshold(variant, dev, task), variant) for variant in self.variants]
            f1, threshold, variant = max(tried, key=lambda item: item[0])
            self.chosen[task] = variant, threshold
        return curve

    def align(self, pair: DocumentPair) -> list[Link]:
        """See `System.align`. A pair over the threshold of Task 2 is aligned, over that of Task 1 alone partial."""
        linked, aligned = (self.scores(pair, task) >= self.chosen[task][1] for task in TASKS)
        return [
            Link(i, j, AlignmentLabel.ALIGNED if aligned[i, j] else AlignmentLabel.PARTIAL)
            for i, j in np.argwhere(linked | aligned).tolist()
        ]

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """See `System.scores`: the strategy's scores, -inf where it has no link."""
        return self.chosen[task][0].scores(pair, task)

    def paragraphs(self, pair: DocumentPair) -> NDArray[np.bool_]:
        """Which paragraphs a two-step system aligns in Task 1. Shape: (k, l)."""
        return self.chosen["task1"][0].paragraphs(pair, "task1")

    def forget(self) -> None:
        """See `System.forget`."""
        self.shared.forget()
        for variant in self.variants:
            variant.forget()

    def _threshold(self, variant: "Scorer", dev: Pairs, task: Task) -> tuple[float, float]:
        """F1 in percent on dev and the threshold that gives it."""
        scores, gold = evaluated(variant, dev, task)
        fixed = self.config.threshold
        if fixed is None:
            threshold, f1 = best_threshold(scores, gold, int(gold.sum()))
            return f1, threshold
        kept = np.where(scores >= fixed, 0.0, -np.inf)
        return precision_recall_curve(kept, gold, int(gold.sum())).max_f1, fixed


class Scorer:
    """One combination of options of a system: how sure it is of every sentence pair, kept once computed."""

    def __init__(self, config: SystemConfig, shared: SharedSimilarities) -> None:
        self.config = config
        self.aligner = shared.resources.trained_aligner(config.label) if config.paragraphs == "predicted" else None
        self.similarity: KnownSimilarity = shared.get(config.similarity)
        self.strategy = make_strategy(config.strategy.name, config.strategy.options)
        step = config.paragraph_step
        self.paragraph_strategy = make_strategy(step.strategy.name, step.strategy.options) if step else None
        self._kept: dict[tuple[int, Task], tuple[DocumentPair, Matrix]] = {}

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """See `System.scores`."""
        key = (id(pair), task)
        if key not in self._kept:
            self._kept[key] = (pair, self._compute(self.similarity.sentences(pair, task), pair, task))
        return self._kept[key][1]

    def forget(self) -> None:
        """Drop the scores."""
        self._kept.clear()

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
        return self.paragraph_strategy.align(self.similarity.paragraphs(pair, task)) > -np.inf


class CrfSystem:
    """The neural CRF aligner, with its own thresholds from training.

    Options in YAML: `decoding`, instead of the trained one; `variant`, a key of `aligner_variant`; `as_precise_as`, a
    decoding whose Task 1 precision on dev the system's own has to reach, by a higher threshold where that is needed.
    """

    def __init__(
        self,
        config: SystemConfig,
        resources: Resources,
        decoding: str | None = None,
        variant: str | None = None,
        as_precise_as: str | None = None,
    ) -> None:
        self.config, self.resources = config, resources
        self.decoding, self.as_precise_as = decoding, as_precise_as
        self.aligner = resources.trained_aligner(config.label, variant)

    def fit(self, train: Pairs, dev: Pairs) -> list[dict[str, float]]:
        """Nothing, as training has chosen the thresholds, but for `as_precise_as`."""
        if self.as_precise_as is not None:
            settings = replace(self.aligner.settings, link_threshold=self._precise(dev))
            self.aligner = replace(self.aligner, settings=settings)
        return []

    def _precise(self, dev: Pairs) -> float:
        """The lowest threshold from that of training on whose precision on dev is at least the other decoding's."""
        other = CrfSystem(self.config, self.resources, self.as_precise_as)
        wanted = alignment_scores((pair, other.align(pair)) for pair in dev)["task1"]["precision"]
        scores, gold = evaluated(self, dev, "task1")
        curve = precision_recall_curve(scores, gold, int(gold.sum()))
        enough = curve.threshold[curve.precision >= wanted - 1e-9]
        trained = self.aligner.settings.link_threshold
        return max(trained, float(enough.min())) if len(enough) else trained

    def align(self, pair: DocumentPair) -> list[Link]:
        """See `System.align`."""
        return self.aligner.align(pair, self.config.paragraphs, self.decoding)

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """See `System.scores`: the posterior, for Task 2 times P(aligned | linked) as `align` has it."""
        scores = self.aligner.link_scores(pair, self.config.paragraphs)
        links = self.aligner.linked(pair, self.config.paragraphs, self.decoding)
        if task == "task2":
            scores = scores * self.aligner.label_scores(pair, links)
        if (self.decoding or self.aligner.settings.decoding) == "viterbi":
            decoded = np.zeros(scores.shape, dtype=bool)
            for link in links:
                decoded[link] = True
            scores = np.where(decoded, scores, -np.inf)
        return scores

    def forget(self) -> None:
        """See `System.forget`."""
        self.aligner.scorer.forget()


def with_gold_paragraphs(config: SystemConfig) -> SystemConfig | None:
    """A two-step system that is given the gold paragraphs; None for a direct one."""
    if config.paragraphs not in ("own", "predicted"):
        return None
    tuned = {name: values for name, values in config.tuned.items() if not name.startswith("paragraph_step.")}
    label = f"{config.label} + gold ParaAlign"
    return replace(config, label=label, paragraphs="gold", paragraph_step=None, tuned=tuned)


def variants_of(config: SystemConfig) -> list[SystemConfig]:
    """The system with each combination of the values of `tuned`, in the order that YAML gives."""
    found = []
    for values in itertools.product(*config.tuned.values()):
        variant = config
        for name, value in zip(config.tuned, values, strict=True):
            variant = _with_option(variant, name, value)
        found.append(variant)
    if not found:
        raise InputError(f"alignment_system: {config.label}: `tuned` names an option without values")
    return found


def _with_option(config: SystemConfig, name: str, value: object) -> SystemConfig:
    """The configuration with one option of the similarity, the strategy or the paragraph step set."""
    place, _, option = name.rpartition(".")
    if place in ("similarity", "strategy"):
        part: Part = getattr(config, place)
        return replace(config, **{place: replace(part, options={**part.options, option: value})})
    if place == "paragraph_step" and config.paragraph_step is not None:
        part = config.paragraph_step.strategy
        changed = replace(part, options={**part.options, option: value})
        return replace(config, paragraph_step=replace(config.paragraph_step, strategy=changed))
    raise InputError(
        f"alignment_system: tuned: {name!r} names no part; write similarity.OPTION, strategy.OPTION or "
        "paragraph_step.OPTION"
    )


def evaluated(system: "System | Scorer", pairs: Pairs, task: Task) -> tuple[Matrix, NDArray[np.bool_]]:
    """Scores and gold marks of all sentence pairs that count, identical ones left out. Shape of both: (N,)."""
    keep = [~identical_mask(pair) for pair in pairs]
    scores = [system.scores(pair, task)[mask] for pair, mask in zip(pairs, keep, strict=True)]
    gold = [gold_mask(pair, task)[mask] for pair, mask in zip(pairs, keep, strict=True)]
    return np.concatenate(scores), np.concatenate(gold)
