"""Alignment examples: document pairs with the gold and the predicted links side by side."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import read_json_lines
from textsimp.core.records import DocumentPair, Link, pair_from_json
from textsimp.metrics.links import components

RIGHT, LABEL, MISSED, WRONG = "right", "label", "missed", "wrong"
VERDICTS = {
    RIGHT: "✓ predicted as in the gold annotation",
    LABEL: "≠ predicted with another label",
    MISSED: "− in the gold annotation only",
    WRONG: "+ predicted only",
}


@dataclass(frozen=True)
class Example:
    """A document pair, labelled where there is gold annotation, and the links that each system predicts for it.

    The first system is the one that is shown where there is room for one.
    """

    pair: DocumentPair
    predicted: Mapping[str, tuple[Link, ...]]


@dataclass(frozen=True)
class LinkShown:
    """One link: sentence indexes from 0, the gold and the predicted label (empty for none), and the verdict."""

    complex: int
    simple: int
    gold: str
    predicted: str

    @property
    def verdict(self) -> str:
        """A key of `VERDICTS`."""
        if self.gold and self.predicted:
            return RIGHT if self.gold == self.predicted else LABEL
        return MISSED if self.gold else WRONG


@dataclass(frozen=True)
class Block:
    """Sentences joined by gold or predicted links, or one without any: (index from 0, sentence), and the links."""

    complex: tuple[tuple[int, str], ...]
    simple: tuple[tuple[int, str], ...]
    links: tuple[LinkShown, ...]


def read_examples(path: Path) -> list[Example]:
    """The document pairs of a file in the project's format with the key `predicted`: system -> links.

    Raises:
        InputError: a line is no such pair, or has other systems than the first line; the text names the line.
    """
    examples: list[Example] = []
    remedy = "run the stage evaluate_alignment again"
    for number, row in read_json_lines(path, remedy):
        try:
            example = _example(row)
            if examples and list(example.predicted) != list(examples[0].predicted):
                raise InputError("'predicted' has other systems than the line before")
        except InputError as error:
            what = f"no document pair with predictions ({error})"
            raise bad_input(path, number, what, remedy) from None
        examples.append(example)
    return examples


def _example(row: Any) -> Example:
    pair = pair_from_json(row)
    if pair.alignments is None:
        raise InputError("'alignments' is absent")
    systems = row.get("predicted")
    if not isinstance(systems, dict) or not systems:
        raise InputError("'predicted' is no object of systems and their links")
    predicted = {name: pair_from_json({**row, "alignments": links}).alignments or () for name, links in systems.items()}
    return Example(pair, predicted)


def choose_examples(examples: Sequence[Example], number: int, sentences: int) -> tuple[Example, ...]:
    """Some examples, whatever the aligner makes of them: by a digest of their ids.

    Pairs of at most `sentences` sentences a side in which most links join different sentences come first; of each
    article set at most one, as long as there are others.
    """
    ranked = sorted(examples, key=lambda example: _rank(example, sentences))
    groups: dict[str, Example] = {}
    for example in ranked:
        groups.setdefault(example.pair.group, example)
    first = list(groups.values())
    return tuple([*first, *(example for example in ranked if example not in first)][:number])


def sample_examples(examples: Sequence[Example], number: int) -> list[Example]:
    """All examples, or `number` of them where there are more, by a digest of their ids; in the order that they have."""
    if len(examples) <= number:
        return list(examples)
    indexes = sorted(range(len(examples)), key=lambda index: (_digest(examples[index]), index))
    return [examples[index] for index in sorted(indexes[:number])]


def _rank(example: Example, sentences: int) -> tuple[int, bool, str]:
    pair = example.pair
    longest = max(len(pair.complex.sentences), len(pair.simple.sentences))
    links = pair.alignments or ()
    copied = sum(pair.complex.sentences[link.complex] == pair.simple.sentences[link.simple] for link in links)
    return max(longest - sentences, 0), 2 * copied >= len(links), _digest(example)


def _digest(example: Example) -> str:
    return hashlib.sha256(example.pair.id.encode("utf-8", "surrogatepass")).hexdigest()


def blocks(example: Example) -> list[Block]:
    """The example with its first system's links, in blocks: complex sentences beside the simple ones linked to them.

    The blocks are in the order of the complex sentences. Simple sentences without a link follow the block of
    the simple sentence before them.
    """
    links = _links(example)
    complex_, simple = example.pair.complex.sentences, example.pair.simple.sentences
    ends = [(link.complex, link.simple) for link in links]
    block_of = components(len(complex_), len(simple), ends).tolist()
    first = dict(zip(reversed(block_of[: len(complex_)]), reversed(range(len(complex_))), strict=True))
    order = {block: (index, 0, 0) for block, index in first.items()}
    before = -1
    for index, block in enumerate(block_of[len(complex_) :]):
        before = first.get(block, before)
        order.setdefault(block, (before, 1, index))
    return [
        Block(
            tuple(pair for pair, of in zip(enumerate(complex_), block_of, strict=False) if of == block),
            tuple(pair for pair, of in zip(enumerate(simple), block_of[len(complex_) :], strict=True) if of == block),
            tuple(link for link in links if block_of[link.complex] == block),
        )
        for block in sorted(order, key=lambda block: order[block])
    ]


def _links(example: Example) -> list[LinkShown]:
    gold, predicted = (
        {(link.complex, link.simple): link.label.value for link in links}
        for links in (example.pair.alignments or (), next(iter(example.predicted.values())))
    )
    return [LinkShown(*ends, gold.get(ends, ""), predicted.get(ends, "")) for ends in sorted(gold | predicted)]
