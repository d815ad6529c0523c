"""The project's records: documents, document pairs, sentence pairs, and their JSON Lines form.

The public format is described in docs/formats.md: one document pair a line, sentence indexes from 0 through the
whole document, `alignments` absent where the pair is unlabelled.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import repeat
from pathlib import Path
from typing import Annotated, Any, NotRequired

from pydantic import AfterValidator, ConfigDict, Field, Strict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import quoted, read_json_lines
from textsimp.core.settings import dotted, wrong
from textsimp.core.text_form import line_as_read
from textsimp.core.writing import atomic_write

SIDES = ("complex", "simple")
"""Of a pair of documents or sentences, as files and records name them."""
NEW, OLD, OWN = ALIGNMENTS = ("auto", "old", "own")
"""Automatic alignments and their training sets: by the paper's aligner, by the earlier one, by one more if wanted."""
MOST_LEVEL = 1000
"""Of a document; releases have 0 to 5."""

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class AlignmentLabel(StrEnum):
    """The label of a linked sentence pair (Jiang et al. 2020, section 3.1); a pair without a link is not aligned."""

    ALIGNED = "aligned"
    PARTIAL = "partial"


@dataclass(frozen=True, order=True)
class Link:
    """One link of an alignment: sentence indexes from 0 through the whole document, and the label.

    `score` is how sure the system is that the two are linked, None where nobody said; links are equal without it.
    """

    simple: int
    complex: int
    label: AlignmentLabel
    score: float | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Document:
    """An article at one level: paragraphs of sentences.

    `level` is the reading level: Newsela's 0 (original) to 4; for Wikipedia 1 is standard and 0 is Simple English.
    """

    id: str
    level: int
    paragraphs: tuple[tuple[str, ...], ...]

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """All sentences in order."""
        return tuple(sentence for paragraph in self.paragraphs for sentence in paragraph)

    @cached_property
    def paragraph_of(self) -> tuple[int, ...]:
        """The paragraph index of each sentence."""
        return tuple(index for index, paragraph in enumerate(self.paragraphs) for _ in paragraph)


@dataclass(frozen=True)
class DocumentPair:
    """A complex and a simple document, with their alignment where it is known.

    `group` names the article set: splits never part a group. `alignments` is None where the pair is unlabelled,
    and empty where it is labelled and nothing is aligned; sorted by (simple, complex).
    """

    id: str
    corpus: str
    group: str
    complex: Document
    simple: Document
    alignments: tuple[Link, ...] | None = None


@dataclass(frozen=True)
class SentencePair:
    """A simple sentence and the complex sentence(s) that it renders, as training material."""

    complex: str
    simple: str
    label: AlignmentLabel
    pair_id: str
    group: str


def _name(text: str) -> str:
    """Ids become parts of tables, pages and messages."""
    if not text.strip() or _UNPRINTABLE.search(text):
        raise ValueError("should be a line of text without control characters")
    return text


def _sentence(text: str) -> str:
    text = line_as_read(text)
    if not text.strip() or "\0" in text:
        raise ValueError("should be a sentence: neither empty nor with NUL")
    return text


_Name = Annotated[str, AfterValidator(_name)]
_Sentence = Annotated[str, AfterValidator(_sentence)]
# JSON has lists where records have tuples
_Paragraph = Annotated[tuple[_Sentence, ...], Strict(False), Field(min_length=1)]


class _Side(TypedDict):
    id: _Name
    level: Annotated[int, Field(ge=0, le=MOST_LEVEL)]
    paragraphs: Annotated[tuple[_Paragraph, ...], Strict(False), Field(min_length=1)]


class _Row(TypedDict):
    id: _Name
    corpus: _Name
    group: _Name
    complex: _Side
    simple: _Side
    alignments: NotRequired[list[Annotated[tuple[int, int, Annotated[AlignmentLabel, Strict(False)]], Strict(False)]]]
    scores: NotRequired[list[float | None] | None]


_FORM = TypeAdapter(with_config(ConfigDict(strict=True, allow_inf_nan=False))(_Row))


def pair_to_json(pair: DocumentPair) -> dict[str, Any]:
    """Return the JSON object of a document pair, in the order of docs/formats.md."""
    row: dict[str, Any] = {"id": pair.id, "corpus": pair.corpus, "group": pair.group}
    for side, document in (("complex", pair.complex), ("simple", pair.simple)):
        paragraphs = [list(paragraph) for paragraph in document.paragraphs]
        row[side] = {"id": document.id, "level": document.level, "paragraphs": paragraphs}
    if pair.alignments is not None:
        row["alignments"] = [[link.simple, link.complex, link.label.value] for link in pair.alignments]
        if any(link.score is not None for link in pair.alignments):
            row["scores"] = [link.score for link in pair.alignments]
    return row


