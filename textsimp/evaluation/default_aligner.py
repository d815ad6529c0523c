"""The aligners that travel with the package on every gold set: test splits, what is set aside, other languages."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from textsimp.alignment.systems import System
from textsimp.core.progress import progress
from textsimp.core.records import DocumentPair, read_pairs
from textsimp.core.results import Resampling, Results
from textsimp.evaluation.aligners import curves_of, score_predictions
from textsimp.metrics.curves import expected_calibration_error
from textsimp.metrics.links import F1S, TASKS, evaluated
from textsimp.metrics.registry import REFERENCE

_CALIBRATION = "calibration_error"
HEADLINE = [*F1S, *(f"{task}.{_CALIBRATION}" for task in TASKS)]
"""The measures for `dvc metrics`."""


def gold_sets(
    corpora: Sequence[str], splits: Path, audit: Path, german: Sequence[DocumentPair]
) -> dict[str, list[DocumentPair]]:
    """Labelled document pairs by scope: test split and what is set aside of each corpus, German by difficulty."""
    gold = {}
    for corpus in corpora:
        gold[f"{corpus} test"] = list(read_pairs(splits / corpus / "test.jsonl"))
        gold[f"{corpus} set aside"] = list(read_pairs(audit / f"{corpus}.jsonl"))
    gold["German"] = list(german)
    for level in sorted({pair.id.split("_")[0] for pair in german}):
        gold[f"German {level}"] = [pair for pair in german if pair.id.startswith(f"{level}_")]
    return gold


def evaluate_default(
    systems: Mapping[str, System], gold: Mapping[str, Sequence[DocumentPair]], resampling: Resampling
) -> Results:
    """P, R, F1 of both tasks, with intervals over article sets, curves, and the calibration error of both tasks.

    Args:
        systems: with probabilities as scores.
        gold: labelled document pairs by the name of their scope; scopes without pairs have no numbers.
    """
    results = Results(resampling=resampling)
    for scope, pairs in gold.items():
        results.put(scope, REFERENCE, {"document_pairs": len(pairs)})
        if not pairs:
            continue
        links, curves = {}, {}
        for name, system in systems.items():
            system.prepare(pairs)
            links[name] = [system.align(pair) for pair in progress(pairs, desc=f"{name}: {scope}", unit=" pairs")]
            curves[name] = curves_of(system, pairs)
            for task in TASKS:
                scores, happened = evaluated(system.scores, pairs, task)
                error = 100 * expected_calibration_error(np.maximum(scores, 0.0), happened)
                results.put(scope, name, {f"{task}.{_CALIBRATION}": error})
        score_predictions(results, scope, pairs, links, curves, list(systems)[:1], resampling)
    return results
