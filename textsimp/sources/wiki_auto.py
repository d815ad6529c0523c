"""WIKI-AUTO, all data: JSON objects of article pairs, with or without alignments (F1; section 3.2).

One file is one object: pair id -> {"normal": SIDE, "simple": SIDE, and perhaps "paragraph_alignment" and
"sentence_alignment"}, SIDE = {"id", "title", "url", "content": {sentence id: sentence}}, sentence ids
`normal-PAGE-PARAGRAPH-SENTENCE`. A file holds hundreds of megabytes, so it is read one pair at a time. Its structure
is checked here; a pair with an empty side or damaged text is dropped and counted by textsimp.sources.splits.
"""

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.errors import InputError, bad_input
from textsimp.records import Document
from textsimp.sources.manual_tsv import sentence_ids
from textsimp.sources.wiki_manual import COMPLEX_LEVEL, SIMPLE_LEVEL
from textsimp.textfiles import atomic_write, quoted

SIDES = {"normal": COMPLEX_LEVEL, "simple": SIMPLE_LEVEL}
_CHUNK = 1 << 20
_ID = re.compile(r"(normal|simple)-(.+)-([0-9]{1,9})-([0-9]{1,9})")
_SPACE = re.compile(r"\s*")
_OPEN, _CLOSE, _COLON, _COMMA = (re.compile(rf"\s*{mark}") for mark in (r"\{", r"\}", ":", ","))
_REMEDY = "fetch the release again"


@dataclass(frozen=True)
class ArticlePair:
    """One entry: its key, the id of the simple page, both titles and documents.

    `links` holds (simple index, complex index) of the released sentence alignment, which has no labels; None where
    the entry has none.
    """

    key: str
    page: str
    titles: tuple[str, str]
    complex: Document
    simple: Document
    links: tuple[tuple[int, int], ...] | None = None


def read_wiki_auto(path: str | Path) -> Iterator[ArticlePair]:
    """The article pairs of one file, in order; `InputError` names the file, the line and the pair at fault."""
    for line, key, value in _entries(Path(path)):
        try:
            yield _pair(key, value)
        except InputError as error:
            raise bad_input(path, line, f"pair {quoted(key)}: {error}", _REMEDY) from None


def write_wiki_auto(path: str | Path, pairs: Iterable[ArticlePair]) -> None:
    """Write article pairs without alignments; the documents' ids are `normal-PAGE` and `simple-PAGE`."""
    rows = {}
    for pair in pairs:
        documents = (pair.complex, pair.simple)
        rows[pair.key] = {
            side: {
                "id": pair.page,
                "title": title,
                "url": "",
                "content": dict(zip(sentence_ids(document), document.sentences, strict=True)),
            }
            for side, title, document in zip(SIDES, pair.titles, documents, strict=True)
        }
    with atomic_write(path) as file:
        json.dump(rows, file, ensure_ascii=False, indent=1)
        file.write("\n")


def _pair(key: str, value: Any) -> ArticlePair:
    sides = {side: _get(value, side, dict) for side in SIDES}
    normal, simple = (_document(sides[side], side) for side in SIDES)
    titles = (str(sides["normal"].get("title", "")), str(sides["simple"].get("title", "")))
    links = None
    if "sentence_alignment" in value:
        rows = _get(value, "sentence_alignment", list)
        links = _links(rows, sides)
    return ArticlePair(key, str(_get(sides["simple"], "id", (str, int))), titles, normal, simple, links)


