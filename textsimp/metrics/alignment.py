"""Precision, recall and F1 of sentence alignment (Jiang et al. 2020, section 4.1, tables 2, 3, 12 and 13).

Task 1 tells aligned and partially aligned pairs from the rest, Task 2 aligned ones from the rest. Pairs of identical
sentences are easy and are left out, of the gold links and of the predicted ones. Counts are summed over all document
pairs (micro).
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from textsimp.errors import InputError
from textsimp.records import AlignmentLabel, DocumentPair, Link

Task: TypeAlias = Literal["task1", "task2"]
TASKS: tuple[Task, Task] = ("task1", "task2")
_LABELS = {"task1": frozenset(AlignmentLabel), "task2": frozenset([AlignmentLabel.ALIGNED])}


def alignment_scores(pairs: Iterable[tuple[DocumentPair, Sequence[Link]]]) -> dict[str, Any]:
    """Scores of predicted links against gold ones, micro-averaged over document pairs, in percent.

    Args:
        pairs: gold document pairs, each with the links that a system predicts for it.

    Returns:
        `{"task1": {"precision", "recall", "f1"}, "task2": {the same}, "counts": {"document_pairs", "task1":
        {"correct", "predicted", "gold"}, "task2": {the same}}}`. A precision without predictions is 0, and so is a
        recall without gold links.

    Raises:
        InputError: a document pair is unlabelled, or a predicted link names no sentence or one pair twice.
    """
    counts = {task: np.zeros(3, dtype=np.int64) for task in TASKS}
    number = 0
    for pair, predicted in pairs:
        number += 1
        for task, found in pair_counts(pair, predicted).items():
            counts[task] += found
    result: dict[str, Any] = {task: precision_recall_f1(*map(int, counts[task])) for task in TASKS}
    result["counts"] = {"document_pairs": number}
    for task in TASKS:
        result["counts"][task] = dict(zip(("correct", "predicted", "gold"), map(int, counts[task]), strict=True))
    return result


def pair_counts(pair: DocumentPair, predicted: Sequence[Link]) -> dict[Task, tuple[int, int, int]]:
    """Correct, predicted and gold links of one document pair for each task, identical pairs left out.

    Raises:
        InputError: as `alignment_scores`.
    """
    check_links(pair, predicted)
    counts: dict[Task, tuple[int, int, int]] = {}
    for task in TASKS:
        gold, found = _positives(pair, pair.alignments or (), task), _positives(pair, predicted, task)
        counts[task] = (len(gold & found), len(found), len(gold))
    return counts


def precision_recall_f1(correct: int, predicted: int, gold: int) -> dict[str, float]:
    """`{"precision", "recall", "f1"}` in percent from counts; a quotient by 0 is 0."""
    return {
        "precision": 100 * correct / predicted if predicted else 0.0,
        "recall": 100 * correct / gold if gold else 0.0,
        "f1": 200 * correct / (predicted + gold) if predicted + gold else 0.0,
    }


def identical_mask(pair: DocumentPair) -> np.ndarray:
    """Which pairs are the same sentence twice, and so not evaluated. Shape: (m, n), simple by complex; bool."""
    simple = np.array(pair.simple.sentences, dtype=object)
    return simple[:, None] == np.array(pair.complex.sentences, dtype=object)[None, :]  # (m, n)


def gold_mask(pair: DocumentPair, task: Task) -> np.ndarray:
    """Which pairs are positive in a task; identical ones are marked as the gold links say. Shape: (m, n); bool."""
    mask = np.zeros((len(pair.simple.sentences), len(pair.complex.sentences)), dtype=bool)
    for link in pair.alignments or ():
        mask[link.simple, link.complex] |= link.label in _LABELS[task]
    return mask


def _positives(pair: DocumentPair, links: Sequence[Link], task: Task) -> set[tuple[int, int]]:
    simple, complex_ = pair.simple.sentences, pair.complex.sentences
    return {
        (link.simple, link.complex)
        for link in links
        if link.label in _LABELS[task] and simple[link.simple] != complex_[link.complex]
    }


def check_links(pair: DocumentPair, predicted: Sequence[Link]) -> None:
    """`InputError` where the document pair is unlabelled, or a predicted link names no sentence or one pair twice."""
    if pair.alignments is None:
        raise InputError(f"document pair {pair.id!r}: has no 'alignments' to compare with; give a labelled file")
    seen: set[tuple[int, int]] = set()
    simple, complex_ = len(pair.simple.sentences), len(pair.complex.sentences)
    for link in predicted:
        where = (link.simple, link.complex)
        if not (0 <= link.simple < simple and 0 <= link.complex < complex_):
            raise InputError(
                f"document pair {pair.id!r}: predicted link {where} names no sentence; "
                f"simple has 0 to {simple - 1}, complex 0 to {complex_ - 1}"
            )
        if where in seen:
            raise InputError(f"document pair {pair.id!r}: predicted link {where} comes twice; give one label a pair")
        seen.add(where)
