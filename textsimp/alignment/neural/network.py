"""The network of the neural CRF (section 2): emissions, transitions (equations 3, 4), labels, the two ways to decode.

T(a_i, a_{i-1}) = FFNN([g1, g2, g3, g4]) is a function of the two labels alone, so one (K, K) matrix serves every
pair of a batch: build it for the largest K; a pair of fewer states uses its upper left corner.

One chain runs over the simple sentences, with the complex ones as states (equations 1-6). A second chain, of its
own weights, may run over the complex sentences with the simple ones as states: one chain gives every sentence that
it runs over at most one partner, the two together can express splits, merges and fusions.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from textsimp.alignment.neural import crf
from textsimp.alignment.neural.aligner_settings import TransitionConfig
from textsimp.metrics.links import TASKS

T = TypeVar("T")
_ACTIVATIONS = {"tanh": nn.Tanh, "relu": nn.ReLU}
_KINDS = 4  # neither label NULL, only the present one, only the one before, both


class TransitionScorer(nn.Module):
    """T(a_i, a_{i-1}) of equation 4: a feedforward network of two layers, or of one, over g1 to g4."""

    def __init__(self, config: TransitionConfig) -> None:
        super().__init__()
        self.config = config
        self.hidden = nn.Linear(4, config.hidden or 1)
        self.activation = _ACTIVATIONS[config.activation]() if config.hidden else nn.Identity()
        self.output = nn.Linear(config.hidden, 1) if config.hidden else nn.Identity()

    def forward(self, states: int) -> Tensor:
        """Return transition scores [a_prev, a] between `states` labels, NULL included. Shape: (K, K).

        Only the different rows of features pass through the network, 4 for each distance, not all K^2.
        """
        rows = _row_numbers(states, self.config.offset).to(self.hidden.weight.device)  # (K, K)
        return self.by_kind(states).flatten()[rows]

    def by_kind(self, states: int) -> Tensor:
        """Transition scores of each kind (`_KINDS`) at each distance. Shape: (4, K + offset)."""
        weight = self.hidden.weight
        rows = _feature_rows(states, self.config).to(weight)
        return self.output(self.activation(self.hidden(rows))).view(_KINDS, -1)


def _feature_rows(states: int, config: TransitionConfig) -> Tensor:
    """g1 to g4 of equation 3 for each kind of transition at each distance.

    g1 = |a_i - a_{i-1} - offset|, g2 = 1(a_i = 0, a_{i-1} != 0), g3 = 1(a_i != 0, a_{i-1} = 0),
    g4 = 1(a_i = 0, a_{i-1} = 0). Shape: (4 (K + offset), 4).
    """
    distances = torch.arange(states + config.offset, dtype=torch.get_default_dtype())  # (K,)
    if config.max_distance:
        distances = distances.clamp(max=config.max_distance)
    rows = torch.zeros(_KINDS, len(distances), 4)
    rows[:, :, 0] = distances / config.distance_scale
    if not config.null_distance:
        rows[1:, :, 0] = 0.0
    rows[1:, :, 1:] = torch.eye(3)[:, None, :]
    return rows.flatten(0, 1)


def _row_numbers(states: int, offset: int) -> Tensor:
    """Return which of `_feature_rows` belongs to [a_prev, a]. Shape: (K, K)."""
    labels = torch.arange(states)
    before, now = labels[:, None], labels[None, :]
    kind = (now == 0) + 2 * (before == 0).long()  # (K, K): 0, 1 (g2), 2 (g3) or 3 (g4)
    return kind * (states + offset) + (now - before - offset).abs()


_WHOLE_CELLS, _ROWS = 1_000_000, 64
"""Of a block of more sentence pairs, so many sentences are scored at a time."""
_BATCH_CELLS = 200_000
"""Blocks are decoded together up to so many cells of emissions and transitions."""
_LONG, _WIDEST_SPREAD = 256, 40.0
"""From so many partners on, and with scores of transitions that close, posteriors are `crf.long_posteriors`."""


@dataclass(frozen=True)
class ChainInput:
    """Features of one block for one chain. Shape: (S sentences, N partners, F).

    gold: which partners each sentence has. Shape: (S, N), bool.
    label: for a linked pair, whether it is aligned (1) or partial (0). Shape: (S, N).
    """

    features: Tensor
    gold: Tensor
    label: Tensor


class Chain(nn.Module):
    """Emissions (equation 2's sim, with a learned score for NULL) and transitions (equation 4) of one direction."""

    def __init__(self, features: int, hidden: int, transition: TransitionConfig, partners: str = "any") -> None:
        super().__init__()
        self.partners = partners
        self.similarity = nn.Sequential(nn.Linear(features, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.null = nn.Parameter(torch.zeros(1))
        self.transition = TransitionScorer(transition)

    def forward(self, batch: Sequence[Tensor]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return emissions (B, S, K), transitions (K, K), sentence_mask (B, S) and state_mask (B, K); K = N + 1.

        The features of each block are (S, N, F), of different S and N.
        """
        sizes = torch.tensor([block.shape[:2] for block in batch])  # (B, 2)
        steps, partners = sizes.amax(0).tolist()
        sentence_mask = torch.arange(steps) < sizes[:, :1]  # (B, S)
        state_mask = torch.arange(partners + 1) <= sizes[:, 1:]  # (B, K)
        similar = self._similar(batch, steps, partners)  # (B, S, N)
        emissions = torch.cat([self.null.expand(len(batch), steps, 1), similar], 2)  # (B, S, K)
        return emissions, self.transition(partners + 1), sentence_mask, state_mask

    def _similar(self, batch: Sequence[Tensor], steps: int, partners: int) -> Tensor:
        """sim(s, c) of blocks padded to one size. Shape: (B, S, N)."""
        if len(batch) == 1 and steps * partners > _WHOLE_CELLS:  # hidden units of all cells at once would fill memory
            return torch.cat([self.similarity(rows).squeeze(2) for rows in batch[0].split(_ROWS)])[None]
        return self.similarity(_padded(batch, steps, partners)).squeeze(3)

    def loss(self, blocks: Sequence[ChainInput]) -> Tensor:
        """Mean over the sentences of - log P(a* | S, C), equation 6.

        A sentence with several partners has several right states: the probability of a* is then that of any path
        through right states, the ratio of two partition functions. With one partner each it is equation 6, and where
        the first of them alone is to count (`CrfConfig.partners`).
        """
        emissions, transitions, sentence_mask, state_mask = self([block.features for block in blocks])
        allowed = torch.zeros_like(emissions, dtype=torch.bool)  # (B, S, K)
        for row, block in zip(allowed, blocks, strict=True):
            gold = block.gold
            steps, partners = gold.shape
            if self.partners == "smallest":
                gold = gold & (gold.cumsum(1) == 1)
            row[:steps, 1 : partners + 1] = gold
        allowed[:, :, crf.NULL] = ~allowed.any(2)
        only_right = emissions.masked_fill(~allowed, -torch.inf)  # (B, S, K)
        right = crf.log_partition(only_right, transitions, sentence_mask, state_mask)  # (B,)
        every = crf.log_partition(emissions, transitions, sentence_mask, state_mask)  # (B,)
        return (every - right).sum() / sentence_mask.sum()

    @torch.no_grad()
    def viterbi(self, blocks: Sequence[Tensor]) -> list[NDArray[np.bool_]]:
        """Return which pairs of each block equation 5 links. Shape of each: (S, N)."""
        linked = [np.zeros(block.shape[:2], dtype=bool) for block in blocks]
        for rows in _batches(blocks):
            labels = crf.viterbi(*self([blocks[row] for row in rows])).numpy()  # (B, S)
            for row, states in zip(rows, labels, strict=True):
                sentences = np.flatnonzero(states > crf.NULL)
                linked[row][sentences, states[sentences] - 1] = True
        return linked

    @torch.no_grad()
    def posteriors(self, blocks: Sequence[Tensor]) -> list[NDArray[np.float64]]:
        """P(a_i = a) of every pair of each block. Shape of each: (S, N)."""
        by_block: list[NDArray[np.float64]] = [np.zeros(0)] * len(blocks)
        for rows in _batches(blocks):
            if len(rows) == 1 and (moves := self._long_moves(blocks[rows[0]].shape[1])) is not None:
                similar = self._similar([blocks[rows[0]]], *blocks[rows[0]].shape[:2])[0]
                emissions = torch.cat([self.null.expand(len(similar), 1), similar], 1).numpy()
                by_block[rows[0]] = crf.long_posteriors(emissions, moves)[:, 1:].astype(np.float64)
                continue
            result = crf.posteriors(*self([blocks[row] for row in rows])).double().numpy()  # (B, S, K)
            for row, values in zip(rows, result, strict=True):
                steps, partners = blocks[row].shape[:2]
                by_block[row] = values[:steps, 1 : partners + 1]
        return by_block

    @torch.no_grad()
    def _long_moves(self, partners: int) -> crf.Moves | None:
        """The transitions of a long block, where they can be had as `Moves`."""
        most = self.transition.config.max_distance
        if partners < _LONG or not 0 < 2 * most < partners or self.transition.config.offset:
            return None
        scores = self.transition.by_kind(partners + 1).double().numpy()
        return crf.Moves.of(scores, most) if np.ptp(scores) <= _WIDEST_SPREAD else None


class ScoredChain(Chain):
    """A chain whose blocks are scored one sentence pair at a time, before: it sees sim(s, c), (S, N) for each block."""

    def scored(self, known: Tensor, vectors: Tensor) -> Tensor:
        """Return sim(s, c) of a block, -inf where a pair may not be linked. Shape: (S, N).

        `known` marks the pairs that may be, (S, N), and `vectors` are theirs, row by row, (P, F).
        """
        similar = vectors.new_full(known.shape, -torch.inf)
        similar[known] = self.similarity(vectors).squeeze(1)
        return similar

    def _similar(self, batch: Sequence[Tensor], steps: int, partners: int) -> Tensor:
        return _padded(batch, steps, partners)


def task_crfs(features: int, hidden: int, transition: TransitionConfig, partners: str) -> nn.ModuleDict:
    """Return the paper's model once for each task (section 4.3): over the partners of Task 1, and of Task 2."""
    return nn.ModuleDict({task: ScoredChain(features, hidden, transition, partners) for task in TASKS})


class NeuralCrf(nn.Module):
    """Two chains and the classifier that tells aligned from partial among linked pairs."""

    def __init__(self, features: int, hidden: int, transition: TransitionConfig, partners: str = "any") -> None:
        super().__init__()
        self.over_simple = Chain(features, hidden, transition, partners)
        self.over_complex = Chain(features, hidden, transition, partners)
        self.label = nn.Sequential(nn.Linear(features, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def loss(self, blocks: Sequence[ChainInput]) -> Tensor:
        """Negative log-likelihood of both chains plus cross entropy of the labels of gold links."""
        turned = [ChainInput(b.features.transpose(0, 1), b.gold.T, b.label.T) for b in blocks]
        loss = self.over_simple.loss(blocks) + self.over_complex.loss(turned)
        features = torch.cat([block.features[block.gold] for block in blocks])  # (L, F)
        if len(features):
            labels = torch.cat([block.label[block.gold] for block in blocks]).float()  # (L,)
            loss = loss + nn.functional.binary_cross_entropy_with_logits(self.label(features).squeeze(1), labels)
        return loss

    @torch.no_grad()
    def label_probability(self, features: Tensor) -> NDArray[np.float64]:
        """P(aligned | linked). Shape: (m, n)."""
        parts = features.split(_ROWS) if features[..., 0].numel() > _WHOLE_CELLS else [features]
        return torch.cat([torch.sigmoid(self.label(part)).squeeze(-1).double() for part in parts]).numpy()

    def viterbi(self, blocks: Sequence[Tensor]) -> list[NDArray[np.bool_]]:
        """Return what the chain over the simple sentences links. Shape of each: (S, N)."""
        return self.over_simple.viterbi(blocks)

    @torch.no_grad()
    def posteriors(self, blocks: Sequence[Tensor]) -> list[NDArray[np.float64]]:
        """P(linked) of every pair: the mean of both chains' posteriors. Shape of each: (S, N)."""
        return [(simple + complex_) / 2 for simple, complex_ in self.both_posteriors(blocks)]

    @torch.no_grad()
    def both_posteriors(self, blocks: Sequence[Tensor]) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """The posteriors of the chain over the simple and of that over the complex sentences. Shapes: (S, N)."""
        turned = [block.transpose(0, 1) for block in blocks]
        over_simple, over_complex = self.over_simple.posteriors(blocks), self.over_complex.posteriors(turned)
        return [(a, b.T) for a, b in zip(over_simple, over_complex, strict=True)]


def train_epoch(
    inputs: list[T], loss_of: Callable[[list[T]], Tensor], optimizer: torch.optim.Optimizer, size: int, seed: int
) -> list[float]:
    """One step for each `size` of the inputs, which are put into an order that `seed` draws. Returns the losses."""
    random.Random(seed).shuffle(inputs)
    losses = []
    for start in range(0, len(inputs), size):
        loss = loss_of(inputs[start : start + size])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    return losses


def _padded(batch: Sequence[Tensor], steps: int, partners: int) -> Tensor:
    """Return blocks (S, N, ...) filled up with zeros to one size. Shape: (B, steps, partners, ...)."""
    others = (0, 0) * (batch[0].dim() - 2)
    sizes = [(0, partners - block.shape[1], 0, steps - block.shape[0]) for block in batch]
    return torch.stack([nn.functional.pad(block, others + size) for block, size in zip(batch, sizes, strict=True)])


def _batches(blocks: Sequence[Tensor]) -> list[list[int]]:
    order = sorted(range(len(blocks)), key=lambda row: tuple(blocks[row].shape[:2]))
    batches: list[list[int]] = []
    for row in order:
        steps, states = blocks[row].shape[0], blocks[row].shape[1] + 1
        cells = states * (states + steps)
        if not batches or (len(batches[-1]) + 1) * cells > _BATCH_CELLS:
            batches.append([])
        batches[-1].append(row)
    return batches
