"""The network of the edit tagger: what each edit that a sentence offers is worth, from the states of an encoder.

The lower layers of the encoder stay as they are; its last one is trained further. An edit is judged by the states of
its first and last word piece, of those before and after it, their mean over the edit, the mean embedding of the words
that it writes, and how often its rule was followed:

    z(e) = w . gelu(W [h_before; h_first; mean h; h_last; h_after] + U mean E(target) + V features(e)) + b

z is the logarithm of the odds that a simplifier would make the edit.
"""

import hashlib
import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from textsimp.core.frozen_encoder import FrozenEncoder
from textsimp.simplification.edit_tagger.edit_candidates import KINDS, Edit
from textsimp.simplification.edit_tagger.edit_rules import Rule
from textsimp.simplification.edit_tagger.edit_words import EditWord, folded

_LAYER = {
    "self_attn.out_proj": "attention.output.dense",
    "linear1": "intermediate.dense",
    "linear2": "output.dense",
    "norm1": "attention.output.LayerNorm",
    "norm2": "output.LayerNorm",
}
_FEATURES = len(KINDS) + 4


class Encoded(NamedTuple):
    """A sentence before the trained layer.

    Attributes:
        states: of [CLS], its word pieces and [SEP]; Shape: (W, width), float16.
        starts: first piece of each word, and the end of the last one; Shape: (words + 1).
    """

    states: Tensor
    starts: list[int]


class EditBatch(NamedTuple):
    """The edits of some sentences, and the sentences' states.

    Attributes:
        states: Shape: (N, W, width).
        padding: which pieces are none. Shape: (N, W), bool.
        sentence: of each edit. Shape: (E,).
        pieces: before, first, last and after. Shape: (E, 4).
        targets: numbers of the rules' target embeddings; the last one where nothing is written. Shape: (E,).
        features: Shape: (E, features).
    """

    states: Tensor
    padding: Tensor
    sentence: Tensor
    pieces: Tensor
    targets: Tensor
    features: Tensor


class EditEncoder:
    """An encoder as far as its last layer, for words."""

    def __init__(self, name: str, device: str, batch_size: int, max_pieces: int) -> None:
        self._frozen = FrozenEncoder(name, max_pieces, device, batch_size)
        self.limit = self._frozen.max_length - 2
        self._last = f"encoder.layer.{self._frozen.layers - 1}."
        self._sizes: dict[str, int] = {}

    def sizes(self, words: Sequence[str]) -> list[int]:
        """How many pieces each word has."""
        new = [word for word in dict.fromkeys(words) if word not in self._sizes]
        if new:
            self._sizes.update(zip(new, map(len, self._frozen.pieces(new)), strict=True))
        return [self._sizes[word] for word in words]

    def __call__(self, sentences: Sequence[Sequence[EditWord]]) -> list[Encoded]:
        """The states of sentences that have `limit` pieces at most, in order."""
        order = sorted(range(len(sentences)), key=lambda number: len(sentences[number]))
        encoded: dict[int, Encoded] = {}
        for start in range(0, len(order), self._frozen.batch_size):
            numbers = order[start : start + self._frozen.batch_size]
            texts = [folded(sentences[number]) for number in numbers]
            states = self._frozen.states([" ".join(words) for words in texts], [self._frozen.layers - 1])
            for row, number in enumerate(numbers):
                starts = [1]
                for size in self.sizes(texts[row]):
                    starts.append(starts[-1] + size)
                length = int(states.attention[row].sum())
                starts = [min(piece, length - 1) for piece in starts]
                encoded[number] = Encoded(states.layers[0][row, :length].half(), starts)
        return [encoded[number] for number in range(len(sentences))]

    def fingerprint(self) -> str:
        """SHA-256 of the weights of its last layer, which tell encoders apart."""
        weight = self._frozen.weights[f"{self._last}output.dense.weight"]
        return hashlib.sha256(weight.cpu().numpy().tobytes()).hexdigest()

    def last_layer(self) -> nn.TransformerEncoderLayer:
        """A copy of the encoder's last layer, to be trained."""
        weights = self._frozen.weights
        width, inner = weights[f"{self._last}output.dense.weight"].shape
        layer = nn.TransformerEncoderLayer(
            width, self._frozen.heads, inner, 0.1, "gelu", layer_norm_eps=self._frozen.eps, batch_first=True
        )
        names = [f"{self._last}attention.self.{name}" for name in ("query", "key", "value")]
        state = {}
        for part in ("weight", "bias"):
            state[f"self_attn.in_proj_{part}"] = torch.cat([weights[f"{name}.{part}"] for name in names])
            state |= {f"{own}.{part}": weights[f"{self._last}{name}.{part}"] for own, name in _LAYER.items()}
        layer.load_state_dict(state)
        return layer

    def embeddings(self, targets: Sequence[Sequence[str]]) -> Tensor:
        """The mean embedding of the pieces of each target, zero for an empty one. Shape: (targets, width)."""
        table = self._frozen.weights["embeddings.word_embeddings.weight"]
        rows = self._frozen.pieces([" ".join(target) for target in targets])
        means = [table[row].mean(0) if row else torch.zeros_like(table[0]) for row in rows]
        return torch.stack(means) if means else table.new_zeros(0, table.shape[1])


