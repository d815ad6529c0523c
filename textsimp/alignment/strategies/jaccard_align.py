"""JaccardAlign, the greedy aligner of Xu et al. 2015 as section 4.1 names it (F2).

The published descriptions say Jaccard similarity and a greedy search; this is the reading here. Each simple
sentence takes its most similar complex sentence, if similar enough. Then neighbours may join the pair (i, j):

- split: simple sentence i - 1 or i + 1, if j is its most similar complex sentence too, and the two simple
  sentences together are more like j than i alone;
- fusion: complex sentence j - 1 or j + 1, if i is its most similar simple sentence, and the two complex sentences
  together are more like i than j alone.

That the neighbour must prefer the same partner keeps out sentences that share only function words with it.
"""

from textsimp.alignment.strategies.base import Comparison, Matrix, no_links
from textsimp.alignment.words import words


class JaccardAlign:
    """Greedy one-best links by similarity, extended by neighbours where the joined texts are more alike.

    A neighbour's link has the score of the pair that it joins: they stand or fall with it.
    """

    def align(self, comparison: Comparison) -> Matrix:
        """See `Strategy.align`; joined texts are compared by Jaccard whatever the matrix holds."""
        matrix, scores = comparison.matrix, no_links(comparison)
        if not matrix.size:
            return scores
        simple = [frozenset(words(sentence)) for sentence in comparison.simple]
        complex_ = [frozenset(words(sentence)) for sentence in comparison.complex]
        best, best_back = matrix.argmax(1).tolist(), matrix.argmax(0).tolist()
        for i, j in enumerate(best):
            score = float(matrix[i, j])
            if score <= 0.0:
                continue
            splits = [(k, j) for k in _joiners(i, j, best, simple, complex_[j])]
            fusions = [(i, k) for k in _joiners(j, i, best_back, complex_, simple[i])]
            for link in ((i, j), *splits, *fusions):
                scores[link] = max(score, scores[link])
        return scores


def _joiners(
    here: int, partner: int, best: list[int], sides: list[frozenset[str]], other: frozenset[str]
) -> list[int]:
    """Neighbours of sentence `here` that prefer `partner` too and make the pair more alike when joined."""
    alone = _jaccard(sides[here], other)
    near = [index for index in (here - 1, here + 1) if 0 <= index < len(sides) and best[index] == partner]
    return [index for index in near if _jaccard(sides[here] | sides[index], other) > alone]


def _jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    union = len(left | right)
    return len(left & right) / union if union else 0.0
