"""Batches of texts for an encoder: of like length, as it pads all texts of a batch to the longest."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
_SPREAD = 1.5
_LEAST = 4


def length_batches(items: Sequence[T], size: int, length: Callable[[T], int]) -> Iterator[list[int]]:
    """Indexes of the items in batches of `size`, short ones first; ties keep their order."""
    order = _by_length(items, length)
    for start in range(0, len(order), size):
        yield order[start : start + size]


def narrow_batches(items: Sequence[T], size: int, length: Callable[[T], int]) -> Iterator[list[int]]:
    """The same of at most `size`, but a batch ends before an item that is half as long again as its shortest.

    The sentences of a document fill less than one batch, half of which would be padding. Batches of less than
    `_LEAST` items are not worth their start.
    """
    batch: list[int] = []
    for index in _by_length(items, length):
        is_long = bool(batch) and length(items[index]) > _SPREAD * length(items[batch[0]])
        if len(batch) == size or (is_long and len(batch) >= _LEAST):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _by_length(items: Sequence[T], length: Callable[[T], int]) -> list[int]:
    return sorted(range(len(items)), key=lambda index: length(items[index]))