class EditNetwork(nn.Module):
    """Scores edits."""

    def __init__(self, layer: nn.TransformerEncoderLayer, targets: Tensor, hidden: int, dropout: float) -> None:
        super().__init__()
        self.layer = layer
        width = targets.shape[1]
        self.targets: Tensor
        self.register_buffer("targets", torch.cat([targets, targets.new_zeros(1, width)]), persistent=False)
        self.span = nn.Linear(5 * width, hidden)
        self.target = nn.Linear(width, hidden, bias=False)
        self.feature = nn.Linear(_FEATURES, hidden, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.score = nn.Linear(hidden, 1)
        self.direct = nn.Linear(_FEATURES, 1, bias=False)

    def forward(self, batch: EditBatch) -> Tensor:
        """z of each edit. Shape: (E,)."""
        states = self.layer(batch.states, src_key_padding_mask=batch.padding)  # (N, W, width)
        sums = nn.functional.pad(states.cumsum(1), (0, 0, 1, 0))  # (N, W + 1, width)
        before, first, last, after = batch.pieces.T
        row, size = batch.sentence, (last + 1 - first)[:, None]
        mean = (_rows(sums, row, last + 1) - _rows(sums, row, first)) / size
        near = [_rows(states, row, piece) for piece in (before, first, last, after)]
        parts = [*near[:2], mean, *near[2:]]
        hidden = (
            self.span(torch.cat(parts, 1)) + self.target(self.targets[batch.targets]) + self.feature(batch.features)
        )
        return (self.score(self.dropout(nn.functional.gelu(hidden))) + self.direct(batch.features)).squeeze(1)


def _rows(table: Tensor, sentence: Tensor, piece: Tensor) -> Tensor:
    """table[sentence, piece], whose gradient is summed in one order; that of indexing is in any, with two threads."""
    return nn.functional.embedding(sentence * table.shape[1] + piece, table.flatten(0, 1))


def edit_batch(encoded: Sequence[Encoded], edits: Sequence[Sequence[Edit]], rules: Sequence[Rule]) -> EditBatch:
    """The input of the network."""
    device = encoded[0].states.device
    states = pad_sequence([sentence.states.float() for sentence in encoded], batch_first=True)  # (N, W, width)
    lengths = torch.tensor([len(sentence.states) for sentence in encoded], device=device)
    padding = torch.arange(states.shape[1], device=device) >= lengths[:, None]
    numbers, pieces, targets, features = [], [], [], []
    for number, (sentence, offered) in enumerate(zip(encoded, edits, strict=True)):
        for edit in offered:
            first = sentence.starts[edit.start]
            end = max(sentence.starts[edit.end], first + 1)
            numbers.append(number)
            pieces.append((max(first - 1, 0), first, end - 1, min(end, len(sentence.states) - 1)))
            targets.append(edit.rule if edit.target else len(rules))
            features.append(_features(edit, rules))
    return EditBatch(
        states,
        padding,
        torch.tensor(numbers, dtype=torch.long, device=device),
        torch.tensor(pieces, dtype=torch.long, device=device).view(-1, 4),
        torch.tensor(targets, dtype=torch.long, device=device),
        torch.tensor(features, dtype=torch.float32, device=device).view(-1, _FEATURES),
    )


def _features(edit: Edit, rules: Sequence[Rule]) -> list[float]:
    kinds = [float(edit.kind == kind) for kind in range(len(KINDS))]
    size = math.log(edit.end - edit.start)
    if edit.rule < 0:
        return [*kinds, size, 0.0, 0.0, 0.0]
    rule = rules[edit.rule]
    return [*kinds, size, rule.rate / 3, math.log1p(rule.applied) / 3, math.log1p(rule.seen) / 5]
