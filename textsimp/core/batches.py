"""Batches of texts for an encoder: of like length, as it pads all texts of a batch to the longest."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
_SPREAD = 1.5
_LEAST = 4


def length_batches(items: Sequence[T], size: int, length: Callable[[T], int]) -> Iterator[list[int]]:
    """Indexes of the items in batches of `size`, short ones first; ties keep their order."""
    return _batches(items, length, lambda batch, _: len(batch) == size)


def narrow_batches(items: Sequence[T], size: int, length: Callable[[T], int]) -> Iterator[list[int]]:
    """The same of at most `size`, but a batch ends before an item that is half as long again as its shortest.

    The sentences of a document fill less than one batch, half of which would be padding. Batches of less than
    `_LEAST` items are not worth their start.
    """

    def is_full(batch: list[int], longest: int) -> bool:
        return len(batch) == size or (len(batch) >= _LEAST and longest > _SPREAD * length(items[batch[0]]))

    return _batches(items, length, is_full)


def token_batches(items: Sequence[T], tokens: int, length: Callable[[T], int]) -> Iterator[list[int]]:
    """The same of at most so many tokens, padding included, or of one item."""
    return _batches(items, length, lambda batch, longest: longest * (len(batch) + 1) > tokens)


def _batches(
    items: Sequence[T], length: Callable[[T], int], is_full: Callable[[list[int], int], bool]
) -> Iterator[list[int]]:
    """Yield batches, each as soon as it is full for the next item, of which `is_full` gets the length."""
    lengths = list(map(length, items))
    batch: list[int] = []
    for index in sorted(range(len(items)), key=lengths.__getitem__):
        if batch and is_full(batch, lengths[index]):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
