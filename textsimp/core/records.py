"""The project's records: documents, document pairs, sentence pairs, and their JSON Lines form.

The public format is described in docs/formats.md: one document pair a line, sentence indexes from 0 through the
whole document, `alignments` absent where the pair is unlabelled.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input
from textsimp.core.textfiles import atomic_write, quoted, read_text

_SURROGATE = re.compile("[\ud800-\udfff]")


class AlignmentLabel(StrEnum):
    """The label of a linked sentence pair (Jiang et al. 2020, section 3.1); a pair without a link is not aligned."""

    ALIGNED = "aligned"
    PARTIAL = "partial"


@dataclass(frozen=True, order=True)
class Link:
    """One link of an alignment: sentence indexes from 0 through the whole document, and the label."""

    simple: int
    complex: int
    label: AlignmentLabel


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
    return row


def pair_from_json(row: Any) -> DocumentPair:
    """The document pair of a JSON object; `InputError` says which key is wrong and how."""
    sides = {side: _document(_get(row, side, dict), side) for side in ("complex", "simple")}
    name, corpus, group = (_get(row, key, str) for key in ("id", "corpus", "group"))
    alignments = None
    if "alignments" in row:
        links = [_link(item, sides) for item in _get(row, "alignments", list)]
        if len({(link.simple, link.complex) for link in links}) != len(links):
            raise InputError("'alignments' names one sentence pair twice")
        alignments = tuple(sorted(links))
    return DocumentPair(name, corpus, group, sides["complex"], sides["simple"], alignments)


def read_pairs(path: str | Path) -> Iterator[DocumentPair]:
    """Document pairs from a JSON Lines file; `InputError` names file and line."""
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield pair_from_json(json.loads(line))
        except json.JSONDecodeError as error:
            raise bad_input(path, number, f"not JSON ({error.msg})", "write one JSON object a line") from None
        except InputError as error:
            raise bad_input(path, number, str(error), "see docs/formats.md") from None


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


def _get(row: Any, key: str, kind: type) -> Any:
    value = row.get(key) if isinstance(row, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InputError(f"{key!r} is {_shown(value)}, not {kind.__name__}")
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
            if not isinstance(sentence, str) or not sentence.strip():
                raise InputError(f"{side!r} has an empty sentence or one that is no text")
            if _SURROGATE.search(sentence):
                raise InputError(f"{side!r} has a sentence with half a character (a lone surrogate)")
    document = Document(_get(row, "id", str), _get(row, "level", int), tuple(map(tuple, paragraphs)))
    if not document.sentences:
        raise InputError(f"{side!r} has no sentences")
    return document


def _link(item: Any, sides: dict[str, Document]) -> Link:
    if not (isinstance(item, list) and len(item) == 3 and all(isinstance(index, int) for index in item[:2])):
        raise InputError(f"{_shown(item)} is no link [simple_index, complex_index, label]")
    for index, side in zip(item[:2], ("simple", "complex"), strict=True):
        last = len(sides[side].sentences) - 1
        if not 0 <= index <= last:
            raise InputError(f"link {item[:2]} names {side} sentence {index}; {side!r} has sentences 0 to {last}")
    try:
        return Link(item[0], item[1], AlignmentLabel(item[2]))
    except ValueError:
        raise InputError(f"label {_shown(item[2])} is neither 'aligned' nor 'partial'") from None
