"""What kind of word vectors a file holds, from its first bytes and not from its name (F2)."""

import contextlib
import gzip
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from textsimp.errors import InputError, bad_input

GLOVE, WORD2VEC_TEXT, WORD2VEC_BINARY, FASTTEXT = "GloVe text", "word2vec text", "word2vec binary", "fastText binary"
"""The kinds. GloVe's text has no first line with counts; fastText's .vec is word2vec's text."""

FETCH_AGAIN = "the file is damaged; fetch it again"

_GZIP_MAGIC, _ZIP_MAGIC = b"\x1f\x8b", b"PK\x03\x04"
_FASTTEXT_MAGIC = (793712314).to_bytes(4, "little")
_SAMPLE = 1 << 18
"""Bytes to look at; a line of text vectors has to end in them."""
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
    try:
        with gzip.open(path, "rb") if compressed else open(path, "rb") as stream:
            yield stream
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise bad_input(path, None, f"no such file of word vectors ({error.strerror})", "check the path") from None
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
        count, size = map(int, fields)
        if not count or not size:
            raise bad_input(path, 1, f"promises {count} vectors of {size} numbers", FETCH_AGAIN)
        kind = WORD2VEC_TEXT if _is_text(rest, size) else WORD2VEC_BINARY
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
    """How many numbers end the first line; the word before them may look like a number too."""
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
