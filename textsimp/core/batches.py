"""Batches of texts for an encoder: of like length, as it pads all texts of a batch to the longest."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
_SPREAD = 1.5
_LEAST = 4


def length_batches(items: Sequence[T], size: int, length: Callable[[T], int]) -> Iterator[list[int]]:
    """Yield indexes of the items in batches of `size`, short ones first; ties keep their order."""
    return _batches(items, length, lambda count, *_: count == size)


def narrow_batches(items: Sequence[T], size: int, length: Callable[[T], int]) -> Iterator[list[int]]:
    """Yield the same of at most `size`, but end a batch before an item that is half as long again as its shortest.

    The sentences of a document fill less than one batch, half of which would be padding. Batches of less than
    `_LEAST` items are not worth their start.
    """

    def is_full(count: int, shortest: int, longest: int) -> bool:
        return count == size or (count >= _LEAST and longest > _SPREAD * shortest)

    return _batches(items, length, is_full)


def token_batches(items: Sequence[T], tokens: int, length: Callable[[T], int]) -> Iterator[list[int]]:
    """Yield the same of at most so many tokens, padding included, or of one item."""
    return _batches(items, length, lambda count, _, longest: longest * (count + 1) > tokens)


def _batches(
    items: Sequence[T], length: Callable[[T], int], is_full: Callable[[int, int, int], bool]
) -> Iterator[list[int]]:
    """Yield batches, each as soon as it is full: by its count, its shortest length, and that of the next item."""
    lengths = list(map(length, items))
    batch: list[int] = []
    for index in sorted(range(len(items)), key=lengths.__getitem__):
        if batch and is_full(len(batch), lengths[batch[0]], lengths[index]):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
