"""Pruning of sentence pairs before the pair encoder: a logistic gate over what one pass a sentence and words give (F2).

The pair encoder costs a BERT pass for each of the m n sentence pairs of a document pair; sentence embeddings cost
m + n. The gate estimates P(linked) from the latter and rules out the pairs below a threshold; the encoder looks at
the rest. An aligner whose folder holds a gate uses it in place of `AlignerConfig.candidates`.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.errors import bad_input
from textsimp.textfiles import read_json, write_json

Matrix = NDArray[np.float64]

GATE_FILE = "pruning.json"
PLANES = ("cosine", "tfidf", "jaccard", "simple_share", "complex_share", "distance")
"""Cheap numbers of each sentence pair: cosine of sentence embeddings, then as `PairScorer` has them."""
FEATURES = (
    *PLANES,
    *(f"{name}_margin_{axis}" for name in ("similarity", "simple_share", "complex_share") for axis in ("row", "column")),
    *("rank_row", "rank_column", "best_row", "best_column"),
    *("diagonal_best", "diagonal_sum", "column_neighbour", "row_neighbour"),
    *("simple_sentences", "complex_sentences"),
)


@dataclass(frozen=True)
class Gate:
    """log-odds of linked = weights . features + bias; pairs below the threshold are ruled out.

    Attributes:
        weights: one for each of `FEATURES`.
        threshold: log-odds; -inf rules nothing out.
        link, aligned: `PairScores` of a pair that is ruled out: what the encoder gives to such pairs. Certainty that it
            has of no pair would move the posteriors of the others.
    """

    weights: tuple[float, ...]
    bias: float
    threshold: float
    link: float
    aligned: float

    def log_odds(self, planes: NDArray[np.float64]) -> Matrix:
        """Estimated log-odds of linked of every sentence pair.

        Args:
            planes: `PLANES` of a document pair. Shape: (m, n, 6).

        Returns:
            Shape: (m, n).
        """
        return gate_features(planes) @ np.array(self.weights) + self.bias

    def keeps(self, planes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """The pairs that the encoder has to look at. Shape: (m, n)."""
        if self.threshold == -np.inf:
            return np.ones(planes.shape[:2], dtype=bool)
        return self.log_odds(planes) >= self.threshold


def gate_features(planes: NDArray[np.float64]) -> NDArray[np.float64]:
    """What the gate reads: the planes, and how each sentence pair stands beside others of its document pair.

    Similarity is cosine + TF-IDF. A margin is the distance to the best other pair of the same simple (row) or complex
    sentence (column); ranks count from 0 and are taken as log(1 + rank). `diagonal` is the similarity of the pairs of
    both preceding and both following sentences, `neighbour` that of the same sentence with those beside the other.

    Args:
        planes: shape (m, n, 6).

    Returns:
        `FEATURES` of each pair. Shape: (m, n, 22).
    """
    cosine, tfidf, _, simple_share, complex_share, _ = np.moveaxis(planes, 2, 0)
    similar = cosine + tfidf  # (m, n)
    columns = list(np.moveaxis(planes, 2, 0))
    for plane in (similar, simple_share, complex_share):
        columns += [plane - _best_other(plane, 1), plane - _best_other(plane, 0)]
    ranks = [(-similar).argsort(axis, kind="stable").argsort(axis, kind="stable") for axis in (1, 0)]
    columns += [*map(np.log1p, ranks), *(rank == 0 for rank in ranks)]
    before, after = _moved(similar, 1, 1), _moved(similar, -1, -1)
    columns += [np.maximum(before, after), before + after]
    columns += [np.maximum(_moved(similar, 1, 0), _moved(similar, -1, 0))]
    columns += [np.maximum(_moved(similar, 0, 1), _moved(similar, 0, -1))]
    columns += [np.full(similar.shape, np.log(size)) for size in similar.shape]
    return np.stack([np.asarray(column, dtype=float) for column in columns], 2)  # (m, n, F)


def _best_other(plane: Matrix, axis: int) -> Matrix:
    """The highest of the other values along an axis; 0 where there is none. Shape: (m, n)."""
    if plane.shape[axis] == 1:
        return np.zeros_like(plane)
    top = np.sort(plane, axis)
    first, second = np.take(top, [-1], axis), np.take(top, [-2], axis)
    return np.where(plane == first, second, first)


def _moved(plane: Matrix, down: int, right: int) -> Matrix:
    """moved[i, j] = plane[i - down, j - right], 0 beyond the edges; both are -1, 0 or 1. Shape: (m, n)."""
    m, n = plane.shape
    padded = np.pad(plane, 1)
    return padded[1 - down : 1 - down + m, 1 - right : 1 - right + n]


def save_gate(gate: Gate, folder: Path) -> None:
    """Write a gate into the folder of its aligner."""
    write_json(folder / GATE_FILE, {"features": list(FEATURES), **asdict(gate)})


def load_gate(folder: Path) -> Gate | None:
    """The gate of an aligner's folder, None where it has none; `InputError` where it is damaged or of other features."""
    path = folder / GATE_FILE
    if not path.is_file():
        return None
    stored = read_json(path)
    try:
        gate = _gate(stored)
    except (KeyError, TypeError, ValueError) as error:
        raise bad_input(path, None, f"no gate of this version ({error})", "learn it again, or remove the file") from None
    return gate


def _gate(stored: Any) -> Gate:
    weights = tuple(map(float, stored["weights"]))
    if stored["features"] != list(FEATURES) or len(weights) != len(FEATURES):
        raise ValueError("other features")
    numbers = [float(stored[name]) for name in ("bias", "threshold", "link", "aligned")]
    if not np.isfinite([*weights, *numbers]).all():
        raise ValueError("a number that is not finite")
    return Gate(weights, *numbers)
