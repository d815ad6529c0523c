"""Word vectors: from a file, from skip-gram on the corpus at hand, or from an encoder's input embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from textsimp.core.bounds import NonNegative, Positive, Seed
from textsimp.core.errors import check_choice

FALLBACKS = ("encoder", "skipgram")


@dataclass(frozen=True)
class WordVectorConfig:
    """`word_vectors` in params.yaml.

    file: GloVe, word2vec or fastText vectors, text or binary; null where there are none.
    fallback: without a file, `encoder` (a word is the mean of the input embeddings of its word pieces in the aligner's
        pre-trained encoder) or `skipgram` (trained on the sentences at hand; Stajner et al. 2017, section 3.2, have
        300 dimensions, a window of 10 and 20 negative words on all of Wikipedia).
    dimensions, window, negative, epochs, min_count, seed: of skip-gram.
    """

    file: str | None
    fallback: str
    dimensions: Positive
    window: Positive
    negative: NonNegative
    epochs: Positive
    min_count: NonNegative
    seed: Seed

    def __post_init__(self) -> None:
        check_choice("word_vectors.fallback:", self.fallback, FALLBACKS)


class WordVectors(Protocol):
    """Vectors of words as `textsimp.alignment.words.words` gives them (lower-cased).

    Attributes:
        name: what the vectors are, for the results: kind, file or model, dimensions.
        size: dimensions D.
    """

    name: str
    size: int

    def lookup(self, words: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Vectors of the words, 0 where a word is unknown, and which are known. Shapes: (W, D), (W,)."""
        ...


def word_vectors(config: WordVectorConfig, sentences: Sequence[str], encoder_name: str) -> WordVectors:
    """The vectors of the file; without one those of the encoder, or of skip-gram trained on the sentences.

    Vectors of a file or an encoder are the same whatever the sentences are, and know the words of other sentences
    too. Skip-gram knows the words of these sentences alone, and other sentences give other vectors.

    Args:
        sentences: the distinct sentences at hand.
        encoder_name: the pre-trained encoder, as `textsimp.core.pretrained.encoder` takes it.

    Raises:
        InputError: the file is absent, damaged or of no known format, the encoder cannot be loaded, or the sentences
            are too few for skip-gram.
    """
    # gensim and transformers are slow to import
    from textsimp.alignment.vectors.files import FASTTEXT, FileVectors, recognise
    from textsimp.alignment.vectors.models import EncoderVectors, SubwordVectors, train_skipgram

    if config.file is not None:
        layout = recognise(config.file)
        if layout.kind == FASTTEXT:
            return SubwordVectors(layout)
        return FileVectors(layout, sentences)
    if config.fallback == "encoder":
        return EncoderVectors(encoder_name)
    return train_skipgram(config, sentences)
