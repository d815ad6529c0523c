"""Alignment systems: a similarity, a strategy and what to do about paragraphs, as `conf/alignment_system/` names them (F2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.aligner import Aligner, Paragraphs
from textsimp.alignment.similarity import SIMILARITIES, make_similarity
from textsimp.alignment.strategies import STRATEGIES, make_strategy
from textsimp.errors import InputError
from textsimp.metrics.alignment import TASKS, Task, gold_mask, identical_mask
from textsimp.metrics.curves import best_threshold
from textsimp.records import AlignmentLabel, DocumentPair, Link

Matrix = NDArray[np.float64]
PARAGRAPHS = ("none", "predicted", "gold", None)
ENCODER, CRF = "encoder", "crf"


@dataclass(frozen=True)
class SystemConfig:
    """One published system: `alignment_system.NAME` in params.yaml.

    similarity: `jaccard`, `tfidf`, or `encoder` (the fine-tuned pair encoder of the trained aligner).
    strategy: `threshold`, `jaccard_align`, or `crf` (the whole neural aligner).
    paragraphs: `none` (the whole documents), `predicted` (Algorithms 1-4) or `gold`; null for `crf` leaves it to the
        aligner.
    decoding: for `crf`, instead of the aligner's own; null otherwise.
    """

    similarity: str
    strategy: str
    paragraphs: str | None
    decoding: str | None

    def __post_init__(self) -> None:
        for key, known in (
            ("similarity", (*SIMILARITIES, ENCODER)),
            ("strategy", (*STRATEGIES, CRF)),
            ("paragraphs", PARAGRAPHS),
        ):
            if getattr(self, key) not in known:
                raise InputError(f"alignment_system: {key}: {getattr(self, key)!r} is none of {', '.join(map(str, known))}")
        if self.paragraphs is None and self.strategy != CRF:
            raise InputError(f"alignment_system: paragraphs: null is for the strategy {CRF} alone")

    @property
    def needs_aligner(self) -> bool:
        """Whether a trained aligner is part of it."""
        return ENCODER == self.similarity or CRF == self.strategy or self.paragraphs == "predicted"


class System(Protocol):
    """An alignment system that can be fitted and asked for links."""

    def fit(self, dev: Sequence[DocumentPair]) -> None:
        """Choose thresholds on labelled dev pairs."""
        ...

    def align(self, pair: DocumentPair) -> list[Link]:
        """The links of a document pair, sorted."""
        ...

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """How sure each sentence pair is in a task, for precision-recall curves; -inf where never predicted.

        Shape: (m, n).
        """
        ...


def make_system(config: SystemConfig, corpus: Sequence[DocumentPair], aligner: Aligner | None) -> System:
    """The system of a configuration.

    Args:
        corpus: the documents at hand, from which a lexical similarity takes its word counts; labels are not read.
        aligner: the trained neural aligner, where the system needs one.
    """
    if config.needs_aligner and aligner is None:
        raise InputError(f"the system {config} needs a trained aligner; give its folder with --model")
    if config.strategy == CRF:
        return CrfSystem(aligner, config.paragraphs, config.decoding)
    return ThresholdSystem(config, corpus, aligner)


class ThresholdSystem:
    """A similarity, a strategy over it, and one threshold for each task, tuned on dev (section 4.3)."""

    def __init__(self, config: SystemConfig, corpus: Sequence[DocumentPair], aligner: Aligner | None) -> None:
        self.config, self.aligner = config, aligner
        self.similarity = None if config.similarity == ENCODER else make_similarity(config.similarity).fit(corpus)
        self.strategy = make_strategy(config.strategy, 0.0)
        self.thresholds: dict[Task, float] = {"task1": float("inf"), "task2": float("inf")}

    def fit(self, dev: Sequence[DocumentPair]) -> None:
        """See `System.fit`; the threshold of each task has the highest dev F1, identical pairs left out."""
        for task in TASKS:
            scores, gold = evaluated(self, dev, task)
            self.thresholds[task] = best_threshold(scores, gold, int(gold.sum()))[0]

    def align(self, pair: DocumentPair) -> list[Link]:
        """See `System.align`. A pair over the threshold of Task 2 is aligned, over that of Task 1 alone partial."""
        linked = self.scores(pair, "task1") >= self.thresholds["task1"]
        aligned = self.scores(pair, "task2") >= self.thresholds["task2"]
        return [
            Link(i, j, AlignmentLabel.ALIGNED if aligned[i, j] else AlignmentLabel.PARTIAL)
            for i, j in np.argwhere(linked | aligned).tolist()
        ]

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """See `System.scores`: the similarity where the strategy links, -inf elsewhere."""
        matrix = np.full((len(pair.simple.sentences), len(pair.complex.sentences)), -np.inf)
        for i, j, score in self.strategy.align(self._similarity(pair, task), pair):
            matrix[i, j] = score
        if self.config.paragraphs != "none":
            matrix[~self._allowed(pair)] = -np.inf
        return matrix

    def _similarity(self, pair: DocumentPair, task: Task) -> Matrix:
        if self.similarity is not None:
            return self.similarity.matrix(pair)
        scores = self.aligner.scores(pair)
        return scores.linked_probability() if task == "task1" else scores.aligned_probability()

    def _allowed(self, pair: DocumentPair) -> NDArray[np.bool_]:
        """Sentence pairs inside aligned paragraphs. Shape: (m, n)."""
        allowed = np.zeros((len(pair.simple.sentences), len(pair.complex.sentences)), dtype=bool)
        for block in self.aligner.blocks(pair, self.config.paragraphs):
            allowed[np.ix_(block.simple, block.complex)] = True
        return allowed


class CrfSystem:
    """The neural CRF aligner, with its own thresholds from training."""

    def __init__(self, aligner: Aligner, paragraphs: Paragraphs | None, decoding: str | None) -> None:
        self.aligner, self.paragraphs, self.decoding = aligner, paragraphs, decoding

    def fit(self, dev: Sequence[DocumentPair]) -> None:
        """Nothing: training has chosen the thresholds."""

    def align(self, pair: DocumentPair) -> list[Link]:
        """See `System.align`."""
        return self.aligner.align(pair, self.paragraphs, self.decoding)

    def scores(self, pair: DocumentPair, task: Task) -> Matrix:
        """See `System.scores`: the posterior, times P(aligned | linked) for Task 2."""
        linked = self.aligner.link_scores(pair, self.paragraphs)
        return linked if task == "task1" else linked * self.aligner.label_probabilities(pair)


def evaluated(system: System, pairs: Sequence[DocumentPair], task: Task) -> tuple[Matrix, NDArray[np.bool_]]:
    """Scores and gold marks of all sentence pairs that count, identical ones left out. Shape of both: (N,)."""
    keep = [~identical_mask(pair) for pair in pairs]
    scores = [system.scores(pair, task)[mask] for pair, mask in zip(pairs, keep, strict=True)]
    gold = [gold_mask(pair, task)[mask] for pair, mask in zip(pairs, keep, strict=True)]
    return np.concatenate(scores), np.concatenate(gold)
