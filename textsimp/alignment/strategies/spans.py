"""Dynamic programming over spans of adjacent texts: Thompson and Koehn 2019, used today for bitext (F2).

Vecalign: Improved Sentence Alignment in Linear Time and Space (EMNLP 2019); Bertalign (Liu and Zhu 2023) searches such
beads too. A document is cut into beads: a simple text alone (1-0), a complex text alone (0-1), and pairs of spans of
which one has one text and the other 1 to `max_span`, joined by a space. Vecalign's cost of spans x and y is

    c(x, y) = (1 - sim(x, y)) texts(x) texts(y) / ((mean_s(1 - sim(x, y_s)) + mean_s(1 - sim(x_s, y))) / 2)

where sim is any similarity, in the papers the cosine of sentence embeddings. What differs from vecalign:

- x_s and y_s are all single texts of the two sides, not a random sample of them, so that results are the same again;
- the sums are means, which makes a bead of two unrelated texts cost about 1 and changes nothing else;
- dissimilarities under 0 count as 0, for similarities that exceed 1;
- the search is full instead of approximate, for documents of some thousand texts at most.

As in vecalign, a text alone costs a quantile of the costs of pairs of single texts; here of all such pairs but the
same text on both sides, which is frequent in simplification and would make it free to leave texts out. Among all pairs
of a document few belong together, and simplification leaves out more than translation does: quantiles far under
vecalign's 0.2 suit it, the lower the longer the document.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.strategies.base import Comparison, Matrix, no_links
from textsimp.errors import InputError

_SAME = 1e-6
"""Costs up to here are of the same text on both sides, by rounding of embeddings in single precision."""


@dataclass(frozen=True)
class _Bead:
    """All pairs of spans of one size.

    Attributes:
        simple, complex: texts of the spans of each side.
        similarity: of the spans by their first texts. Shape: (m - simple + 1, n - complex + 1).
        scale_simple, scale_complex: mean dissimilarity of each span and the single texts of the other side.
            Shapes: (m - simple + 1,), (n - complex + 1,).
    """

    simple: int
    complex: int
    similarity: Matrix
    scale_simple: Matrix
    scale_complex: Matrix

    def costs(self, rows: slice) -> Matrix:
        """Costs of some spans of the simple side with all of the complex side; identical texts cost nothing."""
        costs = _dissimilarity(self.similarity[rows]) * (2 * self.simple * self.complex)
        scales = self.scale_simple[rows, None] + self.scale_complex
        return np.divide(costs, scales, out=np.zeros_like(costs), where=scales > 0)


@dataclass(frozen=True)
class SpanAlignment:
    """The beads of the smallest sum of costs. A link's score is the similarity of the spans of its bead.

    Of equally cheap ways that a cut may end, a 1-1 bead goes first, then short spans, then texts alone.

    Attributes:
        max_span: texts that may be joined; 1 leaves 1-1 beads and texts alone.
        deletion: what a text alone costs: this quantile, from 0 to 1, of the costs of pairs of single texts. A pair is
            linked only if it costs less than both of its texts alone. 0.2 in vecalign.
    """

    max_span: int = 3
    deletion: float = 0.2

    def __post_init__(self) -> None:
        if self.max_span < 1:
            raise InputError(f"alignment strategy spans: max_span {self.max_span} is not 1 or more")
        if not 0 <= self.deletion <= 1:
            raise InputError(f"alignment strategy spans: deletion {self.deletion} is not between 0 and 1")

    def align(self, comparison: Comparison) -> Matrix:
        """See `Strategy.align`. O(m n max_span) in time and memory.

        Raises:
            InputError: the similarity compares sentences only, so that it knows no spans.
        """
        if self.max_span > 1 and comparison.compare is None:
            raise InputError("alignment strategy spans: the similarity compares sentences only; set max_span to 1")
        scores = no_links(comparison)
        if scores.size:
            beads = self._beads(comparison)
            for bead, i, j in _trace(beads, self._chosen(beads)):
                scores[i : i + bead.simple, j : j + bead.complex] = bead.similarity[i, j]
        return scores

    def _beads(self, comparison: Comparison) -> list[_Bead]:
        """1-1, then 2-1, 1-2, 3-1 ...; spans that are longer than their side are left out."""
        single, compare = comparison.matrix, comparison.compare
        scale_simple, scale_complex = _dissimilarity(single).mean(1), _dissimilarity(single).mean(0)
        beads = [_Bead(1, 1, single, scale_simple, scale_complex)]
        simple, complex_ = (self._spans(texts) for texts in (comparison.simple, comparison.complex))
        for size, similarity in _parts(simple, lambda texts: compare(texts, comparison.complex), axis=0):
            beads.append(_Bead(size, 1, similarity, _dissimilarity(similarity).mean(1), scale_complex))
        for size, similarity in _parts(complex_, lambda texts: compare(comparison.simple, texts), axis=1):
            beads.append(_Bead(1, size, similarity, scale_simple, _dissimilarity(similarity).mean(0)))
        return sorted(beads, key=lambda bead: bead.simple * bead.complex)

    def _spans(self, texts: Sequence[str]) -> list[list[str]]:
        """Adjacent texts joined by a space: all spans of 2 texts, of 3 ..."""
        sizes = range(2, min(self.max_span, len(texts)) + 1)
        return [[" ".join(texts[i : i + size]) for i in range(len(texts) - size + 1)] for size in sizes]

    def _chosen(self, beads: list[_Bead]) -> NDArray[np.int16]:
        """What the best cut of the first i simple and j complex texts ends with. Shape: (m + 1, n + 1).

        A bead by its index, then a simple text alone, then a complex one. Row by row: only a complex text alone stays
        in its row, and as each costs the same, running minima settle how many.
        """
        m, n = beads[0].similarity.shape
        alone = self._alone(beads[0])
        all_alone = alone * np.arange(n + 1)
        chosen = np.full((m + 1, n + 1), len(beads) + 1, dtype=np.int16)
        totals = [all_alone]  # of the last rows, newest first
        for i in range(1, m + 1):
            ways = self._ways(beads, totals, i, alone)  # (beads + 1, n + 1)
            ahead = ways.min(0) - all_alone
            least = np.minimum.accumulate(ahead)
            here = ahead <= least
            chosen[i, here] = ways.argmin(0)[here]
            totals = [np.where(here, ways.min(0), least + all_alone), *totals[: self.max_span - 1]]
        return chosen

    def _alone(self, single: _Bead) -> float:
        """What a text alone costs; 1, the cost of unrelated texts, where all texts are the same."""
        costs = single.costs(slice(None))
        costs = costs[costs > _SAME]
        return float(np.quantile(costs, self.deletion)) if costs.size else 1.0

    def _ways(self, beads: list[_Bead], totals: list[Matrix], i: int, alone: float) -> Matrix:
        """Sums of costs up to simple text i that end with each bead, or with that text alone: (beads + 1, n + 1)."""
        ways = np.full((len(beads) + 1, len(totals[0])), np.inf)
        for way, bead in zip(ways[:-1], beads, strict=True):
            if bead.simple <= i:
                first = i - bead.simple
                way[bead.complex :] = totals[bead.simple - 1][: -bead.complex] + bead.costs(slice(first, first + 1))[0]
        ways[-1] = totals[0] + alone
        return ways


def _dissimilarity(similarity: Matrix) -> Matrix:
    return np.maximum(1 - similarity, 0, order="C")  # so that means do not depend on the order in memory


def _parts(spans: list[list[str]], compare: Callable[[list[str]], Matrix], axis: int) -> Iterator[tuple[int, Matrix]]:
    """The number of texts in each kind of span, and its part of one comparison of all of them along an axis."""
    if spans:
        ends = np.cumsum([len(texts) for texts in spans])[:-1]
        parts = np.split(compare([span for texts in spans for span in texts]), ends, axis)
        yield from enumerate(parts, start=2)


def _trace(beads: list[_Bead], chosen: NDArray[np.int16]) -> Iterator[tuple[_Bead, int, int]]:
    """The chosen beads from the last to the first, each with its first simple and its first complex text."""
    i, j = (size - 1 for size in chosen.shape)
    while i and j:
        way = chosen[i, j]
        if way < len(beads):
            i, j = i - beads[way].simple, j - beads[way].complex
            yield beads[way], i, j
        elif way == len(beads):
            i -= 1
        else:
            j -= 1
