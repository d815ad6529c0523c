"""Which outputs are rated, under which blind names, and in which order: the study, and its key on disk."""

import hashlib
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import read_json
from textsimp.core.writing import write_json
from textsimp.extras.human.guidelines import KINDS, Guidelines, guidelines

FORMAT = "textsimp human evaluation key, version 2"


Place = tuple[str, int, int]
"""Document pair, simple and complex sentence from 0."""


@dataclass(frozen=True)
class Item:
    """One text to rate.

    Attributes:
        id: its blind name.
        line: number of the sentence that it stands beside, from 1: of the line in its file, where it comes from one.
        original: that sentence: the complex one; where alignments are rated, the simple one.
        text: what is rated.
        systems: all that wrote it, or linked it; in an inspection of corpora those that have the pair.
        places: where a crowd's links would be.
        right: the point that is known to be right, of a test question.
        raters: who is asked, where it is not everybody.
    """

    id: str
    line: int
    original: str
    text: str
    systems: tuple[str, ...]
    places: tuple[Place, ...] = ()
    right: int | None = None
    raters: tuple[str, ...] = ()


@dataclass(frozen=True)
class Study:
    """Everything that was decided at export; items are sorted by line, and within a line by their first system.

    Of a crowd: `seconds` have to pass on a page of the form before an answer is taken, and each candidate pair is to
    have so many `judgements`.
    """

    kind: str
    seed: int
    systems: tuple[str, ...]
    raters: tuple[str, ...]
    items: tuple[Item, ...]
    seconds: float = 0.0
    judgements: int = 0

    @property
    def guidelines(self) -> Guidelines:
        """What its raters are asked."""
        return guidelines(self.kind)

    @property
    def name(self) -> str:
        """A name for exactly these items, whoever wrote them."""
        return _digest(sorted(item.id for item in self.items))

    @cached_property
    def _by_id(self) -> dict[str, Item]:
        return {item.id: item for item in self.items}

    def item(self, name: str) -> Item | None:
        """The item of a blind name."""
        return self._by_id.get(name)

    @cached_property
    def _by_rater(self) -> dict[str, list[Item]]:
        asked: dict[str, list[Item]] = {rater: [] for rater in self.raters}
        for item in self.items:
            for rater in item.raters or self.raters:
                asked[rater].append(item)
        return asked

    def asked(self, rater: str) -> list[Item]:
        """The items that one of the raters is asked about."""
        return self._by_rater[rater]

    def order(self, rater: str) -> list[list[Item]]:
        """What a rater sees, sentence by sentence: sentences and outputs are shuffled again for each rater.

        The order depends on the texts and the seed, never on the systems' names or their order.
        """
        generator = random.Random(f"{self.seed}/order/{rater}")
        by_line = groupby(self.asked(rater), key=lambda item: item.line)
        sentences = [sorted(items, key=lambda item: item.id) for _, items in by_line]
        generator.shuffle(sentences)
        for items in sentences:
            generator.shuffle(items)
        return _spread(sentences, generator)


def _spread(sentences: list[list[Item]], generator: random.Random) -> list[list[Item]]:
    """With the test questions as evenly as blocks of the same size allow, each at a random place of its block."""
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
    """A study of so many raters; `InputError` where two items have one blind name."""
    if len({item.id for item in items}) < len(items):
        raise InputError(f"--seed {seed}: two items would get the same name; take another seed")
    return Study(kind, seed, systems, rater_names(1, raters), tuple(items))


def rater_names(first: int, count: int) -> tuple[str, ...]:
    """The names of so many raters, numbered on from the first one's."""
    return tuple(f"rater-{number}" for number in range(first, first + count))


def write_key(path: Path, study: Study) -> None:
    """Write the key, JSON."""
    write_json(path, {"format": FORMAT, "criteria": list(study.guidelines.keys), **asdict(study)})


def read_key(path: Path) -> Study:
    """Read a key; `InputError` where the file is none."""
    remedy = "give the key file that `export` wrote for these sheets"
    value = read_json(path, remedy)
    if not isinstance(value, dict) or value.get("format") != FORMAT or value.get("kind") not in KINDS:
        raise bad_input(path, None, f"not a key ({FORMAT!r})", remedy)
    if value.get("criteria") != list(guidelines(value["kind"]).keys):
        raise bad_input(path, None, f"a key with other criteria than studies of {value['kind']} have", remedy)
    try:
        items = tuple(map(_item, value["items"]))
        named = _names(value["systems"]), _names(value["raters"])
        of_crowd = float(value.get("seconds", 0)), int(value.get("judgements", 0))
        study = Study(value["kind"], int(value["seed"]), *named, items, *of_crowd)
    except (KeyError, TypeError, ValueError) as error:
        raise bad_input(path, None, f"a damaged key ({type(error).__name__}: {error})", remedy) from None
    unknown = {system for item in items for system in item.systems} - set(study.systems)
    unknown |= {rater for item in items for rater in item.raters} - set(study.raters)
    if unknown or not items or len({item.id for item in items}) < len(items):
        raise bad_input(path, None, "a damaged key (its items do not fit its systems and raters)", remedy)
    return study


def make_items(line: int, original: str, versions: Iterable[tuple[str, str]], seed: int) -> list[Item]:
    """The different texts beside one sentence, from systems and their texts; systems that agree share an item."""
    shared: dict[str, list[str]] = {}
    for system, text in versions:
        shared.setdefault(text, []).append(system)
    return [
        Item(f"item-{_digest([seed, original, text])}", line, original, text, tuple(dict.fromkeys(names)))
        for text, names in shared.items()
    ]


def _digest(value: Any) -> str:
    """Ten hexadecimal digits of a JSON value's SHA-256."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:10]


def _item(value: dict[str, Any]) -> Item:
    texts = str(value["original"]), str(value["text"])
    places = tuple((str(key), int(simple), int(complex_)) for key, simple, complex_ in value.get("places", ()))
    right = value.get("right")
    named, asked = _names(value["systems"]), value.get("raters")
    known = None if right is None else int(right)
    return Item(str(value["id"]), int(value["line"]), *texts, named, places, known, _names(asked) if asked else ())


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(isinstance(name, str) and name for name in value):
        raise TypeError("expected a list of names")
    return tuple(value)
