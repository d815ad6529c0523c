"""Evaluation of one system on a user's own gold data, beside another one (F2)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from textsimp.alignment.evaluation import curves_of, details_of, scores_of
from textsimp.alignment.own_documents import Given, labelled_pairs, ready_system, system_names
from textsimp.errors import InputError
from textsimp.metrics.alignment_significance import Predictions, SignificanceConfig, difference
from textsimp.params import from_conf
from textsimp.records import DocumentPair, read_pairs


def evaluate_file(
    gold: Path, system: str, given: Given, predictions: Path | None = None, against: str | None = None
) -> dict[str, Any]:
    """What `textsimp evaluate-alignment` prints.

    Args:
        predictions: score the alignments of this file instead of running the system.
        against: a file of alignments or the name of a system, to compare with.

    Returns:
        `{"system", "task1": {precision, recall, f1, max_f1, area}, "task2": ..., **details_of(...), "difference"}`;
        max_f1 and area are null for predictions, which have no scores.
    """
    pairs = labelled_pairs(gold)
    if predictions is not None:
        name, links, curves = str(predictions), read_predictions(predictions, pairs), None
    else:
        ready = ready_system(system, given, pairs)
        name, links, curves = system, [ready.align(pair) for pair in pairs], curves_of(ready, pairs)
    result = {"system": name, **scores_of(pairs, links, curves), **details_of(pairs, links)}
    if against is not None:
        config = from_conf("significance", SignificanceConfig)
        others = _links_of(against, given, pairs)
        result["difference"] = {"to": against, **difference(pairs, links, others, config.resampling)}
    return result


def read_predictions(path: Path, pairs: Sequence[DocumentPair]) -> Predictions:
    """The alignments that a file gives to the gold document pairs, found by their ids.

    Raises:
        InputError: a document pair is absent, comes twice, has no alignments, or has other sentences than the gold.
    """
    found: dict[str, DocumentPair] = {}
    for pair in read_pairs(path):
        if pair.id in found:
            raise InputError(f"{path}: document pair {pair.id!r} comes twice; give each once")
        found[pair.id] = pair
    return [_checked(found.get(pair.id), pair, path).alignments for pair in pairs]


def _checked(predicted: DocumentPair | None, gold: DocumentPair, path: Path) -> DocumentPair:
    if predicted is None or predicted.alignments is None:
        raise InputError(f"{path}: has no alignments for document pair {gold.id!r}; align the gold file's documents")
    if (predicted.simple.sentences, predicted.complex.sentences) != (gold.simple.sentences, gold.complex.sentences):
        raise InputError(f"{path}: document pair {gold.id!r} has other sentences than the gold file; align those")
    return predicted


def _links_of(against: str, given: Given, pairs: Sequence[DocumentPair]) -> Predictions:
    if against in system_names():
        other = ready_system(against, replace(given, save=None), pairs)
        return [other.align(pair) for pair in pairs]
    if not Path(against).is_file():
        known = ", ".join(system_names())
        raise InputError(f"--against: {against!r} is neither a file nor an alignment system ({known})")
    return read_predictions(Path(against), pairs)
