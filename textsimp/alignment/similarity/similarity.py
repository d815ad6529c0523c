"""What a similarity is: a number for every pair of a simple and a complex text.

Some answer the two tasks by probabilities (Jiang et al. 2020, section 4.2).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.strategies.strategy import Comparison
from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair
from textsimp.metrics.curves import precision_recall_curve
from textsimp.metrics.links import TASKS, Task, evaluated

Matrix = NDArray[np.float64]


class Similarity(ABC):
    """A similarity of every simple with every complex sentence of a document pair; higher is more alike.

    Attributes:
        name: of `SIMILARITIES`.
        knows_tasks: whether `matrix` answers the two tasks differently; most measures do not.
    """

    name = ""
    knows_tasks = False

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Collect what it needs from the documents at hand, labels aside. Returns itself."""
        return self

    @abstractmethod
    def matrix(self, pair: DocumentPair, task: Task = "task1") -> Matrix:
        """Similarities for a task. Shape: (m, n)."""

    def sentences(self, pair: DocumentPair, task: Task) -> Comparison:
        """The sentences of a document pair compared, its matrix (m, n) kept."""
        matrix = self._keep("sentences", pair, task, lambda: self.matrix(pair, task))
        return Comparison(pair.simple.sentences, pair.complex.sentences, matrix, self._comparing(task))

    def paragraphs(self, pair: DocumentPair, task: Task) -> Comparison:
        """The paragraphs of a document pair compared, each as one text, its matrix (k, l) kept.

        Raises:
            InputError: it compares sentences only.
        """
        compare = self._comparing(task)
        if compare is None:
            raise InputError(f"alignment_system: paragraphs: own: {self.name} compares sentences only")
        simple, complex_ = ([" ".join(texts) for texts in side.paragraphs] for side in (pair.simple, pair.complex))
        matrix = self._keep("paragraphs", pair, task, lambda: compare(simple, complex_))
        return Comparison(simple, complex_, matrix, compare)

    def forget(self) -> None:
        """Drop what was kept of document pairs and texts."""
        self._kept.clear()

    @cached_property
    def _kept(self) -> dict[tuple[str, int, Task | None], tuple[DocumentPair, Matrix]]:
        return {}

    def _keep(self, unit: str, pair: DocumentPair, task: Task, compute: Callable[[], Matrix]) -> Matrix:
        # by identity: a document pair's hash reads all its text. The pair is kept, so that its id stays its own.
        key = (unit, id(pair), task if self.knows_tasks else None)
        if key not in self._kept:
            self._kept[key] = (pair, compute())
        return self._kept[key][1]

    def _comparing(self, task: Task) -> Callable[[Sequence[str], Sequence[str]], Matrix] | None:
        return None


class TextSimilarity(Similarity):
    """A similarity that compares any two lists of texts, so that paragraphs and spans can be compared too."""

    @abstractmethod
    def compare(self, rows: Sequence[str], columns: Sequence[str], task: Task = "task1") -> Matrix:
        """Similarity of each text of `rows` (simple) with each of `columns` (complex), in document order.

        Shape: (rows, columns). 0 where a text has nothing to compare.
        """

    def matrix(self, pair: DocumentPair, task: Task = "task1") -> Matrix:
        return self.compare(pair.simple.sentences, pair.complex.sentences, task)

    def _comparing(self, task: Task) -> Callable[[Sequence[str], Sequence[str]], Matrix]:
        return lambda rows, columns: self.compare(rows, columns, task)


_KEPT_CELLS = 2_000_000
"""Text pairs whose probabilities are kept: both tasks are asked for one after the other over all document pairs."""


class TrainedSimilarity(TextSimilarity):
    """P(aligned or partial) for Task 1 and P(aligned) for Task 2, by weights learned from labelled document pairs.

    Both are computed together and kept for a while.
    """

    knows_tasks = True
    is_trained = False

    @abstractmethod
    def probabilities(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        """Both tasks' probabilities of each text of `rows` with each of `columns`. Shape: (2, rows, columns)."""

    @abstractmethod
    def train(self, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> list[dict[str, Any]]:
        """Learn from `train`, choose on `dev`. Returns the training curve: rows of step, loss, dev_f1."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the weights into an existing folder (JSON, safetensors)."""

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Read what `save` wrote; `InputError` where the files are damaged or of another model."""

    def train_once(self, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> list[dict[str, Any]]:
        """As `train`, unless it is trained, which gives an empty curve; `InputError` where there is nothing to learn.

        Several systems may share a similarity.
        """
        if self.is_trained:
            return []
        if not train:
            raise InputError(f"--train: {self.name} learns from labelled document pairs; give a file of them")
        self.forget()
        self.is_trained = True
        return self.train(train, dev)

    def compare(self, rows: Sequence[str], columns: Sequence[str], task: Task = "task1") -> Matrix:
        key = tuple(rows), tuple(columns)
        if key not in self._recent:
            probabilities = self.probabilities(rows, columns)
            cells = sum(matrix[0].size for matrix in self._recent.values())
            while self._recent and cells + probabilities[0].size > _KEPT_CELLS:
                cells -= self._recent.pop(next(iter(self._recent)))[0].size
            self._recent[key] = probabilities
        return self._recent[key][TASKS.index(task)].copy()

    @cached_property
    def _recent(self) -> dict[tuple[tuple[str, ...], tuple[str, ...]], Matrix]:
        return {}

    def forget(self) -> None:
        super().forget()
        self._recent.clear()


def best_f1(similarity: TextSimilarity, pairs: Sequence[DocumentPair], task: Task = "task1") -> float:
    """F1 of the best threshold on labelled pairs in percent, identical sentences left out; 0 without pairs."""
    if not pairs:
        return 0.0
    scores, gold = evaluated(similarity.matrix, pairs, task)
    return precision_recall_curve(scores, gold, int(gold.sum())).max_f1
