"""Training of the networks over sentence pairs, and the similarities that they make: InferSent and ESIM."""

import logging
from abc import ABC
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field
from torch import Tensor
from torch.nn import functional

from textsimp.alignment.neural.bert import CLASSES
from textsimp.alignment.similarity.pair_networks import Encoded, EsimNetwork, InferSentNetwork, PairNetwork, WordReader
from textsimp.alignment.similarity.similarity import Matrix, TrainedSimilarity, best_f1
from textsimp.alignment.words import TfIdf
from textsimp.core.batches import length_batches
from textsimp.core.errors import InputError
from textsimp.core.progress import progress
from textsimp.core.records import DocumentPair
from textsimp.core.resumable import load_tensors, load_weights, save_tensors
from textsimp.core.settings import NonNegative, NonNegativeNumber, Positive, PositiveNumber
from textsimp.core.word_vectors import WordVectors
from textsimp.core.writing import write_json

_POOL = 16
"""Batches of like length are cut from a pool of so many batches of random examples."""
_HARD = 4
"""Hard unlinked pairs are drawn from so many times as many as are wanted."""

_log = logging.getLogger(__name__)


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
        cells = np.stack([rows, others, labels.ravel(), words.matrix(pair).ravel()])
        columns.append(cells[:, rows != others])
    rows, others, labels, similarity = np.concatenate(columns, 1)
    order = np.lexsort((-labels, others, rows))
    first = np.ones(len(order), dtype=bool)
    first[1:] = (np.diff(rows[order]) != 0) | (np.diff(others[order]) != 0)
    chosen = order[first]
    ids = np.stack([rows, others], 1)[chosen].astype(np.int64)
    return Examples(list(numbers), ids, labels[chosen].astype(np.int64), similarity[chosen])


