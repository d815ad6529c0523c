"""A dump file as segments that can be read apart, in bounded memory (F1).

A multistream bzip2 file is a row of complete bzip2 streams; each begins at a byte with the same ten bytes, so that the
file can be entered there. A plain file can be entered anywhere. gzip and single-stream bzip2 have one segment: one
process reads them from end to end.
"""

import bz2
import hashlib
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from textsimp.errors import bad_input

CHUNK = 1 << 20
BZ2_SEGMENT = 16 << 20
PLAIN_SEGMENT = 64 << 20
_STREAM = re.compile(rb"BZh[1-9]1AY&SY")
_STREAM_LENGTH = 10
_TAIL = 64
_EMPTY_STREAM = re.compile(rb"BZh[1-9]\x17\x72\x45\x38\x50\x90")
_FETCH = "the file is cut or damaged; fetch it again"


@dataclass(frozen=True)
class Segment:
    """Bytes `start` to `end` of a file, read in the given `kind`: plain, gz or bz2."""

    path: Path
    kind: str
    start: int
    end: int


@dataclass(frozen=True)
class DumpFile:
    """A file with its digest and segments."""

    path: Path
    sha256: str
    size: int
    segments: tuple[Segment, ...]


def open_raw(path: Path) -> IO[bytes]:
    """A file for reading; `InputError` where it is absent, a folder, or not readable."""
    try:
        return path.open("rb")
    except OSError as error:
        raise bad_input(path, None, f"cannot be read ({error.strerror})", "check the path") from None


def inspect(path: Path, bz2_segment: int = BZ2_SEGMENT, plain_segment: int = PLAIN_SEGMENT) -> DumpFile:
    """Read a file once: its digest, and its segments, which depend on nothing but its bytes.

    Raises:
        InputError: the file cannot be read or is empty.
    """
    digest, starts, size, tail = hashlib.sha256(), [0], 0, b""
    with open_raw(path) as file:
        kind = _kind(file)
        while data := file.read(CHUNK):
            digest.update(data)
            if kind == "bz2":
                window = tail + data
                for match in _STREAM.finditer(window):
                    if (at := size - len(tail) + match.start()) >= starts[-1] + bz2_segment:
                        starts.append(at)
                # the last nine bytes may begin a stream that the next chunk ends
                tail = window[-(_STREAM_LENGTH - 1) :]
            size += len(data)
    if not size:
        raise bad_input(path, None, "is empty", "fetch it again")
    if kind == "plain":
        # the last segment holds the whole of the dump's last tag
        starts = list(range(0, max(1, size - _TAIL), plain_segment))
    ends = [*starts[1:], size]
    segments = tuple(Segment(path, kind, start, end) for start, end in zip(starts, ends, strict=True))
    return DumpFile(path, digest.hexdigest(), size, segments)


def read_segment(segment: Segment) -> Iterator[tuple[bytes, bool]]:
    """Uncompressed chunks from the segment's start to the end of the file, and whether each is inside the segment.

    The reader goes past the end as far as it needs to complete a page that began inside.

    Raises:
        InputError: the file is cut or damaged.
    """
    reader = {"plain": _plain, "gz": _gz, "bz2": _bz2}[segment.kind]
    with open_raw(segment.path) as file:
        file.seek(segment.start)
        try:
            yield from reader(file, segment)
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise bad_input(segment.path, None, f"does not decompress ({error})", _FETCH) from None


def read_lines(path: Path, limit: int = 256 << 20) -> Iterator[bytes]:
    """The lines of a plain, gz or bz2 file without line ends (LF or CRLF) and byte-order mark.

    Raises:
        InputError: the file is cut or damaged, or a line is longer than `limit`.
    """
    with open_raw(path) as file:
        kind = _kind(file)
    rest, first = [], True
    for data, _ in read_segment(Segment(path, kind, 0, 1 << 62)):
        if first:
            data, first = data.removeprefix(b"\xef\xbb\xbf"), False
        *lines, last = data.split(b"\n")
        for line in lines:
            yield (b"".join([*rest, line]) if rest else line).removesuffix(b"\r")
            rest = []
        rest.append(last)
        if sum(map(len, rest)) > limit:
            raise bad_input(path, None, f"has a line of more than {limit} bytes", _FETCH)
    if any(rest):
        yield b"".join(rest).removesuffix(b"\r")


def _kind(file: IO[bytes]) -> str:
    magic = file.read(_STREAM_LENGTH)
    file.seek(0)
    if magic.startswith(b"\x1f\x8b"):
        return "gz"
    return "bz2" if _STREAM.match(magic) or _EMPTY_STREAM.match(magic) else "plain"


def _plain(file: IO[bytes], segment: Segment) -> Iterator[tuple[bytes, bool]]:
    left = segment.end - segment.start
    while data := file.read(min(CHUNK, left) if left else CHUNK):
        yield data, left > 0
        left = max(0, left - len(data))


def _gz(file: IO[bytes], _segment: Segment) -> Iterator[tuple[bytes, bool]]:
    for data, _ in _streams(file, lambda: zlib.decompressobj(wbits=31), _inflate):
        yield data, True


def _bz2(file: IO[bytes], segment: Segment) -> Iterator[tuple[bytes, bool]]:
    for data, at in _streams(file, bz2.BZ2Decompressor, _unpack):
        yield data, segment.start + at < segment.end


def _inflate(machine: Any, data: bytes) -> Iterator[bytes]:
    while data and not machine.eof:
        yield machine.decompress(data, CHUNK)
        data = machine.unconsumed_tail


def _unpack(machine: bz2.BZ2Decompressor, data: bytes) -> Iterator[bytes]:
    yield machine.decompress(data, CHUNK)
    while not machine.eof and not machine.needs_input:
        yield machine.decompress(b"", CHUNK)


def _streams(
    file: IO[bytes], new: Callable[[], Any], expand: Callable[[Any, bytes], Iterator[bytes]]
) -> Iterator[tuple[bytes, int]]:
    """Uncompressed chunks of at most CHUNK bytes, and where in the file, from here, the stream of each begins."""
    machine, start, position = None, 0, 0
    while data := file.read(CHUNK):
        position += len(data)
        while data:
            if machine is None:
                machine, start = new(), position - len(data)
            for chunk in expand(machine, data):
                yield chunk, start
            data = machine.unused_data if machine.eof else b""
            machine = None if machine.eof else machine
    if machine is not None:
        raise EOFError("it ends inside a compressed stream")
