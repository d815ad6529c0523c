"""Precision-recall curves over scored candidates, their best F1 and area, thresholds, and how far scores are from
what happens, where they are probabilities.

A candidate is predicted where its score is at least the threshold. Candidates of one score are predicted together,
so that the order of the input never matters; a score of minus infinity is never predicted. In percent.
"""

from dataclasses import dataclass

import numpy as np

from textsimp.metrics.scores import f1


@dataclass(frozen=True)
class Curve:
    """One point for each distinct score, from the highest down. Shape: (P,) each; precision and recall in percent."""

    threshold: np.ndarray
    precision: np.ndarray
    recall: np.ndarray

    @property
    def f1(self) -> np.ndarray:
        """F1 at each point, in percent. Shape: (P,)."""
        return f1(self.precision, self.recall)

    @property
    def max_f1(self) -> float:
        """The best F1 of any threshold (MaxF1 of Kajiwara and Komachi 2016, table 1), in percent."""
        return float(self.f1.max(initial=0.0))

    @property
    def area(self) -> float:
        """Area under the curve, in percent: sum of precision times the step in recall, without interpolation."""
        return float(np.sum(self.precision * np.diff(self.recall, prepend=0.0)) / 100)


def precision_recall_curve(scores: np.ndarray, is_gold: np.ndarray, gold_total: int) -> Curve:
    """Return precision and recall at every threshold that makes a difference.

    Args:
        scores, is_gold: of each candidate, and whether it is right. Shape: (N,).
        gold_total: number of right answers, those that are no candidate included.

    Raises:
        ValueError: the shapes differ, a score is no number, or `gold_total` is less than the right candidates.
    """
    scores, is_gold = np.asarray(scores, dtype=np.float64).ravel(), np.asarray(is_gold, dtype=bool).ravel()
    if scores.shape != is_gold.shape or np.isnan(scores).any():
        raise ValueError(f"as many scores as marks, no NaN; got {scores.size} and {is_gold.size}")
    if gold_total < is_gold.sum():
        raise ValueError(f"gold_total is {gold_total}, but {is_gold.sum()} candidates are right")
    possible = np.flatnonzero(scores > -np.inf)
    order = possible[np.argsort(-scores[possible], kind="stable")]
    ranked = scores[order]
    last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], np.ones(min(ranked.size, 1), dtype=bool)))
    correct = np.cumsum(is_gold[order])[last]
    recall = 100 * correct / gold_total if gold_total else np.zeros(last.size)
    return Curve(ranked[last], 100 * correct / (last + 1), recall)


def best_threshold(scores: np.ndarray, is_gold: np.ndarray, gold_total: int) -> tuple[float, float]:
    """Return the threshold of the best F1, and that F1 in percent.

    Of several thresholds with the best F1 the highest is taken (fewest predictions). It lies half-way between the
    last score predicted and the next one, so that a difference in the last digit on another machine changes
    nothing; or at the last score where there is none below. Infinity, and 0, where no threshold predicts rightly.
    Arguments and errors as for `precision_recall_curve`.
    """
    curve = precision_recall_curve(scores, is_gold, gold_total)
    if curve.max_f1 == 0:
        return float("inf"), 0.0
    best = int(np.argmax(curve.f1))
    threshold = curve.threshold[best]
    if best + 1 < curve.threshold.size:
        middle = (threshold + curve.threshold[best + 1]) / 2
        # neighbouring floats have nothing between them
        threshold = middle if middle > curve.threshold[best + 1] else threshold
    return float(threshold), float(curve.f1[best])


def expected_calibration_error(probabilities: np.ndarray, happened: np.ndarray) -> float:
    """Mean over predictions of |mean probability - share that happened| of their bin, ten bins of equal width.

    Probabilities below 0.05 are left out: they are most, and right. From 0 to 1; 0 where nothing is left. Shapes: (N,).
    """
    counted = probabilities >= 0.05
    bins = np.minimum((probabilities[counted] * 10).astype(int), 9)
    gaps = np.bincount(bins, probabilities[counted], 10) - np.bincount(bins, happened[counted], 10)
    return float(np.abs(gaps).sum() / max(counted.sum(), 1))
