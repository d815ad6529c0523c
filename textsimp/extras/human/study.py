"""Which outputs are rated, under which blind names, and in which order: the study, and its key on disk."""

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from textsimp.core.bounds import Positive, Seed, fault
from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import read_aligned, read_json
from textsimp.core.writing import write_json
from textsimp.extras.human import Raters
from textsimp.extras.human.guidelines import KEYS

FORMAT = "textsimp human evaluation key, version 1"


@dataclass(frozen=True)
class Item:
    """One text to rate: its blind name, the line of its complex sentence (from 1), and all systems that wrote it."""

    id: str
    line: int
    complex: str
    text: str
    systems: tuple[str, ...]


@dataclass(frozen=True)
class Study:
    """Everything that was decided at export; items are sorted by line, and within a line by their first system."""

    seed: int
    systems: tuple[str, ...]
    raters: tuple[str, ...]
    items: tuple[Item, ...]

    @property
    def name(self) -> str:
        """A name for exactly these items, whoever wrote them."""
        return _digest(sorted(item.id for item in self.items))

    def order(self, rater: str) -> list[list[Item]]:
        """What a rater sees, sentence by sentence: sentences and outputs are shuffled again for each rater.

        The order depends on the texts and the seed, never on the systems' names or their order.
        """
        generator = random.Random(f"{self.seed}/order/{rater}")
        by_line = groupby(self.items, key=lambda item: item.line)
        sentences = [sorted(items, key=lambda item: item.id) for _, items in by_line]
        generator.shuffle(sentences)
        for items in sentences:
            generator.shuffle(items)
        return sentences


def draw_study(complex_file: Path, outputs: Mapping[str, Path], count: int, seed: int, raters: int) -> Study:
    """Draw sentences at random and give the outputs blind names.

    Args:
        complex_file: complex sentences, one per line.
        outputs: line-aligned output of each system, by name.
        count: sentences to draw. They differ from each other: of a repeated one, only one line is drawn.
        seed: same seed and same complex sentences, same draw, whatever the systems.
        raters: how many people rate; all of them rate everything.
    """
    for option, kind, number in (("--count", Positive, count), ("--raters", Raters, raters), ("--seed", Seed, seed)):
        if what := fault(kind, number):
            raise InputError(f"{option} {number}: {what}")
    if not outputs:
        raise InputError("--output: none given; name the output of one system at least, as NAME=FILE")
    # single spaces alone: raters should not rate what they cannot see
    rows = [[" ".join(text.split()) for text in row] for row in read_aligned([complex_file, *outputs.values()])]
    items: list[Item] = []
    for line in _drawn([row[0] for row in rows], count, seed, complex_file):
        items += _items(line, rows[line - 1], tuple(outputs), seed)
    if len({item.id for item in items}) < len(items):
        raise InputError(f"--seed {seed}: two items would get the same name; take another seed")
    return Study(seed, tuple(outputs), tuple(f"rater-{number}" for number in range(1, raters + 1)), tuple(items))


def write_key(path: Path, study: Study) -> None:
    """Write the key, JSON."""
    write_json(path, {"format": FORMAT, "criteria": list(KEYS), **asdict(study)})


def read_key(path: Path) -> Study:
    """Read a key; `InputError` where the file is none."""
    remedy = "give the key file that `export` wrote for these sheets"
    value = read_json(path)
    if not isinstance(value, dict) or value.get("format") != FORMAT or value.get("criteria") != list(KEYS):
        raise bad_input(path, None, f"not a key ({FORMAT!r})", remedy)
    try:
        items = tuple(
            Item(str(item["id"]), int(item["line"]), str(item["complex"]), str(item["text"]), _names(item["systems"]))
            for item in value["items"]
        )
        study = Study(int(value["seed"]), _names(value["systems"]), _names(value["raters"]), items)
    except (KeyError, TypeError, ValueError) as error:
        raise bad_input(path, None, f"a damaged key ({type(error).__name__}: {error})", remedy) from None
    unknown = {system for item in items for system in item.systems} - set(study.systems)
    if unknown or not items or len({item.id for item in items}) < len(items):
        raise bad_input(path, None, "a damaged key (its items do not fit its systems)", remedy)
    return study


def _drawn(sentences: Sequence[str], count: int, seed: int, path: Path) -> list[int]:
    """Lines, from 1 and in order, of `count` different sentences."""
    if "" in sentences:
        raise bad_input(path, sentences.index("") + 1, "an empty complex sentence", "remove the line from all files")
    lines = list(range(1, len(sentences) + 1))
    random.Random(f"{seed}/sentences").shuffle(lines)
    first: dict[str, int] = {}
    for line in lines:
        first.setdefault(sentences[line - 1], line)
    if len(first) < count:
        what = f"{len(first)} different sentences, fewer than the {count} to be drawn"
        raise bad_input(path, None, what, "ask for fewer, by --count or in the settings file")
    return sorted(islice(first.values(), count))


def _items(line: int, row: Sequence[str], systems: Sequence[str], seed: int) -> list[Item]:
    """The different outputs for one sentence; systems that agree share an item."""
    original, *texts = row
    shared: dict[str, list[str]] = {}
    for system, text in zip(systems, texts, strict=True):
        shared.setdefault(text, []).append(system)
    return [
        Item(f"item-{_digest([seed, original, text])}", line, original, text, tuple(names))
        for text, names in shared.items()
    ]


def _digest(value: Any) -> str:
    """Ten hexadecimal digits of a JSON value's SHA-256."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:10]


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(name, str) and name for name in value):
        raise TypeError("expected a list of names")
    return tuple(value)
