"""Learning the gate of pruning.py from gold links, and its threshold from the F1 that it loses (F2)."""

import hashlib
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.neural.aligner import Aligner
from textsimp.alignment.neural.pair_scores import PairScorer
from textsimp.alignment.neural.pruning import Gate, gate_features
from textsimp.errors import InputError
from textsimp.metrics.alignment import TASKS, alignment_scores, gold_mask, identical_mask
from textsimp.records import DocumentPair

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
    tuning = [*((pair, gate) for pair in dev), *((train[place], gates[place]) for place in drawn)]
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
    places, cells = [], 0
    for group in groups:
        if cells >= config.tuning_cells:
            break
        own = [place for place, pair in enumerate(train) if pair.group == group]
        cells += sum(len(train[place].simple.sentences) * len(train[place].complex.sentences) for place in own)
        places += own
    return places


def _other_folds_gates(
    train: Sequence[DocumentPair], places: Sequence[int], examples: Sequence[Examples], config: PruningConfig
) -> dict[int, Gate]:
    """For each place the gate that was learned from the article sets outside its fold; none where that is impossible."""
    folds = [int(hashlib.sha256(pair.group.encode()).hexdigest(), 16) % config.folds for pair in train]
    found: dict[int, Gate] = {}
    for fold in sorted({folds[place] for place in places}):
        outside = [example for example, own in zip(examples, folds, strict=True) if own != fold]
        gate = _fit(outside or examples, config.penalty)
        found |= {place: gate for place in places if folds[place] == fold}
    return found


def _tuned(aligner: Aligner, tuning: Sequence[tuple[DocumentPair, Gate]], config: PruningConfig) -> Gate:
    """The threshold of the fewest sentence pairs with which F1 of neither task falls further than allowed.

    With it what the encoder gives to the pairs that are ruled out, at the median; the weights mean nothing.
    """
    pairs = [pair for pair, _ in tuning]
    with gated(aligner.scorer, ALL_PAIRS):
        aligner.scorer.prepare(pairs, "score all sentence pairs to tune the pruning")
        scores = [aligner.scores(pair) for pair in pairs]
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
        found = f1_of(aligner, pairs, gates)
        if all(whole[task] - found[task] <= config.allowed_loss for task in TASKS):
            return chosen
    return replace(ALL_PAIRS, threshold=float(odds.min()))


def f1_of(aligner: Aligner, pairs: Sequence[DocumentPair], gates: Sequence[Gate]) -> dict[str, float]:
    """F1 of both tasks in percent, each document pair pruned by its gate."""
    links = []
    for pair, gate in zip(pairs, gates, strict=True):
        with gated(aligner.scorer, gate):
            links.append(aligner.align(pair))
    scores = alignment_scores(zip(pairs, links, strict=True))
    return {task: scores[task]["f1"] for task in TASKS}


@contextmanager
def gated(scorer: PairScorer, gate: Gate | None) -> Iterator[None]:
    """Another gate inside, with the encoder outputs that are at hand; the own one is back at the end."""
    own, scorer.gate = scorer.gate, gate
    scorer.forget_scores()
    try:
        yield
    finally:
        scorer.gate = own
        scorer.forget_scores()
