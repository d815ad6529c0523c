"""A study: the texts that are rated, under blind names and in an order of each rater; and its key on disk."""

import hashlib
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import read_json
from textsimp.core.settings import structured
from textsimp.extras.human.guidelines import KINDS, Guidelines, guidelines

FORMAT = "textsimp human evaluation key, version 2"
Place = tuple[str, int, int]
"""Document pair, simple and complex sentence from 0."""
Names = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]


@dataclass(frozen=True)
class Item:
    """One text to rate, under a blind name.

    Attributes:
        line: number of the sentence that it stands beside, from 1; of the line in its file, where it is from one.
        original: that sentence: the complex one; where alignments are rated, the simple one.
        systems: all that wrote the text, or linked it; in an inspection of corpora those that have the pair.
        places: where a crowd's links would be.
        right: the right point of a test question.
        raters: who is asked, where it is not everybody.
    """

    id: str
    line: int
    original: str
    text: str
    systems: Names
    places: tuple[Place, ...] = ()
    right: int | None = None
    raters: tuple[str, ...] = ()


@dataclass(frozen=True)
class Study:
    """Everything that was decided at export; items are sorted by line, and within a line by their first system.

    `seconds` have to pass before the form takes an answer.
    """

    kind: str
    seed: int
    systems: Names
    raters: Names
    items: Annotated[tuple[Item, ...], Field(min_length=1)]
    seconds: float = 0.0

    @property
    def guidelines(self) -> Guidelines:
        """Return what the raters are asked."""
        return guidelines(self.kind)

    @property
    def name(self) -> str:
        """Return a name for exactly these items, whoever wrote them."""
        return _digest(sorted(item.id for item in self.items))

    @cached_property
    def asked(self) -> dict[str, list[Item]]:
        """Return the items that each rater is asked about."""
        everybody = self.raters
        return {name: [item for item in self.items if name in (item.raters or everybody)] for name in everybody}

    def order(self, rater: str) -> list[list[Item]]:
        """Return what a rater sees, sentence by sentence; sentences and outputs are shuffled again for each rater.

        The order depends on the texts and the seed, never on the systems' names or their order.
        """
        generator = random.Random(f"{self.seed}/order/{rater}")
        by_line = groupby(self.asked[rater], key=lambda item: item.line)
        sentences = [sorted(items, key=lambda item: item.id) for _, items in by_line]
        generator.shuffle(sentences)
        for items in sentences:
            generator.shuffle(items)
        return _spread(sentences, generator)


def _spread(sentences: list[list[Item]], generator: random.Random) -> list[list[Item]]:
    """Return the sentences with each test question at a random place of a block of the others."""
    tests = [items for items in sentences if items[0].right is not None]
    if not tests:
        return sentences
    tasks = [items for items in sentences if items[0].right is None]
    spread: list[list[Item]] = []
    for number, test in enumerate(tests):
        start, end = (len(tasks) * edge // len(tests) for edge in (number, number + 1))
        block = tasks[start:end]
        block.insert(generator.randrange(len(block) + 1), test)
        spread += block
    return spread


def make_study(kind: str, seed: int, systems: tuple[str, ...], raters: int, items: Sequence[Item]) -> Study:
    """Return a study of so many raters; raise `InputError` where two items have one blind name."""
    if len({item.id for item in items}) < len(items):
        raise InputError(f"--seed {seed}: two items would get the same name; take another seed")
    return Study(kind, seed, systems, tuple(f"rater-{number}" for number in range(1, raters + 1)), tuple(items))


def make_items(line: int, original: str, versions: Iterable[tuple[str, str]], seed: int) -> list[Item]:
    """Return the different texts beside one sentence, from systems and their texts; equal texts are one item."""
    shared: dict[str, list[str]] = {}
    for system, text in versions:
        shared.setdefault(text, []).append(system)
    return [
        Item(f"item-{_digest([seed, original, text])}", line, original, text, tuple(dict.fromkeys(names)))
        for text, names in shared.items()
    ]


def _digest(value: Any) -> str:
    """Return ten hexadecimal digits of a JSON value's SHA-256."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:10]


def key_of(study: Study) -> dict[str, Any]:
    """Return the key as JSON has it."""
    return {"format": FORMAT, **asdict(study)}


def read_key(path: Path) -> Study:
    """Read a key; raise `InputError` where the file is none."""
    remedy = "give the key file that `export` wrote for these sheets"
    value = read_json(path, remedy)
    if not isinstance(value, dict) or value.get("format") != FORMAT or value.get("kind") not in KINDS:
        raise bad_input(path, None, f"not a key ({FORMAT!r})", remedy)
    try:
        study = structured(value, Study, is_closed=False)
    except InputError as error:
        raise bad_input(path, None, f"a damaged key ({error})", remedy) from None
    if not {name for item in study.items for name in item.raters} <= {*study.raters}:
        raise bad_input(path, None, "a damaged key (its items do not fit its raters)", remedy)
    return study
