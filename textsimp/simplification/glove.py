"""Word vectors of a text file such as glove.840B.300d.txt, for the words of a vocabulary (section 5.2, appendix D.1).

A line is a word and its numbers, parted by single spaces. Some words of GloVe 840B hold spaces (". . .") or are broken
UTF-8, so that numbers are split off from the right and the file is read as bytes.
"""

from collections.abc import Collection
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import bad_input
from textsimp.core.reading import iterate_bytes, opened

_REMEDY = "correct `embeddings`, or set null"


def known_vectors(source: str | Path, words: Collection[str], size: int) -> dict[str, NDArray[np.float32]]:
    """The first vector of each of the words that the file has, in the file's order. Shape of each: (size,).

    Raises:
        InputError: the file is absent, a vector of a known word is damaged or of another size, or no word is known.
    """
    known: dict[str, NDArray[np.float32]] = {}
    with opened(source, _REMEDY) as file:
        for number, line in enumerate(iterate_bytes(file, source), 1):
            word, *fields = line.decode("utf-8", errors="replace").rstrip("\r\n ").rsplit(" ", size)
            if word not in words or word in known:
                continue
            vector = _vector(fields)
            if vector is None or len(vector) != size:
                what = f"the vector of {word!r} has {len(fields)} fields, not {size} finite numbers"
                raise bad_input(source, number, what, "give the file's dimensions, or fetch it again")
            known[word] = vector
    if not known:
        what = f"no vector of {size} numbers for any of {len(words)} known words"
        raise bad_input(source, None, what, f"give a text file of word vectors of {size} numbers")
    return known


def _vector(fields: list[str]) -> NDArray[np.float32] | None:
    try:
        vector = np.array([float(field) for field in fields], dtype=np.float32)
    except ValueError:
        return None
    return vector if np.isfinite(vector).all() else None
