"""Sample outputs: what every simplifier makes of the same sentences of each test set."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from textsimp.core.reading import folder_files, read_aligned
from textsimp.reporting.inputs import present

_WORD = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]|\s+")


@dataclass(frozen=True)
class OutputSample:
    """One test sentence: its line from 1, its references, and the output of each system of its test set."""

    line: int
    complex: str
    references: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True)
class OutputSet:
    """All sentences of a test set; `systems` are (training set, system)."""

    name: str
    systems: tuple[tuple[str, str], ...]
    samples: tuple[OutputSample, ...]

    def at_even_distances(self, number: int) -> list[OutputSample]:
        """At most `number` sentences, the same ones for every run."""
        return [self.samples[index] for index in spread(len(self.samples), number)]


def read_outputs(
    tests: Path, outputs: Path, test_sets: Sequence[str], systems: Sequence[tuple[str, str]]
) -> tuple[OutputSet, ...]:
    """Every sentence of the test sets with what each system makes of it.

    Args:
        tests: folder with `X.complex` and `X.reference.N` of each test set X.
        outputs: folder with `TRAINING_SET/SYSTEM/X.txt`.
        systems: (training set, system).

    Raises:
        InputError: a file is absent, or the files of a test set differ in their numbers of lines.
    """
    return tuple(OutputSet(name, tuple(systems), _samples(tests, outputs, name, systems)) for name in test_sets)


def _samples(tests: Path, outputs: Path, name: str, systems: Sequence[tuple[str, str]]) -> tuple[OutputSample, ...]:
    complex_ = present(tests / f"{name}.complex", "build_corpus")
    references = sorted(folder_files(tests, f"{name}.reference.*"), key=lambda path: (len(path.name), path.name))
    produced = [present(outputs / training / system / f"{name}.txt", "simplify") for training, system in systems]
    rows = read_aligned([complex_, *references, *produced])
    first = 1 + len(references)
    return tuple(OutputSample(line, row[0], row[1:first], row[first:]) for line, row in enumerate(rows, 1))


def spread(total: int, number: int) -> list[int]:
    """At most `number` indexes at even distances in 0 .. total - 1."""
    number = min(number, total)
    return [(2 * index + 1) * total // (2 * number) for index in range(number)]


def marked_words(complex_sentence: str, output: str) -> list[tuple[str, bool]]:
    """The output in runs of text, each with whether its words are not in the complex sentence (case ignored)."""
    known = {word.lower() for word in _WORD.findall(complex_sentence)}
    runs = groupby(_WORD.findall(output), lambda word: word[0].isalnum() and word.lower() not in known)
    return [("".join(words), is_new) for is_new, words in runs]
