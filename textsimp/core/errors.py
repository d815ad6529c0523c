"""The one error type for bad input, and how entry points end: each fault is one line, nobody sees a traceback."""

import errno
import functools
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import NoReturn, ParamSpec

P = ParamSpec("P")
_STDOUT = 1
BAD_INPUT, DEFECT, INTERRUPTED = 2, 70, 130
"""Exit statuses: something that the user gave is wrong; a defect of ours (EX_SOFTWARE); stopped by Ctrl-C."""
_TRACEBACK = "TEXTSIMP_TRACEBACK"  # environment variable: where it is set, a defect is shown with its traceback
_LONGEST = 1000  # characters of a message


class InputError(ValueError):
    """Something that the user gave is wrong; the text is one line that says what, where and what to do."""


def bad_input(path: str | Path, line: int | None, what: str, remedy: str) -> InputError:
    """Return the error `FILE:LINE: what; remedy`; `line` is from 1, or None where the whole file is meant."""
    where = str(path) if line is None else f"{path}:{line}"
    return InputError(f"{where}: {shortened(what)}; {remedy}")


def check_choice(what: str, value: object, known: Collection[object]) -> None:
    """Raise `InputError` where the value of an option, or of a key of the settings (with its colon), is unknown."""
    if value not in known:
        said = f"{what} {value!r}"
        raise InputError(none_of(f"{said}:" if what.startswith("--") else f"{said} is", known))


def none_of(what: str, known: Iterable[object]) -> str:
    """Say which values are known; `what`, of an unknown one, ends with a colon or a verb."""
    return f"{what} none of {', '.join(map(str, known))}"


def shortened(text: str) -> str:
    """Cut the middle out of a text that is too long for a message: a damaged file has names of any length."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST * 3 // 4]} ... {text[-_LONGEST // 4 :]}"


def exit_on_bad_input(main: Callable[P, None]) -> Callable[P, None]:
    """Wrap an entry point: whatever ends it early becomes one line on standard error and an exit status.

    Where the caller closed standard output, what is written to it fails; nothing else gets its number.

    Bad input and what the system refuses exit with 2, Ctrl-C with 130, a reader that went away (`| head`) with 141. A
    termination signal ends it as an error would, so that worker processes end and nothing half-written stays.
    """

    @functools.wraps(main)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, _terminated)
        is_closed = _occupy_standard_streams()
        try:
            main(*args, **kwargs)
            sys.stdout.flush()
        except InputError as error:
            _exit(BAD_INPUT, f"error: {one_line(error)}")
        except KeyboardInterrupt:
            _exit(INTERRUPTED, "stopped; nothing is half-written, and the same command goes on or begins again")
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # its last flush would fail again
            sys.exit(128 + signal.SIGPIPE)
        except MemoryError:
            _exit(BAD_INPUT, "error: not enough memory; give smaller files, or fewer workers")
        except OSError as error:
            if is_closed and error.errno == errno.EBADF:
                _exit(BAD_INPUT, "error: standard output is closed; open it, or name a file")
            where = f"{error.filename}: " if error.filename else ""
            _exit(
                BAD_INPUT, f"error: {where}{one_line(error.strerror or error)}; check the path, its disk and its rights"
            )
        except ModuleNotFoundError:
            raise  # the command says which extra is to be installed
        except ImportError as error:
            what = one_line(str(error).strip().split("\n")[-1])
            _exit(BAD_INPUT, f"error: a library cannot be loaded ({what}); allow more memory, or install it anew")
        except Exception as error:
            if os.environ.get(_TRACEBACK):
                raise
            frame = traceback.extract_tb(error.__traceback__)[-1]
            what = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {one_line(error)[:200]}"
            _exit(DEFECT, f"defect: {what}; please report it; {_TRACEBACK}=1 shows where it is from")
        finally:
            if is_closed:
                os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT)  # the last flush, when Python ends, may pass

    return wrapped


def _occupy_standard_streams() -> bool:
    """Put something that refuses to be written in the place of closed streams, so that no file is opened there.

    Return whether standard output was closed.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)
    is_closed = sys.stdout is None
    if is_closed:
        sys.stdout = os.fdopen(_STDOUT, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    return is_closed


def one_line(message: object) -> str:
    """Return a message without line breaks and other control characters, which come from a file's content."""
    text = shortened(str(message))
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _exit(status: int, line: str) -> NoReturn:
    print(line.encode("utf-8", "backslashreplace").decode("utf-8"), file=sys.stderr)
    sys.exit(status)


def _terminated(number: int, frame: object) -> NoReturn:
    sys.exit(128 + number)
