"""The project's records: documents, document pairs, sentence pairs, and their JSON Lines form.

The public format is described in docs/formats.md: one document pair a line, sentence indexes from 0 through the
whole document, `alignments` absent where the pair is unlabelled.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import quoted, read_json_lines
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


def pair_to_json(pair: DocumentPair) -> dict[str, Any]:
    """The JSON object of a document pair, in the order of the format's description."""
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
    """The document pair of a JSON object; `InputError` says which key is wrong and how."""
    sides = {side: _document(_get(row, side, dict), side) for side in SIDES}
    name, corpus, group = (_name(row, key) for key in ("id", "corpus", "group"))
    alignments = None
    if "alignments" in row:
        links = [_link(item, sides) for item in _get(row, "alignments", list)]
        if len({(link.simple, link.complex) for link in links}) != len(links):
            raise InputError("'alignments' names one sentence pair twice")
        alignments = tuple(sorted(_scored(links, row)))
    return DocumentPair(name, corpus, group, sides["complex"], sides["simple"], alignments)


def read_pairs(path: str | Path, unique: bool = True) -> Iterator[DocumentPair]:
    """Document pairs from a JSON Lines file; `InputError` names file and line.

    Args:
        unique: whether an id that comes twice is refused.
    """
    return (pair for _, pair in numbered_pairs(path, {} if unique else None))


def read_files(paths: Iterable[str | Path]) -> Iterator[DocumentPair]:
    """Yield the document pairs of several JSON Lines files; `InputError` as of `read_pairs`, ids of all together."""
    seen: dict[str, str] = {}
    return (pair for path in paths for _, pair in numbered_pairs(path, seen))


def read_splits(folder: str | Path, splits: Iterable[str]) -> dict[str, list[DocumentPair]]:
    """The document pairs of FOLDER/SPLIT.jsonl for each split.

    Raises:
        InputError: as of `read_pairs`, ids of all splits together; or a split is empty though another is not.
    """
    seen: dict[str, str] = {}
    paths = {split: Path(folder) / f"{split}.jsonl" for split in splits}
    pairs = {split: [pair for _, pair in numbered_pairs(path, seen)] for split, path in paths.items()}
    if seen and (empty := [path for split, path in paths.items() if not pairs[split]]):
        raise bad_input(empty[0], None, "holds no document pairs, other splits do", "run the stage load_splits again")
    return pairs


def numbered_pairs(path: str | Path, seen: dict[str, str] | None = None) -> Iterator[tuple[int, DocumentPair]]:
    """As `read_pairs`, each with its line from 1, for messages about what a file holds.

    Args:
        seen: places of ids that came before, which is filled; None where ids may come twice.
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
    """Where the sentences of two document pairs first differ, for messages; empty where they are the same."""
    for side in SIDES:
        left, right = (getattr(pair, side).sentences for pair in (first, second))
        if len(left) != len(right):
            return f"{len(left)} {side} sentences where that has {len(right)}"
        for index, texts in enumerate(zip(left, right, strict=True)):
            if len(set(texts)) > 1:
                return f"{side} sentence {index} (from 0) is another"
    return ""


def check_is_new(pair: DocumentPair, seen: dict[str, str], path: str | Path, line: int) -> None:
    """Remember where a pair stands; `InputError` where its id stood somewhere before."""
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
    """The pairs without their gold links, so that nothing downstream can read them."""
    return [replace(pair, alignments=None) for pair in pairs]


def pair_line(pair: DocumentPair) -> str:
    """The line of a document pair, with its line end."""
    return json.dumps(pair_to_json(pair), ensure_ascii=False) + "\n"


def _scored(links: list[Link], row: dict[str, Any]) -> list[Link]:
    """The links with the scores that the row has for them, in the same order."""
    if row.get("scores") is None:
        return links
    scores = _get(row, "scores", list)
    if len(scores) != len(links):
        raise InputError(f"'scores' has {len(scores)} numbers for {len(links)} links")
    for score in scores:
        if score is not None and not (type(score) in (int, float) and math.isfinite(score)):
            raise InputError(f"score {_shown(score)} is neither a number nor null")
    return [replace(link, score=score) for link, score in zip(links, scores, strict=True)]


def _get(row: Any, key: str, kind: type) -> Any:
    value = row.get(key) if isinstance(row, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InputError(f"{key!r} is {_shown(value)}, not {kind.__name__}")
    return value


def _name(row: Any, key: str) -> str:
    """A text that stands on one line of every output: ids become parts of tables, pages and messages."""
    value: str = _get(row, key, str)
    if not value.strip():
        raise InputError(f"{key!r} is empty")
    if fault := _UNPRINTABLE.search(value):
        raise InputError(f"{key!r} has the character {fault[0]!r}, which no line of a table can hold")
    return value


def _shown(value: Any) -> str:
    """A value of another kind than expected, without the sentences that it may be or hold."""
    if value is None:
        return "absent"
    if isinstance(value, str):
        return quoted(value)
    return f"a {type(value).__name__}" if isinstance(value, list | dict) else repr(value)


def _document(row: dict[str, Any], side: str) -> Document:
    paragraphs = _get(row, "paragraphs", list)
    for paragraph in paragraphs:
        if not isinstance(paragraph, list) or not paragraph:
            raise InputError(f"{side!r} has an empty paragraph or one that is no list")
        for sentence in paragraph:
            if not isinstance(sentence, str) or not line_as_read(sentence).strip():
                raise InputError(f"{side!r} has an empty sentence or one that is no text")
            if "\0" in sentence:
                raise InputError(f"{side!r} has a sentence with a NUL character")
    if not paragraphs:
        raise InputError(f"{side!r} has no sentences")
    level = _get(row, "level", int)
    if not 0 <= level <= MOST_LEVEL:
        raise InputError(f"'level' is {level:.4g}, not from 0 to {MOST_LEVEL}")
    return Document(_name(row, "id"), level, tuple(tuple(map(line_as_read, paragraph)) for paragraph in paragraphs))


def _link(item: Any, sides: dict[str, Document]) -> Link:
    if not (isinstance(item, list) and len(item) == 3 and all(type(index) is int for index in item[:2])):
        raise InputError(f"{_shown(item)} is no link [simple_index, complex_index, label]")
    for index, side in zip(item[:2], ("simple", "complex"), strict=True):
        last = len(sides[side].sentences) - 1
        if not 0 <= index <= last:
            raise InputError(f"link {item[:2]} names {side} sentence {index}; {side!r} has sentences 0 to {last}")
    try:
        return Link(item[0], item[1], AlignmentLabel(item[2]))
    except ValueError:
        raise InputError(f"label {_shown(item[2])} is neither 'aligned' nor 'partial'") from None
