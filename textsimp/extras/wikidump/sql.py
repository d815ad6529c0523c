"""Rows of a MySQL dump of one table, streamed line by line.

mysqldump writes `INSERT INTO `TABLE` VALUES (...),(...);`, on one line or with one row per line. It escapes line ends,
so that no value goes over a line. Each line must be rows from its first character to its last; nothing is skipped.
(The package mwsql splits rows at `),(`, which a title may hold, and reads lines of any length.)
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import iterate_bytes
from textsimp.extras.wikidump.dumps import opened_dump

_ID = re.compile(rb"-?\d{1,18}")
_HEAD = re.compile(rb"CREATE TABLE (?:IF NOT EXISTS )?`([^`]+)` \(|-- Host: .*Database: (\S+)")
_COLUMN = re.compile(rb"\s+`([^`]+)` ")
_INSERT = re.compile(rb"INSERT INTO `([^`]+)` VALUES\s*")
_VALUE = rb"(?:_binary )?(NULL|-?[0-9][0-9.eE+-]*+|'[^'\\]*+(?:(?:\\.|'')[^'\\]*+)*+')"
_ESCAPE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPED = {b"0": b"\0", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"Z": b"\x1a"}
_OTHER = (b"--", b"/*", b"DROP ", b"LOCK ", b"UNLOCK ", b"SET ", b"USE ")
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
    """Yield the values of some columns of a table, as text; None is NULL, and damaged UTF-8 becomes U+FFFD.

    MediaWiki cuts long titles at 255 bytes, in the middle of a character if need be; such a title matches no page.

    Raises:
        InputError: another table or database, a missing column, a line cut in two, or a dump without its end.
    """
    reader = _Reader(query)
    with opened_dump(path) as file:
        for number, line in enumerate(iterate_bytes(file, path), 1):
            try:
                yield from reader.rows(line.removeprefix(codecs.BOM_UTF8).rstrip(b"\r\n"))
            except InputError as error:
                raise bad_input(path, number, str(error), _FETCH) from None
    if not reader.ended:
        what = "ends before the table does" if reader.names else f"holds no table {query.table!r}"
        raise bad_input(path, None, what, _FETCH if reader.names else f"give the dump of the table {query.table!r}")


class _Reader:
    """The state between two lines: in the table's definition, in an INSERT, or outside both."""

    def __init__(self, query: Query) -> None:
        self.query, self.values = query, {f"'{value}'".encode() for value in query.where[1]}
        self.names: list[str] = []
        self.row: re.Pattern[bytes] | None = None
        self.defining = self.inserting = self.ended = False

    def rows(self, line: bytes) -> Iterator[tuple[str | None, ...]]:
        """Yield the rows that a line holds; raise `InputError` where it is not as mysqldump writes it."""
        if self.inserting:
            yield from self._inserted(line, 0)
        elif self.defining:
            self._define(line)
        elif match := _INSERT.match(line):
            if _decoded(match[1]) != self.query.table or self.row is None:
                raise InputError(f"rows of the table {_decoded(match[1])!r}, not of {self.query.table!r}")
            self.inserting = True
            if match.end() < len(line):
                yield from self._inserted(line, match.end())
        elif match := _HEAD.match(line):
            kind, wanted = ("the table", self.query.table) if match[1] else ("a dump of the database", self.query.site)
            if (name := _decoded(match[1] or match[2])) != wanted:
                raise InputError(f"{kind} {name!r}, not {wanted!r}")
            self.defining = bool(match[1])
        elif line.startswith((b"UNLOCK TABLES", b"-- Dump completed")) and self.row:
            self.ended = True
        elif line and not line.startswith(_OTHER):
            raise InputError(f"{line[:40]!r} is nothing that mysqldump writes there")

    def _define(self, line: bytes) -> None:
        if match := _COLUMN.match(line):
            self.names.append(_decoded(match[1]))
        elif line.startswith(b")"):
            self.defining = False
            if missing := [name for name in (*self.query.columns, self.query.where[0]) if name not in self.names]:
                raise InputError(f"the table {self.query.table!r} has no column {missing[0]!r}")
            self.row = re.compile(rb"\(" + rb",".join([_VALUE] * len(self.names)) + rb"\)([,;]?)", re.DOTALL)

    def _inserted(self, line: bytes, position: int) -> Iterator[tuple[str | None, ...]]:
        tested, *wanted = (self.names.index(name) + 1 for name in (self.query.where[0], *self.query.columns))
        assert self.row is not None
        separator = b""
        while position < len(line):
            match = self.row.match(line, position)
            if match is None or separator == b";":
                row = line[position : position + 40]
                raise InputError(f"a row cut in two or damaged at byte {position + 1}: {row!r}")
            if match[tested] in self.values:
                if not _ID.fullmatch(match[wanted[0]]):
                    raise InputError(f"{self.query.columns[0]} is {match[wanted[0]][:40]!r}, not a whole number")
                yield tuple([_text(match[column]) for column in wanted])
            position, separator = match.end(), match[len(self.names) + 1]
        if not separator:
            raise InputError("the line ends without , or ;")
        self.inserting = separator == b","


def _decoded(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def _text(value: bytes) -> str | None:
    if not value.startswith(b"'"):
        return None if value == b"NULL" else value.decode()
    return _decoded(_ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]) if match[1] else b"'", value[1:-1]))
