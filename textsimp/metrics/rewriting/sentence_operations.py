"""Aligned documents as units, and Coster and Kauchak's Table 1: sentences skipped, kept, split and merged (F1).

Their dynamic programme chooses among five operations. Here they are read from any alignment: sentences that hang
together by links are one operation, and one unit of rewriting. What their programme does not know (one to three, two
to two) is counted as `other`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from textsimp.metrics.rewriting.pairs import Unit
from textsimp.records import DocumentPair, Link

OPERATIONS = {
    (0, 1): "skip simple",
    (1, 0): "skip normal",
    (1, 1): "one normal to one simple",
    (1, 2): "one normal to two simple",
    (2, 1): "two normal to one simple",
}
"""By the number of complex (normal) and simple sentences; the names are Table 1's."""

OTHER = "other"

Group = tuple[tuple[int, ...], tuple[int, ...]]
"""Complex and simple sentence indexes that hang together by links."""


def sentence_operations(pairs: Iterable[tuple[DocumentPair, Sequence[Link]]]) -> dict[str, int]:
    """How often each operation occurs in aligned document pairs.

    Args:
        pairs: document pairs, each with its links (gold or predicted).

    Returns:
        Counts by the names of Table 1 and `other`, in that order.
    """
    groups = (group for pair, links in pairs for group in _groups(pair, links))
    counts = Counter(OPERATIONS.get((len(complexes), len(simples)), OTHER) for complexes, simples in groups)
    return {name: counts[name] for name in (*OPERATIONS.values(), OTHER)}


def corpus_units(pairs: Iterable[tuple[DocumentPair, Sequence[Link]]]) -> Iterator[Unit]:
    """The units of aligned document pairs: what hangs together by links; sentences without a link are in none."""
    for pair, links in pairs:
        for complexes, simples in _groups(pair, links):
            if complexes and simples:
                text = " ".join(pair.complex.sentences[k] for k in complexes)
                yield Unit(text, tuple(pair.simple.sentences[k] for k in simples))


def _groups(pair: DocumentPair, links: Sequence[Link]) -> list[Group]:
    """Every sentence in one group, ordered by the first sentence, the complex side first."""
    complex_count = len(pair.complex.sentences)
    size = complex_count + len(pair.simple.sentences)
    if not size:
        return []
    ends = [link.complex for link in links], [complex_count + link.simple for link in links]
    number, label = connected_components(coo_array((np.ones(len(links)), ends), shape=(size, size)), directed=False)
    members: list[list[int]] = [[] for _ in range(number)]
    for sentence, group in enumerate(label):
        members[group].append(sentence)
    return [
        (tuple(k for k in group if k < complex_count), tuple(k - complex_count for k in group if k >= complex_count))
        for group in sorted(members)
    ]
