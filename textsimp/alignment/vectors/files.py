"""Word vectors of a GloVe, word2vec or fastText file that stays on disk (F2)."""

import logging
import zlib
from array import array
from collections.abc import Iterable, Sequence
from typing import IO

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from textsimp.alignment.vectors.entries import entries, read_entry
from textsimp.alignment.vectors.recognise import Layout, opened
from textsimp.alignment.words import vocabulary

_log = logging.getLogger(__name__)


class FileVectors:
    """Vectors of the words that were ever asked for, and the places of all others in the file.

    One pass over the file checks its lines and keeps 16 bytes a word (48 MB for 3 million words), so that the words of
    other sentences can be looked up later. In a file packed by gzip each lookup of new words takes another pass.

    Of several spellings of a word the lower-cased one is taken, else the first in the file. Numbers are checked where
    they are used.
    """

    def __init__(self, layout: Layout, sentences: Sequence[str] = ()) -> None:
        """Read the file's words, and the vectors of the words of the sentences.

        Raises:
            InputError: the file is damaged; the text says where.
        """
        self.name, self.size, self._layout = layout.name, layout.size, layout
        self._hashes, self._offsets, self._lines = _index(layout)  # (N,) each, by hash
        self._known: dict[str, NDArray[np.float32] | None] = {}
        self._read(vocabulary(sentences))

    def lookup(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Vectors of the words, 0 where a word is unknown, and which are known. Shapes: (W, D), (W,).

        Raises:
            InputError: the vector of one of the words is damaged.
        """
        self._read(words)
        return stacked([self._known[word] for word in words], self.size)

    def _read(self, words: Iterable[str]) -> None:
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        places = sorted(place for word in new for place in self._places(word))
        self._known.update(dict.fromkeys(new))
        if not places:
            return
        exact: set[str] = set()
        with opened(self._layout.path, self._layout.compressed) as stream:
            for place in places:  # in the order of the file
                self._take(stream, place, exact)

    def _places(self, word: str) -> Iterable[tuple[int, int]]:
        """Offset and line of each vector whose word may be this one in some spelling."""
        key = np.uint32(_hash(word))
        first, last = (int(np.searchsorted(self._hashes, key, side)) for side in ("left", "right"))
        return zip(self._offsets[first:last].tolist(), self._lines[first:last].tolist(), strict=True)

    def _take(self, stream: IO[bytes], place: tuple[int, int], exact: set[str]) -> None:
        """Keep the vector at a place, unless it is of another word or a better spelling is there."""
        offset, line = place
        found, vector = read_entry(self._layout, stream, offset, line or None)
        spelling = found.decode("utf-8", "replace")
        word = spelling.lower()
        if word not in self._known or word in exact:
            return
        if spelling == word:
            exact.add(word)
        elif self._known[word] is not None:
            return
        self._known[word] = vector


def stacked(vectors: Sequence[NDArray[np.float32] | None], size: int) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """A matrix of the vectors, 0 where there is none, and where there is one. Shapes: (W, D), (W,)."""
    known = np.array([vector is not None for vector in vectors], dtype=bool)
    matrix = np.zeros((len(vectors), size), dtype=np.float32)
    if known.any():
        matrix[known] = np.stack([vector for vector in vectors if vector is not None])
    return matrix, known


def _index(layout: Layout) -> tuple[NDArray[np.uint32], NDArray[np.uint64], NDArray[np.uint32]]:
    """Hash of the lower-cased word, offset and line of each vector, by hash; line 0 in binary files."""
    _log.info("reading the words of %s", layout.path)
    hashes, offsets, lines = array("I"), array("Q"), array("I")
    with opened(layout.path, layout.compressed) as stream:
        found = entries(layout, stream)
        for offset, line, word in tqdm(found, f"words of {layout.path.name}", layout.count, unit="word", disable=None):
            hashes.append(_hash(word.decode("utf-8", "replace").lower()))
            offsets.append(offset)
            lines.append(line or 0)
    keys = np.array(hashes, dtype=np.uint32)
    order = np.argsort(keys, kind="stable")
    return keys[order], np.array(offsets, dtype=np.uint64)[order], np.array(lines, dtype=np.uint32)[order]


def _hash(word: str) -> int:
    """The same in every process, unlike Python's own."""
    return zlib.crc32(word.encode("utf-8"))
