"""Shards: the input cut into lines of JSON Lines files, and a folder that remembers which of them are finished."""

import contextlib
import hashlib
import json
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import (
    decoded,
    files_below,
    folder_files,
    iterate_bytes,
    opened,
    parse_json,
    read_json,
    read_text,
)
from textsimp.core.records import DocumentPair, check_is_new, pair_from_json
from textsimp.core.writing import atomic_write, clear_stale, remove, work_folder, write_json

RECORD = "alignment.json"
"""Written when all shards are there: what was aligned by what, and the shards in the order of the input."""
_WORK, _PLAN, _FITTED = ".work", "plan.json", "fitted."
_NAME, _DIGEST = re.compile(r"[^/\0]+-(0\d{4}|[1-9]\d{4,8})\.jsonl"), re.compile("[0-9a-f]{64}")
"""Of a shard, in a plan: anything else was not written here, and names no file that may be removed."""
READY, SHARDS = "fitted.json", "*.jsonl"
"""What says that a fitted system is whole, and that a shard is finished."""

_log = logging.getLogger(__name__)


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

    def __str__(self) -> str:
        return f"{self.name} ({self.path}, from line {self.first_line})"

    def read(self) -> list[DocumentPair]:
        """Its document pairs; `InputError` where the file is no longer what it was."""
        with opened(self.path, "every worker reads this path; restore it") as file:
            file.seek(self.start)
            data = file.read(self.size)
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
        name = f"{path.stem}-{number:05d}.jsonl"  # as in _NAME
        bounds = (self.start, self.size, self.first_line, self.pairs)
        return Shard(name, str(path.resolve()), *bounds, self.state.hexdigest())


def input_files(documents: Path) -> list[Path]:
    """The file, or the files `*.jsonl` of the folder by name; `InputError` where there is none."""
    if not documents.is_dir():
        return [documents]
    files = folder_files(documents, "*.jsonl")
    if not files:
        raise bad_input(documents, None, "this folder has no *.jsonl", "give a folder of JSON Lines shards")
    return files


def cut(documents: Path | Sequence[Path], shard_size: int, is_bare: bool = False) -> list[Shard]:
    """All shards, in the order of the files and lines; every line is checked. Memory holds one line, and the ids.

    Args:
        documents: a JSON Lines file, a folder of them, or several files.
        shard_size: document pairs in a shard; a file's last shard may have fewer, and no shard spans two files.
        is_bare: see `Shard.is_bare`.

    Raises:
        InputError: no such file, or a line that is no document pair, with file and line.
    """
    given = [documents] if isinstance(documents, Path) else documents
    seen: dict[str, str] = {}
    shards = [shard for file in given for path in input_files(file) for shard in cut_file(path, shard_size, seen)]
    return [replace(shard, is_bare=is_bare) for shard in shards]


def cut_file(path: Path, shard_size: int, seen: dict[str, str]) -> Iterator[Shard]:
    """The shards of one file, none where it holds no document pairs; see `cut`.

    Args:
        seen: places of the ids of earlier files.
    """
    number, start = 0, 0
    lines = _Lines(0, 1)
    with opened(path, "give document pairs as JSON Lines") as file:
        for index, line in enumerate(iterate_bytes(file, path), 1):
            pair = parse_line(line, path, index)
            if pair is not None:
                check_is_new(pair, seen, path, index)
            lines.add(line, pair is not None)
            start += len(line)
            if lines.pairs == shard_size:
                yield lines.shard(path, number)
                number, lines = number + 1, _Lines(start, index + 1)
    if lines.pairs:
        yield lines.shard(path, number)


def parse_line(line: bytes, path: str | Path, number: int) -> DocumentPair | None:
    """The document pair of a line, None of a blank one; `InputError` names file and line."""
    text = decoded(line, path, number)
    if not text.strip():
        return None
    row = parse_json(text, path, number, "write one JSON object a line")
    try:
        return pair_from_json(row)
    except InputError as error:
        raise bad_input(path, number, str(error), "see docs/formats.md") from None


def spread(shards: Sequence[Shard], wanted: int) -> Iterator[DocumentPair]:
    """About evenly spread document pairs, `wanted` of them or all, in their order."""
    total = sum(shard.pairs for shard in shards)
    wanted = min(wanted, total)
    first = 0
    for shard in shards:
        chosen = [index for index in range(shard.pairs) if _is_chosen(first + index, wanted, total)]
        first += shard.pairs
        if chosen:
            pairs = shard.read()
            yield from (pairs[index] for index in chosen)


