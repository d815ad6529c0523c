"""The networks over sentence pairs of table 3 of Jiang et al. 2020: InferSent and ESIM, trained on aligned sentences.

Conneau et al. 2017, section 3 (InferSent), and Chen et al. 2017, section 3 (ESIM). Word vectors stay as they are; a
trained projection adapts them.
"""

import zlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from textsimp.alignment.neural.bert import CLASSES
from textsimp.alignment.words import words
from textsimp.core.word_vectors import WordVectors

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
        self._known: dict[str, NDArray[np.float32]] = {}

    def read(self, sentences: Sequence[str]) -> WordBatch:
        """The first `max_words` words of each sentence; at least one sentence."""
        rows = [words(sentence)[: self.max_words] or [""] for sentence in sentences]
        numbers = {word: number for number, word in enumerate(dict.fromkeys(word for row in rows for word in row))}
        lengths = torch.tensor([len(row) for row in rows])  # (S,)
        mask = torch.arange(int(lengths.max())) < lengths[:, None]  # (S, L)
        index = torch.zeros(mask.shape, dtype=torch.int64)
        index[mask] = torch.tensor([numbers[word] for row in rows for word in row])
        return WordBatch(torch.from_numpy(self._lookup(list(numbers))), index, mask)

    def length(self, sentence: str) -> int:
        """Words of a sentence as the network sees them."""
        return max(1, min(len(words(sentence)), self.max_words))

    def _lookup(self, distinct: Sequence[str]) -> NDArray[np.float32]:
        """Shape: (W, D)."""
        self._known.setdefault("", np.zeros(self.vectors.size, dtype=np.float32))
        new = [word for word in distinct if word not in self._known]
        if new:
            vectors, known = self.vectors.lookup(new)
            for word, vector, is_known in zip(new, vectors, known, strict=True):
                self._known[word] = vector if is_known else self._random(word)
        return np.stack([self._known[word] for word in distinct])

    def _random(self, word: str) -> NDArray[np.float32]:
        return np.random.default_rng(zlib.crc32(word.encode())).standard_normal((self.vectors.size,), dtype=np.float32)


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

    def __init__(self, size: int, hidden: int, compared: int, dropout: float) -> None:
        """
        Args:
            size: dimensions of the word vectors.
            hidden: units of the projection, of each direction of an LSTM, and of the classifier's hidden layer.
            compared: dimensions of what `features` returns.
            dropout: share of units dropped: of projected words and of the classifier's inputs and hidden units.
        """
        super().__init__()
        self.project = nn.Linear(size, hidden)
        nn.init.orthogonal_(self.project.weight, _GAIN)
        self.reader = BiLstm(hidden, hidden)
        self.dropout = nn.Dropout(dropout)
        self.classifier = nn.Sequential(
            nn.Dropout(dropout),
            nn.Linear(compared, hidden),
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
        """What is kept of a sentence's states: all of them. Shapes: (S, L, 2H), (S, L) to (S, L, 2H) or (S, 2H)."""
        return states

    @abstractmethod
    def features(self, simple: Encoded, complex_: Encoded) -> Tensor:
        """What the classifier sees of pairs of sentences. Shape: (N, compared)."""


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
    """Maximum of each dimension over the words. Shapes: (N, L, H), (N, L) to (N, H)."""
    return states.masked_fill(~mask[:, :, None], -torch.inf).amax(1)


def mean_over_words(states: Tensor, mask: Tensor) -> Tensor:
    """Mean of each dimension over the words. Shapes: (N, L, H), (N, L) to (N, H)."""
    return (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)


class InferSentNetwork(PairNetwork):
    """Sentence vectors u and v by a BiLSTM with max pooling, compared as [u, v, |u - v|, u * v]."""

    def __init__(self, size: int, hidden: int, dropout: float) -> None:
        super().__init__(size, hidden, 8 * hidden, dropout)

    def sentence(self, states: Tensor, mask: Tensor) -> Tensor:
        """The maximum over the words. Shapes: (S, L, 2H), (S, L) to (S, 2H)."""
        return max_over_words(states, mask)

    def features(self, simple: Encoded, complex_: Encoded) -> Tensor:
        """See `PairNetwork.features`; u is the simple sentence. Shape: (N, 8H)."""
        u, v = simple.states, complex_.states
        return torch.cat([u, v, (u - v).abs(), u * v], 1)


class EsimNetwork(PairNetwork):
    """Sequential ESIM; after Chen et al. 2017, section 3; a = simple and b = complex."""

    def __init__(self, size: int, hidden: int, dropout: float) -> None:
        super().__init__(size, hidden, 8 * hidden, dropout)
        self.enhanced = nn.Linear(8 * hidden, hidden)
        self.composer = BiLstm(hidden, hidden)

    def features(self, simple: Encoded, complex_: Encoded) -> Tensor:
        """Average and maximum of both sides' composed words. Shape: (N, 8H)."""
        simple_partners, complex_partners = soft_alignment(simple, complex_)  # (N, L, 2H), (N, M, 2H)
        pooled = []
        for side, partner in ((simple, simple_partners), (complex_, complex_partners)):
            composed = self._compose(side, partner)  # (N, L, 2H)
            pooled += [mean_over_words(composed, side.mask), max_over_words(composed, side.mask)]
        return torch.cat(pooled, 1)

    def _compose(self, side: Encoded, partner: Tensor) -> Tensor:
        own = side.states
        enhanced = torch.cat([own, partner, own - partner, own * partner], 2)  # (N, L, 8H)
        return self.composer(self.dropout(torch.relu(self.enhanced(enhanced))), side.mask)


def soft_alignment(simple: Encoded, complex_: Encoded) -> tuple[Tensor, Tensor]:
    """For each word what the other sentence has for it, by softmax over e = a . b.

    Shapes: (N, L, 2H), (N, M, 2H); padding has some value, which nothing reads.
    """
    a, b = simple.states, complex_.states
    e = a @ b.transpose(1, 2)  # (N, L, M)
    to_complex = e.masked_fill(~complex_.mask[:, None, :], -torch.inf).softmax(2)  # (N, L, M)
    to_simple = e.masked_fill(~simple.mask[:, :, None], -torch.inf).softmax(1)  # (N, L, M)
    return to_complex @ b, to_simple.transpose(1, 2) @ a
