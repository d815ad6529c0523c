"""The one border out: every file and folder that is kept is written here, whole or not at all.

A file is written under a temporary name and renamed, several of one run after all are on the disk; a folder is
exchanged with the old one in one step. The temporary name is always the same, `.NAME.textsimp-tmp` beside the output,
and `.NAME.textsimp-lock` is locked meanwhile: a second writer is refused, and what a killed one left is removed by the
next. Devices, pipes and `-` (standard output) are written into; a link stays, and the file that it points at is
replaced.
"""

import contextlib
import ctypes
import fcntl
import hashlib
import io
import json
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, BinaryIO

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import STANDARD_INPUT, opened, system_fault

STANDARD_OUTPUT = STANDARD_INPUT
# endings of the hidden names `.NAME.ENDING` that a killed run may leave until the next one writes NAME; nobody else
# gives such names, so that what has one may be removed
STALE = _TMP, _OLD, _LOCK = "textsimp-tmp", "textsimp-old", "textsimp-lock"
_PARTIAL = "partial"  # the ending of `partial_place`
_REMEDY = "give another output"
# a name of a file may have bytes that are no text, and stands in a report
_FORM: dict[str, Any] = {"encoding": "utf-8", "errors": "backslashreplace", "newline": "\n"}
# RENAME_EXCHANGE of renameat2(2), and AT_FDCWD: paths are relative to the current folder
_EXCHANGE, _HERE = 2, -100
_NAME_LIMIT = 200  # bytes of a name that still has room for what is put before and behind it
_held: set[Path] = set()  # the locks of this process


@contextlib.contextmanager
def atomic_write(path: str | Path) -> Iterator[IO[str]]:
    """Yield a text file (UTF-8, LF) that takes its name only when the block ends without an error."""
    with atomic_writes(path) as (file,):
        yield file


@contextlib.contextmanager
def atomic_writes(*paths: str | Path) -> Iterator[list[IO[str]]]:
    """Yield text files (UTF-8, LF) that take their names together, when the block ends without an error.

    None is renamed before all are whole and on the disk: one that fills up leaves all the old ones.
    """
    with _faults(paths[0]), contextlib.ExitStack() as stack:
        files, named = [], []
        for path in paths:
            with _faults(path):
                if str(path) == str(STANDARD_OUTPUT):
                    files.append(stack.enter_context(_on_standard_output()))
                elif is_stream(path):
                    files.append(stack.enter_context(open(path, "w", **_FORM)))
                else:
                    target = _target(path)
                    temporary = stack.enter_context(_temporary(target))
                    files.append(stack.enter_context(open(temporary, "x", **_FORM)))
                    named.append((path, files[-1], temporary, target))
        yield files
        for path, file in zip(paths, files, strict=True):
            with _faults(path):
                file.flush()
        for path, file, _, target in named:
            with _faults(path):
                os.fsync(file.fileno())
                if target.exists():
                    os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
        for path, _, temporary, target in named:
            with _faults(path):
                os.replace(temporary, target)


@contextlib.contextmanager
def growing_file(path: Path, first: str) -> Iterator[tuple[list[str], Callable[[str], None]]]:
    """Yield the lines that earlier runs left in a file, and a function that adds one; remove the file at the end.

    Where the block fails or the process is killed, the file stays with its whole lines, if there are any. A file that
    does not begin with the line `first`, a JSON object, but with its first key, is emptied. `InputError` where another
    run has the file, or something else has its name, which is left as it is.
    """
    with _faults(path):
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise _in_the_way(path)
        with _locked(_target(path)), open(path, "a+b") as file:
            lines, is_done = _grown(file, path, first), False

            def add(line: str) -> None:
                file.write(line.encode("utf-8", "backslashreplace"))
                file.flush()

            try:
                yield lines, add
                is_done = True
            finally:
                if is_done or os.fstat(file.fileno()).st_size <= len(first.encode()) + 1:
                    path.unlink(missing_ok=True)


def _grown(file: BinaryIO, path: Path, first: str) -> list[str]:
    """Return the whole lines of a growing file behind its first one; cut off what follows them."""
    file.seek(0)
    data, head = file.read(), f"{first}\n".encode()
    if data.startswith(head):
        whole = data[: data.rindex(b"\n") + 1]
        file.truncate(len(whole))
        return whole[len(head) :].decode("utf-8", "replace").split("\n")[:-1]
    if not data.startswith(head.partition(b":")[0]) and not head.startswith(data):
        raise _in_the_way(path)
    file.truncate(0)
    file.write(head)
    file.flush()
    return []


def _in_the_way(path: Path) -> InputError:
    return bad_input(path, None, "is in the way, and no run wrote it", "move it elsewhere, or give another output")


