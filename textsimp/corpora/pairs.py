"""Sentence pairs from the links of document pairs (Jiang et al. 2020, section 3).

The paper counts every sentence pair "predicted as aligned and partially-aligned", so that one link makes one
pair (`join: link`): a split of one complex sentence into three gives three pairs with the same complex side.
With `join: simple` a simple sentence comes once, beside all complex sentences that it is linked to, in order;
both are the same where an aligner links every simple sentence at most once, as the CRF does.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from textsimp.records import AlignmentLabel, DocumentPair, Link, SentencePair


@dataclass(frozen=True)
class LinkedPair:
    """A sentence pair with the place that it comes from.

    Attributes:
        pair: the texts, the label, the document pair's id and article set.
        complex_id: of the complex document.
        simple_id: of the simple document.
        complex_level: its reading level.
        simple_level: its reading level.
        complex_indexes: which sentences of the complex document, from 0, ascending; one with `join: link`.
        simple_index: which sentence of the simple document, from 0.
        simple_length: how many sentences the simple document has; 0 for a pair without documents.
    """

    pair: SentencePair
    complex_id: str
    simple_id: str
    complex_level: int
    simple_level: int
    complex_indexes: tuple[int, ...]
    simple_index: int
    simple_length: int

    @property
    def complex(self) -> str:
        """The text of the complex side."""
        return self.pair.complex

    @property
    def simple(self) -> str:
        """The text of the simple side."""
        return self.pair.simple

    @property
    def levels(self) -> str:
        """The level combination, such as `0-2`."""
        return f"{self.complex_level}-{self.simple_level}"


def linked_pairs(pair: DocumentPair, join: str) -> Iterator[LinkedPair]:
    """The sentence pairs of a labelled document pair, in the order of the simple document.

    Args:
        pair: with `alignments`, sorted by (simple, complex) as `textsimp.records` keeps them.
        join: `link` or `simple`.
    """
    links = pair.alignments or ()
    if join == "link":
        for link in links:
            yield _linked(pair, [link])
    else:
        for _, group in groupby(links, key=lambda link: link.simple):
            yield _linked(pair, list(group))


def released_pair(pair: SentencePair) -> LinkedPair:
    """A sentence pair that a release gives without documents: ids are the pair's own, lengths and levels 0."""
    return LinkedPair(pair, pair.pair_id, pair.pair_id, 0, 0, (), 0, 0)


def _linked(pair: DocumentPair, links: list[Link]) -> LinkedPair:
    """One sentence pair of links that share their simple sentence; aligned only where every link is."""
    indexes = tuple(link.complex for link in links)
    aligned = all(link.label is AlignmentLabel.ALIGNED for link in links)
    return LinkedPair(
        pair=SentencePair(
            complex=" ".join(pair.complex.sentences[index] for index in indexes),
            simple=pair.simple.sentences[links[0].simple],
            label=AlignmentLabel.ALIGNED if aligned else AlignmentLabel.PARTIAL,
            pair_id=pair.id,
            group=pair.group,
        ),
        complex_id=pair.complex.id,
        simple_id=pair.simple.id,
        complex_level=pair.complex.level,
        simple_level=pair.simple.level,
        complex_indexes=indexes,
        simple_index=links[0].simple,
        simple_length=len(pair.simple.sentences),
    )


def pair_row(linked: LinkedPair, split: str, dropped: str | None) -> dict[str, Any]:
    """The JSON object of a sentence pair in pairs.jsonl.

    Args:
        linked: the pair.
        split: train, dev or test: where its article set went.
        dropped: the filter that keeps it out of the training files; None where it is in.
    """
    return {
        "pair": linked.pair.pair_id,
        "group": linked.pair.group,
        "levels": linked.levels,
        "label": linked.pair.label.value,
        "split": split,
        "dropped": dropped,
        "complex_id": linked.complex_id,
        "complex_indexes": list(linked.complex_indexes),
        "simple_id": linked.simple_id,
        "simple_index": linked.simple_index,
        "complex": linked.complex,
        "simple": linked.simple,
    }
