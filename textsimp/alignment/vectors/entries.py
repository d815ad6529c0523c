"""The vectors of a text or binary file one after the other, and each by its place (F2).

Text is a word and D numbers a line, split by single spaces; a word may hold spaces itself (". . ." in GloVe 840B), so
that numbers are split off from the right. Binary is a word, a space and D 32-bit floats, little-endian.
"""

from collections.abc import Iterator
from typing import IO

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.vectors.recognise import FETCH_AGAIN, WORD2VEC_BINARY, Layout, damaged_number, is_number
from textsimp.errors import bad_input

_CHUNK = 1 << 22
_LONGEST_WORD = 4096
"""Bytes; where no space comes before, the numbers are not where the header says."""


def entries(layout: Layout, stream: IO[bytes]) -> Iterator[tuple[int, int | None, bytes]]:
    """Offset, line (None in binary files) and word of each vector, without a look at its numbers.

    Raises:
        InputError: a line has too few or too many numbers, the file is cut short, or it does not hold as many vectors
            as its first line says.
    """
    stream.seek(layout.start)
    yield from _binary(layout, stream) if layout.kind == WORD2VEC_BINARY else _text(layout, stream)


def read_entry(layout: Layout, stream: IO[bytes], offset: int, line: int | None) -> tuple[bytes, NDArray[np.float32]]:
    """The word and the vector at an offset that `entries` gave. Shape: (D,).

    Raises:
        InputError: a number is none, or not finite.
    """
    stream.seek(offset)
    if layout.kind == WORD2VEC_BINARY:
        found = stream.read(_LONGEST_WORD + 4 * layout.size)
        word, _, rest = found.partition(b" ")
        word, vector = word.lstrip(b"\n"), np.frombuffer(rest[: 4 * layout.size], dtype="<f4").astype(np.float32)
    else:
        word, *fields = stream.readline().rstrip(b" \r\n").rsplit(b" ", layout.size)
        try:
            with np.errstate(over="ignore"):  # refused below, as not finite
                vector = np.array([float(field) for field in fields], dtype=np.float64).astype(np.float32)
        except ValueError:
            wrong = next(field for field in fields if not is_number(field))
            what = f"has {_shown(wrong)!r} where a number was expected"
            raise damaged_number(layout.path, line, _shown(word), what) from None
    if not np.isfinite(vector).all():
        raise damaged_number(layout.path, line, _shown(word), "has a number that is not finite")
    return word, vector


def _text(layout: Layout, stream: IO[bytes]) -> Iterator[tuple[int, int | None, bytes]]:
    offset, found = layout.start, 0
    for line, text in enumerate(stream, 1 if layout.count is None else 2):
        row = text.rstrip(b" \r\n")
        if row:
            yield offset, line, _text_word(layout, line, row)
            found += 1
        offset += len(text)
    if layout.count is not None and found != layout.count:
        raise bad_input(layout.path, 1, f"promises {layout.count} vectors where {found} follow", FETCH_AGAIN)


def _text_word(layout: Layout, line: int, row: bytes) -> bytes:
    spaces = row.count(b" ")
    if spaces == layout.size:
        return row[: row.index(b" ")]
    if spaces > layout.size:
        word = row.rsplit(b" ", layout.size)[0]
        if not is_number(word.rpartition(b" ")[2]):
            return word
    what = f"{spaces} fields behind the word, where {layout.size} numbers were expected"
    raise bad_input(layout.path, line, what, FETCH_AGAIN)


def _binary(layout: Layout, stream: IO[bytes]) -> Iterator[tuple[int, int | None, bytes]]:
    buffer, base, position = b"", layout.start, 0  # the buffer begins at offset `base`
    for number in range(1, (layout.count or 0) + 1):
        while (end := _end_of_entry(layout, buffer, position, number)) is None:
            chunk = stream.read(_CHUNK)
            if not chunk:
                what = f"ends inside vector {number} of the {layout.count} that its first line promises"
                raise bad_input(layout.path, None, what, FETCH_AGAIN)
            buffer, base, position = buffer[position:] + chunk, base + position, 0
        word = buffer[position : end - 4 * layout.size - 1].lstrip(b"\n")
        yield base + position, None, word
        position = end
    if (buffer[position:] + stream.read(_CHUNK)).strip(b"\n"):
        what = f"more follows the {layout.count} vectors of {layout.size} numbers that its first line promises"
        raise bad_input(layout.path, None, what, FETCH_AGAIN)


def _end_of_entry(layout: Layout, buffer: bytes, position: int, number: int) -> int | None:
    """Where the next vector starts, from the start of this one; None where the buffer ends before."""
    space = buffer.find(b" ", position, position + _LONGEST_WORD)
    word = buffer[position : space if space >= 0 else position + _LONGEST_WORD]
    if b"\0" in word or len(word) == _LONGEST_WORD:
        what = f"no word before vector {number}: the vectors do not have the {layout.size} numbers of the first line"
        raise bad_input(layout.path, None, what, FETCH_AGAIN)
    end = space + 1 + 4 * layout.size
    return end if space >= 0 and end <= len(buffer) else None


def _shown(field: bytes) -> str:
    return field.decode("utf-8", "replace")[:40]
