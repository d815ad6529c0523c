"""Thresholds of the paragraph alignment from dev data (Jiang et al. 2020, section 2.4) (F2).

The paper selects them "using the dev set" and does not say how. Here: block coordinate ascent, two
thresholds that act together at a time, over a grid that comes from the similarities themselves, since encoders
differ in scale (the paper's own values are 0.9999).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.neural.paragraphs import (
    Algorithm,
    ParagraphScores,
    ParagraphThresholds,
    align_paragraphs,
    gold_paragraphs,
    pad,
    paragraph_scores,
    stack_scores,
)
from textsimp.records import DocumentPair

Grid = dict[str, Sequence[float]]
Score = Callable[[int, int, int], float]
_TOGETHER = {
    "newsela": (("tau1", "tau2"), ("tau4", "tau5"), ("tau3",)),
    "wikipedia": (("tau1", "tau2"), ("tau3", "tau4"), ("tau5",)),
}
_QUANTILES = np.linspace(0.0, 1.0, 13)
_DISTANCES = (0.02, 0.05, 0.08, 0.11, 0.15, 0.2, 0.26, 0.34, 0.45, 0.6, 0.8, 1.0)
_ROUNDS = 10


@dataclass(frozen=True)
class ParagraphExample:
    """What tuning needs of one document pair: its paragraph scores and its gold paragraph alignment (k, l)."""

    scores: ParagraphScores
    gold: NDArray[np.bool_]


def paragraph_example(pair: DocumentPair, similarity: NDArray[np.float64]) -> ParagraphExample:
    """An example from a labelled pair and its sentence similarities (m, n)."""
    scores = paragraph_scores(similarity, pair.simple.paragraph_of, pair.complex.paragraph_of)
    return ParagraphExample(scores, gold_paragraphs(pair))


def f_beta(beta: float) -> Score:
    """F_beta from counts of true positives, false positives and false negatives; 0 where all are 0.

    Recall weighs beta times as much as precision. A paragraph pair that is missed loses its sentence pairs for
    good, one too many costs the sentence aligner only some more states: hence a beta above 1.
    """

    def score(hits: int, false_alarms: int, misses: int) -> float:
        weight = beta * beta
        total = (1 + weight) * hits + weight * misses + false_alarms
        return (1 + weight) * hits / total if total else 0.0

    return score


def default_grid(examples: Sequence[ParagraphExample], algorithm: Algorithm) -> Grid:
    """Candidate values: quantiles of the similarities of gold and other paragraph pairs, and fixed distances.

    Every similarity threshold may also be its largest value, which switches its rule off (nothing is above it).
    """
    gold = np.concatenate([example.gold.ravel() for example in examples])
    average = _levels(np.concatenate([example.scores.average.ravel() for example in examples]), gold)
    highest = _levels(np.concatenate([example.scores.highest.ravel() for example in examples]), gold)
    if algorithm == "newsela":
        return {"tau1": average, "tau2": _DISTANCES, "tau3": highest, "tau4": highest, "tau5": _DISTANCES}
    shares = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
    return {"tau1": highest, "tau2": _DISTANCES, "tau3": shares, "tau4": (0, 1, 2, 3, 4, 5, 7, 10), "tau5": highest}


def tune_thresholds(
    examples: Sequence[ParagraphExample],
    algorithm: Algorithm,
    score: Score,
    grid: Grid | None = None,
    start: ParagraphThresholds | None = None,
) -> tuple[ParagraphThresholds, float]:
    """The thresholds of the highest score over all paragraph pairs of the examples together (micro).

    Deterministic: a candidate replaces the present values only where it scores higher, in the order of the grid.

    Args:
        score: of hits, false alarms and misses, such as `f_beta(2.0)`.
        grid: values to try for each threshold; `default_grid` where None.
        start: where to begin; where None, the grid's last values (its strictest similarities).

    Returns:
        The thresholds and their score.
    """
    grid = grid or default_grid(examples, algorithm)
    best = start or ParagraphThresholds(**{name: float(values[-1]) for name, values in grid.items()})
    scores, gold = stack_scores([item.scores for item in examples]), pad([item.gold for item in examples], False)
    reached = _evaluate(scores, gold, algorithm, best, score)
    for _ in range(_ROUNDS):
        before = best
        for names in _TOGETHER[algorithm]:
            for values in product(*(grid[name] for name in names)):
                candidate = replace(best, **{name: float(x) for name, x in zip(names, values, strict=True)})
                value = _evaluate(scores, gold, algorithm, candidate, score)
                if value > reached:
                    best, reached = candidate, value
        if best == before:
            break
    return best, reached


def _evaluate(
    scores: ParagraphScores,
    gold: NDArray[np.bool_],
    algorithm: Algorithm,
    thresholds: ParagraphThresholds,
    score: Score,
) -> float:
    aligned = align_paragraphs(scores, algorithm, thresholds)  # (N, k, l)
    hits = int(np.count_nonzero(aligned & gold))
    return score(hits, int(np.count_nonzero(aligned)) - hits, int(np.count_nonzero(gold)) - hits)


def _levels(values: NDArray[np.float64], gold: NDArray[np.bool_]) -> list[float]:
    """Quantiles among gold pairs and among the others, ascending; the last is the largest value."""
    parts = [np.quantile(part, _QUANTILES, method="lower") for part in (values[gold], values[~gold]) if part.size]
    return [float(value) for value in np.unique(np.concatenate(parts))]
