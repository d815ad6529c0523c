"""Sentence pairs from the links of document pairs (Jiang et al. 2020, section 3).

In the paper one link makes one pair (`join: link`). With `join: simple` a simple sentence comes once, beside all
complex sentences that it is linked to, in order; the CRF links every simple sentence at most once, so that both are
the same. With `join: group` all sentences that links connect, on both sides, are one pair.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from textsimp.core.records import AlignmentLabel, DocumentPair, Link, SentencePair

GROUP = "group"
JOINS = ("simple", "link", GROUP)
SCORE_DIGITS = 4


@dataclass(frozen=True)
class LinkedPair:
    """A sentence pair with the place that it comes from: ids and levels of its documents, and which sentences it has.

    Indexes are from 0 and ascending; there is one of the complex document with `join: link`. `simple_index` is the
    first simple sentence, and the only one unless groups are joined. `simple_length` is the number of sentences of the
    simple document, 0 for a pair without documents. `links` are those that were joined.
    """

    pair: SentencePair
    complex_id: str
    simple_id: str
    complex_level: int
    simple_level: int
    complex_indexes: tuple[int, ...]
    simple_index: int
    simple_length: int
    links: tuple[Link, ...] = ()

    @property
    def simple_indexes(self) -> tuple[int, ...]:
        """Return the places of all its simple sentences."""
        return tuple(sorted({link.simple for link in self.links}))

    @property
    def score(self) -> float | None:
        """Return the lowest score of the links that were joined; None where one has none."""
        scores = [link.score for link in self.links if link.score is not None]
        return min(scores) if scores and len(scores) == len(self.links) else None

    @property
    def complex(self) -> str:
        """Return the text of the complex side."""
        return self.pair.complex

    @property
    def simple(self) -> str:
        """Return the text of the simple side."""
        return self.pair.simple

    @property
    def levels(self) -> str:
        """Return the level combination, such as `0-2`."""
        return f"{self.complex_level}-{self.simple_level}"


def linked_pairs(pair: DocumentPair, join: str) -> Iterator[LinkedPair]:
    """Yield the sentence pairs of a labelled document pair, in the simple document's order; `join`: see the module."""
    if join == "group":
        yield from (_linked(pair, group) for group in link_groups(pair.alignments or ()))
        return
    for _, links in groupby(pair.alignments or (), key=lambda link: link if join == "link" else link.simple):
        yield _linked(pair, list(links))


def link_groups(links: Sequence[Link]) -> list[list[Link]]:
    """Return the links in groups, those that share a sentence being in one; sorted, groups by their first link."""
    if not links:
        return []
    from textsimp.metrics.links import components  # numpy is slow to import, and the command line needs this module

    ordered = sorted(links)
    ends = [(link.simple, link.complex) for link in ordered]
    sizes = [max(side) + 1 for side in zip(*ends, strict=True)]
    labels = components(sizes[0], sizes[1], ends).tolist()
    groups: dict[int, list[Link]] = {}
    for link in ordered:
        groups.setdefault(labels[link.simple], []).append(link)
    return list(groups.values())


def released_pair(pair: SentencePair) -> LinkedPair:
    """Return a sentence pair that a release gives without documents: ids are the pair's own, lengths and levels 0."""
    return LinkedPair(pair, pair.pair_id, pair.pair_id, 0, 0, (), 0, 0)


def _linked(pair: DocumentPair, links: list[Link]) -> LinkedPair:
    """Return one sentence pair of links that share a sentence; aligned only where every link is."""
    sides = sorted({link.complex for link in links}), sorted({link.simple for link in links})
    aligned = all(link.label is AlignmentLabel.ALIGNED for link in links)
    label = AlignmentLabel.ALIGNED if aligned else AlignmentLabel.PARTIAL
    complex_, simple = pair.complex, pair.simple
    text, simple_text = (
        " ".join(document.sentences[index] for index in indexes)
        for document, indexes in zip((complex_, simple), sides, strict=True)
    )
    sentences = SentencePair(text, simple_text, label, pair.id, pair.group)
    places = (complex_.id, simple.id, complex_.level, simple.level, tuple(sides[0]), sides[1][0])
    return LinkedPair(sentences, *places, len(simple.sentences), tuple(links))


def pair_row(linked: LinkedPair, split: str, dropped: str | None) -> dict[str, Any]:
    """Return a sentence pair's JSON object in pairs.jsonl: `dropped` is the filter that keeps it out of training."""
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


def table_columns(join: str) -> tuple[str, ...]:
    """Return the columns of a table of sentence pairs; of a group there may be several simple sentences."""
    simple = "simple_indexes" if join == GROUP else "simple_index"
    return ("pair", "label", "complex_indexes", simple, "complex", "simple", "score")


def typed_row(linked: LinkedPair, join: str) -> dict[str, Any]:
    """Return a sentence pair by the names of `table_columns`: lists of numbers, a number or None, and texts."""
    simple = list(linked.simple_indexes) if join == GROUP else linked.simple_index
    score = None if linked.score is None else round(linked.score, SCORE_DIGITS)
    texts = (one_line(linked.complex), one_line(linked.simple))
    values = (linked.pair.pair_id, linked.pair.label.value, list(linked.complex_indexes), simple, *texts, score)
    return dict(zip(table_columns(join), values, strict=True))


def one_line(text: str) -> str:
    """Return a text that fits into a cell or a line: tabs and line breaks as spaces."""
    return " ".join(text.split()) if any(char in text for char in "\t\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029") else text
