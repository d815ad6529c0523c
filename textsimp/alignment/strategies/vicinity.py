"""Vicinity-driven search of MASSAlign: Paetzold, Alva-Manchego and Specia 2017, after Paetzold and Specia 2016.

MASSAlign: Alignment and Annotation of Comparable Documents (IJCNLP 2017), Vicinity-Driven Paragraph and Sentence
Alignment for Comparable Corpora (arXiv 1612.04113), and section 4.1 of Jiang et al. 2020. Only pairs of at least an
acceptable similarity count. The path starts at the one closest to the beginning of both sides. From its last pair
(i, j) three vicinities are searched, and the first that has an acceptable pair gives the next one:

    V1 = {(i + 1, j), (i, j + 1), (i + 1, j + 1)}
    V2 = {(i + 2, j + 1), (i + 1, j + 2)}
    V3 = all other pairs after i and after j.

Moves along one side make alignments of n texts to one. In V1 and V2 the most similar pair is taken, in V3 the closest.
The papers themselves were not at hand; V1, V2 and the bounds are those of the authors' package. The reading here:

- V3 has no pairs of i or j itself, which would leave a hole in an alignment of n texts;
- close means Euclidean distance; of equally close pairs the most similar is taken, and of those, or of equally
  similar ones in V1, a move along both sides first, then the earlier simple text;
- a run along one side never turns to the other side, which would make alignments of n to m texts;
- sentences: a move along one side is for texts that, joined by a space, are as a whole more like the one on the other
  side than before the move, minus a slack. Otherwise V1 is searched on without this move;
- where the similarity cannot compare joined texts, sum(sim) / sqrt(n) stands for it: the cosine of a sum of n vectors
  of one length that have nothing in common.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from textsimp.alignment.strategies.strategy import Comparison, Matrix, no_links
from textsimp.core.settings import NonNegativeNumber, Number

_Cell = tuple[int, int]
_WINDOW = 8
"""Texts of each side in which the closest pair is looked for first; doubled until one is found."""


@dataclass(frozen=True)
class _Run:
    """One alignment of the path: its first and last pair, and how alike its joined texts are."""

    first: _Cell
    last: _Cell
    alike: float


@dataclass(frozen=True)
class Vicinity:
    """Follows one path of acceptable pairs through both sides. A link's score is its similarity.

    Attributes:
        acceptable: similarity of a pair that may be linked, alpha. The authors use 0.3 for paragraphs and 0.2 for
            sentences, with TF-IDF without stop words.
        grow: whether n texts are aligned with one only where the joined texts are more alike: True for sentences,
            False for paragraphs.
        slack: how much less alike joined texts may be, where `grow` holds; 0.05 for sentences.
    """

    acceptable: Number = 0.2
    grow: bool = True
    slack: NonNegativeNumber = 0.05

    def align(self, comparison: Comparison) -> Matrix:
        """O(m n), and at most two comparisons of joined texts for each link."""
        scores = no_links(comparison)
        for cell in self._path(comparison):
            scores[cell] = comparison.matrix[cell]
        return scores

    def _path(self, comparison: Comparison) -> Iterator[_Cell]:
        run = self._closest(comparison.matrix, (0, 0), 0)
        while run is not None:
            yield run.last
            run = (
                self._first_vicinity(comparison, run)
                or self._second_vicinity(comparison.matrix, run.last)
                or self._closest(comparison.matrix, run.last, 1)
            )

    def _first_vicinity(self, comparison: Comparison, run: _Run) -> _Run | None:
        i, j = run.last
        for cell in self._acceptable(comparison.matrix, [(i + 1, j + 1), (i, j + 1), (i + 1, j)]):
            longer = self._extended(comparison, run, cell)
            if longer is not None:
                return longer
        return None

    def _second_vicinity(self, matrix: Matrix, last: _Cell) -> _Run | None:
        i, j = last
        best = self._acceptable(matrix, [(i + 1, j + 2), (i + 2, j + 1)])
        return _alone(matrix, best[0]) if best else None

    def _acceptable(self, matrix: Matrix, cells: list[_Cell]) -> list[_Cell]:
        m, n = matrix.shape
        acceptable = [(i, j) for i, j in cells if i < m and j < n and matrix[i, j] >= self.acceptable]
        return sorted(acceptable, key=lambda cell: -matrix[cell])

    def _extended(self, comparison: Comparison, run: _Run, cell: _Cell) -> _Run | None:
        i, j = cell
        if i > run.last[0] and j > run.last[1]:
            return _alone(comparison.matrix, cell)
        if i > run.first[0] and j > run.first[1]:
            return None
        if not self.grow:
            return replace(run, last=cell)
        alike = _joined(comparison, run.first, cell)
        return _Run(run.first, cell, alike) if alike > run.alike - self.slack else None

    def _closest(self, matrix: Matrix, last: _Cell, ahead: int) -> _Run | None:
        """The acceptable pair closest to the last one, at least `ahead` texts further on both sides.

        A window is large enough if no pair outside can be closer than the one found in it. The doubling keeps the work
        of a whole path at O(m n).
        """
        i, j = last[0] + ahead, last[1] + ahead
        rest, size = matrix[i:, j:], _WINDOW
        while rest.size:
            rows, columns = np.nonzero(rest[:size, :size] >= self.acceptable)
            squares = (rows + ahead) ** 2 + (columns + ahead) ** 2
            whole = size >= max(rest.shape)
            if len(squares) and (whole or squares.min() < (size + ahead) ** 2):
                closest = np.lexsort((rows, -rest[rows, columns], squares))[0]
                return _alone(matrix, (i + int(rows[closest]), j + int(columns[closest])))
            if whole:
                break
            size *= 2
        return None


def _alone(matrix: Matrix, cell: _Cell) -> _Run:
    return _Run(cell, cell, float(matrix[cell]))


def _joined(comparison: Comparison, first: _Cell, last: _Cell) -> float:
    """Return how alike the texts from one pair to the other are as a whole."""
    rows, columns = (slice(start, end + 1) for start, end in zip(first, last, strict=True))
    if comparison.compare is None:
        similarities = comparison.matrix[rows, columns]
        return float(similarities.sum() / np.sqrt(similarities.size))
    texts = " ".join(comparison.simple[rows]), " ".join(comparison.complex[columns])
    return float(comparison.compare([texts[0]], [texts[1]])[0, 0])
