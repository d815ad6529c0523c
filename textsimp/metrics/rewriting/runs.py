"""What stands where: words without a link, in runs, and which run took the place of which (F1).

Between two content words that are kept, a run of complex words without a partner that faces a run of simple ones was
put in other words; one that faces nothing was deleted, and a simple run that faces nothing was inserted. Light words
are passed over, so that `looking for` can stand for `seeking`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from textsimp.metrics.rewriting.pairs import AlignedUnit

Run = tuple[int, ...]
"""Positions of consecutive content words without a link."""


@dataclass(frozen=True)
class Replacement:
    """Complex words and the simple words that stand in their place; one side is empty in a deletion or insertion."""

    complex: Run
    simple: Run


def replacements(unit: AlignedUnit) -> tuple[Replacement, ...]:
    """The content words without a link, run by run; deletions and replacements in order, then insertions."""
    complex_order = [k for k, word in enumerate(unit.complex_words) if not word.light]
    simple_order = [k for k, word in enumerate(unit.simple_words) if not word.light]
    partner = {link.complex: link.simple for link in unit.content_links}
    facing = _runs_by_edges(simple_order, {simple: simple for simple in partner.values()})
    used: set[Run] = set()
    found = []
    for (before, after), run in _runs_by_edges(complex_order, partner).items():
        options = [edges for edges, other in facing.items() if other not in used]
        # a run that has both neighbours in common, else the one before, else the one after
        same = next((edges for edges in options if edges == (before, after)), None)
        same = same or next((edges for edges in options if edges[0] == before), None)
        same = same or next((edges for edges in options if edges[1] == after), None)
        other = facing[same] if same else ()
        used.add(other)
        found.append(Replacement(run, other))
    found += [Replacement((), run) for run in facing.values() if run not in used]
    return tuple(found)


def _runs_by_edges(order: Sequence[int], partner: dict[int, int]) -> dict[tuple[int, int], Run]:
    """Each run without a link, by the simple positions of the linked words around it; -1 and -2 for the ends."""
    runs: dict[tuple[int, int], Run] = {}
    before, run = -1, []
    for position in order:
        if position not in partner:
            run.append(position)
            continue
        if run:
            runs[before, partner[position]] = tuple(run)
        before, run = partner[position], []
    if run:
        runs[before, -2] = tuple(run)
    return runs


def moved(positions: Sequence[int]) -> int:
    """How many of the simple positions, in the complex order, have to move for the order to be the same."""
    # patience sorting: tails[k] ends the lowest increasing sequence of length k + 1
    tails: list[int] = []
    for position in positions:
        place = next((k for k, tail in enumerate(tails) if tail >= position), len(tails))
        tails[place : place + 1] = [position]
    return len(positions) - len(tails)


def blocks(positions: Sequence[int]) -> int:
    """In how many pieces, each in its old order, the complex order stands on the simple side; 0 without a link.

    Words in between that have no link do not part a block.
    """
    ranks = {position: rank for rank, position in enumerate(sorted(positions))}
    order = [ranks[position] for position in positions]
    return bool(order) + sum(second != first + 1 for first, second in pairwise(order))


def split_points(unit: AlignedUnit) -> int:
    """Into how many more sentences the content of the complex side was parted.

    A simple sentence counts if a content word of it is linked. One without any may still say what the linked ones
    left out: it counts where the complex side has lost more words than the linked sentences have new ones. Where
    nothing is lost it is an added explanation, and no split.
    """
    linked_simple = {unit.simple_words[link.simple].sentence for link in unit.content_links}
    linked_complex = {unit.complex_words[link.complex].sentence for link in unit.content_links}
    simple_links = {link.simple for link in unit.content_links}
    new = sum(
        not word.light and word.sentence in linked_simple and position not in simple_links
        for position, word in enumerate(unit.simple_words)
    )
    lost = sum(not word.light for word in unit.complex_words) - len(unit.content_links)
    others = unit.simple_sentences - len(linked_simple)
    parts = len(linked_simple) + (others if lost > new else 0)
    return max(0, parts - max(1, len(linked_complex)))
