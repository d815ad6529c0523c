"""The input cut into shards: some lines of a JSON Lines file each, found in one pass over the bytes (F2)."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from textsimp.errors import InputError, bad_input
from textsimp.records import DocumentPair, pair_from_json

_MARK = b"\xef\xbb\xbf"
"""A byte-order mark."""


@dataclass(frozen=True)
class Shard:
    """Document pairs that are aligned in one go: neighbouring lines of a file.

    The cut does not depend on who aligns: the last bits of an encoder's output depend on what else is in a batch.

    Attributes:
        name: of the file that is written.
        path: absolute, of the file that is read.
        start, size: its bytes.
        first_line: its first line in the file, from 1.
        pairs: how many document pairs it has.
        digest: SHA-256 of its bytes.
        is_bare: gold links of the file are not read.
    """

    name: str
    path: str
    start: int
    size: int
    first_line: int
    pairs: int
    digest: str
    is_bare: bool = False

    def read(self) -> list[DocumentPair]:
        """Its document pairs; `InputError` where the file is no longer what it was."""
        try:
            with open(self.path, "rb") as file:
                file.seek(self.start)
                data = file.read(self.size)
        except OSError as error:
            raise bad_input(self.path, None, str(error.strerror), "every worker reads this path; restore it") from None
        if hashlib.sha256(data).hexdigest() != self.digest:
            raise bad_input(self.path, None, "has changed since the work began", "run again")
        lines = enumerate(data.split(b"\n"), self.first_line)
        pairs = [pair for number, line in lines if (pair := parse_line(line, self.path, number)) is not None]
        return [replace(pair, alignments=None) for pair in pairs] if self.is_bare else pairs


class _Lines:
    """Lines that gather until they are a shard."""

    def __init__(self, start: int, first_line: int) -> None:
        self.start, self.first_line, self.size, self.pairs = start, first_line, 0, 0
        self.state = hashlib.sha256()

    def add(self, line: bytes, has_pair: bool) -> None:
        self.state.update(line)
        self.size += len(line)
        self.pairs += has_pair

    def shard(self, path: Path, number: int) -> Shard:
        name = f"{path.stem}-{number:05d}.jsonl"
        place = (self.start, self.size, self.first_line, self.pairs)
        return Shard(name, str(path.resolve()), *place, self.state.hexdigest())


def input_files(documents: Path) -> list[Path]:
    """The file, or the files `*.jsonl` of the folder by name; `InputError` where there is none."""
    if documents.is_file():
        return [documents]
    if not documents.is_dir():
        raise bad_input(documents, None, "no such file or folder", "give document pairs as JSON Lines")
    files = sorted(path for path in documents.glob("*.jsonl") if not path.name.startswith("."))
    if not files:
        raise bad_input(documents, None, "this folder has no *.jsonl", "give a folder of JSON Lines shards")
    return files


def cut(documents: Path, shard_size: int) -> list[Shard]:
    """All shards, in the order of the files and lines; every line is checked. Memory holds one line.

    Args:
        documents: a JSON Lines file or a folder of them.
        shard_size: document pairs in a shard; a file's last shard may have fewer, and no shard spans two files.

    Raises:
        InputError: no document pairs, or a line that is none, with file and line.
    """
    if shard_size < 1:
        raise InputError(f"--shard-size: {shard_size} document pairs are no shard; give 1 or more")
    shards = [shard for path in input_files(documents) for shard in cut_file(path, shard_size)]
    if not shards:
        raise bad_input(documents, None, "holds no document pairs", "see docs/formats.md")
    return shards


def cut_file(path: Path, shard_size: int) -> Iterator[Shard]:
    """The shards of one file, none where it holds no document pairs; see `cut`."""
    number, start = 0, 0
    lines = _Lines(0, 1)
    with path.open("rb") as file:
        for index, line in enumerate(file, 1):
            lines.add(line, parse_line(line, path, index) is not None)
            start += len(line)
            if lines.pairs == shard_size:
                yield lines.shard(path, number)
                number, lines = number + 1, _Lines(start, index + 1)
    if lines.pairs:
        yield lines.shard(path, number)


def parse_line(line: bytes, path: str | Path, number: int) -> DocumentPair | None:
    """The document pair of a line, None of a blank one; `InputError` names file and line."""
    try:
        text = line.removeprefix(_MARK if number == 1 else b"").decode("utf-8")
        if "\0" in text:
            raise InputError("holds a NUL byte")
        return pair_from_json(json.loads(text)) if text.strip() else None
    except UnicodeDecodeError as error:
        what = f"byte {line[error.start]:#04x} is not UTF-8"
        raise bad_input(path, number, what, "convert the file to UTF-8") from None
    except json.JSONDecodeError as error:
        raise bad_input(path, number, f"not JSON ({error.msg})", "write one JSON object a line") from None
    except InputError as error:
        raise bad_input(path, number, str(error), "see docs/formats.md") from None


def spread(shards: Sequence[Shard], wanted: int) -> Iterator[DocumentPair]:
    """About evenly spread document pairs, `wanted` of them or all, in their order."""
    total = sum(shard.pairs for shard in shards)
    wanted = min(wanted, total)
    first = 0
    for shard in shards:
        chosen = [place for place in range(shard.pairs) if _is_chosen(first + place, wanted, total)]
        first += shard.pairs
        if chosen:
            pairs = shard.read()
            yield from (pairs[place] for place in chosen)


def _is_chosen(index: int, wanted: int, total: int) -> bool:
    return (index + 1) * wanted // total > index * wanted // total


def total_pairs(shards: Iterable[Shard]) -> int:
    """Document pairs of several shards."""
    return sum(shard.pairs for shard in shards)