def train_network(
    network: PairNetwork, reader: WordReader, examples: Examples, options: "TrainedPairs", dev_f1: Callable[[], float]
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
    best, best_weights, step = -1.0, network.state_dict(), 0
    lengths = np.array([reader.length(sentence) for sentence in examples.sentences])
    steps_of_one = sum(1 for _ in epoch_batches(examples, lengths, options, 0))
    epochs = max(options.epochs, -(-options.min_steps // steps_of_one))
    for epoch in progress(range(epochs), desc=f"train {type(network).__name__}", unit="epoch"):
        batches = list(epoch_batches(examples, lengths, options, epoch))
        network.train()
        losses = []
        for number, batch in enumerate(batches):
            rate = 1 - (epoch + number / len(batches)) / epochs
            losses.append(_update(network, reader, examples, batch, optimizer, options.learning_rate * rate))
        step += len(batches)
        network.eval()
        f1 = dev_f1()
        curve.append({"step": step, "loss": sum(losses) / len(losses), "dev_f1": f1})
        _log.info("step %d: loss %.3f, dev F1 %.1f", step, curve[-1]["loss"], f1)
        if f1 > best or best <= 0:  # without a rightly predicted pair on dev the last epoch is as good as any
            best, best_weights = f1, {name: tensor.clone() for name, tensor in network.state_dict().items()}
    network.load_state_dict(best_weights)
    return curve


def epoch_batches(
    examples: Examples, lengths: NDArray[np.int64], options: "TrainedPairs", epoch: int
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
        for number in draw.permutation(len(rows)):
            yield pool[rows[number]]


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


_WEIGHTS, _WORDS = "network.safetensors", "words.json"
_SENTENCES = 256
"""Sentences that are read at once."""
_Size = Annotated[int, Field(ge=1, le=65_536)]


@dataclass(eq=False, repr=False)
class TrainedPairs(TrainedSimilarity, ABC):
    """A network over pairs of sentences as a similarity. Identical sentences have probability 1.

    Attributes:
        vectors: of the words; they are not trained.
        hidden: units of each layer; an LSTM has as many in each direction.
        dropout: share of units dropped in training.
        learning_rate: of Adam at the start; it falls to 0.
        epochs: over the links; the one of the best F1 of Task 1 on dev is kept.
        min_steps: a small train split gets more epochs, until there are so many steps.
        batch_size: sentence pairs of a step.
        negatives: unlinked pairs for each linked one, drawn anew each epoch: half at random, half from the most similar
            by TF-IDF.
        candidates: the most similar complex sentences of a simple one, by TF-IDF, that the network looks at; other
            pairs have probability 0. 0 is all.
        max_words: a sentence is cut after so many.
        seed: of the first weights, of what is drawn, and of dropout.
    """

    vectors: WordVectors
    hidden: _Size = 64
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1
    learning_rate: PositiveNumber = 0.002
    epochs: Positive = 3
    min_steps: NonNegative = 200
    batch_size: _Size = 64
    negatives: NonNegativeNumber = 2.0
    candidates: NonNegative = 10
    max_words: _Size = 60
    seed: NonNegative = 1
    network_class: ClassVar[type[PairNetwork]]
    batch_cells: ClassVar[int]
    """Sentence pairs that are compared at once."""
    _words: TfIdf | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._reader = WordReader(self.vectors, self.max_words)
        self.network = self._untrained()

    def train(self, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> list[dict[str, Any]]:
        """`InputError` where no pair is linked."""
        self._words, self.network = TfIdf().fit(train), self._untrained()
        examples = examples_of(train, self._words)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            curve = train_network(self.network, self._reader, examples, self, lambda: self._dev_f1(dev))
        self.forget()
        return curve

    @torch.inference_mode()
    def probabilities(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        if self._words is None:
            raise RuntimeError(f"{type(self).__name__}.train or load comes first")
        probabilities = np.zeros((2, len(rows), len(columns)))
        if not probabilities.size:
            return probabilities
        same = np.array(rows, dtype=object)[:, None] == np.array(columns, dtype=object)[None, :]  # (m, n)
        cells = np.argwhere(self._candidates(rows, columns) & ~same)  # (N, 2)
        if len(cells):
            numbers = {text: number for number, text in enumerate(dict.fromkeys([*rows, *columns]))}
            simple, complex_ = (np.array([numbers[text] for text in side]) for side in (rows, columns))
            pairs = np.stack([simple[cells[:, 0]], complex_[cells[:, 1]]], 1)  # (N, 2)
            probabilities[:, cells[:, 0], cells[:, 1]] = self._compare(self._encode(list(numbers)), pairs)
        probabilities[:, same] = 1.0
        return probabilities

    def save(self, folder: Path) -> None:
        if self._words is None:
            raise RuntimeError(f"{type(self).__name__}.train comes first")
        save_tensors(folder / _WEIGHTS, self.network.state_dict())
        write_json(folder / _WORDS, self._words.state())

    def load(self, folder: Path) -> None:
        words = TfIdf.read(folder / _WORDS)
        load_weights(self.network, load_tensors(folder / _WEIGHTS), folder / _WEIGHTS)
        self._words = words
        self.forget()

    def _untrained(self) -> PairNetwork:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            return self.network_class(self.vectors.size, self.hidden, self.dropout).eval()  # type: ignore[call-arg]

    def _dev_f1(self, dev: Sequence[DocumentPair]) -> float:
        self.forget()
        return best_f1(self, dev)

    def _candidates(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.bool_]:
        """Which pairs the network looks at. Shape: (m, n)."""
        if not self.candidates or self.candidates >= len(columns):
            return np.ones((len(rows), len(columns)), dtype=bool)
        assert self._words is not None, "`probabilities` has looked"
        order = (-self._words.compare(rows, columns)).argsort(1, kind="stable")[:, : self.candidates]  # (m, candidates)
        chosen = np.zeros((len(rows), len(columns)), dtype=bool)
        np.put_along_axis(chosen, order, True, axis=1)
        return chosen

    def _encode(self, sentences: Sequence[str]) -> Encoded:
        batches = [
            self.network.encode(self._reader.read(sentences[start : start + _SENTENCES]))
            for start in range(0, len(sentences), _SENTENCES)
        ]
        width = max(batch.mask.shape[1] for batch in batches)
        mask = torch.zeros(len(sentences), width, dtype=torch.bool)
        shape = (width, *batches[0].states.shape[2:]) if batches[0].states.dim() == 3 else batches[0].states.shape[1:]
        states = torch.zeros(len(sentences), *shape)
        for number, batch in enumerate(batches):
            part = slice(number * _SENTENCES, number * _SENTENCES + len(batch.mask))
            mask[part, : batch.mask.shape[1]] = batch.mask
            (states[part, : batch.states.shape[1]] if states.dim() == 3 else states[part]).copy_(batch.states)
        return Encoded(states, mask)

    def _compare(self, encoded: Encoded, pairs: NDArray[np.int64]) -> Matrix:
        """Both tasks' probabilities, in batches of like length. Shapes: (N, 2) to (2, N)."""
        lengths = encoded.mask.sum(1).numpy()[pairs]  # (N, 2)
        order = np.lexsort((lengths[:, 1], lengths[:, 0]))
        probabilities = np.empty((2, len(pairs)))
        for start in range(0, len(order), self.batch_cells):
            part = order[start : start + self.batch_cells]
            simple, complex_ = torch.from_numpy(pairs[part]).T
            logits = self.network(encoded.take(simple), encoded.take(complex_))  # (N, 3)
            none, _, aligned = logits.double().softmax(1).numpy().T
            probabilities[:, part] = 1 - none, aligned
        return probabilities


@dataclass(eq=False, repr=False)
class InferSent(TrainedPairs):
    """InferSent as a similarity; see `TrainedPairs` for the options."""

    hidden: _Size = 128
    learning_rate: float = 0.001
    network_class = InferSentNetwork
    batch_cells = 4096


@dataclass(eq=False, repr=False)
class Esim(TrainedPairs):
    """ESIM as a similarity; see `TrainedPairs` for the options."""

    network_class = EsimNetwork
    batch_cells = 256
