"""What a similarity is: a number for every pair of a simple and a complex text.

Some answer the two tasks by probabilities (Jiang et al. 2020, section 4.2).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from textsimp.core.records import DocumentPair
from textsimp.metrics.curves import precision_recall_curve
from textsimp.metrics.links import TASKS, Task, gold_mask, identical_mask

Matrix = NDArray[np.float64]


class Similarity(Protocol):
    """A similarity of every simple with every complex sentence of a document pair; higher is more alike.

    Attributes:
        knows_tasks: whether `matrix` answers the two tasks differently.
    """

    knows_tasks: bool

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Collect what it needs from the documents at hand, labels aside. Returns itself."""
        ...

    def matrix(self, pair: DocumentPair, task: Task = "task1") -> Matrix:
        """Similarities for a task; most measures know no tasks and answer both alike. Shape: (m, n)."""
        ...

    def forget(self) -> None:
        """Drop what was kept of texts."""
        ...


class TextSimilarity(ABC):
    """A similarity that compares any two lists of texts, so that paragraphs and spans can be compared too."""

    knows_tasks: bool = False

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Nothing to collect unless a subclass says so."""
        return self

    @abstractmethod
    def compare(self, rows: Sequence[str], columns: Sequence[str], task: Task = "task1") -> Matrix:
        """Similarity of each text of `rows` (simple) with each of `columns` (complex), in document order.

        Shape: (rows, columns). 0 where a text has nothing to compare.
        """

    def matrix(self, pair: DocumentPair, task: Task = "task1") -> Matrix:
        return self.compare(pair.simple.sentences, pair.complex.sentences, task)

    def forget(self) -> None:  # noqa: B027 most similarities keep nothing
        """See `Similarity.forget`."""


@runtime_checkable
class Trained(Protocol):
    """A similarity with weights of its own, learned from labelled document pairs and kept in a folder."""

    def train(self, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> list[dict[str, Any]]:
        """Learn from `train`, choose on `dev`. Returns the training curve: rows of step, loss, dev_f1."""
        ...

    def save(self, folder: Path) -> None:
        """Write the weights into an existing folder (JSON, safetensors; never pickle)."""
        ...

    def load(self, folder: Path) -> None:
        """Read what `save` wrote; `InputError` where the files are damaged or of another model."""
        ...


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
        key = tuple(rows), tuple(columns)
        if key not in self._recent:
            probabilities = self.probabilities(rows, columns)
            cells = sum(matrix[0].size for matrix in self._recent.values())
            while self._recent and cells + probabilities[0].size > _KEPT_CELLS:
                cells -= self._recent.pop(next(iter(self._recent)))[0].size
            self._recent[key] = probabilities
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
