"""Strategies that choose links one by one: the threshold, greedy one-to-one, JaccardAlign, most similar text."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textsimp.alignment.strategies.strategy import Comparison, Matrix, no_links
from textsimp.alignment.words import best_of_rows, words


@dataclass(frozen=True)
class Threshold:
    """Links all pairs whose similarity reaches `threshold` (Jaccard and TF-IDF of Table 2)."""

    threshold: float = -np.inf

    def align(self, comparison: Comparison) -> Matrix:
        """The similarities; see `Strategy.align`."""
        return np.where(comparison.matrix >= self.threshold, comparison.matrix, -np.inf)


class GreedyOneToOne:
    """Hwang et al. 2015, as Kajiwara and Komachi 2016 (section 2) tell it: the best pairs first, while both are free.

    Order does not count, and pairs of similarity 0 or less are never linked. Of equally similar pairs the one with the
    earlier simple text goes first, then the one with the earlier complex text. A link's score is its similarity.
    """

    def align(self, comparison: Comparison) -> Matrix:
        """Sorts the pairs once: O(mn log mn)."""
        matrix, scores = comparison.matrix, no_links(comparison)
        positive = np.flatnonzero(matrix > 0)
        falling = positive[np.argsort(-matrix.ravel()[positive], kind="stable")]
        free_simple, free_complex = (np.ones(size, dtype=bool) for size in matrix.shape)
        for i, j in zip(*np.divmod(falling, matrix.shape[1] or 1), strict=True):
            if free_simple[i] and free_complex[j]:
                scores[i, j] = matrix[i, j]
                free_simple[i] = free_complex[j] = False
        return scores


class JaccardAlign:
    """The greedy aligner of Xu et al. 2015 as section 4.1 of Jiang et al. 2020 names it.

    The published descriptions say Jaccard similarity and a greedy search; this is the reading here. Each simple
    sentence takes its most similar complex sentence, if similar enough. Then neighbours may join the pair (i, j):

    - split: simple sentence i - 1 or i + 1, if j is its most similar complex sentence too, and the two simple
      sentences together are more like j than i alone;
    - fusion: complex sentence j - 1 or j + 1, if i is its most similar simple sentence, and the two complex sentences
      together are more like i than j alone.

    That the neighbour must prefer the same partner keeps out sentences that share only function words with it.
    A neighbour's link has the score of the pair that it joins: they stand or fall with it.
    """

    def align(self, comparison: Comparison) -> Matrix:
        """Joined texts are compared by Jaccard whatever the matrix holds."""
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
    here: int, partner: int, best: list[int], sides: list[frozenset[str]], facing: frozenset[str]
) -> list[int]:
    alone = _jaccard(sides[here], facing)
    near = [index for index in (here - 1, here + 1) if 0 <= index < len(sides) and best[index] == partner]
    return [index for index in near if _jaccard(sides[here] | sides[index], facing) > alone]


def _jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    union = len(left | right)
    return len(left & right) / union if union else 0.0


class MostSimilarText:
    """MST, section 3.1 of Stajner et al. 2017: aligns each simple text with its closest complex text.

    A link's score is its similarity. Texts that share nothing are not linked, though hypothesis H2 ("every simple
    sentence has at least one corresponding original sentence") would; of equally close ones the first is taken.
    """

    def align(self, comparison: Comparison) -> Matrix:
        closest = best_of_rows(comparison.matrix, 1) & (comparison.matrix > 0)
        return np.where(closest, comparison.matrix, -np.inf)


class MostSimilarTextLis:
    """MST-LIS, the starred systems of Table 2: MST under hypothesis H1, that the order of information is kept.

    Of the links of MST only a longest sequence L with non-decreasing offsets in the complex side stays (repeated
    offsets are splits). Every other simple text is aligned again, with the closest complex text from the offset of the
    previous text in L to that of the next one, both included. A link's score is its similarity.

    Where the paper leaves a choice: of several longest sequences one with the largest sum of similarities is kept;
    before the first text of the sequence, and after the last, the search goes to the end of the complex side.
    """

    def align(self, comparison: Comparison) -> Matrix:
        """Takes O(m n + m^2)."""
        matrix, scores = comparison.matrix, no_links(comparison)
        if not matrix.size:
            return scores
        offsets, first = _kept_offsets(matrix), 0
        ahead = sorted(offsets, reverse=True)
        for i in range(len(matrix)):
            if i in offsets:
                first = offsets[ahead.pop()]
                scores[i, first] = matrix[i, first]
            else:
                last = offsets[ahead[-1]] if ahead else matrix.shape[1] - 1
                j = first + int(matrix[i, first : last + 1].argmax())
                scores[i, j] = matrix[i, j] if matrix[i, j] > 0 else -np.inf
        return scores


def longest_sequence(offsets: Sequence[int], weights: Sequence[float]) -> list[int]:
    """Positions of a longest non-decreasing subsequence of `offsets`, in O(m^2).

    Of several, one with the largest sum of weights; where sums are equal too, the earlier predecessor wins.
    """
    ends: list[tuple[int, float]] = []  # length and sum of the best sequence that ends at each position
    before: list[int | None] = []
    for offset, weight in zip(offsets, weights, strict=True):
        earlier = (position for position in range(len(ends)) if offsets[position] <= offset)
        last = max(earlier, key=ends.__getitem__, default=None)
        length, total = (0, 0.0) if last is None else ends[last]
        before.append(last)
        ends.append((length + 1, total + weight))
    last, chain = max(range(len(ends)), key=ends.__getitem__, default=None), list[int]()
    while last is not None:
        chain.append(last)
        last = before[last]
    return chain[::-1]


def _kept_offsets(matrix: Matrix) -> dict[int, int]:
    closest, highest = matrix.argmax(1), matrix.max(1)
    linked = (highest > 0).nonzero()[0]
    chosen = linked[longest_sequence(closest[linked].tolist(), highest[linked].tolist())]
    return dict(zip(chosen.tolist(), closest[chosen].tolist(), strict=True))
