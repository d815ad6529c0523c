"""Alignment label transitions of Jiang et al. 2020, section 2.2, equations 3 and 4 (F2).

T(a_i, a_{i-1}) = FFNN([g1, g2, g3, g4]) is a function of the two labels alone, so one (K, K) matrix serves every
pair of a batch: build it for the largest K; a pair of fewer states uses its upper left corner.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

ACTIVATIONS = {"tanh": nn.Tanh, "relu": nn.ReLU}
_KINDS = 4  # neither label NULL, only the present one, only the one before, both


@dataclass(frozen=True)
class TransitionConfig:
    """The transition scorer's shape.

    Attributes:
        hidden: units of the hidden layer (the paper does not say).
        activation: "tanh" or "relu" (the paper does not say).
        max_distance: g1 is cut at this; 0 leaves it as in equation 3. Long documents have distances in the
            hundreds that training never shows.
        distance_scale: g1 is divided by this, so that it comes in the range of g2 to g4; 1 leaves it.
        null_distance: equation 3 read to the letter takes |a_i - a_{i-1}| also where a label is NULL, that is 0,
            so that g1 is then the place of the complex sentence in the text: true. false makes g1 0 there and
            leaves these transitions to g2, g3 and g4.
    """

    hidden: int
    activation: str
    max_distance: int
    distance_scale: float
    null_distance: bool


def transition_features(states: int, config: TransitionConfig) -> Tensor:
    """g1 to g4 of equation 3 for every pair of labels.

    g1 = |a_i - a_{i-1}|, g2 = 1(a_i = 0, a_{i-1} != 0), g3 = 1(a_i != 0, a_{i-1} = 0), g4 = 1(a_i = 0, a_{i-1} = 0).

    Returns:
        features[a_prev, a]. Shape: (K, K, 4).
    """
    rows = _feature_rows(states, config)  # (4K, 4)
    return rows[_row_numbers(states)]  # (K, K, 4)


class TransitionScorer(nn.Module):
    """T(a_i, a_{i-1}) of equation 4: a feedforward network of two layers over g1 to g4."""

    def __init__(self, config: TransitionConfig) -> None:
        super().__init__()
        self.config = config
        self.hidden = nn.Linear(4, config.hidden)
        self.activation = ACTIVATIONS[config.activation]()
        self.output = nn.Linear(config.hidden, 1)

    def forward(self, states: int) -> Tensor:
        """Transition scores between `states` labels, NULL included.

        Only the 4K different rows of features pass through the network, not all K^2.

        Returns:
            scores[a_prev, a]. Shape: (K, K).
        """
        weight = self.hidden.weight
        rows = _feature_rows(states, self.config).to(weight)  # (4K, 4)
        scores = self.output(self.activation(self.hidden(rows))).squeeze(1)  # (4K,)
        return scores[_row_numbers(states).to(weight.device)]  # (K, K)


def _feature_rows(states: int, config: TransitionConfig) -> Tensor:
    """The features of each kind of transition at each distance. Shape: (4K, 4)."""
    distances = torch.arange(states, dtype=torch.get_default_dtype())  # (K,)
    if config.max_distance:
        distances = distances.clamp(max=config.max_distance)
    rows = torch.zeros(_KINDS, states, 4)  # (4, K, 4)
    rows[:, :, 0] = distances / config.distance_scale
    if not config.null_distance:
        rows[1:, :, 0] = 0.0
    rows[1:, :, 1:] = torch.eye(3)[:, None, :]
    return rows.flatten(0, 1)  # (4K, 4)


def _row_numbers(states: int) -> Tensor:
    """Which of `_feature_rows` belongs to [a_prev, a]. Shape: (K, K)."""
    labels = torch.arange(states)
    before, now = labels[:, None], labels[None, :]
    kind = (now == 0) + 2 * (before == 0).long()  # (K, K): 0, 1 (g2), 2 (g3) or 3 (g4)
    return kind * states + (now - before).abs()
