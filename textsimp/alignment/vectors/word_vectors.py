"""What word vectors are, and how they are chosen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from textsimp.core.bounds import NonNegative, Positive, Seed
from textsimp.core.errors import InputError

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
        if self.fallback not in FALLBACKS:
            raise InputError(f"word_vectors.fallback: {self.fallback!r} is none of {', '.join(FALLBACKS)}")


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
