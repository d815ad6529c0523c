"""Most similar text, free or along a longest increasing sequence: section 3.1 of Stajner et al. 2017 (F2).

Where the paper leaves a choice, this is the reading here:

- each simple text has a closest complex text only if one is more like it than 0: texts that share nothing are not
  linked, though hypothesis H2 ("every simple sentence has at least one corresponding original sentence") would;
- of equally close complex texts the first is taken;
- of several longest sequences of offsets, one with the largest sum of similarities is kept;
- before the first text of the sequence, and after the last, the search goes to the end of the complex side.
"""

from collections.abc import Sequence

from textsimp.alignment.strategies.base import Comparison, Matrix, no_links

_Entry = tuple[int, float, int]
"""Length and sum of weights of a sequence, and minus the position of its last member: more is better."""


class MostSimilarText:
    """MST: aligns each simple text with its closest complex text. A link's score is its similarity."""

    def align(self, comparison: Comparison) -> Matrix:
        """See `Strategy.align`."""
        matrix, scores = comparison.matrix, no_links(comparison)
        for i in range(len(matrix) if matrix.size else 0):
            _link_closest(scores, matrix, i, 0, matrix.shape[1] - 1)
        return scores


class MostSimilarTextLis:
    """MST-LIS, the starred systems of Table 2: MST under hypothesis H1, that the order of information is kept.

    Of the links of MST only a longest sequence L with non-decreasing offsets in the complex side stays (repeated
    offsets are splits). Every other simple text is aligned again, with the closest complex text from the offset of the
    previous text in L to that of the next one, both included. A link's score is its similarity.
    """

    def align(self, comparison: Comparison) -> Matrix:
        """See `Strategy.align`. Takes O(m n) for the closest texts and O(m log n) for the sequence."""
        matrix, scores = comparison.matrix, no_links(comparison)
        if not matrix.size:
            return scores
        kept, first = _kept_offsets(matrix), 0
        ahead = sorted(kept, reverse=True)
        for i in range(len(matrix)):
            if i in kept:
                first = kept[ahead.pop()]
                scores[i, first] = matrix[i, first]
            else:
                _link_closest(scores, matrix, i, first, kept[ahead[-1]] if ahead else matrix.shape[1] - 1)
        return scores


def longest_sequence(offsets: Sequence[int], weights: Sequence[float]) -> list[int]:
    """Positions of a longest non-decreasing subsequence of `offsets`, in O(m log max(offsets)).

    Of several, one with the largest sum of weights; where sums are equal too, the earlier predecessor wins. A tree of
    prefix maxima over the offsets gives the best sequence that the next offset can continue.

    Args:
        offsets: not negative.
        weights: one for each offset.
    """
    nothing = (0, 0.0, 1)
    tree = [nothing] * (max(offsets, default=0) + 2)
    before: list[int] = []
    for position, (offset, weight) in enumerate(zip(offsets, weights, strict=True)):
        length, total, last = _best_until(tree, offset, nothing)
        before.append(-last)
        _raise_from(tree, offset, (length + 1, total + weight, -position))
    return _trace(before, -_best_until(tree, len(tree) - 2, nothing)[2])


def _best_until(tree: list[_Entry], offset: int, best: _Entry) -> _Entry:
    """The best entry of all offsets up to this one; the lowest set bit of a node is the size of its stretch."""
    node = offset + 1
    while node:
        best = max(best, tree[node])
        node &= node - 1
    return best


def _raise_from(tree: list[_Entry], offset: int, entry: _Entry) -> None:
    """Let all stretches that contain the offset know of an entry."""
    node = offset + 1
    while node < len(tree):
        tree[node] = max(tree[node], entry)
        node += node & -node


def _trace(before: list[int], last: int) -> list[int]:
    """The positions from the first to the last, following the predecessors; -1 is before the first."""
    found = []
    while last >= 0:
        found.append(last)
        last = before[last]
    return found[::-1]


def _kept_offsets(matrix: Matrix) -> dict[int, int]:
    """The links of MST in the longest sequence: complex by simple offset."""
    closest, highest = matrix.argmax(1), matrix.max(1)
    linked = (highest > 0).nonzero()[0]
    chosen = linked[longest_sequence(closest[linked].tolist(), highest[linked].tolist())]
    return dict(zip(chosen.tolist(), closest[chosen].tolist(), strict=True))


def _link_closest(scores: Matrix, matrix: Matrix, i: int, first: int, last: int) -> None:
    """Link simple text i with the closest complex text from `first` to `last`, if any is more like it than 0."""
    j = first + int(matrix[i, first : last + 1].argmax())
    if matrix[i, j] > 0:
        scores[i, j] = matrix[i, j]
