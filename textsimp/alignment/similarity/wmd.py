"""Word Mover's Distance: section 3.4 of Kajiwara and Komachi 2016, after Kusner et al. 2015 (F2)."""

import numpy as np

from textsimp.alignment.similarity.base import Matrix
from textsimp.alignment.similarity.word_pairs import Block, Indexes, TextWords, WordPairSimilarity


class WordMoversDistance(WordPairSimilarity):
    """STS_wmd(x, y) = 1 - WMD(x, y), WMD(x, y) = min_A sum_uv A_uv psi(x_u, y_v) over distinct words (equation 4).

    A moves the mass freq(x_u) / |x| of each word of x to the masses freq(y_v) / |y|. psi is the Euclidean distance of
    word vectors; the paper does not say how long they are. Here all have length 1/2, so that psi, and with it the
    similarity, is from 0 to 1 (with cosine c, psi = sqrt((1 - c) / 2)). With length 1, WMD doubles: the order of all
    text pairs is the same, but most pairs of unrelated sentences fall below 0, under a sentence that has no word. A
    word without a vector is as far from any other as a word at a right angle.
    """

    def _similarities(self, block: Block) -> Matrix:
        from ot import emd2  # not at the top: POT loads for a second, also where no one asks for this similarity

        distance = np.sqrt((1 - block.cosine) / 2)
        columns = _histograms(block.columns)
        cost = np.empty((len(block.rows.places), len(columns)))
        for i, (row, row_mass) in enumerate(_histograms(block.rows)):
            of_row = distance[row]  # (distinct words of the text, W)
            for j, (column, mass) in enumerate(columns):
                # the masses sum to 1, and nobody reads the duals: without both checks a call takes half the time
                cost[i, j] = emd2(row_mass, mass, of_row[:, column], center_dual=False, check_marginals=False)
        return 1 - cost


def _histograms(texts: TextWords) -> list[tuple[Indexes, Matrix]]:
    """For each text its distinct words, as positions in `texts.distinct`, and their masses."""
    found = [np.unique(tokens, return_counts=True) for tokens in texts.split()]
    return [(word, count / count.sum()) for word, count in found]
