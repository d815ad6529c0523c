"""Which outputs are rated, under which blind names, and in which order: the study, and its key on disk."""

import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from textsimp.core.bounds import Positive, Seed, fault
from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import read_aligned, read_json
from textsimp.core.records import DocumentPair, first_difference
from textsimp.core.writing import write_json
from textsimp.corpora.pairs import linked_pairs
from textsimp.extras.annotation.annotated import Annotated, iterate_annotated
from textsimp.extras.human import Raters
from textsimp.extras.human.guidelines import ALIGNMENTS, INSPECTION, KINDS, OUTPUTS, Guidelines, guidelines

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


def draw_study(
    complex_file: Path, outputs: Mapping[str, Path], count: int, seed: int, raters: int, kind: str = OUTPUTS
) -> Study:
    """Draw sentences and give the outputs blind names.

    Args:
        complex_file: complex sentences, one per line.
        outputs: line-aligned output of each system, by name.
        count: sentences to draw. They differ from each other: of a repeated one, only one line is drawn.
        seed: same seed and same complex sentences, same draw, whatever the systems.
        raters: how many people rate; all of them rate everything.
        kind: what they are asked.
    """
    _check(kind, count, seed, raters)
    if kind == ALIGNMENTS:
        raise InputError(f"--kind {kind}: is about links; give files of links, as --links NAME=FILE")
    if not outputs:
        raise InputError("--output: none given; name the output of one system at least, as NAME=FILE")
    # single spaces alone: raters should not rate what they cannot see
    rows = [[" ".join(text.split()) for text in row] for row in read_aligned([complex_file, *outputs.values()])]
    items: list[Item] = []
    for line in _drawn([row[0] for row in rows], count, seed, complex_file):
        original, *texts = rows[line - 1]
        items += make_items(line, original, zip(outputs, texts, strict=True), seed)
    return make_study(kind, seed, tuple(outputs), raters, items)


def draw_links(links: Mapping[str, Path], count: int, seed: int, raters: int, kind: str) -> Study:
    """Draw sentences with their partners by one or several alignments, and give the partners blind names.

    Where alignments are rated: different simple sentences that one of them links, each with every complex sentence that
    is linked to it. In an inspection: of each file as many pairs, a pair being all sentences that links connect.

    Args:
        links: document pairs with links, by the name of the aligner or the corpus; aligners have the same documents.
        count, seed, raters: as of `draw_study`; `count` sentences, or pairs of each corpus.

    Raises:
        InputError: another kind, aligners of different documents, fewer linked sentences than are to be drawn.
    """
    _check(kind, count, seed, raters)
    if kind not in (ALIGNMENTS, INSPECTION):
        raise InputError(f"--kind {kind}: is about outputs; give --complex and --output, or --kind {ALIGNMENTS}")
    draw = _linked if kind == ALIGNMENTS else _connected
    items: list[Item] = []
    for line, original, versions in draw(links, count, seed):
        items += make_items(line, original, versions, seed)
    return make_study(kind, seed, tuple(links), raters, items)


Drawn = Iterator[tuple[int, str, list[tuple[str, str]]]]
"""Number, original, and systems with what they have beside it."""


def linked_by(links: Mapping[str, Path]) -> dict[str, dict[str, Annotated]]:
    """The document pairs of each aligner by id, those of the first and their like; `InputError` where they differ."""
    first, *_ = links.values()
    by_aligner = {name: {one.pair.id: one for one in iterate_annotated(path)} for name, path in links.items()}
    documents = next(iter(by_aligner.values())).values()
    for by_id, path in zip(by_aligner.values(), links.values(), strict=True):
        for pair in (one.pair for one in documents):
            if pair.id not in by_id:
                raise bad_input(
                    path, None, f"no document pair {pair.id!r}, which {first} has", "align the same documents"
                )
            if difference := first_difference(by_id[pair.id].pair, pair):
                what = f"document pair {pair.id!r} differs from {first}'s: {difference}"
                raise bad_input(path, None, what, "align the same documents")
    return by_aligner


def _linked(links: Mapping[str, Path], count: int, seed: int) -> Drawn:
    first, by_aligner = next(iter(links.values())), linked_by(links)
    documents = next(iter(by_aligner.values())).values()
    different: dict[str, tuple[DocumentPair, int]] = {}  # texts at several levels repeat sentences
    for pair in (one.pair for one in documents):
        for simple in sorted({link.simple for by_id in by_aligner.values() for link in by_id[pair.id].links}):
            different.setdefault(pair.simple.sentences[simple], (pair, simple))
    sentences = list(different.values())
    for number in _sample(len(sentences), count, seed, f"{first}: {len(sentences)} different linked simple sentences"):
        pair, simple = sentences[number]
        versions = [
            (name, pair.complex.sentences[link.complex])
            for name, by_id in by_aligner.items()
            for link in by_id[pair.id].links
            if link.simple == simple
        ]
        yield number + 1, pair.simple.sentences[simple], versions


def _connected(links: Mapping[str, Path], count: int, seed: int) -> Drawn:
    pairs: dict[tuple[str, str], list[str]] = {}
    for name, path in links.items():
        groups = (group for one in iterate_annotated(path) for group in linked_pairs(one.pair, "group"))
        different = list(dict.fromkeys((group.complex, group.simple) for group in groups))
        for number in _sample(len(different), count, seed, f"{path}: {len(different)} different linked pairs"):
            pairs.setdefault(different[number], []).append(name)
    for line, ((complex_, simple), names) in enumerate(pairs.items(), 1):
        yield line, complex_, [(name, simple) for name in names]


def _sample(size: int, count: int, seed: int, what: str) -> list[int]:
    if size < count:
        raise InputError(f"{what}, fewer than the {count} to be drawn; ask for fewer, by --count")
    return sorted(random.Random(f"{seed}/sentences").sample(range(size), count))


def _check(kind: str, count: int, seed: int, raters: int) -> None:
    guidelines(kind)
    for option, bounds, number in (("--count", Positive, count), ("--raters", Raters, raters), ("--seed", Seed, seed)):
        if what := fault(bounds, number):
            raise InputError(f"{option} {number}: {what}")


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
