"""The one border in: every file that comes from outside is opened, decoded and parsed here.

Whatever the system, the encoding or the form of a file gets wrong becomes an `InputError` of one line, with the file,
the line where there is one, what is wrong and what to do. Sizes and depths are bounded: a file that would not end
(a device), or a line that no text has, is refused and not read until memory is full.
"""

import contextlib
import csv
import errno
import hashlib
import io
import json
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from textsimp.core.errors import InputError, bad_input
from textsimp.core.text_form import line_as_read, text_as_read

STANDARD_INPUT = Path("-")  # can be read once
# bytes of a file that is read whole, and of a line; characters in a cell of a table
_FILE_LIMIT, _LINE_LIMIT, _CELL_LIMIT = 1 << 31, 1 << 26, 1 << 24
_BLOCK = 1024  # lines of aligned files that are checked together
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_NO_SENTENCE = re.compile(r"\S{0,60}")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_REMEDIES = {
    **dict.fromkeys((errno.EACCES, errno.EPERM), "change its permissions, or give another path"),
    errno.EISDIR: "give a file",
    errno.ENOTDIR: "a part of the path is a file; check the path",
    errno.ELOOP: "its links point at each other; mend them",
    errno.ENAMETOOLONG: "give a shorter path",
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "free some space, or give another path"),
    errno.EROFS: "give a path on another disk",
    errno.EMFILE: "allow more open files (ulimit -n)",
}


def quoted(value: str) -> str:
    """Return a value of a file as an error line may show it: whole where it can be no sentence, else by its length.

    A damaged file has sentences where a label or a number belongs; licensed ones are not to reach a terminal or a log.
    """
    return repr(value) if _NO_SENTENCE.fullmatch(value) else f"a text of {len(value)} characters"


def system_fault(path: str | Path, error: OSError, remedy: str = "check the path") -> InputError:
    """Return the error for what the operating system said of a path; `remedy` where its kind suggests none."""
    if isinstance(error, FileNotFoundError):
        return bad_input(path, None, "no such file", remedy)
    if isinstance(error, IsADirectoryError):
        return bad_input(path, None, "is a folder, not a file", _REMEDIES[errno.EISDIR])
    what = (error.strerror or str(error) or type(error).__name__).split("\n")[0]
    return bad_input(path, None, what[:1].lower() + what[1:], _REMEDIES.get(error.errno or 0, remedy))


@contextlib.contextmanager
def opened(path: str | Path, remedy: str = "check the path") -> Iterator[BinaryIO]:
    """Open a file for reading bytes, `-` for standard input; raise `InputError` for what the system refuses."""
    try:
        if str(path) == str(STANDARD_INPUT):
            if sys.stdin is None:
                raise bad_input(path, None, "standard input is closed", "open it, or name a file")
            yield sys.stdin.buffer
            return
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            # it would never end, unless it is a terminal or the empty one
            if stat.S_ISCHR(status.st_mode) and not file.isatty() and status.st_rdev != os.stat(os.devnull).st_rdev:
                raise bad_input(path, None, "is a device, not a file", _REMEDIES[errno.EISDIR])
            yield file
    except OSError as error:
        if error.errno is None:  # a decompressor's, about the content
            raise
        raise system_fault(path, error, remedy) from None
    except ValueError as error:
        if "null" in str(error):  # in the path
            raise bad_input(repr(str(path)), None, "no such file", remedy) from None
        raise


def read_bytes(path: str | Path, remedy: str = "check the path") -> bytes:
    """Read a whole file; raise `InputError` where it cannot be read or has more than 2 GiB."""
    with opened(path, remedy) as file:
        data = file.read(_FILE_LIMIT + 1)
    if len(data) > _FILE_LIMIT:
        raise bad_input(path, None, f"more than {_FILE_LIMIT >> 20} MiB", "cut the file into smaller ones")
    return data


def read_text(path: str | Path, remedy: str = "check the path") -> str:
    """Read a UTF-8 file without byte-order mark; raise `InputError` where it is absent, not UTF-8, or holds NUL."""
    return decoded(read_bytes(path, remedy), path, 1)


def decoded(data: bytes, path: str | Path, line: int) -> str:
    """Decode UTF-8 that begins with a file's line `line`, from 1; raise `InputError` with the line that is damaged."""
    if line == 1:
        data = data.removeprefix(_BYTE_ORDER_MARK)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        number, what = line + data.count(b"\n", 0, error.start), f"byte {data[error.start]:#04x} is not UTF-8"
        raise bad_input(path, number, what, "convert the file to UTF-8") from None
    if "\0" in text:
        number = line + text.count("\n", 0, text.index("\0"))
        raise bad_input(path, number, "holds a NUL byte", "the file is damaged or not text; fetch it again")
    return text