def _links(rows: list[Any], sides: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    index = {side: {name: number for number, name in enumerate(_order(sides[side], side))} for side in SIDES}
    links = set()
    for row in rows:
        try:
            simple, normal = row
            links.add((index["simple"][simple], index["normal"][normal]))
        except (KeyError, TypeError, ValueError):
            raise InputError("an alignment names no simple and normal sentence id of this pair") from None
    return tuple(sorted(links))


def _order(side: dict[str, Any], name: str) -> dict[str, tuple[int, int]]:
    """The sentence ids of one side with paragraph and sentence number, in the order of the document."""
    page = str(_get(side, "id", (str, int)))
    positions: dict[str, tuple[int, int]] = {}
    for identity in _get(side, "content", dict):
        match = _ID.fullmatch(identity)
        if not match or match[1] != name or match[2] != page:
            raise InputError(f"sentence id {quoted(identity)} is not {name}-{page}-PARAGRAPH-SENTENCE")
        positions[identity] = (int(match[3]), int(match[4]))
    return dict(sorted(positions.items(), key=lambda item: item[1]))


def _document(side: dict[str, Any], name: str) -> Document:
    paragraphs: dict[int, list[str]] = {}
    for identity, (paragraph, _) in _order(side, name).items():
        text = side["content"][identity]
        if not isinstance(text, str):
            raise InputError(f"sentence {identity} is no text")
        paragraphs.setdefault(paragraph, []).append(text)
    return Document(f"{name}-{side['id']}", SIDES[name], tuple(map(tuple, paragraphs.values())))


def _get(row: Any, key: str, kind: Any) -> Any:
    value = row.get(key) if isinstance(row, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InputError(f"{key!r} is absent or of another type")
    return value


def _entries(path: Path) -> Iterator[tuple[int, str, Any]]:
    """Line, key and value of each entry of the one object in a file, holding one entry and one chunk at a time."""
    text = _Stream(path)
    text.skip(_OPEN, "an opening brace")
    while not text.skip(_CLOSE):
        key = text.decode()
        line = text.line()
        if not isinstance(key, str):
            raise bad_input(path, line, "damaged JSON: a value where a key belongs", _REMEDY)
        text.skip(_COLON, "a colon")
        yield line, key, text.decode()
        if not text.skip(_COMMA):
            text.skip(_CLOSE, "a comma or a closing brace")
            break
    text.end()


class _Stream:
    """The text of a JSON file, read chunk by chunk as it is consumed; `lines` counts those before `counted`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.chunks = _chunks(path)
        self.text, self.start = "", 0
        self.lines, self.counted = 1, 0
        self.decoder = json.JSONDecoder()

    def skip(self, pattern: re.Pattern[str], wanted: str | None = None) -> bool:
        """Pass over `pattern`, if the text goes on with it; else, where it is `wanted`, raise `InputError`."""
        while self._next_mark() == len(self.text) and self._grow():
            pass
        match = pattern.match(self.text, self.start)
        if match:
            self.start = match.end()
        elif wanted:
            raise bad_input(self.path, self.line(), f"damaged or truncated JSON: {wanted} is missing", _REMEDY)
        return match is not None

    def end(self) -> None:
        """Raise `InputError` where anything follows."""
        while self._next_mark() == len(self.text):
            if not self._grow():
                return
        raise bad_input(self.path, self.line(), "damaged JSON: more text after the last brace", _REMEDY)

    def line(self, place: int | None = None) -> int:
        """The line, from 1, of a place in the text that is held, or of what comes next, where counting goes on."""
        if place is not None:
            return self.lines + self.text.count("\n", self.counted, place)
        mark = self._next_mark()
        self.lines += self.text.count("\n", self.counted, mark)
        self.counted = mark
        return self.lines

    def decode(self) -> Any:
        """Take one JSON value, reading on until it is whole."""
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self._next_mark())
                self.start = end
                return value
            except json.JSONDecodeError as error:
                fault, place = error.msg, error.pos
            except RecursionError:
                raise bad_input(self.path, self.line(), "lists inside lists without end", _REMEDY) from None
            size = len(self.text) - self.start
            while len(self.text) - self.start < max(1, 2 * size):  # doubled before it is tried again: linear in all
                if not self._grow():
                    break
            if len(self.text) - self.start == size:
                raise bad_input(self.path, self.line(place), f"damaged or truncated JSON ({fault})", _REMEDY)

    def _next_mark(self) -> int:
        match = _SPACE.match(self.text, self.start)
        return match.end() if match else self.start

    def _grow(self) -> bool:
        chunk = next(self.chunks, None)
        if chunk is None:
            return False
        self.lines += self.text.count("\n", self.counted, self.start)
        self.counted = max(0, self.counted - self.start)
        self.text, self.start = self.text[self.start :] + chunk, 0
        return True


def _chunks(path: Path) -> Iterator[str]:
    """The decoded text of a file; a chunk may be empty where it ends inside a character."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    lines = 1
    try:
        with open(path, "rb") as file:
            while data := file.read(_CHUNK):
                yield (text := decoder.decode(data))
                lines += text.count("\n")
            decoder.decode(b"", final=True)
    except (FileNotFoundError, IsADirectoryError):
        raise bad_input(path, None, "no such file", "check the path") from None
    except UnicodeDecodeError as error:
        line = lines + error.object.count(b"\n", 0, error.start)
        raise bad_input(path, line, f"not UTF-8 ({error.reason})", _REMEDY) from None
