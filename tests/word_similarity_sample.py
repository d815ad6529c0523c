"""Small word vectors, texts over few words, and every similarity on word vectors, for their tests."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from textsimp.alignment.similarity.lexical import WeightedWordSimilarity
from textsimp.alignment.similarity.similarity import TextSimilarity
from textsimp.alignment.similarity.word_pairs import (
    AverageAlignment,
    Cwasa,
    HungarianAlignment,
    MaximumAlignment,
    WordAverage,
    WordMoversDistance,
)
from textsimp.core.records import Document, DocumentPair


class TinyVectors:
    """The vectors of a dictionary."""

    name = "tiny"

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self.vectors, self.size = vectors, len(next(iter(vectors.values())))

    def lookup(self, wanted: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        rows = [self.vectors.get(word, [0.0] * self.size) for word in wanted]
        known = np.array([word in self.vectors for word in wanted])
        return np.array(rows, dtype=np.float32).reshape(len(wanted), self.size), known


# cosines: cat-dog 0.6, dog-sun 0.8, cat-sun 0, moon against cat -1; sea as cat, five times longer
PLANE = TinyVectors({"cat": [1, 0], "dog": [3, 4], "sun": [0, 2], "moon": [-1, 0], "sea": [5, 0], "void": [0, 0]})
NUMBERS = [f"w{number}" for number in range(14)]  # w12 and w13 have no vector
SPACE = TinyVectors(dict(zip(NUMBERS[:12], np.random.default_rng(1).normal(0.3, 1, (12, 3)).tolist(), strict=True)))
ALL: dict[str, Callable[[TinyVectors], TextSimilarity]] = {
    "word_average": WordAverage,
    "average": lambda vectors: AverageAlignment(vectors, 0.3),
    "maximum": lambda vectors: MaximumAlignment(vectors, 0.3),
    "hungarian": lambda vectors: HungarianAlignment(vectors, 0.3),
    "wmd": WordMoversDistance,
    "cwasa": Cwasa,
    "hwang": lambda vectors: WeightedWordSimilarity(vectors, 0.5),
    "hwang plain": lambda vectors: WeightedWordSimilarity(vectors, 0.0),
    "hwang simple": lambda vectors: WeightedWordSimilarity(vectors, 0.5, "simple"),
    "hwang complex": lambda vectors: WeightedWordSimilarity(vectors, 0.5, "complex"),
}
SYMMETRIC = [name for name in ALL if name not in ("hwang simple", "hwang complex")]


def random_texts(seed: int, number: int, longest: int = 7) -> list[str]:
    """Texts over few words, so that words repeat within and across texts; one without a word and one of one word."""
    generator = np.random.default_rng(seed)
    found = [" ".join(generator.choice(NUMBERS, generator.integers(1, longest + 1))) for _ in range(number - 2)]
    return [*found[:2], "?!", *found[2:], "w3"]


def fitted(name: str, vectors: TinyVectors = SPACE) -> TextSimilarity:
    simple, complex_ = (Document(side, 0, (tuple(random_texts(9, 6)),)) for side in "sc")
    return ALL[name](vectors).fit([DocumentPair("p", "test", "g", complex_, simple)])
