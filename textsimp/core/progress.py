"""Bars of progress: on standard error, on a terminal alone, of work that takes longer than a moment."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from tqdm import tqdm

T = TypeVar("T")
_DELAY = 1.0
"""Seconds of work before a bar is shown."""
_state = {"silent": False}


def silence(silent: bool) -> None:
    """Whether no bar is shown, as the user asked by `--quiet`."""
    _state["silent"] = silent


def progress(items: Iterable[T] = (), hidden: bool = False, **options: Any) -> "tqdm[T]":
    """A bar of tqdm, over items or moved on by `update`.

    Args:
        items: what it goes over; none for a bar that `update` moves on.
        hidden: whether no bar is shown.
        options: as `tqdm` takes them, such as `desc`, `total`, `initial` and `unit`.
    """
    from tqdm import tqdm

    return tqdm(items, disable=hidden or _state["silent"] or None, delay=_DELAY, dynamic_ncols=True, **options)