def _is_chosen(index: int, wanted: int, total: int) -> bool:
    return (index + 1) * wanted // total > index * wanted // total


def total_pairs(shards: Iterable[Shard]) -> int:
    """Document pairs of several shards."""
    return sum(shard.pairs for shard in shards)


def hidden_work(folder: Path) -> Path:
    """Where an output folder keeps what is not output."""
    return folder / _WORK


def discard_unbegun(folder: Path) -> None:
    """Remove what a run that aligned nothing left in an output folder, and the folder where nothing else is in it."""
    if not (folder / _WORK / _PLAN).is_file():
        remove(folder / _WORK)
        if folder.is_dir() and not files_below(folder):
            remove(folder)


class Ledger:
    """An output folder. A shard's file takes its name when it is complete, so that a file that is there is finished.

    Attributes:
        identity: JSON value that says by which system, settings and model.
        fitted: hidden folder for what the workers need, of this identity alone.
    """

    def __init__(self, folder: Path, identity: Any) -> None:
        self.folder, self._work, self.identity = folder, hidden_work(folder), identity
        digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
        self.fitted = self._work / f"{_FITTED}{digest[:16]}"

    @contextlib.contextmanager
    def claimed(self) -> Iterator[None]:
        """Keep other runs away from the folder; the claim ends with the process, however that ends.

        Bad input that shows before a shard is begun leaves the folder as it was.

        Raises:
            InputError: the folder holds other things, or another run is at work on it.
        """
        is_new = not self.folder.exists()
        with work_folder(self.folder, _WORK, RECORD):
            try:
                yield
            except InputError:
                if not (self._work / _PLAN).is_file():
                    remove(self.folder if is_new else self._work)
                raise

    def start(self, shards: Sequence[Shard]) -> list[Shard]:
        """Drop what other work left: everything if it had another identity, else shards of other input.

        Returns:
            The shards that are still to be aligned.
        """
        plan = self._work / _PLAN
        known = _plan(plan)
        new = {"identity": self.identity, "shards": {shard.name: shard.digest for shard in shards}}
        if known != new:
            remove(self.folder / RECORD)
            same = known["identity"] == self.identity
            if known["shards"] and not same:
                _log.warning("%s: the system, its settings or its model changed: all is made anew", self.folder)
            for name, digest in known["shards"].items():
                if (not same or new["shards"].get(name) != digest) and not (self.folder / name).is_dir():
                    remove(self.folder / name)
            write_json(plan, new)
        self._clean()
        return [shard for shard in shards if not self._is_finished(shard)]

    def _is_finished(self, shard: Shard) -> bool:
        """Whether a shard's file is there, and as long as its input: one that was cut later is made again."""
        path = self.folder / shard.name
        try:
            return path.is_file() and read_text(path).count("\n") == shard.pairs
        except InputError:
            return False

    def finish(self, shard: Shard, text: str) -> None:
        """Write a shard's lines, atomically."""
        with atomic_write(self.folder / shard.name) as file:
            file.write(text)

    def text(self, shard: Shard) -> str:
        """The lines of a finished shard."""
        return read_text(self.folder / shard.name)

    def close(self, shards: Sequence[Shard]) -> None:
        """Write the record that says the folder is complete."""
        rows = [{"file": shard.name, "from": Path(shard.path).name, "document_pairs": shard.pairs} for shard in shards]
        write_json(self.folder / RECORD, {"aligned_by": self.identity, "shards": rows})

    def _clean(self) -> None:
        for path in self._work.iterdir():
            if path.name.startswith(_FITTED) and path != self.fitted:
                remove(path, READY)
        clear_stale(self.folder)
        clear_stale(self._work)


def _plan(path: Path) -> dict[str, Any]:
    """What an earlier run wrote; nothing where it is damaged or another's, so that all is made anew."""
    nothing: dict[str, Any] = {"identity": None, "shards": {}}
    if not path.is_file():
        return nothing
    try:
        known = read_json(path)
    except InputError:
        return nothing
    shards = known.get("shards") if isinstance(known, dict) and known.keys() == nothing.keys() else None
    if not isinstance(shards, dict):
        return nothing
    names = all(_NAME.fullmatch(name) and Path(name).name == name for name in shards)
    return known if names and all(_DIGEST.fullmatch(str(digest)) for digest in shards.values()) else nothing
