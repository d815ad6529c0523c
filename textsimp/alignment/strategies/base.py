"""What an alignment strategy is (F2)."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from textsimp.records import DocumentPair


class ScoredLink(NamedTuple):
    """A simple sentence, a complex sentence, and how sure the link is."""

    simple: int
    complex: int
    score: float


class Strategy(Protocol):
    """Chooses links from similarities.

    Links of a lower threshold contain those of a higher one, which are the ones whose score reaches it: a
    threshold can be tuned on the scores of one run with threshold 0.
    """

    def align(self, matrix: NDArray[np.float64], pair: DocumentPair) -> list[ScoredLink]:
        """Links sorted by simple, then complex sentence.

        Args:
            matrix: similarities. Shape: (m, n).
            pair: the documents, for strategies that look at their sentences.
        """
        ...
