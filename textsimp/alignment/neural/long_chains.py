"""Posteriors of a chain of the CRF over a long document, where transitions of some distance and more score the same.

With distances cut at D (`TransitionConfig.max_distance`), exp(T) between two sentences is a constant but for the
2 D - 1 labels around: a product with it is a sum and a convolution. That takes O(S K D) instead of the O(S K^2) of
`crf.py`, and no matrix of transitions; the result is the same but for rounding.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Moves:
    """exp(T) between labels, on the scale of the largest.

    Attributes:
        near: between sentences of distance 1 - D to D - 1, less `far`. Shape: (2 D - 1,).
        far: between sentences of distance D and more.
        into, out: from each sentence to NULL, and from NULL to each. Shapes: (N,).
        stay: from NULL to NULL.
    """

    near: Vector
    far: float
    into: Vector
    out: Vector
    stay: float

    @classmethod
    def of(cls, scores: Vector, most: int) -> "Moves":
        """From T by kind of transition and distance; the kinds are those of `network.py`. Shape: (4, K)."""
        weights = np.exp(scores - scores.max())
        far = float(weights[0, most])
        near = weights[0, :most] - far
        symmetric = np.concatenate([near[:0:-1], near])
        return cls(symmetric, far, weights[1, 1:], weights[2, 1:], float(weights[3, 0]))

    def forth(self, before: Vector) -> Vector:
        """sum over a_prev of exp(T[a_prev, a]) before[a_prev]. Shape: (K,)."""
        return self._moved(before, self.into, self.out)

    def back(self, after: Vector) -> Vector:
        """sum over a of exp(T[a_prev, a]) after[a]. Shape: (K,)."""
        return self._moved(after, self.out, self.into)

    def _moved(self, values: Vector, to_null: Vector, from_null: Vector) -> Vector:
        null, rest = values[0], values[1:]
        moved = np.empty_like(values)
        moved[0] = to_null @ rest + self.stay * null
        moved[1:] = np.convolve(rest, self.near, "same") + (self.far * rest.sum() + from_null * null)
        return np.maximum(moved, 0.0, out=moved)


def long_posteriors(emissions: NDArray[np.float32], moves: Moves) -> NDArray[np.float32]:
    """P(a_i = a | S, C) by forward-backward, normalised at each sentence.

    Args:
        emissions: of each sentence and label. NULL has to be possible. Shape: (S, K).

    Returns:
        Shape: (S, K).
    """
    posteriors = np.empty(emissions.shape, np.float32)  # filtered, then the posteriors
    scales = np.empty(len(emissions))
    before = np.ones(emissions.shape[1])
    for step, row in enumerate(emissions):
        arrived = moves.forth(before) if step else before
        current = arrived * _likelihoods(row)
        scales[step] = max(current.sum(), np.finfo(np.float64).tiny)
        posteriors[step] = before = current / scales[step]
    behind = np.ones(emissions.shape[1])
    for step in reversed(range(len(emissions) - 1)):
        behind = moves.back(_likelihoods(emissions[step + 1]) * behind / scales[step + 1])
        posteriors[step] *= behind
    return posteriors


def _likelihoods(scores: NDArray[np.float32]) -> Vector:
    return np.exp(scores.astype(np.float64) - float(scores.max()))
