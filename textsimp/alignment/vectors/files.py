"""Word vectors of a GloVe, word2vec or fastText file that stays on disk, recognised by its first bytes.

gensim reads such files too, but as a whole (several GB), refuses words that hold spaces (". . ." in GloVe 840B), and
says of a damaged line neither the file nor its number. Here one pass checks the lines and remembers where each word is.

Text is a word and D numbers per line, split by single spaces; numbers are split off from the right. Binary is a word, a
space and D 32-bit floats, little-endian.
"""

import contextlib
import gzip
import io
import logging
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.words import vocabulary
from textsimp.core import reading
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress

GLOVE, WORD2VEC_TEXT, WORD2VEC_BINARY, FASTTEXT = "GloVe text", "word2vec text", "word2vec binary", "fastText binary"
"""The kinds. GloVe's text has no first line with counts; fastText's .vec is word2vec's text."""

FETCH_AGAIN = "the file is damaged; fetch it again"

_GZIP_MAGIC, _ZIP_MAGIC = b"\x1f\x8b", b"PK\x03\x04"
_FASTTEXT_MAGIC = (793712314).to_bytes(4, "little")
_SAMPLE = 1 << 18
"""Bytes to look at; a line of text vectors has to end in them."""
_MOST, _LONGEST = 1 << 32, 1 << 16
"""Vectors, and numbers of a vector, that no file has."""
_DIGITS = 12
LARGEST = 1e6
"""No number of a word vector comes near."""
OUT_OF_SENSE = "has a number that is not finite, or beyond any sense"
_CONTROL = bytes({*range(32)} - {*b"\t\n\r"})


@dataclass(frozen=True)
class Layout:
    """Where the vectors of a file lie.

    Attributes:
        compressed: whether it is gzip; offsets count unpacked bytes.
        kind: GLOVE, WORD2VEC_TEXT, WORD2VEC_BINARY or FASTTEXT.
        count: vectors that the first line promises; None where the format does not say.
        size: numbers of a vector, D; 0 for FASTTEXT, whose header is read with the rest.
        start: offset of the first vector.
    """

    path: Path
    compressed: bool
    kind: str
    count: int | None
    size: int
    start: int

    @property
    def name(self) -> str:
        """Kind, file and dimensions, for the results."""
        return f"{self.kind} {self.path.name}, {self.size} dimensions"


@contextlib.contextmanager
def opened(path: Path, compressed: bool) -> Iterator[IO[bytes]]:
    """The file's bytes, unpacked; `InputError` where it cannot be opened or its compression is damaged."""
    with reading.opened(path, "give a file of word vectors") as file:
        try:
            yield cast(IO[bytes], gzip.GzipFile(fileobj=file)) if compressed else file
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise bad_input(path, None, f"damaged gzip data ({error})", "fetch the file again") from None


def recognise(path: str | Path) -> Layout:
    """The layout of a file of word vectors.

    Raises:
        InputError: the file is absent, empty, a zip archive, or begins like no format of word vectors.
    """
    path = Path(path)
    with opened(path, False) as stream:
        compressed = stream.read(2) == _GZIP_MAGIC
    with opened(path, compressed) as stream:
        head = stream.read(_SAMPLE)
    if not head.strip():
        raise bad_input(path, None, "empty, where word vectors were expected", FETCH_AGAIN)
    if head.startswith(_ZIP_MAGIC):
        raise bad_input(path, None, "a zip archive", "unpack it and give the file of vectors in it")
    if head.startswith(_FASTTEXT_MAGIC):
        return Layout(path, compressed, FASTTEXT, None, 0, 0)
    first, _, rest = head.partition(b"\n")
    fields = first.split()
    if len(fields) == 2 and all(field.isdigit() for field in fields):
        count, size = (int(field[:_DIGITS]) for field in fields)
        if not 0 < count < _MOST or not 0 < size < _LONGEST or max(map(len, fields)) > _DIGITS:
            raise bad_input(path, 1, f"promises {count} vectors of {size} numbers", FETCH_AGAIN)
        kind = WORD2VEC_TEXT if _is_text(rest, size) else WORD2VEC_BINARY
        if not compressed and kind == WORD2VEC_BINARY and path.stat().st_size < count * (4 * size + 2):
            raise bad_input(path, 1, f"promises {count} vectors of {size} numbers, which it cannot hold", FETCH_AGAIN)
        return Layout(path, compressed, kind, count, size, len(first) + 1)
    return Layout(path, compressed, GLOVE, None, _glove_size(path, first), 0)


def is_number(field: bytes) -> bool:
    """Whether a field of a text file is a number."""
    try:
        float(field)
    except ValueError:
        return False
    return True


def _is_text(rest: bytes, size: int) -> bool:
    """Whether text and no binary numbers follow a first line with counts.

    A whole line of numbers cannot be chance. A line that is no such line may be damaged text, which has no control
    characters, where binary numbers are full of them.
    """
    fields = io.BytesIO(rest).readline().split()
    if len(fields) > size and all(map(is_number, fields[-size:])):
        return True
    return len(rest.translate(None, _CONTROL)) == len(rest)


def _glove_size(path: Path, first: bytes) -> int:
    fields = first.rstrip(b" \r").split(b" ")
    size = 0
    while size < len(fields) - 1 and is_number(fields[-1 - size]):
        size += 1
    if not size:
        what = "neither a word and its numbers, nor the counts of word2vec, nor fastText's mark"
        raise bad_input(path, 1, what, "give GloVe, word2vec or fastText vectors, text or binary")
    return size


