"""Sentences that stand several times in both texts (`Read more.`): each is linked once, not with all the others."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from textsimp.core.records import DocumentPair, Link

_NEIGHBOUR = 1.0
"""What a linked neighbour is worth, where the whole length of the texts is worth 1."""


def each_once(pair: DocumentPair, links: Sequence[Link]) -> list[Link]:
    """Return the links, those between repeated sentences one to one: beside linked neighbours, else in their order."""
    repeated: dict[tuple[str, str], list[Link]] = defaultdict(list)
    for link in links:
        texts = pair.complex.sentences[link.complex], pair.simple.sentences[link.simple]
        repeated[texts[0].lower(), texts[1].lower()].append(link)
    kept = {(link.simple, link.complex): link for link in links}
    for group in repeated.values():
        rows, columns = sorted({link.simple for link in group}), sorted({link.complex for link in group})
        if min(len(rows), len(columns)) > 1:
            for link in set(group) - _matched(pair, group, kept, rows, columns):
                del kept[link.simple, link.complex]
    return list(kept.values())


def _matched(
    pair: DocumentPair,
    group: Sequence[Link],
    links: dict[tuple[int, int], Link],
    rows: Sequence[int],
    columns: Sequence[int],
) -> set[Link]:
    """Return the links of a group that stay."""
    worth = np.full((len(rows), len(columns)), -float(len(links) + 1))
    for link in group:
        neighbours = sum((link.simple + step, link.complex + step) in links for step in (-1, 1))
        places = link.simple / len(pair.simple.sentences), link.complex / len(pair.complex.sentences)
        worth[rows.index(link.simple), columns.index(link.complex)] = _NEIGHBOUR * neighbours - abs(
            np.subtract(*places)
        )
    chosen = {(rows[i], columns[j]) for i, j in zip(*linear_sum_assignment(worth, maximize=True), strict=True)}
    return {link for link in group if (link.simple, link.complex) in chosen}
