"""InferSent and ESIM, the networks over sentence pairs of table 3 of Jiang et al. 2020, and their training.

Conneau et al. 2017, section 3 (InferSent), and Chen et al. 2017, section 3 (ESIM). Word vectors stay as they are; a
trained projection adapts them.
"""

import logging
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field
from torch import Tensor, nn
from torch.nn import functional

from textsimp.alignment.neural.bert import CLASSES, classes_of
from textsimp.alignment.similarity.similarity import Matrices, Matrix, TrainedSimilarity, best_f1
from textsimp.alignment.words import TfIdf, best_of_rows, numbered, words
from textsimp.core.batches import length_batches
from textsimp.core.errors import InputError
from textsimp.core.progress import progress
from textsimp.core.records import DocumentPair
from textsimp.core.resumable import load_tensors, load_weights, save_tensors
from textsimp.core.settings import NonNegative, NonNegativeNumber, Positive, PositiveNumber
from textsimp.core.word_vectors import WordVectors
from textsimp.core.writing import write_json

_GAIN = 2.0
"""Scale of the first projection of words. With the library's own first weights, a few hundred links teach ESIM little:
words then differ so little that its attention is even."""


class WordBatch(NamedTuple):
    """Sentences as numbers: the vectors of their distinct words, and which word is where.

    Shapes: vectors (W, D), rows (S, L), mask (S, L); a row is 0 where the mask is False.
    """

    vectors: Tensor
    rows: Tensor
    mask: Tensor


class Encoded(NamedTuple):
    """Encoded sentences. Shapes: states (S, H) or (S, L, H), mask (S, L)."""

    states: Tensor
    mask: Tensor

    def take(self, rows: Tensor) -> "Encoded":
        """Some of the sentences, cut to the longest of them. Shape of `rows`: (N,)."""
        mask = self.mask.index_select(0, rows)  # (N, L)
        states = self.states.index_select(0, rows)  # (N, ...)
        width = int(mask.sum(1).max())
        return Encoded(states[:, :width] if states.dim() == 3 else states, mask[:, :width])


