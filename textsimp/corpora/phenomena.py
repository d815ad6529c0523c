"""Simplification phenomena of a document pair, from the connected components of its links (Table 1).

Links make a bipartite graph of complex and simple sentences; each component is one phenomenon, named by how many
complex and simple sentences it joins. Two readings of Table 1 fix the unit: its Newsela-Auto column has 307,450
rephrasings and 160,300 splittings in 666,645 pairs, which leaves 2.2 pairs a splitting, so that a splitting counts
once whatever its pairs, and so that the 147,327 copies are not among the pairs.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable

from textsimp.records import DocumentPair, Link

REPHRASING = "rephrasing (1-to-1)"
COPYING = "copying (1-to-1)"
SPLITTING = "splitting (1-to-n)"
MERGING = "merging (n-to-1)"
FUSION = "fusion (m-to-n)"
DELETION = "deletion (1-to-0)"
PHENOMENA = (REPHRASING, COPYING, SPLITTING, MERGING, FUSION, DELETION)

Component = tuple[tuple[int, ...], tuple[int, ...]]


def components(links: Iterable[Link]) -> list[Component]:
    """The connected components of the links: (complex indexes, simple indexes), each ascending, by first complex."""
    neighbours: dict[tuple[str, int], list[tuple[str, int]]] = defaultdict(list)
    for link in links:
        neighbours["complex", link.complex].append(("simple", link.simple))
        neighbours["simple", link.simple].append(("complex", link.complex))
    found, seen = [], set()
    for start in sorted(neighbours):
        if start in seen:
            continue
        seen.add(start)
        members = [start]
        for node in members:  # grows while it is walked
            fresh = [other for other in neighbours[node] if other not in seen]
            seen.update(fresh)
            members.extend(dict.fromkeys(fresh))
        found.append(tuple(tuple(sorted(i for side, i in members if side == name)) for name in ("complex", "simple")))
    return sorted(found)


def phenomena(pair: DocumentPair) -> Counter[str]:
    """How often each of `PHENOMENA` occurs in a labelled document pair.

    - rephrasing: one complex and one simple sentence, linked only to each other, that differ
    - copying: the same, identical
    - splitting: one complex sentence and two or more simple ones
    - merging: two or more complex sentences and one simple one
    - fusion: two or more of either
    - deletion: a complex sentence without a link
    """
    counts: Counter[str] = Counter(dict.fromkeys(PHENOMENA, 0))
    linked = 0
    for complex_side, simple_side in components(pair.alignments or ()):
        linked += len(complex_side)
        counts[_name(pair, complex_side, simple_side)] += 1
    counts[DELETION] = len(pair.complex.sentences) - linked
    return counts


def _name(pair: DocumentPair, complex_side: tuple[int, ...], simple_side: tuple[int, ...]) -> str:
    if len(complex_side) == 1 and len(simple_side) == 1:
        same = pair.complex.sentences[complex_side[0]] == pair.simple.sentences[simple_side[0]]
        return COPYING if same else REPHRASING
    if len(complex_side) == 1:
        return SPLITTING
    return MERGING if len(simple_side) == 1 else FUSION
