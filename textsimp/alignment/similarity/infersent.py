"""InferSent (Conneau et al. 2017), trained on aligned sentences: Jiang et al. 2020, table 3 (F2)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from textsimp.alignment.similarity.pair_network import Encoded, PairNetwork, max_over_words
from textsimp.alignment.similarity.trained_pairs import TrainedPairs


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


@dataclass(eq=False, repr=False)
class InferSent(TrainedPairs):
    """InferSent as a similarity; see `TrainedPairs` for the options."""

    hidden: int = 128
    learning_rate: float = 0.001
    network_class = InferSentNetwork
    batch_cells = 4096