def iterate_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of `read_lines`; memory holds one of them."""
    return map(_without_end, _iterate_ended(path))


def _without_end(line: str) -> str:
    return line[:-2] if line.endswith("\r\n") else line.removesuffix("\n")


def _iterate_ended(path: str | Path) -> Iterator[str]:
    """Yield the lines with their ends."""
    with opened(path) as file:
        for number, line in enumerate(iterate_bytes(file, path), 1):
            yield decoded(line, path, number)


def read_prose(path: str | Path) -> str:
    """Return the running text of a file as people give it: with Unix line ends, in the form of `text_form`."""
    return text_as_read(read_text(path)).replace("\r\n", "\n")


def iterate_sentences(path: str | Path) -> Iterator[str]:
    """Yield the lines of a file with a sentence on each, in the form of `text_form`; memory holds one."""
    lines = _iterate_ended(path)
    first = list(islice(lines, 2))
    if len(first) == 1:  # its lines may have other ends
        yield from lines_of(text_as_read(first[0]))
        return
    for line in chain(first, lines):
        yield line_as_read(_without_end(line))


def read_sentences(path: str | Path) -> list[str]:
    """Return the lines of `iterate_sentences`."""
    return list(iterate_sentences(path))


def iterate_bytes(file: IO[bytes], path: str | Path) -> Iterator[bytes]:
    """Yield the lines of an open file with their ends; raise `InputError` for one of more than 64 MiB."""
    number = 0
    while line := file.readline(_LINE_LIMIT + 1):
        number += 1
        if len(line) > _LINE_LIMIT:
            raise bad_input(path, number, f"a line of more than {_LINE_LIMIT >> 20} MiB", "break it into lines")
        yield line


def read_lines(path: str | Path, remedy: str = "check the path") -> list[str]:
    """Read the lines of a UTF-8 file without their ends (LF or CRLF); other Unicode breaks stay inside a line."""
    return lines_of(read_text(path, remedy))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, as `read_lines`."""
    text = _with_line_ends(text.replace("\r\n", "\n"))
    return text.removesuffix("\n").split("\n") if text else []


def _with_line_ends(text: str) -> str:
    """Return a text whose lines end with CR alone, as on old Macs, with LF."""
    return text if "\n" in text.rstrip("\r\n") else text.replace("\r\n", "\n").replace("\r", "\n")


def read_aligned(paths: Sequence[str | Path]) -> list[tuple[str, ...]]:
    """Read line-aligned files as tuples of lines; raise `InputError` with both files and counts where they differ."""
    return list(iterate_aligned(paths))


def iterate_aligned(paths: Sequence[str | Path]) -> Iterator[tuple[str, ...]]:
    """Yield the tuples of `read_aligned`; memory holds a block of them."""
    rows = zip_longest(*map(iterate_sentences, paths))
    number = 0
    while block := list(islice(rows, _BLOCK)):
        if None in block[-1]:
            raise _unaligned(paths, number, chain(block, rows))
        number += len(block)
        yield from block


def _unaligned(paths: Sequence[str | Path], number: int, rest: Iterable[tuple[str | None, ...]]) -> InputError:
    """Return the error for files of which one ends among the rows after row `number`."""
    counts = [number] * len(paths)
    for row in rest:
        counts = [count + (line is not None) for count, line in zip(counts, row, strict=True)]
    odd = next(index for index, count in enumerate(counts) if count != counts[0])
    what = f"{counts[odd]} lines where {paths[0]} has {counts[0]}"
    first = min(counts[odd], counts[0]) + 1
    return bad_input(paths[odd], first, what, "line-aligned files need the same number of lines")


def read_json(path: str | Path, remedy: str = "restore or rewrite the file") -> Any:
    """Read a JSON file; raise `InputError` with the line where it is none."""
    return parse_json(read_text(path), path, None, remedy)


def is_written(path: str | Path, value: Any) -> bool:
    """Tell whether a file holds a value as JSON; one that is absent or damaged does not."""
    if not Path(path).is_file():
        return False
    try:
        return bool(read_json(path) == json.loads(json.dumps(value)))
    except InputError:
        return False


def read_json_lines(path: str | Path, remedy: str = "write one JSON object a line") -> Iterator[tuple[int, Any]]:
    """Yield the values of a JSON Lines file with their line numbers, from 1; blank lines are left out."""
    for number, line in enumerate(iterate_lines(path), 1):
        if line.strip():
            yield number, parse_json(line, path, number, remedy)


def parse_json(text: str, path: str | Path, line: int | None, remedy: str = "restore or rewrite the file") -> Any:
    """Parse JSON; raise `InputError` where it is none.

    Refused beside what is no JSON: a key that stands twice in an object, half a character (a lone surrogate), numbers
    that are not finite or have thousands of digits, and brackets nested deeper than Python's stack. `line` is None
    where the text is a whole file.
    """
    at: int | None
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_float=_finite)
        if _ESCAPED_SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except json.JSONDecodeError as error:
        at, what = line or error.lineno, f"not JSON ({error.msg})"
    except RecursionError:
        at, what = line, "JSON nested too deeply"
    except UnicodeEncodeError:
        at, what = line, "half a character (a lone surrogate)"
    except InputError as error:
        at, what = line, str(error)
    except ValueError:  # a whole number beyond Python's limit of digits
        at, what = line, "a number of thousands of digits"
    raise bad_input(path, at, what, remedy)


