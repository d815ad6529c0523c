"""What a similarity is: a number for every pair of a simple and a complex text (F2)."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.alignment import Task
from textsimp.records import DocumentPair

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


class TextSimilarity(ABC):
    """A similarity that compares any two lists of texts, so that paragraphs and spans can be compared too."""

    knows_tasks: bool = False

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """See `Similarity.fit`; nothing to collect unless a subclass says so."""
        return self

    @abstractmethod
    def compare(self, rows: Sequence[str], columns: Sequence[str], task: Task = "task1") -> Matrix:
        """Similarity of each text of `rows` (simple) with each of `columns` (complex), in document order.

        Shape: (rows, columns). 0 where a text has nothing to compare.
        """

    def matrix(self, pair: DocumentPair, task: Task = "task1") -> Matrix:
        """See `Similarity.matrix`."""
        return self.compare(pair.simple.sentences, pair.complex.sentences, task)


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
