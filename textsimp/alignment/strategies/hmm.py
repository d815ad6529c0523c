"""A monotone hidden Markov model: Bott and Saggion 2011, as Stajner et al. 2017 (section 2) describe it (F2)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.strategies.base import Comparison, Matrix, no_links
from textsimp.errors import InputError


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

    stay: float = 0.3
    advance: float = 0.3
    decay: float = 0.8
    smoothing: float = 0.05
    sharpness: float = 4.0

    def __post_init__(self) -> None:
        if not (self.stay > 0 and self.advance > 0 and self.stay + self.advance < 1 and 0 < self.decay < 1):
            raise InputError(
                "alignment strategy hmm: stay, advance and decay must be above 0, stay + advance and decay under 1,"
                f" but they are {self.stay}, {self.advance} and {self.decay}"
            )
        if not (0 < self.smoothing < np.inf and 0 < self.sharpness < np.inf):
            raise InputError(
                "alignment strategy hmm: smoothing and sharpness must be above 0,"
                f" but they are {self.smoothing} and {self.sharpness}"
            )

    def align(self, comparison: Comparison) -> Matrix:
        """See `Strategy.align`. O(m n) in time and memory."""
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
        ways[2, 2:] = running[:-2] + positions[:-2] * np.log(self.decay) + self._first_skip
        origins[2, 2:] = leader[:-2]
        best = ways.argmax(0)
        return ways[best, positions], origins[best, positions]

    @property
    def _first_skip(self) -> float:
        """Log-probability of skipping exactly one complex text."""
        return float(np.log((1 - self.stay - self.advance) * (1 - self.decay)))
