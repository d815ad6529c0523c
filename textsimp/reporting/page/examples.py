"""Alignment examples: document pairs with the gold and the predicted links side by side."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.errors import InputError, bad_input
from textsimp.records import DocumentPair, Link, pair_from_json
from textsimp.textfiles import read_lines

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

    predicted: system -> links; the first system is the one that is shown where there is room for one.
    """

    pair: DocumentPair
    predicted: Mapping[str, tuple[Link, ...]]

    @property
    def main(self) -> tuple[Link, ...]:
        """The links of the first system."""
        return next(iter(self.predicted.values()))


@dataclass(frozen=True)
class LinkShown:
    """One link: sentence indexes from 0, the gold and the predicted label (empty for none), and the verdict."""

    complex: int
    simple: int
    gold: str
    predicted: str
    verdict: str


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
    for number, line in enumerate(read_lines(path), 1):
        try:
            example = _example(json.loads(line))
            if examples and list(example.predicted) != list(examples[0].predicted):
                raise InputError("'predicted' has other systems than the line before")
        except (json.JSONDecodeError, InputError) as error:
            what = f"no document pair with predictions ({error})"
            raise bad_input(path, number, what, "run the stage evaluate_alignment again") from None
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
    places = sorted(range(len(examples)), key=lambda place: (_digest(examples[place]), place))
    return [examples[place] for place in sorted(places[:number])]


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
    members = _components(links)
    complex_, simple = example.pair.complex.sentences, example.pair.simple.sentences
    linked = [set().union(*(block[side] for block in members)) for side in (0, 1)]
    members += [({index}, set()) for index in range(len(complex_)) if index not in linked[0]]
    place = {index: min(block[0]) for block in members for index in block[1]}
    keyed = [((min(block[0]), 0, 0), block) for block in members]
    for index in range(len(simple)):
        if index not in linked[1]:
            place[index] = place.get(index - 1, -1)
            keyed.append(((place[index], 1, index), (set(), {index})))
    return [
        Block(
            complex=tuple((index, complex_[index]) for index in sorted(block[0])),
            simple=tuple((index, simple[index]) for index in sorted(block[1])),
            links=tuple(link for link in links if link.complex in block[0] and link.simple in block[1]),
        )
        for _, block in sorted(keyed, key=lambda item: item[0])
    ]


def _links(example: Example) -> list[LinkShown]:
    sides = [
        {(link.complex, link.simple): link.label.value for link in links}
        for links in (example.pair.alignments or (), example.main)
    ]
    shown = []
    for complex_, simple in sorted(sides[0].keys() | sides[1].keys()):
        gold, predicted = (side.get((complex_, simple), "") for side in sides)
        shown.append(LinkShown(complex_, simple, gold, predicted, _verdict(gold, predicted)))
    return shown


def _verdict(gold: str, predicted: str) -> str:
    if gold and predicted:
        return RIGHT if gold == predicted else LABEL
    return MISSED if gold else WRONG


def _components(links: Sequence[LinkShown]) -> list[tuple[set[int], set[int]]]:
    """The connected components of the links: complex and simple indexes."""
    found: list[tuple[set[int], set[int]]] = []
    for link in links:
        joined = ({link.complex}, {link.simple})
        apart = []
        for block in found:
            if block[0] & joined[0] or block[1] & joined[1]:
                joined = (joined[0] | block[0], joined[1] | block[1])
            else:
                apart.append(block)
        found = [*apart, joined]
    return found
