"""Texts that the pages show: document pairs with gold and predicted links, and outputs for test sentences."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import folder_files, read_aligned, read_json_lines
from textsimp.core.records import DocumentPair, Link, pair_from_json
from textsimp.metrics.links import components

T = TypeVar("T")
VERDICTS = {
    "right": "✓ predicted as in the gold annotation",
    "label": "≠ predicted with another label",
    "missed": "− in the gold annotation only",
    "wrong": "+ predicted only",
}
_REMEDY = "run the stage evaluate_alignment again"
_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]|\s+")


@dataclass(frozen=True)
class Example:
    """A document pair, labelled where there is gold annotation, and the links that each system predicts for it."""

    pair: DocumentPair
    predicted: Mapping[str, tuple[Link, ...]]


class Block(NamedTuple):
    """Sentences that links join, or one without any: (index from 0, sentence) of both sides."""

    complex: tuple[tuple[int, str], ...]
    simple: tuple[tuple[int, str], ...]


class OutputSample(NamedTuple):
    """One test sentence: its line from 1, its references, and the output of each system of its test set."""

    line: int
    complex: str
    references: tuple[str, ...]
    outputs: tuple[str, ...]


def read_examples(path: Path) -> list[Example]:
    """Read document pairs in the project's format with the key `predicted`: system -> links.

    Raises:
        InputError: a line is no such pair, or has other systems than the first line; the text names the line.
    """
    examples: list[Example] = []
    for number, row in read_json_lines(path, _REMEDY):
        try:
            examples.append(_example(row))
            if list(examples[-1].predicted) != list(examples[0].predicted):
                raise InputError("'predicted' has other systems than the line before")
        except InputError as error:
            raise bad_input(path, number, f"no document pair with predictions ({error})", _REMEDY) from None
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


def sample_examples(examples: Sequence[Example], number: int) -> list[Example]:
    """Return all examples in their order, or `number` of them, by a digest of their ids, where there are more."""
    chosen = sorted(range(len(examples)), key=lambda index: (_digest(examples[index]), index))[:number]
    return [examples[index] for index in sorted(chosen)]


def _digest(example: Example) -> str:
    return hashlib.sha256(example.pair.id.encode("utf-8", "surrogatepass")).hexdigest()


def blocks(pair: DocumentPair) -> list[Block]:
    """Return complex sentences beside the simple ones that the alignment links to them.

    The blocks are in the order of the complex sentences. Simple sentences without a link follow the block of
    the simple sentence before them.
    """
    complex_, simple = pair.complex.sentences, pair.simple.sentences
    ends = [(link.complex, link.simple) for link in pair.alignments or ()]
    block_of = components(len(complex_), len(simple), ends).tolist()
    of_complex, of_simple = block_of[: len(complex_)], block_of[len(complex_) :]
    first = {block: of_complex.index(block) for block in of_complex}
    order = {block: (index, 0, 0) for block, index in first.items()}
    before = -1
    for index, block in enumerate(of_simple):
        before = first.get(block, before)
        order.setdefault(block, (before, 1, index))
    return [
        Block(
            tuple(item for item, of in zip(enumerate(complex_), of_complex, strict=True) if of == block),
            tuple(item for item, of in zip(enumerate(simple), of_simple, strict=True) if of == block),
        )
        for block in sorted(order, key=lambda block: order[block])
    ]


def read_outputs(
    tests: Path, outputs: Path, test_sets: Sequence[str], systems: Sequence[tuple[str, str]]
) -> dict[str, list[OutputSample]]:
    """Read every sentence of each test set with what each system makes of it.

    Args:
        tests: folder with `X.complex` and `X.reference.N` of each test set X.
        outputs: folder with `TRAINING_SET/SYSTEM/X.txt`.
        systems: (training set, system).

    Raises:
        InputError: a file is absent, or the files of a test set differ in their numbers of lines.
    """
    sets = {}
    for name in test_sets:
        complex_ = present(tests / f"{name}.complex", "build_corpus")
        references = sorted(folder_files(tests, f"{name}.reference.*"), key=lambda path: (len(path.name), path.name))
        produced = [present(outputs / training / system / f"{name}.txt", "simplify") for training, system in systems]
        rows = read_aligned([complex_, *references, *produced])
        end = 1 + len(references)
        sets[name] = [OutputSample(line, row[0], row[1:end], row[end:]) for line, row in enumerate(rows, 1)]
    return sets


def at_even_distances(items: Sequence[T], number: int) -> list[T]:
    """Return at most `number` items, the same ones for every run."""
    total, number = len(items), min(number, len(items))
    return [items[(2 * index + 1) * total // (2 * number)] for index in range(number)]


def present(path: Path, stage: str, name: str = "") -> Path:
    """Return the path; raise `InputError` with the stage to run where there is no such file."""
    if not path.is_file():
        named = f" for {name}" if name else ""
        raise bad_input(path, None, "no such file", f"run the stage {stage}{named} first (`dvc repro {stage}`)")
    return path


def marked_words(complex_sentence: str, output: str) -> list[tuple[str, bool]]:
    """Return the output in runs of text, each with whether its words are not in the complex sentence (case ignored)."""
    known = {word.lower() for word in _WORD.findall(complex_sentence)}
    runs = groupby(_WORD.findall(output), lambda word: word[0].isalnum() and word.lower() not in known)
    return [("".join(words), is_new) for is_new, words in runs]