def json_decoder() -> json.JSONDecoder:
    """Return the decoder of `parse_json`, for a value that is read in pieces; it raises InputError and ValueError."""
    return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_finite)


def _object(items: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(items)
    if len(value) != len(items):
        names = [name for name, _ in items]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"key {quoted(twice)} stands twice in one object")
    return value


def _constant(name: str) -> float:
    raise InputError(f"{name} is no JSON number")


def _finite(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise InputError("a number too large for floating point")
    return value


def read_table(
    path: str | Path, delimiter: str = ",", strict: bool = False, remedy: str = "restore or rewrite the file"
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV or TSV file with the numbers of their last lines; `InputError` for a damaged one."""
    return parse_table(read_text(path), path, delimiter, strict, remedy)


def parse_table(
    text: str, path: str | Path, delimiter: str, strict: bool, remedy: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a text from `path`, as `read_table`."""
    csv.field_size_limit(_CELL_LIMIT)
    lines = io.StringIO(_with_line_ends(text), newline="\n")  # lines end there alone
    reader = csv.reader(lines, delimiter=delimiter, strict=strict)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise bad_input(path, reader.line_num, f"no table ({error})", remedy) from None


def read_records(
    path: str | Path, columns: Iterable[str] = (), delimiter: str = ",", remedy: str = "restore or rewrite the file"
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a table with a header, by column; raise `InputError` where a column or a cell lacks.

    A header without the delimiter, but with semicolons or tabs, says that these part the cells, as some spreadsheet
    programs write them.
    """
    text = read_text(path)
    head = text.partition("\n")[0]
    if delimiter not in head:
        delimiter = max(";\t", key=head.count)
    rows = parse_table(text, path, delimiter, True, remedy)
    _, header = next(rows, (1, []))
    if missing := [name for name in columns if name not in header]:
        raise bad_input(path, 1, f"no column {missing[0]!r}", remedy)
    if len(set(header)) < len(header):
        raise bad_input(path, 1, "two columns of one name", remedy)
    for number, row in rows:
        if not row:
            continue
        if len(row) != len(header):
            raise bad_input(path, number, f"{len(row)} cells where the header has {len(header)}", remedy)
        yield number, dict(zip(header, row, strict=True))


def folder_files(folder: str | Path, pattern: str = "*", remedy: str = "check the path") -> list[Path]:
    """Return the files of a folder whose names fit a pattern, sorted, without hidden ones; raise `InputError`."""
    folder = Path(folder)
    try:
        with contextlib.closing(folder.iterdir()) as items:
            names = sorted(item for item in items if item.match(pattern) and not item.name.startswith("."))
        return [item for item in names if item.is_file()]
    except NotADirectoryError:
        raise bad_input(folder, None, "is a file, not a folder", "give a folder") from None
    except FileNotFoundError:
        raise bad_input(folder, None, "no such folder", remedy) from None
    except OSError as error:
        raise system_fault(folder, error, remedy) from None


def files_below(folder: str | Path, pattern: str = "*", remedy: str = "check the path") -> list[Path]:
    """Return the files anywhere below a folder whose last names fit a pattern (`a/*.txt` fits two), sorted.

    Hidden ones are among them. Raise `InputError` where it is no folder, or one below it cannot be read.
    """

    def refuse(error: OSError) -> None:
        raise system_fault(error.filename or folder, error, remedy)

    if not Path(folder).is_dir():
        raise bad_input(folder, None, "no such folder", remedy)
    paths = (Path(parent, name) for parent, _, names in os.walk(folder, onerror=refuse) for name in names)
    return sorted(path for path in paths if path.match(pattern) and path.is_file())


def sha256(path: str | Path) -> str:
    """Return the hexadecimal SHA-256 of a file."""
    with opened(path) as file:
        return hashlib.file_digest(cast(io.BufferedReader, file), "sha256").hexdigest()


def git_blob_id(path: str | Path) -> str:
    """Return the id that Git gives a file's content: SHA-1 over `blob SIZE\\0` and the bytes."""
    with opened(path) as file:
        state = hashlib.sha1(b"blob %d\0" % Path(path).stat().st_size, usedforsecurity=False)
        return hashlib.file_digest(cast(io.BufferedReader, file), lambda: state).hexdigest()


def folder_digest(folder: Path, remedy: str = "check the path") -> str:
    """Return the SHA-256 of the names and contents of all files below a folder; raise `InputError` for none."""
    files = files_below(folder, remedy=remedy)
    if not files:
        raise bad_input(folder, None, "nothing in it", remedy)
    rows = [[path.relative_to(folder).as_posix(), sha256(path)] for path in files]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()