def pair_from_json(row: Any) -> DocumentPair:
    """Return the document pair of a JSON object, further keys ignored; raise `InputError` with the wrong key."""
    try:
        found: Any = _FORM.validate_python(row)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise InputError(f"{dotted(fault['loc']) or 'a line'}: {wrong(fault)}") from None
    sides = {side: Document(found[side]["id"], found[side]["level"], found[side]["paragraphs"]) for side in SIDES}
    pair = DocumentPair(found["id"], found["corpus"], found["group"], sides["complex"], sides["simple"])
    if "alignments" not in found:
        return pair
    rows, scores = found["alignments"], found.get("scores")
    if scores is not None and len(scores) != len(rows):
        raise InputError(f"scores: {len(scores)} numbers for {len(rows)} links")
    links = [_link(row, score, sides) for row, score in zip(rows, scores or repeat(None), strict=False)]
    if len({(link.simple, link.complex) for link in links}) != len(links):
        raise InputError("alignments: one sentence pair is named twice")
    return replace(pair, alignments=tuple(sorted(links)))


def read_pairs(path: str | Path, unique: bool = True) -> Iterator[DocumentPair]:
    """Yield the pairs of a JSON Lines file; `InputError` with its line, if `unique` also for an id that came before."""
    return (pair for _, pair in numbered_pairs(path, {} if unique else None))


def read_splits(folder: str | Path, splits: Iterable[str]) -> dict[str, list[DocumentPair]]:
    """Read the document pairs of FOLDER/SPLIT.jsonl for each split, in all of which an id stands once.

    `InputError` as of `read_pairs`, and where a split is empty though another is not.
    """
    seen: dict[str, str] = {}
    paths = {split: Path(folder) / f"{split}.jsonl" for split in splits}
    pairs = {split: [pair for _, pair in numbered_pairs(path, seen)] for split, path in paths.items()}
    if seen and (empty := [path for split, path in paths.items() if not pairs[split]]):
        raise bad_input(empty[0], None, "holds no document pairs, other splits do", "run the stage load_splits again")
    return pairs


def numbered_pairs(path: str | Path, seen: dict[str, str] | None = None) -> Iterator[tuple[int, DocumentPair]]:
    """Yield the pairs of `read_pairs` with their lines, from 1, for messages about what a file holds.

    `seen` has the places of ids that came before, and is filled; None where ids may come twice.
    """
    for number, row in read_json_lines(path):
        try:
            pair = pair_from_json(row)
        except InputError as error:
            raise bad_input(path, number, str(error), "see docs/formats.md") from None
        if seen is not None:
            check_is_new(pair, seen, path, number)
        yield number, pair


def first_difference(first: DocumentPair, second: DocumentPair) -> str:
    """Say where the sentences of two document pairs first differ; empty where they are the same."""
    for side in SIDES:
        left, right = (getattr(pair, side).sentences for pair in (first, second))
        if len(left) != len(right):
            return f"{len(left)} {side} sentences where that has {len(right)}"
        for index, texts in enumerate(zip(left, right, strict=True)):
            if len(set(texts)) > 1:
                return f"{side} sentence {index} (from 0) is another"
    return ""


def check_is_new(pair: DocumentPair, seen: dict[str, str], path: str | Path, line: int) -> None:
    """Remember where a pair stands; raise `InputError` where its id stood somewhere before."""
    here = f"{path}:{line}"
    if (first := seen.setdefault(pair.id, here)) != here:
        what = f"document pair {quoted(pair.id)} is in {first} already"
        raise bad_input(path, line, what, "give every document pair an id of its own")


def write_pairs(path: str | Path, pairs: Iterable[DocumentPair]) -> None:
    """Write document pairs as JSON Lines, atomically."""
    with atomic_write(path) as file:
        for pair in pairs:
            file.write(pair_line(pair))


def unlabelled(pairs: Iterable[DocumentPair]) -> list[DocumentPair]:
    """Return the pairs without their gold links, so that nothing downstream can read them."""
    return [replace(pair, alignments=None) for pair in pairs]


def pair_line(pair: DocumentPair) -> str:
    """Return the line of a document pair, with its line end."""
    return json.dumps(pair_to_json(pair), ensure_ascii=False) + "\n"


def _link(row: tuple[int, int, AlignmentLabel], score: float | None, sides: dict[str, Document]) -> Link:
    for index, side in zip(row[:2], ("simple", "complex"), strict=True):
        last = len(sides[side].sentences) - 1
        if not 0 <= index <= last:
            raise InputError(f"alignments: {side} sentence {index}; {side!r} has sentences 0 to {last}")
    return Link(*row, score)
