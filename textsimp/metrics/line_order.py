"""Doubts whether the lines of an output are in the order of its source's, by the rare words that they share."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain

from textsimp.metrics.tokens import words

_LINES = 1000
"""Lines that are looked at: the first ones."""
_MOST = 20
"""Lines that may share a word that tells where a line belongs."""
_SHARE = 0.1
"""Of lines out of place; outputs of real systems have 0.003 at most, shuffled ones nearly 1."""


def misplaced(sources: Sequence[str], lines: Sequence[str]) -> float:
    """Return the share of lines that fit another source much better than their own.

    Sources are compared by the words that few of them have; a line that has more than twice as many (and three more) of
    another source's than of its own is out of place.
    """
    sets = [frozenset(words(line)) for line in sources[:_LINES]]
    where: dict[str, list[int]] = defaultdict(list)
    for number, found in enumerate(sets):
        for word in found:
            where[word].append(number)
    strange = judged = 0
    for number, line in enumerate(lines[:_LINES]):
        rare = (where[word] for word in frozenset(words(line)) if word in where and len(where[word]) <= _MOST)
        hits = Counter(chain.from_iterable(rare))
        if hits:
            judged += 1
            best = max(hits.values())
            strange += best > 2 * hits[number] and best >= hits[number] + 2 and sources[number] != line
    return strange / judged if judged > 1 else 0.0


def order_doubt(sources: Sequence[str], lines: Sequence[str]) -> str:
    """Return what is to be said of lines that are in another order than their sources; else nothing."""
    share = misplaced(sources, lines)
    said = f"{share:.0%} of the lines fit another sentence of the complex side better than their own"
    return said if share > _SHARE else ""
