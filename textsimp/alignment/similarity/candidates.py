"""Candidates of Jiang et al. 2020, section 3.2: the complex sentences that one of several measures puts first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.parts import Part
from textsimp.alignment.similarity.similarity import Matrix, Similarity, TrainedSimilarity
from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair
from textsimp.core.settings import structured
from textsimp.metrics.links import Task

if TYPE_CHECKING:
    from textsimp.alignment.cache import Cache


def first_of_each(matrices: Sequence[Matrix]) -> NDArray[np.bool_]:
    """The pairs that some measure puts first among those of their simple sentence; of equals the first in the text.

    Args:
        matrices: of each measure, at least one. Shapes: (m, n), all alike.

    Returns:
        Whether a pair is a candidate. Shape: (m, n).
    """
    chosen = np.zeros(matrices[0].shape, dtype=bool)
    if chosen.size:
        for matrix in matrices:
            chosen[np.arange(len(matrix)), matrix.argmax(1)] = True
    return chosen


class Candidates(Similarity):
    """A similarity of candidate pairs alone, -inf for all others: the condition of most rows of Tables 12 and 13.

    It goes with the strategy `threshold` (appendix C).

    Args:
        of: name and options of the similarity.
        measures: name and options of each measure that proposes candidates; they answer Task 1.
    """

    def __init__(self, cache: "Cache", of: dict[str, Any], measures: list[dict[str, Any]]) -> None:
        self.of, *self.measures = (cache.similarity(structured(part, Part)) for part in (of, *measures))
        if trained := [part.name for part in (self.of, *self.measures) if isinstance(part, TrainedSimilarity)]:
            raise InputError(f"similarity candidates: {trained[0]} has to be trained; give one that is not")
        self.knows_tasks = self.of.knows_tasks

    def matrix(self, pair: DocumentPair, task: Task = "task1") -> Matrix:
        chosen = first_of_each([measure.sentences(pair, "task1").matrix for measure in self.measures])
        return np.where(chosen, self.of.sentences(pair, task).matrix, -np.inf)
