"""Similarities from word alignments: sections 3.1 to 3.3 of Kajiwara and Komachi 2016, after Song and Roth 2015 (F2).

phi(x_i, y_j) is the cosine of the vectors of two words, and counts 0 unless it is over theta (section 4.1: "noise ...
was removed by aligning only those word pairs which had a word similarity phi > theta"). Words are occurrences: one
that is twice in a text counts twice.
"""

import numpy as np
from scipy.optimize import linear_sum_assignment

from textsimp.alignment.similarity.base import Matrix
from textsimp.alignment.similarity.word_pairs import Block, WordPairSimilarity, best_partners, checked_option
from textsimp.alignment.vectors.base import WordVectors


class AverageAlignment(WordPairSimilarity):
    """STS_ave(x, y) = sum_i sum_j phi(x_i, y_j) / (|x| |y|) (equation 1).

    Args:
        theta: word pairs up to this cosine count 0; from 0 on and under 1.

    Raises:
        InputError: for another theta.
    """

    def __init__(self, vectors: WordVectors, theta: float = 0.5) -> None:
        super().__init__(vectors)
        self.theta = checked_option("similarity average_alignment: theta", theta, 1)

    def _similarities(self, block: Block) -> Matrix:
        total = block.rows.counts @ _over(block.cosine, self.theta) @ block.columns.counts.T  # (rows, columns)
        return total / np.outer(block.rows.lengths, block.columns.lengths)


class MaximumAlignment(WordPairSimilarity):
    """STS_max(x, y) = (STS_asym(x, y) + STS_asym(y, x)) / 2, STS_asym(x, y) = sum_i max_j phi(x_i, y_j) / |x| (2).

    Args:
        theta: word pairs up to this cosine count 0; from 0 on and under 1.

    Raises:
        InputError: for another theta.
    """

    def __init__(self, vectors: WordVectors, theta: float = 0.5) -> None:
        super().__init__(vectors)
        self.theta = checked_option("similarity maximum_alignment: theta", theta, 1)

    def _similarities(self, block: Block) -> Matrix:
        phi = _over(block.cosine, self.theta)
        rows, columns = block.rows, block.columns
        forth = (rows.counts @ best_partners(phi, columns)) / rows.lengths[:, None]  # (rows, columns)
        back = (columns.counts @ best_partners(phi.T, rows)) / columns.lengths[:, None]  # (columns, rows)
        return (forth + back.T) / 2


class HungarianAlignment(WordPairSimilarity):
    """STS_hun(x, y) = sum_i phi(x_i, h(x_i)) / min(|x|, |y|), h the one-to-one alignment of the largest sum (3).

    Args:
        theta: word pairs up to this cosine count 0; from 0 on and under 1.

    Raises:
        InputError: for another theta.
    """

    def __init__(self, vectors: WordVectors, theta: float = 0.5) -> None:
        super().__init__(vectors)
        self.theta = checked_option("similarity hungarian_alignment: theta", theta, 1)

    def _similarities(self, block: Block) -> Matrix:
        phi = _over(block.cosine, self.theta)
        columns = block.columns.split()
        total = np.empty((len(block.rows.places), len(columns)))
        for i, row in enumerate(block.rows.split()):
            of_row = phi[row]  # (tokens, W)
            for j, column in enumerate(columns):
                weights = of_row[:, column]
                total[i, j] = weights[linear_sum_assignment(weights, maximize=True)].sum()
        return total / np.minimum.outer(block.rows.lengths, block.columns.lengths)


def _over(cosine: Matrix, theta: float) -> Matrix:
    """phi: the cosines over theta, else 0. Same shape."""
    return np.where(cosine > theta, cosine, 0.0)
