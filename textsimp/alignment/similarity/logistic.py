"""Logistic regression on lexical features: LR of Jiang et al. 2020, section 4.1."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from textsimp.alignment.similarity.lexical_features import LexicalFeatures
from textsimp.alignment.similarity.similarity import Matrix, TrainedSimilarity, best_f1
from textsimp.core.errors import InputError, bad_input
from textsimp.core.records import DocumentPair
from textsimp.core.settings import NonNegative, Positive, PositiveNumber, read_as
from textsimp.core.writing import write_json
from textsimp.metrics.links import TASKS, gold_mask, identical_mask

_FILE = "logistic.json"
_ITERATIONS = 1000


@dataclass(frozen=True)
class _Model:
    """The weights of a task."""

    offset: float
    weights: dict[str, float]


@dataclass(frozen=True)
class _Stored:
    """What the file holds."""

    models: dict[str, _Model]
    frequencies: dict[str, Any]


class LogisticRegression(TrainedSimilarity):
    """One classifier for each task over standardised `LexicalFeatures`, fitted by L-BFGS without class weights.

    Identical sentences are not learned from, as they are not evaluated. Document frequencies come from the train split
    and are kept with the weights, so that the scores do not depend on what other documents are at hand.

    Args:
        penalty: weight of half the squared coefficients against the summed log loss.
        cells: unlinked sentence pairs to learn from at most; of more, so many are drawn, and weigh for all.
        seed: of that draw.
        position: whether the relative place of the two sentences is a feature too. It is not a lexical one.
    """

    def __init__(
        self,
        penalty: PositiveNumber = 1.0,
        cells: Positive = 300_000,
        seed: NonNegative = 1,
        position: bool = False,
    ) -> None:
        self.penalty, self.cells, self.seed, self.position = penalty, cells, seed, position
        self._features = LexicalFeatures(position)
        self._weights: NDArray[np.float64] | None = None  # (2, F)
        self._offsets = np.zeros(len(TASKS))

    def train(self, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> list[dict[str, Any]]:
        """`InputError` where a task has no linked or no unlinked pair to learn from."""
        from sklearn.linear_model import LogisticRegression as Classifier  # slow to import, and needed here only

        self._features.fit(train)
        features, marks, weights = self._examples(train)  # (N, F), (2, N), (N,)
        mean, spread = features.mean(0, dtype=np.float64), features.std(0, dtype=np.float64)
        spread[spread == 0] = 1.0
        scaled = (features - mean) / spread  # (N, F)
        coefficients, offsets, steps, losses = [], [], [], []
        for task, gold in zip(TASKS, marks, strict=True):
            if gold.all() or not gold.any():
                raise InputError(f"the train split has not both linked and unlinked pairs for {task}; LR cannot learn")
            model = Classifier(C=1 / self.penalty, max_iter=_ITERATIONS).fit(scaled, gold, weights)
            coefficients.append(model.coef_[0] / spread)
            offsets.append(model.intercept_[0] - coefficients[-1] @ mean)
            steps.append(int(model.n_iter_[0]))
            margins = scaled @ model.coef_[0] + model.intercept_[0]  # (N,)
            losses.append(np.average(np.logaddexp(0, np.where(gold, -margins, margins)), weights=weights))
        self._weights, self._offsets = np.array(coefficients), np.array(offsets)
        self.forget()
        return [{"step": steps[0], "loss": float(losses[0]), "dev_f1": best_f1(self, dev)}]

    def probabilities(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        if self._weights is None:
            raise RuntimeError("LogisticRegression.train or load comes first")
        scores = np.tile(self._offsets[:, None, None], (1, len(rows), len(columns)))  # (2, m, n)
        for plane, weights in zip(self._features.planes(rows, columns), self._weights.T, strict=True):
            for score, weight in zip(scores, weights, strict=True):
                score += weight * plane
        return expit(scores, out=scores)

    def save(self, folder: Path) -> None:
        if self._weights is None:
            raise RuntimeError("LogisticRegression.train comes first")
        models = {
            task: {"offset": offset, "weights": dict(zip(self._features.names, row, strict=True))}
            for task, offset, row in zip(TASKS, self._offsets.tolist(), self._weights.tolist(), strict=True)
        }
        write_json(folder / _FILE, {"models": models, "frequencies": self._features.state()})

    def load(self, folder: Path) -> None:
        path = folder / _FILE
        stored, names = read_as(path, _Stored, "train it again"), self._features.names
        rows = [stored.models.get(task) for task in TASKS]
        if not all(row is not None and set(row.weights) == set(names) for row in rows):
            raise bad_input(path, None, "not a logistic regression of these features", "train it again")
        self._weights = np.array([[row.weights[name] for name in names] for row in rows if row])
        self._offsets = np.array([row.offset for row in rows if row])
        self._features = LexicalFeatures.from_state(stored.frequencies, self.position)
        self.forget()

    def _examples(self, pairs: Sequence[DocumentPair]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Features, gold marks of both tasks, and weights of sentence pairs. Shapes: (N, F), (2, N), (N,)."""
        draw = np.random.default_rng(self.seed)
        unlinked = sum(len(p.simple.sentences) * len(p.complex.sentences) - len(p.alignments or ()) for p in pairs)
        share = min(1.0, self.cells / max(unlinked, 1))
        features, marks, weights = (
            [np.zeros((0, len(self._features.names)), np.float32)],
            [np.zeros((2, 0), bool)],
            [np.zeros(0)],
        )
        for pair in pairs:
            gold = np.stack([gold_mask(pair, task) for task in TASKS])  # (2, m, n)
            keep = ~identical_mask(pair) & (gold[0] | (draw.random(gold[0].shape) < share))  # (m, n)
            features.append(self._features.compare(pair.simple.sentences, pair.complex.sentences)[keep])
            marks.append(gold[:, keep])
            weights.append(np.where(marks[-1][0], 1.0, 1 / share))
        return np.concatenate(features), np.concatenate(marks, 1), np.concatenate(weights)
