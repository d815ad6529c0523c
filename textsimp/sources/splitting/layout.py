"""The layout of a plain text: paragraphs, lists, headings, tables, sentences of their own, or wrapped text.

Blank lines part paragraphs. A line with a list's marker, a row of a table and a heading are pieces of their own; a
heading is a paragraph of its own too. Other line ends: a line that begins in lower case, or follows a comma or a
hyphen, goes on from the line before. Else a text counts as wrapped if at least half of its lines are full, that is,
the next word would not have fitted (into 85% of the longest line, of 40 characters at least), and, of five lines or
more, one begins in lower case; then full lines go on, and in any other text no line does.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from textsimp.core.errors import InputError
from textsimp.core.reading import lines_of
from textsimp.sources.splitting.language import Language

LINES = ("auto", "wrapped", "sentences")
"""What the end of a line means: guessed; nothing; that a sentence ends."""
_MARKER = re.compile(
    r"(?:(?P<bullet>[-*+•‣◦▪·●–—])"
    r"|\(?(?:(?P<number>\d{1,3})(?:\.\d{1,3})*|(?P<letter>[A-Za-z]))(?P<close>[.):]))(?:\s+|$)"
)
_HASHES = re.compile(r"#{1,6}\s+\S")
_GAP = re.compile(r"(?<=\S) {3,}(?=\S)")
_CELL = 3
"""Words of a cell of a table on average, at most, where its columns do not begin at the same place."""
_RULE = frozenset("-=_*~+|: \t")
_CLOSERS = "\"'”’“»«›‹)]*_ "
_STOPS = ".!?…:;。！？"
_GOES_ON = ",-\u00ad–—/&(„«"
_COMPOUND = frozenset("and or to und oder bzw bis et ou y o e u".split())
_NARROWEST, _FULL, _MANY, _HEADING = 40, 0.85, 5, 80


class Kind(Enum):
    """The kind of a line; a rule has no words."""

    TEXT = "text"
    ITEM = "item"
    ROW = "row"
    HEADING = "heading"
    RULE = "rule"


class Line(NamedTuple):
    """A line that is not blank: its text with single spaces, what it is, where it begins and ends on a page."""

    text: str
    kind: Kind
    begin: int
    end: int

    def ends(self, marks: str) -> bool:
        """Return whether one of these marks ends it, before closing quotes and brackets."""
        return self.text.rstrip(_CLOSERS)[-1:] in tuple(marks)

    def begins_low(self) -> bool:
        """Return whether its first letter, after opening quotes and brackets, is in lower case."""
        return self.text.lstrip("\"'“„‘‚«»‹›([{*_")[:1].islower()


class Piece(NamedTuple):
    """Lines that are read as one running text; `whole` if they are one sentence, whatever their marks."""

    kind: Kind
    lines: tuple[Line, ...]
    whole: bool = False

    @property
    def text(self) -> str:
        """Return the lines, joined by a space, or by nothing after the hyphen of a parted word."""
        parts = [self.lines[0].text]
        for line in self.lines[1:]:
            last, low = parts[-1], line.text[0].islower()
            if last.endswith("\u00ad"):
                parts[-1] = last[:-1]
            elif not (last.endswith("-") and last[-2:-1].isalpha() and low and line.text.split()[0] not in _COMPOUND):
                parts.append(" ")
            parts.append(line.text)
        return "".join(parts).removesuffix("\u00ad").rstrip()


def are_sentences(lines: str) -> bool:
    """Return whether each line is a sentence; `InputError` where `lines` is none of `LINES`."""
    if lines not in LINES:
        raise InputError(f"lines {lines!r}: unknown; there is {', '.join(LINES)}")
    return lines == "sentences"


def text_paragraphs(text: str, language: Language, lines: str = "auto") -> list[list[Piece]]:
    """Return the pieces of each paragraph of a text, in order; `InputError` where `lines` is none of `LINES`."""
    blocks = list(_blocks(text))
    if are_sentences(lines):
        return [[Piece(Kind.TEXT, (line,), whole=True) for line in block] for block in blocks]
    layout = _Layout(blocks, language, lines == "wrapped")
    return [paragraph for block in blocks for paragraph in layout.paragraphs(block)]


def is_rule(row: str) -> bool:
    """Return whether a line is a rule, of dashes or the like; spaces around it do not count."""
    return len(row.strip()) >= 3 and _RULE.issuperset(row)


def _blocks(text: str) -> Iterator[list[Line]]:
    """Yield the lines between blank lines; one of soft hyphens alone looks blank, and is."""
    rows: list[str] = []
    for row in [*lines_of(text), ""]:
        if row.replace("\u00ad", "").strip():
            rows.append(row)
        elif rows:
            yield _block(rows)
            rows = []


def _block(rows: Sequence[str]) -> list[Line]:
    stripped = ["", *(row.strip() for row in rows), ""]
    texts = [" ".join(row.split()) for row in rows]
    markers = [_MARKER.match(text) for text in texts]
    seen = Counter(name for marker in markers if marker for name in _names(marker, 0))
    block: list[Line] = []
    for index, (row, text, marker) in enumerate(zip(rows, texts, markers, strict=True)):
        page = row.expandtabs() if "\t" in row else row
        line = Line(text, Kind.TEXT, len(page) - len(page.lstrip()), len(page.rstrip()))
        before = block[-1] if block else None
        begins = marker is not None and (_is_item(marker, before, seen) or _is_nested(marker, before, line))
        block.append(line._replace(kind=_kind(stripped[index : index + 3], marker, begins)))
    return block


def _kind(around: Sequence[str], marker: re.Match[str] | None, begins: bool) -> Kind:
    """Return what the middle one of three lines is, which has a marker or none, and begins an item or not."""
    row = around[1]
    if is_rule(row):
        return Kind.RULE
    if row[0] == "#" and _HASHES.match(row):
        return Kind.HEADING
    if _is_row(row[marker.end() :].lstrip() if marker else row, around[::2]):
        return Kind.ROW
    return Kind.ITEM if begins else Kind.TEXT


def _is_row(row: str, neighbours: Sequence[str]) -> bool:
    if row.startswith("|") and row.count("|") > 1:
        return True
    for mark in ("\t", " | "):
        if mark in row:
            return row.count(mark) > 1 or any(mark in neighbour for neighbour in neighbours)
    return any(_are_columns(row, neighbour) for neighbour in neighbours)


def _are_columns(row: str, neighbour: str) -> bool:
    """Tell whether gaps part both lines into cells: at one place, or short ones; justified prose has gaps too."""
    places = [{gap.end() for gap in _GAP.finditer(line)} for line in (row, neighbour)]
    if not all(places):
        return False
    cells = len(places[0]) + len(places[1]) + 2
    return not places[0].isdisjoint(places[1]) or len(row.split()) + len(neighbour.split()) <= _CELL * cells


def _names(marker: re.Match[str], step: int) -> list[str]:
    """Return a marker's name, or that of the next or last one; a bullet is its own neighbour."""
    if marker["bullet"]:
        return [marker["bullet"]]
    if marker["number"]:
        return [f"{int(marker['number']) + step}{marker['close']}"]
    return [f"{chr(ord(marker['letter']) + step)}{marker['close']}"]


