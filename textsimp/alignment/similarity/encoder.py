"""The fine-tuned pair encoder of a trained aligner as a similarity: BERT finetune of Table 3 (F2)."""

from collections.abc import Sequence
from typing import Self

from textsimp.alignment.neural.aligner import Aligner
from textsimp.alignment.similarity.base import Matrix
from textsimp.metrics.alignment import Task
from textsimp.records import DocumentPair


class FineTunedEncoder:
    """P(aligned or partial) for Task 1 and P(aligned) for Task 2 (section 2.2, appendix A.1)."""

    knows_tasks = True

    def __init__(self, aligner: Aligner) -> None:
        self.aligner = aligner

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Nothing to collect: the aligner was trained before."""
        return self

    def matrix(self, pair: DocumentPair, task: Task = "task1") -> Matrix:
        """See `Similarity.matrix`; pairs that the encoder does not look at are near 0."""
        scores = self.aligner.scores(pair)
        return scores.linked_probability() if task == "task1" else scores.aligned_probability()
