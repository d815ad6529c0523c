"""Labels of non-adjacent levels from adjacent ones (F1; Jiang et al. 2020, section 3.1)."""

from collections.abc import Iterable, Mapping
from itertools import combinations

from textsimp.records import AlignmentLabel, Link

Links = tuple[Link, ...]
Levels = tuple[int, int]


def compose(upper: Iterable[Link], lower: Iterable[Link]) -> Links:
    """The links between levels a and c from those between a and b (`upper`) and between b and c (`lower`).

    A path is aligned if both its steps are, else partial; where several paths join two sentences, the pair is
    aligned if any path is. (The best of the paths, a path as good as its worst step: so the order in which more
    than two steps are composed does not matter.)
    """
    above: dict[int, list[Link]] = {}
    for link in upper:
        above.setdefault(link.simple, []).append(link)
    best: dict[tuple[int, int], AlignmentLabel] = {}
    for low in lower:
        for high in above.get(low.complex, ()):
            key = (low.simple, high.complex)
            if low.label is high.label is AlignmentLabel.ALIGNED:
                best[key] = AlignmentLabel.ALIGNED
            else:
                best.setdefault(key, AlignmentLabel.PARTIAL)
    return tuple(sorted(Link(simple, complex_, label) for (simple, complex_), label in best.items()))


def derive_levels(known: Mapping[Levels, Links], levels: Iterable[int]) -> dict[Levels, Links]:
    """Links of every combination (complex level, simple level) of the sorted `levels`.

    Args:
        known: annotated links by (complex level, simple level); all neighbours of `levels` must be there. What is
            annotated is kept, also between non-adjacent levels.
        levels: the levels that the article set has.

    Raises:
        KeyError: neighbouring levels without annotation.
    """
    order = sorted(levels)
    result: dict[Levels, Links] = {}
    for first, last in combinations(range(len(order)), 2):
        pair = (order[first], order[last])
        if pair in known or last == first + 1:
            result[pair] = known[pair]
        else:  # (first, last - 1) came before, in the order of combinations
            result[pair] = compose(result[order[first], order[last - 1]], known[order[last - 1], order[last]])
    return result
