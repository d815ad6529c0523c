"""Training of a network over sentence pairs by cross entropy, the epoch chosen on dev (F2)."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional
from tqdm import tqdm

from textsimp.alignment.neural.pair_encoder import CLASSES, length_batches
from textsimp.alignment.similarity.pair_network import PairNetwork, WordReader
from textsimp.alignment.tfidf import TfIdf
from textsimp.errors import InputError
from textsimp.records import DocumentPair

_POOL = 16
"""Batches of like length are cut from a pool of so many batches of random examples."""
_HARD = 4
"""Hard unlinked pairs are drawn from so many times as many as are wanted."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PairTraining:
    """How a network is trained; see `TrainedPairs`, whose options these are."""

    learning_rate: float
    epochs: int
    min_steps: int
    batch_size: int
    negatives: float
    seed: int


@dataclass(frozen=True)
class Examples:
    """The distinct sentence pairs that are not identical, sorted by (simple, complex).

    Attributes:
        sentences: distinct sentences.
        pairs: indexes of the simple and of the complex sentence. Shape: (N, 2).
        labels: index of `CLASSES`. Shape: (N,).
        similarity: TF-IDF cosine. Shape: (N,).
    """

    sentences: Sequence[str]
    pairs: NDArray[np.int64]
    labels: NDArray[np.int64]
    similarity: NDArray[np.float64]


def examples_of(pairs: Sequence[DocumentPair], words: TfIdf) -> Examples:
    """All sentence pairs of labelled document pairs; one with several labels counts as the closest relation."""
    numbers: dict[str, int] = {}
    columns: list[NDArray[Any]] = [np.zeros((4, 0))]
    for pair in pairs:
        simple, complex_ = (
            np.array([numbers.setdefault(text, len(numbers)) for text in side.sentences])
            for side in (pair.simple, pair.complex)
        )
        labels = np.zeros((len(simple), len(complex_)))
        for link in pair.alignments or ():
            labels[link.simple, link.complex] = CLASSES.index(link.label)
        rows, others = (side.ravel() for side in np.broadcast_arrays(simple[:, None], complex_[None, :]))
        found = np.stack([rows, others, labels.ravel(), words.matrix(pair).ravel()])
        columns.append(found[:, rows != others])
    rows, others, labels, similarity = np.concatenate(columns, 1)
    order = np.lexsort((-labels, others, rows))
    first = np.ones(len(order), dtype=bool)
    first[1:] = (np.diff(rows[order]) != 0) | (np.diff(others[order]) != 0)
    chosen = order[first]
    ids = np.stack([rows, others], 1)[chosen].astype(np.int64)
    return Examples(list(numbers), ids, labels[chosen].astype(np.int64), similarity[chosen])


def train_network(
    network: PairNetwork, reader: WordReader, examples: Examples, options: PairTraining, dev_f1: Callable[[], float]
) -> list[dict[str, float]]:
    """Train in place by Adam with a rate that falls to 0, and leave the network at the epoch of the best dev F1.

    Args:
        dev_f1: F1 of Task 1 of the network as it is, in percent.

    Returns:
        The curve: an entry for each epoch of step, mean loss since the last entry, dev_f1.

    Raises:
        InputError: there is no linked pair to learn from.
    """
    if not examples.labels.any():
        raise InputError("the train split has no aligned or partial pair to learn from; give labelled document pairs")
    optimizer = torch.optim.Adam(network.parameters(), lr=options.learning_rate)
    curve: list[dict[str, float]] = []
    best, kept, step = -1.0, network.state_dict(), 0
    lengths = np.array([reader.length(sentence) for sentence in examples.sentences])
    steps_of_one = sum(1 for _ in epoch_batches(examples, lengths, options, 0))
    epochs = max(options.epochs, -(-options.min_steps // steps_of_one))
    for epoch in tqdm(range(epochs), desc=f"train {type(network).__name__}", unit="epoch"):
        batches = list(epoch_batches(examples, lengths, options, epoch))
        network.train()
        losses = []
        for place, batch in enumerate(batches):
            rate = 1 - (epoch + place / len(batches)) / epochs
            losses.append(_update(network, reader, examples, batch, optimizer, options.learning_rate * rate))
        step += len(batches)
        network.eval()
        f1 = dev_f1()
        curve.append({"step": step, "loss": sum(losses) / len(losses), "dev_f1": f1})
        _log.info("step %d: loss %.3f, dev F1 %.1f", step, curve[-1]["loss"], f1)
        if f1 > best or best <= 0:  # without a rightly predicted pair on dev the last epoch is as good as any
            best, kept = f1, {name: tensor.clone() for name, tensor in network.state_dict().items()}
    network.load_state_dict(kept)
    return curve


def epoch_batches(
    examples: Examples, lengths: NDArray[np.int64], options: PairTraining, epoch: int
) -> Iterator[NDArray[np.int64]]:
    """Which examples each step of an epoch sees, a function of the seed and the epoch alone.

    All links, and `negatives` times as many other pairs: half of them from the most similar by TF-IDF.
    """
    draw = np.random.default_rng([options.seed, epoch])
    linked, others = np.flatnonzero(examples.labels), np.flatnonzero(examples.labels == 0)
    wanted = min(len(others), round(options.negatives * len(linked)))
    ranked = others[np.argsort(-examples.similarity[others], kind="stable")]
    hard = draw.permutation(ranked[: _HARD * (wanted // 2)])[: wanted // 2]
    easy = draw.permutation(np.setdiff1d(others, hard))[: wanted - len(hard)]
    chosen = draw.permutation(np.concatenate([linked, hard, easy]))
    size = options.batch_size
    for start in range(0, len(chosen), size * _POOL):
        pool = chosen[start : start + size * _POOL]
        longest = lengths[examples.pairs[pool]].sum(1)  # (pool,)
        rows = list(length_batches(range(len(pool)), size, longest.__getitem__))
        for place in draw.permutation(len(rows)):
            yield pool[rows[place]]


def _update(
    network: PairNetwork,
    reader: WordReader,
    examples: Examples,
    batch: NDArray[np.int64],
    optimizer: torch.optim.Optimizer,
    rate: float,
) -> float:
    """One step; each sentence of the batch is read once. Returns the loss."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    distinct, places = np.unique(examples.pairs[batch], return_inverse=True)
    encoded = network.encode(reader.read([examples.sentences[row] for row in distinct.tolist()]))
    simple, complex_ = torch.from_numpy(places.reshape(-1, 2)).T  # (N,), (N,)
    labels: Tensor = torch.from_numpy(examples.labels[batch])  # (N,)
    loss = functional.cross_entropy(network(encoded.take(simple), encoded.take(complex_)), labels)
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
    optimizer.step()
    return float(loss.detach())
