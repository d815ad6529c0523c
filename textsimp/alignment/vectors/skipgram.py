"""Skip-gram vectors of the sentences at hand, as Stajner et al. 2017, section 3.2, train theirs on Wikipedia (F2)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.vectors.base import WordVectorConfig
from textsimp.alignment.vectors.fasttext import quiet_gensim
from textsimp.alignment.words import words
from textsimp.errors import InputError


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
    texts = [found for sentence in sentences if (found := words(sentence))]
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
