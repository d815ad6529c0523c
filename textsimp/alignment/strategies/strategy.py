"""The form of an alignment strategy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Compare = Callable[[Sequence[str], Sequence[str]], Matrix]


@dataclass(frozen=True)
class Comparison:
    """The input of a strategy: the texts of both sides in document order, and how alike they are.

    The texts are the sentences of two documents, of two aligned paragraphs, or whole paragraphs.

    Attributes:
        matrix: similarities. Shape: (m simple texts, n complex texts).
        compare: the same similarity between any other texts, such as several sentences joined by a space; None
            where the similarity knows only the sentences of the documents.
    """

    simple: Sequence[str]
    complex: Sequence[str]
    matrix: Matrix
    compare: Compare | None = None

    def block(self, simple: Sequence[int], complex_: Sequence[int]) -> "Comparison":
        """The comparison of some of the texts alone."""
        return Comparison(
            [self.simple[i] for i in simple],
            [self.complex[j] for j in complex_],
            self.matrix[np.ix_(simple, complex_)],
            self.compare,
        )


class Strategy(Protocol):
    """Chooses links from similarities.

    Links are not cut by a threshold here: a system keeps those whose score reaches the threshold that was tuned on
    dev (or fixed by its source). A strategy whose search itself depends on a bound has it among its options.
    """

    def align(self, comparison: Comparison) -> Matrix:
        """Return how sure each link is; -inf where there is none. Works for empty sides. Shape: (m, n)."""
        ...


def no_links(comparison: Comparison) -> Matrix:
    """-inf everywhere: what a strategy starts from. Shape: (m, n)."""
    return np.full(comparison.matrix.shape, -np.inf)
