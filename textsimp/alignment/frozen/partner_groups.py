"""Features of a candidate that need first estimates of all: its neighbours, and the whole group of partners.

Whether a link is partial depends on the other partners of its two sentences: where another simple sentence says what
this one leaves out of the complex one, the complex one was split.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch

from textsimp.alignment.frozen.pair_features import (
    CONTEXT,
    Cells,
    Matrix,
    PairFeatures,
    by_sentence,
    feature_names,
    other_best,
)
from textsimp.core.records import DocumentPair

_REACH = 2
_LEAST = 0.3
"""Cosine up to which a word piece counts as not said by the other partners."""
_UNSAID = 0.5
_FAR = 8.0
SURE = 1e-4
"""Estimates are kept so far from 0 and 1."""
_CHAIN_SCALE = 4.0
"""Log-odds are divided by it on their way into the CRF."""
_OFFSETS = [
    (down, right)
    for down in range(-_REACH, _REACH + 1)
    for right in range(-_REACH, _REACH + 1)
    if 0 < abs(down) + abs(right) < 2 * _REACH
]
_GROUP = ("gained", "gained_weight", "alone", "unsaid")


def logit(probability: Matrix) -> Matrix:
    """ln(p / (1 - p)), p kept `SURE` away from 0 and 1. Same shape."""
    clipped = np.clip(probability, SURE, 1 - SURE)
    return np.log(clipped / (1 - clipped))


def group_names(has_encoder: bool) -> list[str]:
    """The features in the order of their columns; `group_features` says what they are."""
    names = ["linked", "linked.logit", "aligned.logit", "aligned_if_linked"]
    for task in ("linked", "aligned"):
        names += [f"{task}.{part}" for part in ("other_in_row", "other_in_column", "rest_of_row", "rest_of_column")]
    names += [f"near.{down}.{right}" for down, right in _OFFSETS]
    names += ["displacement", "rest_of_paragraphs"]
    names += ["chain.simple", "chain.complex", "chain.best", "chain.row", "chain.column"]
    if has_encoder:
        names += [f"{layer}.{part}.{side}" for layer in ("middle", "last") for part in _GROUP for side in ("s", "c")]
    return names


def group_features(
    pair: DocumentPair, features: PairFeatures, estimates: Matrix, chains: tuple[Matrix, Matrix]
) -> Matrix:
    """Features of the candidates from first estimates.

    The estimates and their log-odds; P(aligned) / P(linked); the best other estimate and the sum of the others in the
    row and in the column; those of the neighbours; the distance to the place that the sentences around expect
    (`_displacement`); the sum over the other pairs of both paragraphs; the posteriors of the two chains of the CRF and
    their sums in the row and the column; what the other partners add (`_group`).

    Args:
        estimates: P(linked) and P(aligned) of each candidate. Shape: (K, 2).
        chains: posteriors of the chain over the simple and of that over the complex sentences. Shapes: (m, n).

    Returns:
        Shape: (K, F).
    """
    rows, columns = features.cells.T
    linked, aligned = (features.plane(part) for part in estimates.T)
    values = [estimates[:, 0], *logit(estimates).T, estimates[:, 1] / np.maximum(estimates[:, 0], 1e-6)]
    for plane in (linked, aligned):
        here = plane[rows, columns]
        values += [other_best(plane, axis)[rows, columns] for axis in (1, 0)]
        values += [plane.sum(axis)[index] - here for axis, index in ((1, rows), (0, columns))]
    padded = np.pad(linked, _REACH)
    values += [padded[rows + _REACH + down, columns + _REACH + right] for down, right in _OFFSETS]
    values.append(_displacement(linked, rows, columns))
    values.append(_of_paragraphs(pair, linked, rows, columns) - estimates[:, 0])
    values += [chain[rows, columns] for chain in chains]
    values.append(np.maximum(*chains)[rows, columns])
    values += [chains[0].sum(1)[rows], chains[1].sum(0)[columns]]
    for layer in features.coverage:
        values += by_sentence(layer, features.weights, features.cells, partial(_group, estimates[:, 0]))
    return np.stack(values, 1)


def _displacement(linked: Matrix, rows: Cells, columns: Cells) -> Matrix:
    """Complex sentences between a candidate and where the other simple sentences around it have their partners.

    The place is the mean of the others' partners, weighted by their estimates and by exp(-distance). Shape: (K,).
    """
    m, n = linked.shape
    mass = linked.sum(1)  # (m,)
    places = linked @ (np.arange(n) + 0.5)  # (m,)
    near = np.exp(-np.abs(np.arange(m)[:, None] - np.arange(m)[None, :]))  # (m, m)
    np.fill_diagonal(near, 0.0)
    expected = (near @ places + SURE * n / 2) / (near @ mass + SURE)
    return np.minimum(np.abs(columns + 0.5 - expected[rows]), _FAR)


def _of_paragraphs(pair: DocumentPair, linked: Matrix, rows: Cells, columns: Cells) -> Matrix:
    simple, complex_ = (np.asarray(side.paragraph_of) for side in (pair.simple, pair.complex))
    sums = np.zeros((simple.max() + 1, complex_.max() + 1))
    np.add.at(sums, (simple[rows], complex_[columns]), linked[rows, columns])
    return sums[simple[rows], complex_[columns]]


def _group(linked: Matrix, best: Matrix, weights: Matrix, candidates: Cells) -> Matrix:
    """Return what other partners say of the word pieces of a sentence, by P(linked) times cosine; see `by_sentence`.

    gained: idf of what they say better than this partner, as a share of the sentence, and as a sum (gained_weight).
    alone: share of what this partner says better than they. unsaid: idf of what none of them says.

    Args:
        linked: P(linked) of all candidates. Shape: (K,).
    """
    here = np.maximum(best, 0.0)
    others = other_best(best * linked[candidates][None, :], 1)  # (W, k)
    total = max(weights.sum(), 1e-9)
    gained = weights @ np.maximum(others - here, 0.0)
    alone = weights @ np.maximum(here - np.maximum(others, _LEAST), 0.0)
    unsaid = weights @ (np.maximum(others, here) < _UNSAID)
    return np.stack([gained / total, gained, alone / total, unsaid])


def kept_columns(names: list[str]) -> list[int]:
    """The columns of `feature_names` that the judge sees again: all but the rows and columns of similarities."""
    context = {f".{part}" for part in CONTEXT[1:]}
    return [column for column, name in enumerate(names) if not any(name.endswith(part) for part in context)]


def judge_names(has_encoder: bool) -> list[str]:
    """The features of the judge in the order of their columns."""
    names = feature_names(has_encoder)
    return [names[column] for column in kept_columns(names)] + group_names(has_encoder)


def judged_values(
    pair: DocumentPair, features: PairFeatures, estimates: Matrix, chains: tuple[Matrix, Matrix]
) -> Matrix:
    """The features of the judge. Shape: (K, F)."""
    values = features.values[:, kept_columns(feature_names(bool(features.coverage)))]
    return np.concatenate([values, group_features(pair, features, estimates, chains)], 1)


def pooled(estimates: Sequence[Matrix], features: PairFeatures) -> Matrix:
    """The mean log-odds of several estimates as probabilities; identical sentences are aligned. Shape: (K, 2)."""
    mean = 1 / (1 + np.exp(-np.mean([logit(part) for part in estimates], 0)))
    mean[features.identical] = 1 - SURE
    return mean


def chain_inputs(features: PairFeatures, estimates: Matrix) -> torch.Tensor:
    """Inputs of the CRF: log-odds of both tasks. Shape: (m, n, 2)."""
    none = float(logit(np.zeros(1))[0])
    planes = [(features.plane(logit(part), none) / _CHAIN_SCALE).astype(np.float32) for part in estimates.T]
    return torch.from_numpy(np.stack(planes, 2))
