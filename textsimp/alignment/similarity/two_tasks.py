"""Similarities that answer the two tasks by probabilities (Jiang et al. 2020, section 4.2) (F2)."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from textsimp.alignment.similarity.base import Matrix, TextSimilarity
from textsimp.metrics.alignment import TASKS, Task, gold_mask, identical_mask
from textsimp.metrics.curves import precision_recall_curve
from textsimp.records import DocumentPair

_KEPT_CELLS = 2_000_000
"""Text pairs whose probabilities are kept: both tasks are asked for one after the other over all document pairs."""

_Key = tuple[tuple[str, ...], tuple[str, ...]]


class TwoTaskSimilarity(TextSimilarity):
    """P(aligned or partial) for Task 1 and P(aligned) for Task 2, computed together and kept for a while."""

    knows_tasks = True

    def __init__(self) -> None:
        self._recent: dict[_Key, Matrix] = {}

    @abstractmethod
    def probabilities(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        """Both tasks' probabilities of each text of `rows` with each of `columns`. Shape: (2, rows, columns)."""

    def compare(self, rows: Sequence[str], columns: Sequence[str], task: Task = "task1") -> Matrix:
        """See `TextSimilarity.compare`. Raises RuntimeError before `train` or `load`."""
        key = tuple(rows), tuple(columns)
        if key not in self._recent:
            found = self.probabilities(rows, columns)
            kept = sum(matrix[0].size for matrix in self._recent.values())
            while self._recent and kept + found[0].size > _KEPT_CELLS:
                kept -= self._recent.pop(next(iter(self._recent)))[0].size
            self._recent[key] = found
        return self._recent[key][TASKS.index(task)].copy()

    def forget(self) -> None:
        """Drop what was kept, because the weights have changed."""
        self._recent.clear()


def best_f1(similarity: TextSimilarity, pairs: Sequence[DocumentPair], task: Task = "task1") -> float:
    """F1 of the best threshold on labelled pairs in percent, identical sentences left out; 0 without pairs."""
    if not pairs:
        return 0.0
    keep = [~identical_mask(pair) for pair in pairs]
    scores = np.concatenate([similarity.matrix(pair, task)[mask] for pair, mask in zip(pairs, keep, strict=True)])
    gold = np.concatenate([gold_mask(pair, task)[mask] for pair, mask in zip(pairs, keep, strict=True)])
    return precision_recall_curve(scores, gold, int(gold.sum())).max_f1
