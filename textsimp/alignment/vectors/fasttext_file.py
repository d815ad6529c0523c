"""The layout of fastText's binary files, checked before gensim, which checks little, reads them.

Little-endian: mark, version, 12 numbers of the training and one of sampling; the dictionary, whose words end in NUL and
have a count and a kind; the input matrix (words, then n-grams); the output matrix (words). A matrix has a mark of
quantisation, its numbers of rows and columns, and 32-bit floats.
https://github.com/facebookresearch/fastText/blob/main/src/fasttext.cc
"""

import os
import struct
from pathlib import Path
from typing import BinaryIO

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import opened

MAGIC = 793712314
_VERSIONS = (11, 12)
_HEADER = struct.Struct("<14id")
_DICTIONARY = struct.Struct("<3i2q")
_ENTRY = struct.Struct("<qb")
_MATRIX = struct.Struct("<?2q")
_LONGEST_WORD = 1 << 16
_DIMENSIONS, _ROWS = 65_536, 1 << 31
_SUPERVISED = 3
_REMEDY = "the file is damaged; fetch it again"


def check_file(path: Path, shown: Path) -> None:
    """`InputError` where an unpacked file is no whole model of word vectors.

    Args:
        shown: the file that the user gave, for messages.
    """
    try:
        with opened(path) as file:
            _check(file)
    except InputError as error:
        raise bad_input(shown, None, f"no fastText word vectors ({error})", _REMEDY) from None


def announced_size(file: BinaryIO) -> int:
    """Bytes that a whole file has, by its header and its dictionary, which are read; `InputError` where they are none.

    A file that is packed is unpacked so far and no further.
    """
    magic, version, dim, *rest, _ = _unpack(file, _HEADER)
    model, bucket, shortest, longest = rest[6:10]
    if magic != MAGIC or version not in _VERSIONS:
        raise InputError(f"version {version}, not one of {_VERSIONS}")
    if model == _SUPERVISED:
        raise InputError("a classifier")
    if not (1 <= dim <= _DIMENSIONS and 0 <= bucket < _ROWS and 0 <= shortest <= 100 and 0 <= longest <= 100):
        raise InputError("a header out of any sense")
    size, words, labels, tokens, pruned = _unpack(file, _DICTIONARY)
    if labels or size != words or not 1 <= words < _ROWS or pruned > 0:
        raise InputError("a dictionary of labels, of nothing, or of a pruned model")
    length = _HEADER.size + _DICTIONARY.size + _dictionary(file, words, tokens)
    rows = (words + bucket, words)
    return length + sum(_MATRIX.size + 4 * dim * row for row in rows)


def _dictionary(file: BinaryIO, words: int, tokens: int) -> int:
    """Bytes of the dictionary; its words differ, and none is counted more often than the one before it."""
    seen: set[bytes] = set()
    length, before = 0, tokens
    for number in range(1, words + 1):
        word = _word(file, number)
        count, kind = _unpack(file, _ENTRY)
        if not 0 <= count <= before or kind:
            raise InputError(f"word {number} of the dictionary is counted {count} times, the one before {before}")
        if word in seen:
            raise InputError(f"word {number} of the dictionary is there twice")
        seen.add(word)
        length, before = length + len(word) + 1 + _ENTRY.size, count
    return length


def _word(file: BinaryIO, number: int) -> bytes:
    letters = bytearray()
    while (letter := file.read(1)) != b"\0":
        if not letter or len(letters) == _LONGEST_WORD:
            raise InputError(f"word {number} of the dictionary does not end")
        letters += letter
    if not letters:
        raise InputError(f"word {number} of the dictionary is empty")
    return bytes(letters)


def _check(file: BinaryIO) -> None:
    wanted, size = announced_size(file), os.fstat(file.fileno()).st_size
    if size != wanted:
        raise InputError(f"{size} bytes, where its header and dictionary announce {wanted}")
    start = file.tell()
    file.seek(8)
    dim = int.from_bytes(file.read(4), "little")
    file.seek(start)
    left = wanted - start
    for name in ("input", "output"):
        quantised, rows, columns = _unpack(file, _MATRIX)
        left -= _MATRIX.size + 4 * dim * max(rows, 0)
        if quantised or columns != dim or rows < 1 or left < 0:
            raise InputError(f"the {name} matrix has {rows} rows of {columns} numbers, not {dim}, or is quantised")
        file.seek(4 * dim * rows, os.SEEK_CUR)
    if left:
        raise InputError("the matrices do not end where the file does")


def _unpack(file: BinaryIO, form: struct.Struct) -> tuple[int, ...]:
    data = file.read(form.size)
    if len(data) != form.size:
        raise InputError("it is cut short")
    return form.unpack(data)
