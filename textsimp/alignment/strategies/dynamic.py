"""Strategies that search by dynamic programming: over states, over six operations, over spans.

A monotone hidden Markov model: Bott and Saggion 2011, as Stajner et al. 2017 (section 2) describe it. Six operations:
Coster and Kauchak 2011, section 3. Spans of adjacent texts: Thompson and Koehn 2019, used today for bitext.

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
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from textsimp.alignment.strategies.strategy import Comparison, Matrix, no_links
from textsimp.core.errors import InputError
from textsimp.core.settings import NonNegativeNumber, Positive, PositiveNumber, Share
from textsimp.metrics.scores import quotient

_Inside = Annotated[float, Field(gt=0, lt=1)]


@dataclass(frozen=True)
class MonotoneHmm:
    """The most probable path of the simple texts through the complex ones, decoded by Viterbi.

    The two hypotheses of the method: the order of information is kept (H1), so the path never goes back; every simple
    text has a complex one (H2), so each is linked, with its similarity as score. The description gives no formula; this
    is the reading here. Simple text i is emitted at complex position a_i with

        log P(i | a_i) = sharpness * log(max(sim(i, a_i), 0) + smoothing)

    up to a constant, and reached from position a_(i-1) (for the first text from -1, before the complex side) with

        P(a_i - a_(i-1) = d) = stay                                          if d = 0
                               advance                                       if d = 1
                               (1 - stay - advance) (1 - decay) decay^(d-2)  if d >= 2, which skips d - 1 texts.

    Of equally probable ways the shorter step counts.

    Attributes:
        stay: several simple texts come from one complex text (a split).
        advance: the next simple text comes from the next complex text.
        decay: how much less probable it is to skip one more complex text.
        smoothing: keeps texts that share nothing possible, so that their neighbours decide.
        sharpness: how much similarity counts against the steps: a text has many words, whose probabilities multiply.
    """

    stay: _Inside = 0.3
    advance: _Inside = 0.3
    decay: _Inside = 0.8
    smoothing: PositiveNumber = 0.05
    sharpness: PositiveNumber = 4.0

    def __post_init__(self) -> None:
        if self.stay + self.advance >= 1:
            raise InputError(f"alignment strategy hmm: stay + advance is {self.stay + self.advance:g}, not under 1")

    def align(self, comparison: Comparison) -> Matrix:
        """O(m n) in time and memory."""
        matrix, scores = comparison.matrix, no_links(comparison)
        if matrix.size:
            path = self._path(self.sharpness * np.log(np.maximum(matrix, 0) + self.smoothing))
            rows = np.arange(len(path))
            scores[rows, path] = matrix[rows, path]
        return scores

    def _path(self, emissions: Matrix) -> NDArray[np.int64]:
        """The complex position of each simple text. Shape: (m, n) to (m,)."""
        origins = np.zeros(emissions.shape, dtype=np.int32)
        first = np.full(emissions.shape[1] + 1, -np.inf)
        first[0] = 0.0  # stands for position -1
        reached = self._step(first)[0][1:] + emissions[0]  # (n,)
        for i in range(1, len(emissions)):
            reached, origins[i] = self._step(reached)
            reached += emissions[i]
        path = np.empty(len(emissions), dtype=np.int64)
        path[-1] = reached.argmax()
        for i in range(len(path) - 1, 0, -1):
            path[i - 1] = origins[i, path[i]]
        return path

    def _step(self, reached: Matrix) -> tuple[Matrix, NDArray[np.int64]]:
        """Best log-probability of each position one text later, and the position that it comes from. Shapes: (n,)."""
        positions = np.arange(len(reached))
        ways = np.full((3, len(reached)), -np.inf)  # stay, advance, skip
        origins = np.stack([positions, positions - 1, positions - 2])
        ways[0] = reached + np.log(self.stay)
        ways[1, 1:] = reached[:-1] + np.log(self.advance)
        ahead = reached - positions * np.log(self.decay)  # what a skip from here costs depends on its end alone
        running = np.maximum.accumulate(ahead)
        leader = np.maximum.accumulate(np.where(ahead == running, positions, 0))
        first_skip = float(np.log((1 - self.stay - self.advance) * (1 - self.decay)))
        ways[2, 2:] = running[:-2] + positions[:-2] * np.log(self.decay) + first_skip
        origins[2, 2:] = leader[:-2]
        best = ways.argmax(0)
        return ways[best, positions], origins[best, positions]


_OPERATIONS: tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...] = (
    (1, 0, ()),
    (0, 1, ()),
    (1, 1, ((0, 0),)),
    (2, 1, ((1, 0), (0, 0))),
    (1, 2, ((0, 1), (0, 0))),
    (2, 2, ((0, 1), (1, 0))),
)
"""In the order of the paper's recurrence: how many simple and complex texts an operation takes, and its links, as how
many texts before the last simple and the last complex one, in order of addition."""
_SKIP_COMPLEX = 1


@dataclass(frozen=True)
class SixOperations:
    """The alignment of the largest sum of similarities that skips, 1-1, 1-2, 2-1 and crossed 2-2 steps can make.

    With i complex and j simple texts,

        a(i, j) = max of  a(i, j - 1) - skip_penalty                            skip the simple text
                          a(i - 1, j) - skip_penalty                            skip the complex text
                          a(i - 1, j - 1) + sim(i, j)                           one to one
                          a(i - 1, j - 2) + sim(i, j - 1) + sim(i, j)           one complex to two simple
                          a(i - 2, j - 1) + sim(i - 1, j) + sim(i, j)           two complex to one simple
                          a(i - 2, j - 2) + sim(i - 1, j) + sim(i, j - 1)       two to two, crossed

    and a(i, 0) = a(0, j) = 0: texts left over at the beginning cost nothing. Of equal alternatives the first counts.
    A link's score is its similarity; the paper drops links under 0.5, which is the system's threshold here.

    Attributes:
        skip_penalty: what a skipped text costs; 0.0001 in the paper.
    """

    skip_penalty: NonNegativeNumber = 0.0001

    def align(self, comparison: Comparison) -> Matrix:
        """O(m n) in time and memory."""
        matrix, scores = comparison.matrix, no_links(comparison)
        chosen = self._chosen(matrix)
        i, j = matrix.shape
        while i and j:
            up, left, links = _OPERATIONS[chosen[i, j]]
            for before, aside in links:
                scores[i - 1 - before, j - 1 - aside] = matrix[i - 1 - before, j - 1 - aside]
            i, j = i - up, j - left
        return scores

    def _chosen(self, matrix: Matrix) -> NDArray[np.int8]:
        """Return the operation that wins for the first i simple and j complex texts. Shape: (m + 1, n + 1).

        Row by row: only a skipped complex text stays in its row. Similarities have a border of -inf, so that no
        operation takes a text before the first one.
        """
        m, n = matrix.shape
        similar = np.pad(matrix, ((2, 0), (2, 0)), constant_values=-np.inf)
        totals = np.zeros((m + 2, n + 2))  # a(i, j) at [i + 1, j + 1]
        chosen = np.zeros((m + 1, n + 1), dtype=np.int8)
        for i in range(2, m + 2):
            ways = np.full((len(_OPERATIONS), n), -np.inf)
            for way, (up, left, links) in zip(ways, _OPERATIONS, strict=True):
                if up:
                    way[:] = totals[i - up, 2 - left : n + 2 - left] - (0.0 if links else self.skip_penalty)
                for before, aside in links:
                    way += similar[i - before, 2 - aside : n + 2 - aside]
            total, skipping = 0.0, []
            for best in ways.max(0).tolist():
                skipping.append(total - self.skip_penalty)
                total = max(best, skipping[-1])
            ways[_SKIP_COMPLEX] = skipping
            chosen[i - 1, 1:], totals[i, 2:] = ways.argmax(0), ways.max(0)
        return chosen


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
        return quotient(costs, scales)


@dataclass(frozen=True)
class SpanAlignment:
    """The beads of the smallest sum of costs. A link's score is the similarity of the spans of its bead.

    Of equally cheap ways that a cut may end, a 1-1 bead goes first, then short spans, then texts alone.

    Attributes:
        max_span: texts that may be joined; 1 leaves 1-1 beads and texts alone.
        deletion: what a text alone costs: this quantile, from 0 to 1, of the costs of pairs of single texts. A pair is
            linked only if it costs less than both of its texts alone. 0.2 in vecalign.
    """

    max_span: Positive = 3
    deletion: Share = 0.2

    def align(self, comparison: Comparison) -> Matrix:
        """O(m n max_span) in time and memory.

        Raises:
            InputError: the similarity compares sentences only, so that it knows no spans.
        """
        if self.max_span > 1 and comparison.compare is None:
            raise InputError("alignment strategy spans: the similarity compares sentences only; set max_span to 1")
        scores = no_links(comparison)
        if scores.size:
            beads = self._beads(comparison)
            chosen = self._chosen(beads)
            i, j = scores.shape
            while i and j:
                way = chosen[i, j]
                if way < len(beads):
                    bead = beads[way]
                    i, j = i - bead.simple, j - bead.complex
                    scores[i : i + bead.simple, j : j + bead.complex] = bead.similarity[i, j]
                elif way == len(beads):
                    i -= 1
                else:
                    j -= 1
        return scores

    def _beads(self, comparison: Comparison) -> list[_Bead]:
        single, compare = comparison.matrix, comparison.compare
        scale_simple, scale_complex = _dissimilarity(single).mean(1), _dissimilarity(single).mean(0)
        beads = [_Bead(1, 1, single, scale_simple, scale_complex)]
        simple, complex_ = (self._spans(texts) for texts in (comparison.simple, comparison.complex))
        if compare is None:
            return beads  # `align` has made sure that there are no spans then
        for size, similarity in _parts(simple, lambda texts: compare(texts, comparison.complex), axis=0):
            beads.append(_Bead(size, 1, similarity, _dissimilarity(similarity).mean(1), scale_complex))
        for size, similarity in _parts(complex_, lambda texts: compare(comparison.simple, texts), axis=1):
            beads.append(_Bead(1, size, similarity, scale_simple, _dissimilarity(similarity).mean(0)))
        return sorted(beads, key=lambda bead: bead.simple * bead.complex)

    def _spans(self, texts: Sequence[str]) -> list[list[str]]:
        sizes = range(2, min(self.max_span, len(texts)) + 1)
        return [[" ".join(texts[i : i + size]) for i in range(len(texts) - size + 1)] for size in sizes]

    def _chosen(self, beads: list[_Bead]) -> NDArray[np.int16]:
        """Return what the best cut of the first i simple and j complex texts ends with. Shape: (m + 1, n + 1).

        A bead by its index, then a simple text alone, then a complex one. Row by row: only a complex text alone stays
        in its row, and as each costs the same, running minima settle how many.
        """
        m, n = beads[0].similarity.shape
        costs = beads[0].costs(slice(None))
        costs = costs[costs > _SAME]
        alone = float(np.quantile(costs, self.deletion)) if costs.size else 1.0
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

    def _ways(self, beads: list[_Bead], totals: list[Matrix], i: int, alone: float) -> Matrix:
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
    if spans:
        ends = np.cumsum([len(texts) for texts in spans])[:-1]
        parts = np.split(compare([span for texts in spans for span in texts]), ends, axis)
        yield from enumerate(parts, start=2)