def damaged_number(path: Path, line: int | None, word: str, what: str) -> InputError:
    """The error for a vector that is not made of finite numbers."""
    return bad_input(path, line, f"the vector of {word!r} {what}", FETCH_AGAIN)


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
    """The word and the vector at an offset that `entries` gave. Shape: (D,)."""
    stream.seek(offset)
    if layout.kind == WORD2VEC_BINARY:
        entry = stream.read(_LONGEST_WORD + 4 * layout.size)
        word, _, rest = entry.partition(b" ")
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
    if not (np.abs(vector) <= LARGEST).all():  # false for NaN
        raise damaged_number(layout.path, line, _shown(word), OUT_OF_SENSE)
    return word, vector


def _text(layout: Layout, stream: IO[bytes]) -> Iterator[tuple[int, int | None, bytes]]:
    offset, rows = layout.start, 0
    lines = reading.iterate_bytes(cast(BinaryIO, stream), layout.path)
    for line, text in enumerate(lines, 1 if layout.count is None else 2):
        row = text.rstrip(b" \r\n")
        if row:
            yield offset, line, _text_word(layout, line, row)
            rows += 1
        offset += len(text)
    if layout.count is not None and rows != layout.count:
        raise bad_input(layout.path, 1, f"promises {layout.count} vectors where {rows} follow", FETCH_AGAIN)


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
    space = buffer.find(b" ", position, position + _LONGEST_WORD)
    word = buffer[position : space if space >= 0 else position + _LONGEST_WORD]
    if b"\0" in word or len(word) == _LONGEST_WORD:
        what = f"no word before vector {number}: the vectors do not have the {layout.size} numbers of the first line"
        raise bad_input(layout.path, None, what, FETCH_AGAIN)
    end = space + 1 + 4 * layout.size
    return end if space >= 0 and end <= len(buffer) else None


def _shown(field: bytes) -> str:
    return field.decode("utf-8", "replace")[:40]


_log = logging.getLogger(__name__)


class FileVectors:
    """Vectors of the words that were ever asked for, and the places of all others in the file.

    One pass over the file checks its lines and keeps 16 bytes a word (48 MB for 3 million words), so that the words of
    other sentences can be looked up later. In a file packed by gzip each lookup of new words takes another pass.

    Of several spellings of a word the lower-cased one is taken, else the first in the file. Numbers are checked where
    they are used.
    """

    def __init__(self, layout: Layout, sentences: Sequence[str] = ()) -> None:
        """Read the file's words, and the vectors of the words of the sentences.

        Raises:
            InputError: the file is damaged; the text says where.
        """
        self.name, self.size, self._layout = layout.name, layout.size, layout
        self._hashes, self._offsets, self._lines = _index(layout)  # (N,) each, by hash
        self._known: dict[str, NDArray[np.float32] | None] = {}
        self._read(vocabulary(sentences))

    def lookup(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Vectors of the words, 0 where a word is unknown, and which are known. Shapes: (W, D), (W,)."""
        self._read(words)
        return stacked([self._known[word] for word in words], self.size)

    def _read(self, words: Iterable[str]) -> None:
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        entries = sorted(entry for word in new for entry in self._places(word))
        self._known.update(dict.fromkeys(new))
        if not entries:
            return
        exact: set[str] = set()
        with opened(self._layout.path, self._layout.compressed) as stream:
            for entry in entries:  # in the order of the file
                self._take(stream, entry, exact)

    def _places(self, word: str) -> Iterable[tuple[int, int]]:
        key = np.uint32(_hash(word))
        first, last = (int(np.searchsorted(self._hashes, key, side)) for side in ("left", "right"))
        return zip(self._offsets[first:last].tolist(), self._lines[first:last].tolist(), strict=True)

    def _take(self, stream: IO[bytes], entry: tuple[int, int], exact: set[str]) -> None:
        offset, line = entry
        written, vector = read_entry(self._layout, stream, offset, line or None)
        spelling = written.decode("utf-8", "replace")
        word = spelling.lower()
        if word not in self._known:
            return
        if word in exact:
            known = self._known[word]
            if spelling == word and known is not None and not np.array_equal(vector, known):
                what = "is the second of this word, with other numbers"
                raise damaged_number(self._layout.path, line or None, word[:40], what)
            return
        if spelling == word:
            exact.add(word)
        elif self._known[word] is not None:
            return
        self._known[word] = vector


def stacked(vectors: Sequence[NDArray[np.float32] | None], size: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """A matrix of the vectors, 0 where there is none, and where there is one. Shapes: (W, D), (W,)."""
    known = np.array([vector is not None for vector in vectors], dtype=bool)
    matrix = np.zeros((len(vectors), size), dtype=np.float32)
    if known.any():
        matrix[known] = np.stack([vector for vector in vectors if vector is not None])
    return matrix, known


def _index(layout: Layout) -> tuple[NDArray[np.uint32], NDArray[np.uint64], NDArray[np.uint32]]:
    _log.info("reading the words of %s", layout.path)
    hashes, offsets, lines = array("I"), array("Q"), array("I")
    with opened(layout.path, layout.compressed) as stream:
        words = entries(layout, stream)
        for offset, line, word in progress(words, desc=f"words of {layout.path.name}", total=layout.count, unit="word"):
            hashes.append(_hash(word.decode("utf-8", "replace").lower()))
            offsets.append(offset)
            lines.append(line or 0)
    keys = np.array(hashes, dtype=np.uint32)
    order = np.argsort(keys, kind="stable")
    return keys[order], np.array(offsets, dtype=np.uint64)[order], np.array(lines, dtype=np.uint32)[order]


def _hash(word: str) -> int:
    return zlib.crc32(word.encode("utf-8"))
