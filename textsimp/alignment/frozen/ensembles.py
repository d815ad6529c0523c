"""Small networks over features of sentence pairs, several of them, whose opinions are averaged; and all settings.

They are trained and asked in double precision, so that another kind of processor, whose encoder differs in the last
bits, gives the same networks and answers but for as little.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax
from torch import nn

from textsimp.alignment.neural.aligner_settings import TransitionConfig
from textsimp.alignment.neural.network import NeuralCrf
from textsimp.core.settings import NonNegativeNumber, Positive, PositiveNumber, Seed, Share

Matrix = NDArray[np.float64]
CLASSES = 3
"""Not linked, partial, aligned."""
_CLIP = 5.0
"""Standardised features are cut there."""
_ROWS = 1 << 16


@dataclass(frozen=True)
class NetworkConfig:
    """Shape and training of the networks of an ensemble.

    hidden: units of the two hidden layers.
    networks: trained on the same examples, from different seeds.
    epochs, batch_size, learning_rate, weight_decay: of AdamW with one cycle of the learning rate.
    dropout: of hidden units.
    """

    hidden: list[Positive]
    networks: Positive
    epochs: Positive
    batch_size: Positive
    learning_rate: PositiveNumber
    weight_decay: NonNegativeNumber
    dropout: Share


@dataclass(frozen=True)
class ChainConfig:
    """The CRF: units of its emission network, its transitions, and its training by Adam."""

    hidden: Positive
    transition: TransitionConfig
    epochs: Positive
    batch_size: Positive
    learning_rate: PositiveNumber


@dataclass(frozen=True)
class FrozenConfig:
    """The aligner over a frozen encoder: `alignment_system.frozen_crf.strategy.options` in params.yaml.

    encoder: name or folder of the encoder; null for none.
    max_length: word pieces of a sentence; longer ones are cut.
    batch: sentences in one pass of the encoder.
    folds: parts of the article sets; each is estimated by what the others taught.
    copies: whether edited copies and strangers are learned from, too (`frozen_training.py`).
    emission, judge: the networks of both rounds.
    """

    encoder: str | None
    max_length: Positive
    batch: Positive
    folds: Positive
    copies: bool
    emission: NetworkConfig
    chain: ChainConfig
    judge: NetworkConfig
    seed: Seed


@dataclass(frozen=True)
class Ensemble:
    """Networks over standardised features.

    Attributes:
        mean, spread: of the features in training. Shape: (F,).
        layers: of each network, weight (out, in) and bias (out,) of each layer in turn.
    """

    mean: Matrix
    spread: Matrix
    layers: list[list[tuple[Matrix, Matrix]]]

    def probabilities(self, values: Matrix) -> Matrix:
        """P(linked) and P(aligned): the networks' geometric mean. Shapes: (N, F) to (N, 2)."""
        parts = [self._part(values[start : start + _ROWS]) for start in range(0, len(values), _ROWS)]
        return np.concatenate(parts) if parts else np.zeros((0, 2))

    def _part(self, values: Matrix) -> Matrix:
        inputs = np.clip((values - self.mean) / self.spread, -_CLIP, _CLIP)
        logs = sum(log_softmax(_forward(inputs, network), 1) for network in self.layers) / len(self.layers)
        classes = softmax(logs, 1)
        return np.stack([classes[:, 1] + classes[:, 2], classes[:, 2]], 1)

    def state(self) -> dict[str, Matrix]:
        """Return what a file keeps, as named tensors."""
        state = {"mean": self.mean, "spread": self.spread}
        for number, network in enumerate(self.layers):
            for depth, (weight, bias) in enumerate(network):
                state |= {f"{number}.{depth}.weight": weight, f"{number}.{depth}.bias": bias}
        return state

    @classmethod
    def from_state(cls, state: Mapping[str, Matrix]) -> "Ensemble":
        """Return the ensemble that `state` described; KeyError where a tensor is missing."""
        numbers = sorted({tuple(map(int, name.split(".")[:2])) for name in state if name[0].isdigit()})
        layers: list[list[tuple[Matrix, Matrix]]] = []
        for number, depth in numbers:
            if depth == 0:
                layers.append([])
            layers[-1].append((state[f"{number}.{depth}.weight"], state[f"{number}.{depth}.bias"]))
        return cls(state["mean"], state["spread"], layers)


def _forward(inputs: Matrix, network: Sequence[tuple[Matrix, Matrix]]) -> Matrix:
    values = inputs
    for depth, (weight, bias) in enumerate(network):
        values = (np.tanh(values) if depth else values) @ weight.T + bias
    return values


def train_ensemble(
    values: Matrix, classes: NDArray[np.int64], weights: Matrix, config: NetworkConfig, seed: int
) -> Ensemble:
    """Fit the networks by weighted cross entropy.

    Args:
        values: features. Shape: (N, F).
        classes: 0 to 2, see `CLASSES`. Shape: (N,).
        weights: of the examples. Shape: (N,).
    """
    mean, spread = values.mean(0), values.std(0) + 1e-6
    inputs = torch.from_numpy(np.clip((values - mean) / spread, -_CLIP, _CLIP))
    targets, shares = torch.from_numpy(classes), torch.from_numpy(weights)
    layers = [_train(inputs, targets, shares, config, 1_000 * seed + number) for number in range(config.networks)]
    return Ensemble(mean, spread, layers)


def _train(
    inputs: torch.Tensor, targets: torch.Tensor, weights: torch.Tensor, config: NetworkConfig, seed: int
) -> list[tuple[Matrix, Matrix]]:
    torch.manual_seed(seed)
    sizes = [inputs.shape[1], *config.hidden]
    parts: list[nn.Module] = []
    for before, after in zip(sizes[:-1], sizes[1:], strict=True):
        parts += [nn.Linear(before, after), nn.Tanh(), nn.Dropout(config.dropout)]
    network = nn.Sequential(*parts, nn.Linear(sizes[-1], CLASSES)).double()
    optimizer = torch.optim.AdamW(network.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
    batches = -(-len(inputs) // config.batch_size)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, config.learning_rate, total_steps=config.epochs * batches)
    for _ in range(config.epochs):
        for rows in torch.randperm(len(inputs)).split(config.batch_size):
            losses = nn.functional.cross_entropy(network(inputs[rows]), targets[rows], reduction="none")
            loss = (losses * weights[rows]).sum() / weights[rows].sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    linear = [part for part in network if isinstance(part, nn.Linear)]
    return [(part.weight.detach().numpy().copy(), part.bias.detach().numpy().copy()) for part in linear]


def new_chain(config: FrozenConfig) -> NeuralCrf:
    """A CRF over the log-odds of both tasks, with random weights."""
    return NeuralCrf(2, config.chain.hidden, config.chain.transition)
