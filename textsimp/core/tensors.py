"""A safetensors file, checked before a library maps it into memory: its header, its bounds and its numbers.

The format: 8 bytes with the length of the header (little-endian), the header (JSON: name, type, shape and place of each
tensor), the numbers. https://huggingface.co/docs/safetensors
"""

import math
import os
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import opened, parse_json

Shape = tuple[int, ...]
_HEADER_LIMIT = 100_000_000
"""Bytes; the library's own limit."""
_WIDTHS = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}
_FLOATS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
_LARGEST = 1e6
"""No weight, gradient or logarithm of ours or of a BERT comes near; products of larger ones overflow."""
_CHUNK = 1 << 24


class _Entry(NamedTuple):
    start: int
    end: int
    name: str
    kind: str
    shape: Shape


def check_tensors(path: str | Path, remedy: str = "train again") -> dict[str, Shape]:
    """The shapes of a file's tensors, by name.

    Raises:
        InputError: the file cannot be read, its header is no such header or does not fit the file's size, or a number
            is not finite or beyond any sense.
    """
    with opened(path, remedy) as file:
        try:
            entries, start = _entries(file)
            for entry in entries:
                file.seek(start + entry.start)
                _check_numbers(file, entry)
        except InputError as error:
            raise bad_input(path, None, f"no readable weights ({error})", remedy) from None
    return {entry.name: entry.shape for entry in entries}


def _entries(file: BinaryIO) -> tuple[list[_Entry], int]:
    """The tensors in the order of the file, and the offset of the first."""
    size = os.fstat(file.fileno()).st_size
    length = int.from_bytes(file.read(8), "little")
    if size < 8 or length > min(size - 8, _HEADER_LIMIT):
        raise InputError(f"a header of {length} bytes in a file of {size}")
    try:
        text = file.read(length).decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("the header is no text") from None
    header = parse_json(text, "header", None)
    if not isinstance(header, dict):
        raise InputError("the header is no object")
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise InputError("its metadata are no texts by name")
    entries = sorted(_entry(name, row) for name, row in header.items())
    ends = [(0, 0), *((entry.start, entry.end) for entry in entries), (size - 8 - length, 0)]
    if any(before[1] != after[0] for before, after in pairwise(ends)):
        raise InputError("the tensors overlap, leave gaps, or do not end where the file does")
    return entries, 8 + length


def _entry(name: str, row: Any) -> _Entry:
    try:
        kind, shape, (start, end) = row["dtype"], tuple(row["shape"]), row["data_offsets"]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"the header does not describe {name[:80]!r}") from None
    if not isinstance(kind, str) or kind not in _WIDTHS:
        raise InputError(f"{name[:80]!r} is of an unknown type")
    if not all(type(number) is int and 0 <= number < 1 << 48 for number in (*shape, start, end)):
        raise InputError(f"the header does not describe {name[:80]!r}")
    if end - start != math.prod(shape) * _WIDTHS[kind]:
        raise InputError(f"{name[:80]!r} has another size than its shape {shape[:8]}")
    return _Entry(start, end, name, kind, shape)


def _check_numbers(file: BinaryIO, entry: _Entry) -> None:
    left = entry.end - entry.start if entry.kind in _FLOATS else 0
    while left:
        data = file.read(min(left, _CHUNK))
        if not data:
            raise InputError("the file is cut short")
        left -= len(data)
        numbers = np.frombuffer(data, _FLOATS[entry.kind])
        if entry.kind == "BF16":
            numbers = (numbers.astype("<u4") << 16).view("<f4")
        if entry.kind == "F16":
            numbers = numbers.astype("<f4")  # whose own type has no `_LARGEST`
        if not (numbers.min() >= -_LARGEST and numbers.max() <= _LARGEST):  # false for NaN
            raise InputError(f"{entry.name[:80]!r} has a number that is not finite, or beyond any sense")
