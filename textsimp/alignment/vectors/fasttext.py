"""Word vectors of fastText's binary files, with subwords: every word has a vector (F2)."""

import logging
import shutil
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.vectors.files import stacked
from textsimp.alignment.vectors.recognise import FETCH_AGAIN, Layout, opened
from textsimp.errors import InputError, bad_input

_DAMAGE = (
    *(ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, NotImplementedError),
    *(OSError, RuntimeError, TypeError, ValueError, struct.error),
)
"""How gensim, which checks little, ends on a damaged file."""


class SubwordVectors:
    """A fastText model, in memory as a whole: several GB for those of fasttext.cc.
    A packed file is unpacked to the temporary folder meanwhile.

    Of several spellings of a word the lower-cased one is taken, else the first (most frequent) in the file, else the
    mean vector of the word's character n-grams; only a model without n-grams leaves words unknown.
    """

    def __init__(self, layout: Layout) -> None:
        """Load the file. Raises InputError where it is damaged or no model of word vectors."""
        from gensim.models.fasttext import load_facebook_vectors  # slow to import, and rarely needed

        try:
            with quiet_gensim(), _as_gensim_wants(layout) as path:
                self._vectors = load_facebook_vectors(path)
        except InputError:
            raise
        except _DAMAGE as error:
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            raise bad_input(layout.path, None, f"no fastText word vectors ({reason})", FETCH_AGAIN) from None
        self.size = int(self._vectors.vector_size)
        self.name = f"fastText with subwords {layout.path.name}, {self.size} dimensions"
        self._spellings: dict[str, str] = {}
        for spelling in self._vectors.index_to_key:
            self._spellings.setdefault(spelling.lower(), spelling)

    def lookup(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Vectors of the words, 0 where a word is unknown, and which are known. Shapes: (W, D), (W,)."""
        with quiet_gensim():
            return stacked([self._vector(word) for word in words], self.size)

    def _vector(self, word: str) -> NDArray[np.float32] | None:
        if word not in self._vectors.key_to_index:
            word = self._spellings.get(word, word)
        try:
            vector = self._vectors.get_vector(word)
        except KeyError:
            return None
        return vector if vector.any() else None


@contextmanager
def _as_gensim_wants(layout: Layout) -> Iterator[str]:
    """The file by a name that does not end in .gz, unpacked; gensim goes by the name, and misreads packed matrices."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.bin"
        if layout.compressed:
            with opened(layout.path, True) as stream, open(path, "wb") as unpacked:
                shutil.copyfileobj(stream, unpacked)
        else:
            path.symlink_to(layout.path.resolve())
        yield str(path)


@contextmanager
def quiet_gensim() -> Iterator[None]:
    """Without gensim's notes and warnings, which tell users nothing that they can change."""
    log = logging.getLogger("gensim")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(level)
