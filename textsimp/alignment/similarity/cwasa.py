"""CWASA, words aligned in both directions: Stajner et al. 2017, section 3.2, after Franco-Salvador et al. 2016 (F2)."""

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.similarity.base import Matrix
from textsimp.alignment.similarity.word_pairs import Block, Indexes, TextWords, WordPairSimilarity, first_partners


class Cwasa(WordPairSimilarity):
    """Mean cosine over the set of word alignments of two texts; at least 0.

    Section 3.2 says that the model "finds the optimal word alignment by computing cosine similarity between continuous
    representations of all words". Our reading: each word of either text is aligned with its best partner in the other;
    the set is the union of both directions, so that two words that are each other's best partner count once. Words are
    occurrences, and of equally good partners the first is taken.
    """

    def _similarities(self, block: Block) -> Matrix:
        rows, columns, cosine = block.rows, block.columns, block.cosine
        partner, back = first_partners(cosine, columns), first_partners(cosine.T, rows)
        forth = np.take_along_axis(cosine, columns.tokens[partner], axis=1)  # (words of rows, columns)
        into = np.take_along_axis(cosine.T, rows.tokens[back], axis=1)  # (words of columns, rows)
        mutual = _mutual(rows, columns, partner, back)  # (row tokens, columns)
        twice = np.add.reduceat(np.where(mutual, forth[rows.tokens], 0.0), rows.starts, axis=0)  # (rows, columns)
        total = rows.counts @ forth + (columns.counts @ into).T - twice
        number = np.add.outer(rows.lengths, columns.lengths) - np.add.reduceat(mutual, rows.starts, axis=0, dtype=int)
        return total / number


def _mutual(rows: TextWords, columns: TextWords, partner: Indexes, back: Indexes) -> NDArray[np.bool_]:
    """Whether a row's token is the best partner of its own best partner in a column.

    Args:
        partner: best token of each column for each word of the rows. Shape: (rows.W, columns).
        back: best token of each row for each word of the columns. Shape: (columns.W, rows).

    Returns:
        Shape: (row tokens, columns).
    """
    theirs = columns.tokens[partner][rows.tokens]  # (row tokens, columns)
    return back[theirs, rows.text_of[:, None]] == np.arange(len(rows.tokens))[:, None]
