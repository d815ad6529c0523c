"""Paragraph aligners against gold paragraphs: Algorithms 1-4 and the first step of two-step systems.

Jiang et al. 2020, section 2.4, has no numbers for its paragraph alignment alone; here are some. The algorithms read
P(linked) of a trained aligner, with the thresholds of its training or with some tuned on articles with gold paragraphs.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner import Aligner
from textsimp.alignment.neural.paragraphs import (
    ALGORITHMS,
    Algorithm,
    ParagraphExample,
    ParagraphThresholds,
    align_paragraphs,
    tune_thresholds,
)
from textsimp.alignment.parts import SystemConfig
from textsimp.alignment.systems import ComposedSystem
from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair
from textsimp.core.results import Resampling, Results
from textsimp.metrics.links import f1_statistics
from textsimp.metrics.resampling import score_systems
from textsimp.metrics.scores import SegmentStatistics
from textsimp.sources.onestop import ParagraphPair

TestSets = Mapping[str, Mapping[str, Sequence[ParagraphPair]]]
"""Test set -> split -> gold."""
AlignParagraphs = Callable[[DocumentPair], NDArray[np.bool_]]
"""Says which paragraphs of a document pair are aligned. Shape: (k, l)."""
TRAINED = "trained"
"""The name of the algorithm and thresholds that the aligner was trained with."""


def documents_of(gold: TestSets) -> list[DocumentPair]:
    """Return every document pair of all test sets and splits."""
    return [labelled.pair for parts in gold.values() for pairs in parts.values() for labelled in pairs]


def evaluate_paragraphs(
    gold: TestSets, aligner: Aligner, systems: Mapping[str, ComposedSystem], resampling: Resampling
) -> Results:
    """Return precision, recall and F1 of paragraph pairs in percent, micro-averaged over documents of test sets.

    Args:
        gold: test set -> `dev`, where Algorithms 2 and 4 are tuned by F1, and `test`, where everything is measured.
        aligner: trained; its P(linked) is simSent of Algorithms 1 and 3.
        systems: fitted two-step systems, by name.
        resampling: of the document pairs, for intervals and differences.

    Returns:
        Scope: test set; systems: `trained`, the algorithm and thresholds of the aligner's training (note `trained` says
        which), `newsela` and `wikipedia`, Algorithms 2 and 4 tuned, and the two-step systems, each compared with
        `trained`; system `gold`: `dev_pairs` and `test_pairs`, numbers of document pairs.

    Raises:
        InputError: dev or test of a test set has no document pairs.
    """
    for name, parts in gold.items():
        if empty := [split for split in ("dev", "test") if not parts[split]]:
            what = f"gold paragraphs, test set {name!r}: {empty[0]} has no document pairs"
            raise InputError(f"{what}; see corpus.NAME.paragraphs in conf/")
    aligner.scorer.prepare(documents_of(gold), "score sentence pairs")
    results = Results(resampling=resampling, notes={TRAINED: aligner.settings.algorithm})
    for name, parts in gold.items():
        methods = _methods(parts["dev"], aligner)
        methods |= {key: system.paragraph_alignment for key, system in systems.items()}
        statistics = {key: {"": _statistics(method, parts["test"])} for key, method in methods.items()}
        score_systems(results, name, statistics, [(key, TRAINED) for key in methods if key != TRAINED], resampling)
        results.put(name, "gold", {f"{split}_pairs": len(parts[split]) for split in ("dev", "test")})
    return results


def fitted_systems(
    configs: Mapping[str, SystemConfig], cache: Cache, dev: Sequence[DocumentPair]
) -> dict[str, ComposedSystem]:
    """Return two-step systems whose options and thresholds are tuned on labelled sentences."""
    systems = {name: ComposedSystem(config, cache) for name, config in configs.items()}
    for system in systems.values():
        system.fit([], dev)
    return systems


def _methods(dev: Sequence[ParagraphPair], aligner: Aligner) -> dict[str, AlignParagraphs]:
    """Return the algorithm as trained with the aligner, and both algorithms with thresholds tuned on dev."""
    methods: dict[str, AlignParagraphs] = {TRAINED: aligner.paragraph_alignment}
    examples = [ParagraphExample(aligner.paragraph_scores(gold.pair), _aligned(gold)) for gold in dev]
    for algorithm in ALGORITHMS:
        thresholds, _ = tune_thresholds(examples, algorithm, 1.0)
        methods[algorithm] = _by(aligner, algorithm, thresholds)
    return methods


def _by(aligner: Aligner, algorithm: Algorithm, thresholds: ParagraphThresholds) -> AlignParagraphs:
    return lambda pair: align_paragraphs(aligner.paragraph_scores(pair), algorithm, thresholds)


def _aligned(gold: ParagraphPair) -> NDArray[np.bool_]:
    """Return which paragraphs people aligned. Shape: (k, l)."""
    aligned = np.zeros((len(gold.pair.simple.paragraphs), len(gold.pair.complex.paragraphs)), dtype=bool)
    for link in gold.links:
        aligned[link] = True
    return aligned


def _statistics(method: AlignParagraphs, test: Sequence[ParagraphPair]) -> SegmentStatistics:
    """Count correct, predicted and gold paragraph pairs of each document pair."""
    predicted = [(method(gold.pair), _aligned(gold)) for gold in test]
    return f1_statistics(np.array([[(a & b).sum(), a.sum(), b.sum()] for a, b in predicted], float), "PARAGRAPHS")
