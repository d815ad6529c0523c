"""Similarities that several systems share: each is fitted once and each matrix computed once (F2)."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from textsimp.alignment.resources import Resources
from textsimp.alignment.similarity import make_similarity
from textsimp.alignment.similarity.base import Matrix, Similarity, TextSimilarity, Trained
from textsimp.alignment.strategies import Comparison
from textsimp.alignment.system_config import Part
from textsimp.errors import InputError
from textsimp.metrics.alignment import Task
from textsimp.records import DocumentPair


@dataclass
class KnownSimilarity:
    """A fitted similarity that keeps its matrices.

    Attributes:
        part: its name and options.
        is_trained: whether a similarity with weights has them.
    """

    part: Part
    similarity: Similarity
    is_trained: bool = False
    _kept: dict[tuple[str, int, Task | None], tuple[DocumentPair, Matrix]] = field(default_factory=dict)

    def sentences(self, pair: DocumentPair, task: Task) -> Comparison:
        """The sentences of a document pair compared. Shape of its matrix: (m, n)."""
        matrix = self._matrix("sentences", pair, task, lambda: self.similarity.matrix(pair, task))
        return Comparison(pair.simple.sentences, pair.complex.sentences, matrix, self._compare(task))

    def paragraphs(self, pair: DocumentPair, task: Task) -> Comparison:
        """The paragraphs of a document pair compared, each as one text. Shape of its matrix: (k, l)."""
        compare = self._compare(task)
        if compare is None:
            raise InputError(f"alignment_system: paragraphs: own: {self.part.name} compares sentences only")
        simple, complex_ = ([" ".join(texts) for texts in side.paragraphs] for side in (pair.simple, pair.complex))
        matrix = self._matrix("paragraphs", pair, task, lambda: compare(simple, complex_))
        return Comparison(simple, complex_, matrix, compare)

    def train(self, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> list[dict[str, float]]:
        """Train a similarity that has weights, unless it is trained. Returns the training curve."""
        if self.is_trained or not isinstance(self.similarity, Trained):
            return []
        if not train:
            raise InputError(f"--train: {self.part.name} learns from labelled document pairs; give a file of them")
        self.forget()
        self.is_trained = True
        return self.similarity.train(train, dev)

    def forget(self) -> None:
        """Drop the matrices, to bound memory over many document pairs."""
        self._kept.clear()

    def _compare(self, task: Task) -> Callable[[Sequence[str], Sequence[str]], Matrix] | None:
        similarity = self.similarity
        if not isinstance(similarity, TextSimilarity):
            return None
        return lambda rows, columns: similarity.compare(rows, columns, task)

    def _matrix(self, unit: str, pair: DocumentPair, task: Task, compute: Callable[[], Matrix]) -> Matrix:
        # by identity: a document pair's hash reads all its text. The pair is kept, so that its id stays its own.
        key = (unit, id(pair), task if self.similarity.knows_tasks else None)
        if key not in self._kept:
            self._kept[key] = (pair, compute())
        return self._kept[key][1]


class SharedSimilarities:
    """The similarities of one comparison of systems, by name and options."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self._known: dict[str, KnownSimilarity] = {}

    def get(self, part: Part) -> KnownSimilarity:
        """The similarity of these options, fitted on the documents at hand."""
        key = json.dumps([part.name, part.options], sort_keys=True)
        if key not in self._known:
            similarity = make_similarity(part.name, part.options, self.resources).fit(self.resources.corpus)
            self._known[key] = KnownSimilarity(part, similarity)
        return self._known[key]

    def forget(self) -> None:
        """Drop all matrices."""
        for known in self._known.values():
            known.forget()
