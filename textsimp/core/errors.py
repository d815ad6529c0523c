"""The one error type for bad input, and how entry points report it."""

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec

P = ParamSpec("P")


class InputError(ValueError):
    """Something that the user gave is wrong; the text is one line that says what, where and what to do."""


def bad_input(path: str | Path, line: int | None, what: str, remedy: str) -> InputError:
    """An `InputError` that reads `FILE:LINE: what; remedy`; `line` is from 1, or None where the whole file is meant."""
    where = str(path) if line is None else f"{path}:{line}"
    return InputError(f"{where}: {what}; {remedy}")


def exit_on_bad_input(main: Callable[P, None]) -> Callable[P, None]:
    """Wrap an entry point: an `InputError` becomes one line on standard error and exit status 2."""

    @functools.wraps(main)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            main(*args, **kwargs)
        except InputError as error:
            print(f"error: {error}", file=sys.stderr)
            sys.exit(2)

    return wrapped
