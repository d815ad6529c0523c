"""Paragraph aligners against gold paragraphs: Algorithms 1-4 and the first step of two-step systems (F2).

Jiang et al. 2020, section 2.4, has no numbers for its paragraph alignment alone; here are some. The algorithms read
P(linked) of a trained aligner, with the thresholds of its training or with some tuned on articles with gold paragraphs.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.neural.aligner import Aligner
from textsimp.alignment.neural.paragraph_tuning import ParagraphExample, f_beta, tune_thresholds
from textsimp.alignment.neural.paragraphs import (
    ALGORITHMS,
    Algorithm,
    ParagraphScores,
    ParagraphThresholds,
    align_paragraphs,
    paragraph_scores,
)
from textsimp.alignment.resources import Resources
from textsimp.alignment.shared import SharedSimilarities
from textsimp.alignment.system_config import SystemConfig
from textsimp.alignment.systems import ComposedSystem
from textsimp.errors import InputError
from textsimp.metrics.alignment import precision_recall_f1
from textsimp.metrics.alignment_significance import Counts, f1_difference, score_intervals
from textsimp.metrics.resampling import Resampling
from textsimp.records import DocumentPair
from textsimp.sources.onestop_qa import ParagraphPair

TestSets = Mapping[str, Mapping[str, Sequence["ParagraphGold"]]]
"""Test set -> split -> gold."""
AlignParagraphs = Callable[[DocumentPair], NDArray[np.bool_]]
"""Says which paragraphs of a document pair are aligned. Shape: (k, l)."""
_NUMBERS = {"newsela": "Algorithm 2", "wikipedia": "Algorithm 4"}


@dataclass(frozen=True)
class ParagraphGold:
    """A document pair and which of its paragraphs people aligned. Shape: (k, l)."""

    pair: DocumentPair
    aligned: NDArray[np.bool_]


def gold_of(pairs: Iterable[ParagraphPair]) -> list[ParagraphGold]:
    """Gold paragraphs as a reader gives them, in matrices."""
    found = []
    for one in pairs:
        aligned = np.zeros((len(one.pair.simple.paragraphs), len(one.pair.complex.paragraphs)), dtype=bool)
        for link in one.links:
            aligned[link] = True
        found.append(ParagraphGold(one.pair, aligned))
    return found


def gold_sets(pairs: Mapping[str, Mapping[str, Sequence[ParagraphPair]]]) -> TestSets:
    """The gold of each test set's dev and test part."""
    return {name: {split: gold_of(found) for split, found in parts.items()} for name, parts in pairs.items()}


def documents_of(gold: TestSets) -> list[DocumentPair]:
    """Every document pair of all test sets and splits."""
    return [one.pair for parts in gold.values() for pairs in parts.values() for one in pairs]


def evaluate_paragraphs(
    gold: TestSets,
    aligner: Aligner,
    systems: Mapping[str, ComposedSystem],
    resampling: Resampling,
) -> dict[str, Any]:
    """Precision, recall and F1 of paragraph pairs in percent, micro-averaged over the documents of each test set.

    Args:
        gold: test set -> `dev`, where Algorithms 2 and 4 are tuned by F1, and `test`, where everything is measured.
        aligner: trained; its P(linked) is simSent of Algorithms 1 and 3.
        systems: fitted two-step systems, by name.
        resampling: of the document pairs, for intervals and differences.

    Returns:
        `{TEST_SET: {"dev_pairs", "test_pairs", "systems": {NAME: {"label", "precision", "recall", "f1", "intervals",
        "difference"}}}}`, the difference being that to the algorithm as trained with the aligner, which has none.

    Raises:
        InputError: dev or test of a test set has no document pairs.
    """
    for name, parts in gold.items():
        if empty := [split for split in ("dev", "test") if not parts[split]]:
            what = f"gold paragraphs, test set {name!r}: {empty[0]} has no document pairs"
            raise InputError(f"{what}; see corpus.NAME.paragraphs in conf/")
    aligner.scorer.prepare(documents_of(gold), "score sentence pairs")
    return {name: _evaluate(parts["dev"], parts["test"], aligner, systems, resampling) for name, parts in gold.items()}


def _evaluate(
    dev: Sequence[ParagraphGold],
    test: Sequence[ParagraphGold],
    aligner: Aligner,
    systems: Mapping[str, ComposedSystem],
    resampling: Resampling,
) -> dict[str, Any]:
    trained = f"{_NUMBERS[aligner.settings.algorithm]}, as trained with the aligner"
    ways: dict[str, tuple[str, AlignParagraphs]] = {"trained": (trained, aligner.paragraph_alignment)}
    examples = [ParagraphExample(_planes(gold.pair, aligner), gold.aligned) for gold in dev]
    for algorithm in ALGORITHMS:
        thresholds, _ = tune_thresholds(examples, algorithm, f_beta(1.0))
        ways[algorithm] = f"{_NUMBERS[algorithm]}, tuned", _by(aligner, algorithm, thresholds)
    ways |= {name: (system.config.label, system.paragraphs) for name, system in systems.items()}
    counts = {name: _counts(way, test) for name, (_, way) in ways.items()}
    base = counts["trained"]
    found = {name: {"label": label, **_scores(counts[name], base, resampling)} for name, (label, _) in ways.items()}
    return {"dev_pairs": len(dev), "test_pairs": len(test), "systems": found}


def fitted_systems(
    configs: Mapping[str, SystemConfig], resources: Resources, dev: Sequence[DocumentPair]
) -> dict[str, ComposedSystem]:
    """Two-step systems whose options and thresholds are tuned on labelled sentences."""
    shared = SharedSimilarities(resources)
    systems = {name: ComposedSystem(config, shared) for name, config in configs.items()}
    for system in systems.values():
        system.fit([], dev)
    return systems


def _by(aligner: Aligner, algorithm: Algorithm, thresholds: ParagraphThresholds) -> AlignParagraphs:
    return lambda pair: align_paragraphs(_planes(pair, aligner), algorithm, thresholds)


def _planes(pair: DocumentPair, aligner: Aligner) -> ParagraphScores:
    similarity = aligner.scores(pair).linked_probability()
    return paragraph_scores(similarity, pair.simple.paragraph_of, pair.complex.paragraph_of)


def _counts(way: AlignParagraphs, test: Sequence[ParagraphGold]) -> Counts:
    """Correct, found and gold paragraph pairs of each document pair. Shape: (documents, 3)."""
    found = [(way(gold.pair), gold.aligned) for gold in test]
    return np.array([[(a & b).sum(), a.sum(), b.sum()] for a, b in found], dtype=np.float64)


def _scores(counts: Counts, base: Counts, resampling: Resampling) -> dict[str, Any]:
    scores: dict[str, Any] = precision_recall_f1(*map(int, counts.sum(0)))
    scores["intervals"] = score_intervals(counts, resampling)
    return {**scores, "difference": None if counts is base else f1_difference(counts, base, resampling)}
