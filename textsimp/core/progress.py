"""Progress of work that takes longer than a moment, on standard error: a bar on a terminal, else a line a minute."""

import logging
import sys
from collections.abc import Iterable, Sized
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from tqdm import tqdm

T = TypeVar("T")
_DELAY = 1.0  # seconds of work before a bar is shown
_MINUTE = 60.0  # seconds between two lines, and before the first, where standard error is no terminal
# a line of work of a known length, and of an unknown one
_LINE, _COUNT = "{desc}: {n_fmt} of {total_fmt} {unit}, {remaining} left", "{desc}: {n_fmt} {unit}"
_state = {"silent": False}


def silence(silent: bool) -> None:
    """Set whether nothing but errors is said, as the user asked by `--quiet`: no progress, no warnings."""
    _state["silent"] = silent
    logging.disable(logging.WARNING if silent else logging.NOTSET)


def is_silent() -> bool:
    """Tell whether nothing but errors is said."""
    return _state["silent"]


def progress(items: Iterable[T] = (), hidden: bool = False, **options: Any) -> "tqdm[T]":
    """Return a bar of tqdm, with its options, over items or moved on by `update`; if `hidden`, it shows nothing."""
    from tqdm import tqdm

    if not sys.stderr.isatty():
        total = options.get("total", len(items) if isinstance(items, Sized) else None)
        form = _LINE if total and options.get("desc") else _COUNT
        options |= {"file": _Lines(), "mininterval": _MINUTE, "delay": _MINUTE, "miniters": 1}
        options |= {"leave": False, "bar_format": form}
    given = {"delay": _DELAY, "dynamic_ncols": True, **options}
    return tqdm(items, disable=hidden or is_silent(), **given)


class _Lines:
    """Standard error for tqdm, which moves to the beginning of the line: each of its bars is a line of its own."""

    encoding = "utf-8"

    def write(self, text: str) -> None:
        if line := " ".join(text.split()):
            sys.stderr.write(f"{line}\n")

    def flush(self) -> None:
        sys.stderr.flush()