@contextlib.contextmanager
def atomic_file(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path at which a library writes a file that takes its name as by `atomic_write`."""
    with _faults(path):
        target = _target(path)
        with _temporary(target) as temporary:
            yield temporary
            os.replace(temporary, target)


@contextlib.contextmanager
def atomic_folder(path: str | Path, mark: str) -> Iterator[Path]:
    """Yield a temporary folder that replaces `path` only when the block ends without an error.

    `mark` is the name (or pattern) of a file that every folder of this kind has: `InputError` where there is a folder
    with other things and not this one, which we did not write, where another run writes it, or the system refuses.
    """
    with _faults(path):
        target = _target(path, is_folder=True)
        check_is_ours(path, mark)
        with _temporary(target) as temporary:
            temporary.mkdir()
            yield temporary
            if target.is_dir():
                exchange(temporary, target)
            else:
                os.replace(temporary, target)


def write_texts(folder: Path, texts: Iterable[tuple[str, str]]) -> None:
    """Write text files (UTF-8, LF) by name into a folder of `atomic_folder`, which is kept as a whole.

    No file of it needs a lock and a wait for the disk of its own, so that thousands take seconds.
    """
    for name, text in texts:
        (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


def check_is_ours(folder: str | Path, *marks: str) -> None:
    """`InputError` where a folder holds things, and none of the files that say that we wrote it."""
    folder = Path(folder)
    if folder.is_dir() and any(folder.iterdir()) and not any(any(folder.glob(mark)) for mark in marks):
        what = f"holds other things (there is no {' or '.join(marks)})"
        raise bad_input(folder, None, what, "give a new or empty folder")


def partial_place(path: str | Path) -> Path:
    """Return where unfinished work on `path` waits for a restart: the hidden folder or file `.NAME.partial` beside it.

    DVC deletes a stage's outputs before it runs the stage, so that the work cannot wait in the output itself.
    """
    return _beside(Path(path), _PARTIAL)


@contextlib.contextmanager
def work_folder(folder: Path, work: str, mark: str) -> Iterator[None]:
    """Keep a folder in which work goes on over several runs from other runs while the block runs.

    The folder `work` in it, which is made, says that the work is ours, and so does the file `mark` when it is finished.
    `InputError` where the folder holds other things, another run is at work on it, or the system refuses.
    """
    with _faults(folder):
        target = _target(folder, is_folder=True)
        with _locked(target, once=True):
            if (target / work).is_symlink():
                raise bad_input(target / work, None, "is a link, which no run makes", "remove it")
            if not (target.name.startswith(".") and target.suffix == f".{_PARTIAL}"):  # that name is ours alone
                check_is_ours(folder, work, mark)
            (target / work).mkdir(parents=True, exist_ok=True)
            yield


def clear_stale(folder: Path) -> None:
    """Remove what killed runs left unfinished in a folder of our own, and put back what they were exchanging."""
    for path in list(folder.iterdir()):
        if path.name.startswith(".") and path.name.endswith(STALE):
            with contextlib.suppress(InputError), _locked(path.with_name(path.stem[1:])):
                pass  # what is locked is cleared


@contextlib.contextmanager
def claimed(files: Sequence[Path], folders: Sequence[Path] = (), inputs: Iterable[Path] = ()) -> Iterator[None]:
    """Check files and folders that a command will write before it works, and keep them from other runs while it does.

    `InputError`, before anything is changed, where an output is an input, lies in an input folder or holds it, is given
    twice, cannot be written, or another run is at work on it.
    """
    named = [*files, *folders]
    given = [path for path in inputs if str(path) != str(STANDARD_INPUT)]
    with contextlib.ExitStack() as stack:
        for number, path in enumerate(named):
            is_folder = number >= len(files)
            with _faults(path):
                if is_stream(path) and not is_folder:
                    continue
                _check_apart(path, given, named[:number])
                target = _target(path, is_folder, make_parents=False)
                for parent in reversed([folder for folder in target.parents if not folder.exists()]):
                    parent.mkdir(exist_ok=True)
                    stack.callback(_remove_empty, parent)
                stack.enter_context(_locked(target, once=True))
        yield


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


def is_stream(path: str | Path) -> bool:
    """Tell whether a path is standard output, a character device, a pipe or a socket: written into, never replaced.

    A file is none, wherever it lies and whatever its name is: /dev/shm holds files, and /dev/stdout may be one.
    """
    if str(path) == str(STANDARD_OUTPUT):
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def exchange(first: Path, second: Path) -> None:
    """Exchange two folders' names in one step; where the system cannot, in two, after which `_clear` may have to help.

    In any case the second has the name of the first, or none, when it is done.
    """
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if sys.platform == "linux" else None
    if rename is None or rename(_HERE, os.fsencode(first), _HERE, os.fsencode(second), _EXCHANGE):
        old = _beside(second, _OLD)
        os.replace(second, old)
        os.replace(first, second)
        remove(old)


def copy_file(source: Path, target: Path) -> None:
    """Copy the bytes of a file that was read from outside, whole or not at all."""
    with opened(source) as file, atomic_file(target) as temporary, open(temporary, "wb") as copy:
        shutil.copyfileobj(file, copy)


def remove(path: Path, *first: str) -> None:
    """Remove a file, a link or a folder with all that it holds; nothing where there is none.

    Files that fit the patterns `first` go first, in this order: they say that work is finished, and what a kill leaves
    of a folder is to say of nothing that it is there.
    """
    if path.is_dir() and not path.is_symlink():
        for pattern in first:
            for mark in sorted(path.rglob(pattern)):
                mark.unlink()
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def _on_standard_output() -> Iterator[IO[str]]:
    sys.stdout.flush()
    file = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n")
    try:
        yield file
        file.flush()
    finally:
        file.detach()


@contextlib.contextmanager
def _faults(path: str | Path) -> Iterator[None]:
    """Raise what the system says while `path` is written as an `InputError`."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        is_other = isinstance(error, FileNotFoundError | IsADirectoryError) and error.filename
        if is_other and not _is_on_the_way(Path(error.filename), Path(os.path.realpath(path))):
            raise system_fault(error.filename, error, _REMEDY) from None
        raise system_fault(path, error, _REMEDY) from None


def _is_on_the_way(path: Path, target: Path) -> bool:
    """Tell whether a path is a folder above the target, or a hidden name of ours beside it: the user named neither."""
    return path in target.parents or path in (_beside(target, ending) for ending in STALE)


def _target(path: str | Path, is_folder: bool = False, make_parents: bool = True) -> Path:
    """Return where the bytes go: links followed, folders made; `InputError` where the place is of another kind."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise bad_input(path, None, "its links point at each other", _REMEDY)
    if is_folder and (is_stream(path) or (target.exists() and not target.is_dir())):
        raise bad_input(path, None, "is a file or a stream, not a folder", "give a folder")
    if not is_folder and target.is_dir():
        raise bad_input(path, None, "is a folder, not a file", "give a file in it")
    if not is_folder and target.exists() and not target.is_file():
        raise bad_input(path, None, "is a device or a pipe, not a file", "give a file")
    if is_folder and Path.cwd().is_relative_to(target):
        raise bad_input(path, None, "is the current folder, or holds it", "give another folder")
    if make_parents:
        target.parent.mkdir(parents=True, exist_ok=True)
    return target


def _beside(path: Path, ending: str) -> Path:
    """A hidden name beside a path; of a name that is too long its beginning and a digest."""
    name = path.name
    if len(os.fsencode(name)) > _NAME_LIMIT:
        name = f"{name[:40]}.{hashlib.sha256(os.fsencode(name)).hexdigest()[:16]}"
    return path.with_name(f".{name}.{ending}")


@contextlib.contextmanager
def _temporary(target: Path) -> Iterator[Path]:
    """Lock a target, and yield the free name under which it is written; what has that name at the end is removed."""
    path = _beside(target, _TMP)
    with _locked(target):
        try:
            yield path
        finally:
            remove(path)


@contextlib.contextmanager
def _locked(target: Path, once: bool = False) -> Iterator[None]:
    """Keep a target from other processes, and clear what a killed one left; `InputError` where it is held.

    This process may hold it already, as a command that has claimed it does, but not with `once`.
    """
    path = _beside(target, _LOCK)
    if path in _held and not once:
        yield
        return
    with open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666), "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_ours = os.fstat(file.fileno()).st_nlink > 0  # else its last owner has just removed it
        except BlockingIOError:
            is_ours = False
        except OSError:  # a file system without locks
            is_ours = True
        if not is_ours:
            raise bad_input(target, None, "another run is at work on it", "wait for its end, or give another output")
        _held.add(path)
        try:
            _clear(target)
            yield
        finally:
            _held.discard(path)
            path.unlink(missing_ok=True)


def _clear(target: Path) -> None:
    """Put back or remove what a killed run left beside an output."""
    old = _beside(target, _OLD)
    if old.exists() and not target.exists():
        os.replace(old, target)
    for path in (old, _beside(target, _TMP)):
        remove(path)


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def _check_apart(output: Path, inputs: Sequence[Path], outputs: Sequence[Path]) -> None:
    """`InputError` where writing an output would change an input, or another output."""
    target = Path(os.path.realpath(output))
    is_there = target.exists()
    for path in inputs:
        with _faults(path):
            source = Path(os.path.realpath(path))
            if source == target or (is_there and source.exists() and source.samefile(target)):
                raise bad_input(output, None, "is an input of this command too", _REMEDY)
            if source.is_relative_to(target):
                raise bad_input(output, None, f"holds the input {path}", _REMEDY)
            if target.is_relative_to(source) and source.is_dir():
                raise bad_input(output, None, f"lies in the input folder {path}", _REMEDY)
    for path in outputs:
        taken = Path(os.path.realpath(path))
        if target == taken:
            raise InputError(f"{output}: two outputs of this command would meet here; give one of them another place")


def user_cache(name: str) -> Path:
    """Return the place of a file or folder in the user's cache for this package."""
    from pooch import os_cache

    return Path(os_cache("textsimp")) / name