class WordReader:
    """Turns sentences into `WordBatch`; vectors once looked up are kept.

    A word without a vector gets random numbers that depend on the word alone (Chen et al. 2017, section 4, draw them
    too), so that two sentences still show that they share it. A sentence without a word is one zero vector.
    """

    def __init__(self, vectors: WordVectors, max_words: int) -> None:
        self.vectors, self.max_words = vectors, max_words
        self._known: dict[str, NDArray[np.float32]] = {"": np.zeros(vectors.size, dtype=np.float32)}

    def read(self, sentences: Sequence[str]) -> WordBatch:
        """Return the first `max_words` words of each sentence; at least one sentence."""
        rows = [words(sentence)[: self.max_words] or [""] for sentence in sentences]
        known = numbered(rows)
        lengths = torch.tensor([len(row) for row in rows])  # (S,)
        mask = torch.arange(int(lengths.max())) < lengths[:, None]  # (S, L)
        index = torch.zeros(mask.shape, dtype=torch.int64)
        index[mask] = torch.tensor([known[word] for row in rows for word in row])
        return WordBatch(torch.from_numpy(self._lookup(list(known))), index, mask)

    def length(self, sentence: str) -> int:
        """Return how many words of a sentence the network sees."""
        return max(1, min(len(words(sentence)), self.max_words))

    def _lookup(self, distinct: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of words. Shape: (W, D)."""
        if new := [word for word in distinct if word not in self._known]:
            for word, vector, is_known in zip(new, *self.vectors.lookup(new), strict=True):
                drawn = np.random.default_rng(zlib.crc32(word.encode()))
                self._known[word] = vector if is_known else drawn.standard_normal((self.vectors.size,), np.float32)
        return np.stack([self._known[word] for word in distinct])


class BiLstm(nn.Module):
    """A bidirectional LSTM that sees no padding.

    The backward direction reads each sentence reversed within its own length; gradients through packed sequences take
    longer, with the square of the length.
    """

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.onward = nn.LSTM(inputs, hidden, batch_first=True)
        self.backwards = nn.LSTM(inputs, hidden, batch_first=True)
        for lstm in (self.onward, self.backwards):
            _prepare(lstm)

    def forward(self, inputs: Tensor, mask: Tensor) -> Tensor:
        """States of both directions, 0 at padding. Shapes: (S, L, D), (S, L) to (S, L, 2H)."""
        onward, _ = self.onward(inputs)  # (S, L, H)
        backward, _ = self.backwards(_reversed(inputs, mask))  # (S, L, H)
        return torch.cat([onward, _reversed(backward, mask)], 2) * mask[:, :, None]


class PairNetwork(nn.Module, ABC):
    """Encodes sentences one by one and then compares them in pairs."""

    def __init__(self, size: int, hidden: int, dropout: float) -> None:
        """
        Args:
            size: dimensions of the word vectors.
            hidden: units of the projection, of each direction of an LSTM, and of the classifier's hidden layer.
            dropout: share of units dropped: of projected words and of the classifier's inputs and hidden units.
        """
        super().__init__()
        self.project = nn.Linear(size, hidden)
        nn.init.orthogonal_(self.project.weight, _GAIN)
        self.reader = BiLstm(hidden, hidden)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(8 * hidden, hidden),
            nn.Tanh(),
            nn.Dropout(dropout),
            nn.Linear(hidden, len(CLASSES)),
        )

    def encode(self, batch: WordBatch) -> Encoded:
        """Read each sentence by the first BiLSTM.

        Vectors are scaled to mean 0 and variance 1. The projection is linear: a rectifier makes words more alike.
        """
        vectors = functional.layer_norm(batch.vectors, batch.vectors.shape[-1:])  # (W, D)
        projected = self.dropout(self.project(vectors))  # (W, H)
        inputs = functional.embedding(batch.rows, projected)  # (S, L, H)
        return Encoded(self.sentence(self.reader(inputs, batch.mask), batch.mask), batch.mask)

    def forward(self, simple: Encoded, complex_: Encoded) -> Tensor:
        """Logits of `CLASSES` for pairs of sentences. Shape: (N, 3)."""
        return self.classifier(self.features(simple, complex_))

    def sentence(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return what is kept of the states: here all. Shapes: (S, L, 2H), (S, L) to (S, L, 2H) or (S, 2H)."""
        return states

    @abstractmethod
    def features(self, simple: Encoded, complex_: Encoded) -> Tensor:
        """Return what the classifier sees of pairs of sentences. Shape: (N, 8H)."""


def _prepare(lstm: nn.LSTM) -> None:
    weights = {name: weight.data for name, weight in lstm.named_parameters()}
    for gate in weights["weight_ih_l0"].chunk(4):
        nn.init.xavier_uniform_(gate)
    for gate in weights["weight_hh_l0"].chunk(4):
        nn.init.orthogonal_(gate)
    nn.init.zeros_(weights["bias_hh_l0"])
    nn.init.zeros_(weights["bias_ih_l0"])
    nn.init.ones_(weights["bias_ih_l0"].chunk(4)[1])  # input, forget, cell, output


def _reversed(states: Tensor, mask: Tensor) -> Tensor:
    """Each sentence from its last word to its first, padding where it was. Shapes: (S, L, D), (S, L) to (S, L, D)."""
    places = torch.arange(mask.shape[1])  # (L,)
    order = torch.where(mask, mask.sum(1, keepdim=True) - 1 - places, places)  # (S, L)
    return states.gather(1, order[:, :, None].expand_as(states))


def max_over_words(states: Tensor, mask: Tensor) -> Tensor:
    """Return the maximum of each dimension over the words. Shapes: (N, L, H), (N, L) to (N, H)."""
    return states.masked_fill(~mask[:, :, None], -torch.inf).amax(1)


class InferSentNetwork(PairNetwork):
    """Sentence vectors u and v by a BiLSTM with max pooling, compared as [u, v, |u - v|, u * v]; u is simple."""

    def sentence(self, states: Tensor, mask: Tensor) -> Tensor:
        return max_over_words(states, mask)

    def features(self, simple: Encoded, complex_: Encoded) -> Tensor:
        u, v = simple.states, complex_.states
        return torch.cat([u, v, (u - v).abs(), u * v], 1)


class EsimNetwork(PairNetwork):
    """Sequential ESIM; after Chen et al. 2017, section 3; a = simple and b = complex."""

    def __init__(self, size: int, hidden: int, dropout: float) -> None:
        super().__init__(size, hidden, dropout)
        self.enhanced = nn.Linear(8 * hidden, hidden)
        self.composer = BiLstm(hidden, hidden)

    def features(self, simple: Encoded, complex_: Encoded) -> Tensor:
        """Return average and maximum of both sides' composed words."""
        simple_partners, complex_partners = soft_alignment(simple, complex_)  # (N, L, 2H), (N, M, 2H)
        pooled = []
        for side, partner in ((simple, simple_partners), (complex_, complex_partners)):
            own = side.states
            enhanced = self.enhanced(torch.cat([own, partner, own - partner, own * partner], 2))  # (N, L, H)
            composed = self.composer(self.dropout(torch.relu(enhanced)), side.mask)  # (N, L, 2H)
            mean = (composed * side.mask[:, :, None]).sum(1) / side.mask.sum(1, keepdim=True)  # (N, 2H)
            pooled += [mean, max_over_words(composed, side.mask)]
        return torch.cat(pooled, 1)


def soft_alignment(simple: Encoded, complex_: Encoded) -> tuple[Tensor, Tensor]:
    """For each word what the other sentence has for it, by softmax over e = a . b.

    Shapes: (N, L, 2H), (N, M, 2H); padding has some value, which nothing reads.
    """
    a, b = simple.states, complex_.states
    e = a @ b.transpose(1, 2)  # (N, L, M)
    to_complex = e.masked_fill(~complex_.mask[:, None, :], -torch.inf).softmax(2)  # (N, L, M)
    to_simple = e.masked_fill(~simple.mask[:, :, None], -torch.inf).softmax(1)  # (N, L, M)
    return to_complex @ b, to_simple.transpose(1, 2) @ a


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
        rows, others = (side.ravel() for side in np.broadcast_arrays(simple[:, None], complex_[None, :]))
        cells = np.stack([rows, others, classes_of(pair).ravel(), words.matrix(pair).ravel()])
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

    `dev_f1` gives F1 of Task 1 of the network as it is, in percent. Returns the curve: an entry for each epoch of step,
    mean loss since the last entry, dev_f1.

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
    """Yield the examples that each step of an epoch sees, a function of the seed and the epoch alone.

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

    def __post_init__(self) -> None:
        self._reader = WordReader(self.vectors, self.max_words)
        self.network = self._untrained()
        self._words: TfIdf

    def train(self, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> list[dict[str, Any]]:
        """`InputError` where no pair is linked."""
        self._words, self.network = TfIdf.fit(train), self._untrained()
        examples = examples_of(train, self._words)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            return train_network(self.network, self._reader, examples, self, lambda: best_f1(self, dev))

    @torch.inference_mode()
    def both(self, rows: Sequence[str], columns: Sequence[str]) -> Matrices:
        same = np.array(rows, dtype=object)[:, None] == np.array(columns, dtype=object)[None, :]  # (m, n)
        linked, aligned = same.astype(np.float64), same.astype(np.float64)
        cells = np.argwhere(self._candidates(rows, columns) & ~same)  # (N, 2)
        if len(cells):
            known = numbered([rows, columns])
            simple, complex_ = (np.array([known[text] for text in side]) for side in (rows, columns))
            pairs = np.stack([simple[cells[:, 0]], complex_[cells[:, 1]]], 1)  # (N, 2)
            linked[*cells.T], aligned[*cells.T] = self._compare(self._encode(list(known)), pairs)
        return linked, aligned

    def save(self, folder: Path) -> None:
        save_tensors(folder / _WEIGHTS, self.network.state_dict())
        write_json(folder / _WORDS, asdict(self._words))

    def load(self, folder: Path) -> None:
        self._words = TfIdf.read(folder / _WORDS)
        load_weights(self.network, load_tensors(folder / _WEIGHTS), folder / _WEIGHTS)
        self.forget()

    def _untrained(self) -> PairNetwork:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            return self.network_class(self.vectors.size, self.hidden, self.dropout).eval()

    def _candidates(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.bool_]:
        """Return which pairs the network looks at. Shape: (m, n)."""
        if not self.candidates or self.candidates >= len(columns):
            return np.ones((len(rows), len(columns)), dtype=bool)
        return best_of_rows(self._words.compare(rows, columns), self.candidates)

    def _encode(self, sentences: Sequence[str]) -> Encoded:
        batches = [
            self.network.encode(self._reader.read(sentences[start : start + _SENTENCES]))
            for start in range(0, len(sentences), _SENTENCES)
        ]
        width = max(batch.mask.shape[1] for batch in batches)
        masks = [functional.pad(batch.mask, (0, width - batch.mask.shape[1])) for batch in batches]
        states = [batch.states for batch in batches]
        if states[0].dim() == 3:
            states = [functional.pad(part, (0, 0, 0, width - part.shape[1])) for part in states]
        return Encoded(torch.cat(states), torch.cat(masks))

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
