"""Pruning of sentence pairs before the pair encoder: a logistic gate over sentence embeddings and words.

The pair encoder costs a BERT pass for each of the m n sentence pairs of a document pair; sentence embeddings cost
m + n. The gate estimates P(linked) from the latter and rules out the pairs below a threshold; the encoder looks at
the rest. Weights come from gold links, the threshold from the F1 that it loses. An experiment: no stage trains one.
"""

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.neural.aligner import Aligner
from textsimp.alignment.neural.pair_scores import PairScorer
from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair
from textsimp.metrics.links import TASKS, alignment_scores, gold_mask, identical_mask

Matrix = NDArray[np.float64]
PLANES = ("cosine", "tfidf", "jaccard", "simple_share", "complex_share", "distance")
"""Cheap numbers of each sentence pair: cosine of sentence embeddings, then as `PairScorer` has them."""
FEATURES = (
    *PLANES,
    *(f"{name}_margin_{axis}" for name in ("similarity", *PLANES[3:5]) for axis in ("row", "column")),
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


class GatedScorer(PairScorer):
    """A pair scorer whose candidates a gate chooses; it shares the encoder outputs of the scorer that it comes from."""

    gate: Gate

    @classmethod
    def of(cls, aligner: Aligner, gate: Gate) -> Aligner:
        """The aligner with such a scorer."""
        scorer = cls.__new__(cls)
        vars(scorer).update(vars(aligner.scorer), gate=gate, excluded=(gate.link, gate.aligned), _scores={})
        return replace(aligner, scorer=scorer)

    def choose(self, pair: DocumentPair) -> NDArray[np.bool_]:
        """What the gate keeps; see `PairScorer.choose`."""
        return self.gate.keeps(self.planes(pair))


ALL_PAIRS = Gate((), 0.0, -np.inf, 0.0, 0.0)
"""Stands for no pruning."""


@dataclass(frozen=True)
class PruningConfig:
    """How a gate is learned, and how much it may lose.

    allowed_loss: F1 in percent of either task, against all sentence pairs.
    tuning_cells: the threshold is tuned on dev and on article sets of train with about so many sentence pairs, which
        are all encoded once: a dev split of a few articles alone leaves it to chance.
    factors: how many times fewer sentence pairs are tried. The step from 12 to 24 would save another 4 % of all pairs
        at the price of links that dev is too small to miss.
    folds: train is gated, for the tuning, by gates that were learned from the article sets of the other folds.
    penalty: weight of half the squared coefficients of standardised features against the summed log loss.
    seed: of the draw from train.
    """

    allowed_loss: float = 0.1
    tuning_cells: int = 10_000
    factors: tuple[float, ...] = tuple(step / 4 for step in range(6, 49))
    folds: int = 5
    penalty: float = 1.0
    seed: int = 13


def learn_gate(
    aligner: Aligner, train: Sequence[DocumentPair], dev: Sequence[DocumentPair], config: PruningConfig
) -> Gate:
    """A gate for a trained aligner: weights from the gold links of train, without the pair encoder; then a threshold.

    Raises:
        InputError: train has not both linked and unlinked sentence pairs.
    """
    examples = [_examples(aligner.scorer, pair) for pair in train]
    gate = _fit(examples, config.penalty)
    drawn = _drawn(train, config)
    gates = _other_folds_gates(train, drawn, examples, config)
    tuning = [*((pair, gate) for pair in dev), *((train[index], gates[index]) for index in drawn)]
    chosen = _tuned(aligner, tuning, config)
    return replace(chosen, weights=gate.weights, bias=gate.bias)


Examples = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""Gate features (N, F) of the sentence pairs of a document pair, identical ones left out, and which are linked (N,)."""


def _examples(scorer: PairScorer, pair: DocumentPair) -> Examples:
    keep = ~identical_mask(pair)
    return gate_features(scorer.planes(pair))[keep], gold_mask(pair, "task1")[keep]


def _fit(examples: Sequence[Examples], penalty: float) -> Gate:
    """Logistic regression on standardised features, whose scaling goes into the weights; rules nothing out."""
    from sklearn.linear_model import LogisticRegression  # slow to import, and needed here only

    features, linked = (np.concatenate(parts) for parts in zip(*examples, strict=True))  # (N, F), (N,)
    if linked.all() or not linked.any():
        raise InputError("pruning: the train split has not both linked and unlinked sentence pairs to learn from")
    mean, spread = features.mean(0), features.std(0)
    spread[spread == 0] = 1.0
    model = LogisticRegression(C=1 / penalty, max_iter=2000).fit((features - mean) / spread, linked)
    weights = model.coef_[0] / spread
    return Gate(tuple(weights.tolist()), float(model.intercept_[0] - weights @ mean), -np.inf, 0.0, 0.0)


def _drawn(train: Sequence[DocumentPair], config: PruningConfig) -> list[int]:
    """Places of the document pairs of article sets drawn at random until there are `tuning_cells` sentence pairs."""
    groups = sorted({pair.group for pair in train})
    random.Random(config.seed).shuffle(groups)
    indices, cells = [], 0
    for group in groups:
        if cells >= config.tuning_cells:
            break
        own = [index for index, pair in enumerate(train) if pair.group == group]
        cells += sum(len(train[index].simple.sentences) * len(train[index].complex.sentences) for index in own)
        indices += own
    return indices


def _other_folds_gates(
    train: Sequence[DocumentPair], indices: Sequence[int], examples: Sequence[Examples], config: PruningConfig
) -> dict[int, Gate]:
    """For each index the gate that was learned from the article sets outside its fold."""
    folds = [int(hashlib.sha256(pair.group.encode()).hexdigest(), 16) % config.folds for pair in train]
    gates: dict[int, Gate] = {}
    for fold in sorted({folds[index] for index in indices}):
        outside = [example for example, own in zip(examples, folds, strict=True) if own != fold]
        gate = _fit(outside or examples, config.penalty)
        gates |= {index: gate for index in indices if folds[index] == fold}
    return gates


def _tuned(aligner: Aligner, tuning: Sequence[tuple[DocumentPair, Gate]], config: PruningConfig) -> Gate:
    """The threshold of the fewest sentence pairs with which F1 of neither task falls further than allowed.

    With it what the encoder gives to the pairs that are ruled out, at the median; the weights mean nothing.
    """
    pairs = [pair for pair, _ in tuning]
    whole_scorer = GatedScorer.of(aligner, ALL_PAIRS).scorer
    whole_scorer.prepare(pairs, "score all sentence pairs to tune the pruning")
    scores = [whole_scorer.scores(pair) for pair in pairs]
    whole = f1_of(aligner, pairs, [ALL_PAIRS] * len(pairs))
    keep = [~identical_mask(pair) for pair in pairs]
    odds = np.concatenate(
        [gate.log_odds(aligner.scorer.planes(pair))[mask] for (pair, gate), mask in zip(tuning, keep, strict=True)]
    )  # (N,)
    link, aligned = (
        np.concatenate([getattr(score, name)[mask] for score, mask in zip(scores, keep, strict=True)])
        for name in ("link", "aligned")
    )  # (N,)
    for factor in sorted(config.factors, reverse=True):
        threshold = float(np.quantile(odds, 1 - 1 / factor))
        out = odds < threshold
        medians = (float(np.median(values[out])) if out.any() else 0.0 for values in (link, aligned))
        chosen = Gate((), 0.0, threshold, *medians)
        gates = [replace(chosen, weights=gate.weights, bias=gate.bias) for _, gate in tuning]
        gated = f1_of(aligner, pairs, gates)
        if all(whole[task] - gated[task] <= config.allowed_loss for task in TASKS):
            return chosen
    return replace(ALL_PAIRS, threshold=float(odds.min()))


def f1_of(aligner: Aligner, pairs: Sequence[DocumentPair], gates: Sequence[Gate]) -> dict[str, float]:
    """F1 of both tasks in percent, each document pair pruned by its gate."""
    links = [GatedScorer.of(aligner, gate).align(pair) for pair, gate in zip(pairs, gates, strict=True)]
    scores = alignment_scores(zip(pairs, links, strict=True))
    return {task: scores[task]["f1"] for task in TASKS}
