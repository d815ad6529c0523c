"""Rows of a MySQL dump of one table, streamed line by line.

mysqldump writes `INSERT INTO `TABLE` VALUES (...),(...);`, on one line or with one row per line. It escapes line ends,
so that no value goes over a line. Each line must be rows from its first character to its last; nothing is skipped.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.errors import InputError, bad_input
from textsimp.extras.wikidump.dumps import decompressed, opened

_ID = re.compile(rb"-?\d{1,18}")
_CREATE = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?`([^`]+)` \(")
_COLUMN = re.compile(rb"\s+`([^`]+)` ")
_INSERT = re.compile(rb"INSERT INTO `([^`]+)` VALUES\s*")
_DATABASE = re.compile(rb"-- Host: .*Database: (\S+)")
_VALUE = rb"(?:_binary )?(NULL|-?[0-9][0-9.eE+-]*+|'[^'\\]*+(?:(?:\\.|'')[^'\\]*+)*+')"
_ESCAPE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPED = {b"0": b"\0", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"Z": b"\x1a"}
MAX_LINE = 256 << 20
_FETCH = "the SQL dump is cut or damaged; fetch it again"


@dataclass(frozen=True)
class Query:
    """What is read of a dump: columns of its table, in the order wanted; the first is a whole number.

    where: a column of text and the values of the rows wanted; a table may have a hundred million others.
    site: the database that the dump must be of, where its head names one.
    """

    table: str
    columns: tuple[str, ...]
    where: tuple[str, tuple[str, ...]]
    site: str


def read_rows(path: Path, query: Query) -> Iterator[tuple[str | None, ...]]:
    """The values of some columns of a table, as text; None is NULL, and damaged UTF-8 becomes U+FFFD.

    MediaWiki cuts long titles at 255 bytes, in the middle of a character if need be; such a title matches no page.

    An InputError for another table or database, a missing column, a line cut in two, or a dump without its end.
    """
    reader, table = _Reader(query), query.table
    for number, line in enumerate(_lines(path), 1):
        try:
            if len(line) > MAX_LINE:
                raise InputError(f"a line of more than {MAX_LINE} bytes")
            yield from reader.line(line)
        except InputError as error:
            raise bad_input(path, number, str(error), _FETCH) from None
    if not reader.ended:
        what = "ends before the table does" if reader.names else f"holds no table {table!r}"
        raise bad_input(path, None, what, _FETCH if reader.names else f"give the dump of the table {table!r}")


def _lines(path: Path) -> Iterator[bytes]:
    """Without line ends (LF or CRLF) and byte-order mark; of a line that is too long, its beginning."""
    with opened(path) as file:
        for line in decompressed(path, iter(lambda: file.readline(MAX_LINE + 2), b"")):
            yield line.removeprefix(codecs.BOM_UTF8).removesuffix(b"\n").removesuffix(b"\r")


class _Reader:
    """The state between two lines: in the table's definition, in an INSERT, or outside both."""

    def __init__(self, query: Query):
        self.query, self.values = query, {f"'{value}'".encode() for value in query.where[1]}
        self.names: list[str] = []
        self.row: re.Pattern[bytes] | None = None
        self.defining = self.inserting = self.ended = False

    def line(self, line: bytes) -> Iterator[tuple[str | None, ...]]:
        """The rows that a line holds; `InputError` without place where it is not as mysqldump writes it."""
        if self.inserting:
            yield from self._rows(line, 0)
        elif self.defining:
            self._define(line)
        elif match := _INSERT.match(line):
            if _name(match) != self.query.table or self.row is None:
                raise InputError(f"rows of the table {_name(match)!r}, not of {self.query.table!r}")
            self.inserting = True
            if match.end() < len(line):
                yield from self._rows(line, match.end())
        else:
            self._outside(line)

    def _outside(self, line: bytes) -> None:
        if match := _CREATE.match(line):
            if _name(match) != self.query.table:
                raise InputError(f"the table {_name(match)!r}, not {self.query.table!r}")
            self.defining = True
        elif (match := _DATABASE.match(line)) and _name(match) != self.query.site:
            raise InputError(f"a dump of the database {_name(match)!r}, not {self.query.site!r}")
        elif line.startswith((b"UNLOCK TABLES", b"-- Dump completed")) and self.row:
            self.ended = True
        elif line and not line.startswith((b"--", b"/*", b"DROP ", b"LOCK ", b"UNLOCK ", b"SET ", b"USE ")):
            raise InputError(f"{line[:40]!r} is nothing that mysqldump writes there")

    def _define(self, line: bytes) -> None:
        if match := _COLUMN.match(line):
            self.names.append(_name(match))
        elif line.startswith(b")"):
            self.defining = False
            if missing := [name for name in (*self.query.columns, self.query.where[0]) if name not in self.names]:
                raise InputError(f"the table {self.query.table!r} has no column {missing[0]!r}")
            self.row = re.compile(rb"\(" + rb",".join([_VALUE] * len(self.names)) + rb"\)([,;]?)", re.DOTALL)

    def _rows(self, line: bytes, position: int) -> Iterator[tuple[str | None, ...]]:
        wanted = [self.names.index(name) + 1 for name in self.query.columns]
        tested, last, separator = self.names.index(self.query.where[0]) + 1, len(self.names) + 1, b""
        assert self.row is not None
        while position < len(line):
            match = self.row.match(line, position)
            if match is None or separator == b";":
                row = line[position : position + 40]
                raise InputError(f"a row cut in two or damaged at byte {position + 1}: {row!r}")
            if match[tested] in self.values:
                if not _ID.fullmatch(match[wanted[0]]):
                    raise InputError(f"{self.query.columns[0]} is {match[wanted[0]][:40]!r}, not a whole number")
                yield tuple([_text(match[column]) for column in wanted])
            position, separator = match.end(), match[last]
        if not separator:
            raise InputError("the line ends without , or ;")
        self.inserting = separator == b","


def _name(match: re.Match[bytes]) -> str:
    """The name of a table, column or database, for comparing and for messages."""
    return match[1].decode("utf-8", "replace")


def _text(value: bytes) -> str | None:
    if value == b"NULL":
        return None
    if not value.startswith(b"'"):
        return value.decode()
    value = value[1:-1]
    if b"\\" in value or b"''" in value:
        value = _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]) if match[1] else b"'", value)
    return value.decode("utf-8", "replace")
