"""A similarity: a number for every pair of a simple and a complex text.

Some answer the two tasks by probabilities (Jiang et al. 2020, section 4.2).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.parts import Part
from textsimp.alignment.strategies.strategy import Compare, Comparison
from textsimp.alignment.words import best_of_rows
from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair
from textsimp.core.settings import structured
from textsimp.metrics.curves import precision_recall_curve
from textsimp.metrics.links import TASKS, Task, evaluated

if TYPE_CHECKING:
    from textsimp.alignment.cache import Cache

Matrix = NDArray[np.float64]
Matrices = tuple[Matrix, Matrix]
"""For Task 1 and for Task 2."""


class Similarity(ABC):
    """A similarity of every simple with every complex sentence of a document pair; higher is more alike.

    Attributes:
        name: of `SIMILARITIES`.
    """

    name = ""

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Collect what it needs from the documents at hand, labels aside. Returns itself."""
        return self

    @abstractmethod
    def matrices(self, pair: DocumentPair) -> Matrices:
        """Similarities for both tasks. Shapes: (m, n)."""

    def matrix(self, pair: DocumentPair, task: Task = "task1") -> Matrix:
        """Similarities for a task. Shape: (m, n)."""
        return self.matrices(pair)[TASKS.index(task)]

    def sentences(self, pair: DocumentPair, task: Task) -> Comparison:
        """The sentences of a document pair compared, its matrix (m, n) kept."""
        matrices = self._keep("sentences", pair, lambda: self.matrices(pair))
        sides = pair.simple.sentences, pair.complex.sentences
        return Comparison(*sides, matrices[TASKS.index(task)], self._comparing(task))

    def paragraphs(self, pair: DocumentPair, task: Task) -> Comparison:
        """The paragraphs of a document pair compared, each as one text, its matrix (k, l) kept.

        Raises:
            InputError: it compares sentences only.
        """
        raise InputError(f"alignment_system: paragraphs: own: {self.name} compares sentences only")

    def forget(self) -> None:
        """Drop what was kept of document pairs and texts."""
        self._kept.clear()

    @cached_property
    def _kept(self) -> dict[tuple[str, int], tuple[DocumentPair, Matrices]]:
        return {}

    def _keep(self, unit: str, pair: DocumentPair, compute: Callable[[], Matrices]) -> Matrices:
        # by identity: a document pair's hash reads all its text. The pair is kept, so that its id stays its own.
        if (unit, id(pair)) not in self._kept:
            self._kept[unit, id(pair)] = (pair, compute())
        return self._kept[unit, id(pair)][1]

    def _comparing(self, task: Task) -> Compare | None:
        return None


class TextSimilarity(Similarity):
    """A similarity that compares any two lists of texts, so that paragraphs and spans can be compared too."""

    @abstractmethod
    def compare(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        """Similarity of each text of `rows` (simple) with each of `columns` (complex), in document order.

        Shape: (rows, columns). 0 where a text has nothing to compare.
        """

    def both(self, rows: Sequence[str], columns: Sequence[str]) -> Matrices:
        """Return the same for Task 1 and for Task 2, which most measures do not tell apart."""
        matrix = self.compare(rows, columns)
        return matrix, matrix

    def matrices(self, pair: DocumentPair) -> Matrices:
        return self.both(pair.simple.sentences, pair.complex.sentences)

    def paragraphs(self, pair: DocumentPair, task: Task) -> Comparison:
        simple, complex_ = ([" ".join(texts) for texts in side.paragraphs] for side in (pair.simple, pair.complex))
        matrices = self._keep("paragraphs", pair, lambda: self.both(simple, complex_))
        return Comparison(simple, complex_, matrices[TASKS.index(task)], self._comparing(task))

    def _comparing(self, task: Task) -> Compare:
        return lambda rows, columns: self.both(rows, columns)[TASKS.index(task)]


class TrainedSimilarity(TextSimilarity):
    """P(aligned or partial) for Task 1 and P(aligned) for Task 2, by weights learned from labelled document pairs."""

    is_trained = False

    @abstractmethod
    def both(self, rows: Sequence[str], columns: Sequence[str]) -> Matrices:
        """Both tasks' probabilities of each text of `rows` with each of `columns`. Shapes: (rows, columns)."""

    def compare(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        return self.both(rows, columns)[0]

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


def first_of_each(matrices: Sequence[Matrix]) -> NDArray[np.bool_]:
    """Mark the pairs that some measure puts first among those of their simple sentence, of equals the first one.

    There is at least one measure. Shapes: (m, n) each to (m, n).
    """
    return np.logical_or.reduce([best_of_rows(matrix, 1) for matrix in matrices])


class Candidates(Similarity):
    """A similarity of candidate pairs alone, -inf for all others: the condition of most rows of Tables 12 and 13.

    Candidates are the complex sentences that one of several measures puts first (section 3.2). The strategy that goes
    with it is `threshold` (appendix C).

    Args:
        of: name and options of the similarity.
        measures: name and options of each measure that proposes candidates; they answer Task 1.
    """

    def __init__(self, cache: "Cache", of: dict[str, Any], measures: list[dict[str, Any]]) -> None:
        self.of, *self.measures = (cache.similarity(structured(part, Part)) for part in (of, *measures))
        if trained := [part.name for part in (self.of, *self.measures) if isinstance(part, TrainedSimilarity)]:
            raise InputError(f"similarity candidates: {trained[0]} has to be trained; give one that is not")

    def matrices(self, pair: DocumentPair) -> Matrices:
        chosen = first_of_each([measure.sentences(pair, "task1").matrix for measure in self.measures])
        linked, aligned = (np.where(chosen, self.of.sentences(pair, task).matrix, -np.inf) for task in TASKS)
        return linked, aligned


def best_f1(similarity: TextSimilarity, pairs: Sequence[DocumentPair], task: Task = "task1") -> float:
    """F1 of the best threshold on labelled pairs in percent, identical sentences left out; 0 without pairs."""
    if not pairs:
        return 0.0
    scores, gold = evaluated(similarity.matrix, pairs, task)
    return precision_recall_curve(scores, gold, int(gold.sum())).max_f1