def _is_item(marker: re.Match[str], before: Line | None, seen: Counter[str]) -> bool:
    """Exclude the 3. of `3. Oktober` that begins a wrapped line: an item follows a sentence or has neighbours."""
    if before is None or before.kind not in (Kind.TEXT, Kind.ITEM):
        return True
    names = _names(marker, 1) + _names(marker, -1)
    siblings = any(seen[name] > (1 if marker["bullet"] else 0) for name in names)
    return siblings or (before.ends(_STOPS) and not (marker["letter"] and marker["close"] != ")"))


def _is_nested(marker: re.Match[str], before: Line | None, line: Line) -> bool:
    """Tell whether a bullet of its own kind, or the first number or letter, begins a list inside the item before it."""
    if before is None or before.kind is not Kind.ITEM:
        return False
    if marker["bullet"]:
        return marker["bullet"] not in "–—·"
    return line.begin > before.begin + 1 and (marker["number"] or marker["letter"]) in ("1", "a", "A", "i")


class _Layout:
    def __init__(self, blocks: Sequence[Sequence[Line]], language: Language, joined: bool) -> None:
        self._language, self._joined = language, joined
        self._caseless = all(line.text == line.text.lower() for block in blocks for line in block)
        breaks = [
            (line, after)
            for block in blocks
            for line, after in pairwise(block)
            if line.kind in (Kind.TEXT, Kind.ITEM) and after.kind is Kind.TEXT
        ]
        self._width = max((line.end for pair in breaks for line in pair), default=0)
        full = sum(self._is_full(*pair) for pair in breaks)
        self._wrapped = self._width >= _NARROWEST and 2 * full >= len(breaks)
        if len(breaks) >= _MANY and not any(after.begins_low() for _, after in breaks):
            self._wrapped = False

    def _is_full(self, line: Line, after: Line) -> bool:
        return line.end + 1 + len(after.text.split(" ", 1)[0]) > _FULL * self._width

    def paragraphs(self, block: Sequence[Line]) -> Iterator[list[Piece]]:
        """Yield the pieces of a block; a heading and a rule end a paragraph."""
        pieces: list[Piece] = []
        for piece in self._pieces(block):
            if piece.kind is Kind.RULE:
                if pieces and pieces[-1].kind is Kind.ROW or "|" in piece.text:
                    continue
                if len(pieces) == 1 and _is_underlined(pieces[0], piece):
                    pieces = [pieces[0]._replace(kind=Kind.HEADING, whole=True)]
            if piece.kind in (Kind.RULE, Kind.HEADING) and pieces:
                yield from self._headed(pieces)
                pieces = []
            if piece.kind is Kind.HEADING:
                yield [piece]
            elif piece.kind is not Kind.RULE:
                pieces.append(piece)
        if pieces:
            yield from self._headed(pieces)

    def _pieces(self, block: Sequence[Line]) -> Iterator[Piece]:
        lines: list[Line] = []
        for line in block:
            if lines and not (line.kind is Kind.TEXT and self._goes_on(lines, line)):
                yield _piece(lines)
                lines = []
            lines.append(line)
        yield _piece(lines)

    def _goes_on(self, lines: Sequence[Line], line: Line) -> bool:
        first, last = lines[0], lines[-1]
        if first.kind not in (Kind.TEXT, Kind.ITEM):
            return False
        if self._joined or _MARKER.fullmatch(last.text) or self._language.leaves_open(last.text):
            return True
        if first.kind is Kind.ITEM and line.begin > first.begin + 1:
            return True
        if last.text[-1] in _GOES_ON or (line.begins_low() and not self._caseless and last.text[-1] not in ":?!"):
            return True
        return self._wrapped and self._is_full(last, line)

    def _headed(self, pieces: list[Piece]) -> Iterator[list[Piece]]:
        if self._is_heading(pieces):
            yield [pieces[0]._replace(kind=Kind.HEADING, whole=True)]
            pieces = pieces[1:]
        yield pieces

    def _is_heading(self, pieces: Sequence[Piece]) -> bool:
        if self._joined or len(pieces) == 1 or len(pieces[0].lines) > 1:
            return False
        (first,), second = pieces[0].lines, pieces[1]
        if first.ends(_STOPS) or first.ends(_GOES_ON) or len(first.text) > _HEADING:
            return False
        if first.kind is Kind.ITEM and any(piece.kind is Kind.ITEM for piece in pieces[1:]):
            return False
        if second.kind is Kind.TEXT:
            return second.lines[-1].ends(_STOPS)
        return first.kind is Kind.TEXT


def _piece(lines: Sequence[Line]) -> Piece:
    kind = lines[0].kind
    return Piece(kind, tuple(lines), whole=kind in (Kind.ROW, Kind.HEADING))


def _is_underlined(piece: Piece, rule: Piece) -> bool:
    (line, *more), marks = piece.lines, set(rule.text)
    return not more and line.kind is Kind.TEXT and marks in ({"="}, {"-"}) and not line.ends(".!?")
