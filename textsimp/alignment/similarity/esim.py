"""ESIM, the enhanced sequential inference model (Chen et al. 2017), trained on aligned sentences (F2).

Compared by Jiang et al. 2020, table 3.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from textsimp.alignment.similarity.pair_network import BiLstm, Encoded, PairNetwork, max_over_words, mean_over_words
from textsimp.alignment.similarity.trained_pairs import TrainedPairs


class EsimNetwork(PairNetwork):
    """Sequential ESIM; after Chen et al. 2017, section 3; a = simple and b = complex."""

    def __init__(self, size: int, hidden: int, dropout: float) -> None:
        super().__init__(size, hidden, 8 * hidden, dropout)
        self.enhanced = nn.Linear(8 * hidden, hidden)
        self.composer = BiLstm(hidden, hidden)

    def features(self, simple: Encoded, complex_: Encoded) -> Tensor:
        """Average and maximum of both sides' composed words. Shape: (N, 8H)."""
        a_found, b_found = soft_alignment(simple, complex_)  # (N, L, 2H), (N, M, 2H)
        pooled = []
        for side, found in ((simple, a_found), (complex_, b_found)):
            composed = self._compose(side, found)  # (N, L, 2H)
            pooled += [mean_over_words(composed, side.mask), max_over_words(composed, side.mask)]
        return torch.cat(pooled, 1)

    def _compose(self, side: Encoded, found: Tensor) -> Tensor:
        """m = [a, a~, a - a~, a * a~], projected and read again."""
        own = side.states
        enhanced = torch.cat([own, found, own - found, own * found], 2)  # (N, L, 8H)
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


@dataclass(eq=False, repr=False)
class Esim(TrainedPairs):
    """ESIM as a similarity; see `TrainedPairs` for the options."""

    network_class = EsimNetwork
    batch_cells = 256
