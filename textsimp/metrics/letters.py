"""Letters for what does not differ: the compact letter display of all pairwise comparisons (Piepho 2004).

Two systems share a letter if and only if they do not differ.
"""

from collections.abc import Collection, Sequence
from string import ascii_letters


def compact_letters(names: Sequence[str], different: Collection[tuple[str, str]]) -> dict[str, str]:
    """The letters of each system, by insertion and absorption.

    Args:
        names: the systems, best first: `a` goes to the best one's first group.
        different: the pairs that differ, each in either order.

    Returns:
        Letters in alphabetical order by name; a number in brackets where letters run out.
    """
    groups = [frozenset(names)]
    for one, other in different:
        split: list[frozenset[str]] = []
        for group in groups:
            split += [group - {one}, group - {other}] if one in group and other in group else [group]
        groups = _absorbed(split)
    places = {name: place for place, name in enumerate(names)}
    groups = sorted((group for group in groups if group), key=lambda group: sorted(places[name] for name in group))
    return {name: "".join(_letter(n) for n, group in enumerate(groups) if name in group) for name in names}


def _absorbed(groups: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """The groups that are part of no other one, each once."""
    distinct = list(dict.fromkeys(groups))
    return [group for group in distinct if not any(group < other for other in distinct)]


def _letter(number: int) -> str:
    return ascii_letters[number] if number < len(ascii_letters) else f"({number + 1})"
