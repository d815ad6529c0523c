"""Word vectors that a model gives: fastText's binary files with subwords, skip-gram, an encoder's input embeddings.

Skip-gram is trained on the sentences at hand, as Stajner et al. 2017, section 3.2, train theirs on Wikipedia.
"""

import logging
import shutil
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from transformers import AutoModel

from textsimp.alignment.neural.bert import load_pretrained
from textsimp.alignment.vectors import WordVectorConfig
from textsimp.alignment.vectors.fasttext_file import announced_size, check_file
from textsimp.alignment.vectors.files import FETCH_AGAIN, LARGEST, OUT_OF_SENSE, Layout, damaged_number, opened, stacked
from textsimp.alignment.words import words
from textsimp.core.errors import InputError, bad_input

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
        self._path = layout.path
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
        if not (np.abs(vector) <= LARGEST).all():  # false for NaN
            raise damaged_number(self._path, None, word[:40], OUT_OF_SENSE)
        return vector if vector.any() else None


@contextmanager
def _as_gensim_wants(layout: Layout) -> Iterator[str]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.bin"
        if layout.compressed:
            _unpack(layout, path)
        else:
            path.symlink_to(layout.path.resolve())
        check_file(path, layout.path)
        yield str(path)


def _unpack(layout: Layout, path: Path) -> None:
    """Unpack no more than the file's beginning announces: a small one can be packed to fill any disk."""
    with opened(layout.path, True) as stream:
        try:
            size = announced_size(cast(BinaryIO, stream))
        except InputError as error:
            raise bad_input(layout.path, None, f"no fastText word vectors ({error})", FETCH_AGAIN) from None
    if size > shutil.disk_usage(path.parent).free:
        what = f"{size >> 20} MiB unpacked, for which the temporary folder has no room"
        raise bad_input(layout.path, None, what, "unpack it elsewhere")
    with opened(layout.path, True) as stream, open(path, "wb") as unpacked:
        left = size + 1
        while chunk := stream.read(min(left, 1 << 20)):
            unpacked.write(chunk)
            left -= len(chunk)


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


class SkipGramVectors:
    """Vectors of the words that were trained on; all other words are unknown."""

    def __init__(self, name: str, rows: dict[str, int], matrix: NDArray[np.float32]) -> None:
        """Rows of the matrix by word. Shape: (N, D)."""
        self.name, self.size = name, matrix.shape[1]
        self._rows, self._matrix = rows, matrix

    def lookup(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Vectors of the words, 0 where a word is unknown, and which are known. Shapes: (W, D), (W,)."""
        rows = np.array([self._rows.get(word, -1) for word in words], dtype=np.int64)
        known = rows >= 0
        return np.where(known[:, None], self._matrix[rows], np.float32(0)), known


def train_skipgram(config: WordVectorConfig, sentences: Sequence[str]) -> SkipGramVectors:
    """Skip-gram with negative sampling (Mikolov et al. 2013) by gensim; the same vectors in every process.

    Raises:
        InputError: an option is below 1, or fewer than two words are there `min_count` times.
    """
    from gensim.models import Word2Vec  # slow to import, and rarely needed

    for option in ("dimensions", "window", "negative", "epochs", "min_count"):
        if getattr(config, option) < 1:
            raise InputError(f"word_vectors.{option}: {getattr(config, option)} is below 1")
    texts = [tokens for sentence in sentences if (tokens := words(sentence))]
    model = Word2Vec(
        vector_size=config.dimensions,
        window=config.window,
        negative=config.negative,
        min_count=config.min_count,
        seed=config.seed,
        sg=1,
        workers=1,  # two would take sentences in an order that changes from run to run
    )
    with quiet_gensim():
        model.build_vocab(texts)
        if len(model.wv) < 2:
            raise InputError(
                f"word_vectors: skip-gram has {len(model.wv)} words that {len(sentences)} sentences hold "
                f"{config.min_count} times; give more documents, a file of vectors, or fallback: encoder"
            )
        model.train(texts, total_examples=len(texts), epochs=config.epochs)
    name = f"skip-gram, {config.dimensions} dimensions, trained on {len(sentences):,} sentences"
    return SkipGramVectors(name, dict(model.wv.key_to_index), model.wv.vectors.astype(np.float32))


class EncoderVectors:
    """A word is the mean of the input embeddings of its word pieces; unknown where it has none but [UNK].

    The mean embedding of the vocabulary is not subtracted, as one would where all embeddings point one way: those of
    the packaged encoder hardly do (mean cosine 0.02), and aligning the sample's dev pairs gains nothing by it.
    """

    def __init__(self, encoder_name: str) -> None:
        """Load the embeddings. Raises InputError where there is no such encoder."""
        self._tokenizer, model = load_pretrained(AutoModel, encoder_name)
        embeddings = model.get_input_embeddings()
        self._table: NDArray[np.float32] = embeddings.weight.detach().float().numpy().copy()  # (pieces, D)
        self.size = self._table.shape[1]
        shown = Path(encoder_name).name if Path(encoder_name).is_dir() else encoder_name
        self.name = f"input embeddings of {shown}, {self.size} dimensions"

    def lookup(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Vectors of the words, 0 where a word is unknown, and which are known. Shapes: (W, D), (W,)."""
        if not words:
            return np.zeros((0, self.size), dtype=np.float32), np.zeros(0, dtype=bool)
        tokens = self._tokenizer(list(words), add_special_tokens=False)["input_ids"]
        pieces = [[piece for piece in row if piece != self._tokenizer.unk_token_id] for row in tokens]
        lengths = np.array([len(row) for row in pieces])  # (W,)
        flat = np.array([piece for row in pieces for piece in row], dtype=np.int64)
        shares = np.repeat(1 / np.maximum(lengths, 1), lengths).astype(np.float32)
        mean = csr_array((shares, flat, np.append(0, lengths.cumsum())), shape=(len(words), len(self._table)))
        return mean @ self._table, lengths > 0
