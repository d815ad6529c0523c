"""Text on disk: lines, line-aligned files, atomic writes, digests.

Every file of the project is written whole under a temporary name and then renamed, so that a full disk or a
kill in mid-write leaves the previous file intact.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from textsimp.core.errors import bad_input

_NO_SENTENCE = re.compile(r"\S{0,60}")


def quoted(value: str) -> str:
    """A value of a file as an error line may show it: whole where it can be no sentence, else by its length.

    A damaged file has sentences where a label or a number belongs; licensed ones are not to reach a terminal or a log.
    """
    return repr(value) if _NO_SENTENCE.fullmatch(value) else f"a text of {len(value)} characters"


@contextlib.contextmanager
def atomic_write(path: str | Path) -> Iterator[IO[str]]:
    """A text file (UTF-8, LF) that takes its name only when the block ends without an error."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def atomic_folder(path: str | Path) -> Iterator[Path]:
    """A folder that replaces `path` only when the block ends without an error; yields the temporary one."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        yield temporary
        os.chmod(temporary, 0o755)
        if path.exists():
            shutil.rmtree(path)
        os.replace(temporary, path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def partial_folder(path: str | Path) -> Path:
    """Where the unfinished work on `path` waits for a restart: the hidden folder `.NAME.partial` beside it.

    DVC deletes a stage's outputs before it runs the stage, so that the work cannot wait in the output itself.
    """
    path = Path(path)
    return path.with_name(f".{path.name}.partial")


def write_lines(path: str | Path, lines: Iterable[str]) -> None:
    """Write one line each, atomically. Raises ValueError for a line that holds a line break."""
    with atomic_write(path) as file:
        for number, line in enumerate(lines, 1):
            if "\n" in line or "\r" in line:
                raise ValueError(f"line {number} of {path} would hold a line break")
            file.write(line + "\n")


def write_json(path: str | Path, value: Any, sort_keys: bool = True) -> None:
    """Write JSON with two spaces of indent, atomically."""
    with atomic_write(path) as file:
        json.dump(value, file, ensure_ascii=False, indent=2, sort_keys=sort_keys)
        file.write("\n")


def read_json(path: str | Path) -> Any:
    """Read a JSON file; `InputError` names the file and line where it is none."""
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise bad_input(path, error.lineno, f"not JSON ({error.msg})", "restore or rewrite the file") from None


def read_text(path: str | Path) -> str:
    """A whole UTF-8 file without byte-order mark; `InputError` where it is absent, not UTF-8, or holds NUL."""
    try:
        data = Path(path).read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        raise bad_input(path, None, "no such file", "check the path") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, what = data.count(b"\n", 0, error.start) + 1, f"byte {data[error.start]:#04x} is not UTF-8"
        raise bad_input(path, line, what, "convert the file to UTF-8") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise bad_input(path, line, "holds a NUL byte", "the file is damaged or not text; fetch it again")
    return text


def read_lines(path: str | Path) -> list[str]:
    """The lines of a UTF-8 file without their ends (LF or CRLF); other Unicode breaks stay inside a line."""
    text = read_text(path).replace("\r\n", "\n")
    return text.removesuffix("\n").split("\n") if text else []


def read_aligned(paths: Sequence[str | Path]) -> list[tuple[str, ...]]:
    """Line-aligned files as tuples of lines; `InputError` names the files and counts where they differ."""
    columns = [read_lines(path) for path in paths]
    for path, column in zip(paths, columns, strict=True):
        if len(column) != len(columns[0]):
            what = f"{len(column)} lines where {paths[0]} has {len(columns[0])}"
            first = min(len(column), len(columns[0])) + 1
            raise bad_input(path, first, what, "line-aligned files need the same number of lines")
    return list(zip(*columns, strict=True))


def sha256(path: str | Path) -> str:
    """Hexadecimal SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def git_blob_id(path: str | Path) -> str:
    """The id that Git gives a file's content: SHA-1 over `blob SIZE\\0` and the bytes."""
    state = hashlib.sha1(b"blob %d\0" % Path(path).stat().st_size, usedforsecurity=False)
    with open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: state).hexdigest()
