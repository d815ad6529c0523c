"""The sentences that a two-step system aligns together, from its alignment of paragraphs."""

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.neural.paragraphs import Block, paragraph_blocks
from textsimp.core.records import Document, DocumentPair


def blocks_of(aligned: NDArray[np.bool_], pair: DocumentPair, merge: str) -> list[Block]:
    """The sentences that a two-step system aligns together.

    Stajner et al. 2017, section 4 (C3G-2s), Coster and Kauchak 2011, section 3, Paetzold et al. 2017. Gold paragraphs
    instead show what a better first step would bring (Jiang et al. 2020, Table 3).

    Args:
        aligned: which paragraphs are aligned. Shape: (k, l).
        merge: see `ParagraphStep.merge`.
    """
    if merge == "simple":
        return paragraph_blocks(aligned, pair.simple.paragraph_of, pair.complex.paragraph_of, join=True)
    return [
        Block(_sentences(pair.simple, rows), _sentences(pair.complex, columns))
        for rows, columns in _components(aligned)
    ]


def _components(aligned: NDArray[np.bool_]) -> list[tuple[list[int], list[int]]]:
    from scipy.sparse import bmat, csr_array
    from scipy.sparse.csgraph import connected_components  # slow to import

    k = aligned.shape[0]
    links = csr_array(aligned.astype(np.int8))
    _, labels = connected_components(bmat([[None, links], [links.T, None]]), directed=False)  # (k + l,)
    components = []
    for label in dict.fromkeys(labels[:k][aligned.any(1)].tolist()):
        members = np.flatnonzero(labels == label)
        components.append((members[members < k].tolist(), (members[members >= k] - k).tolist()))
    return components


def _sentences(document: Document, paragraphs: list[int]) -> tuple[int, ...]:
    chosen = set(paragraphs)
    return tuple(index for index, paragraph in enumerate(document.paragraph_of) if paragraph in chosen)
