"""Which of many hypotheses is the simplification: by fluency, adequacy, simplicity and what the network thinks."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from textsimp.core.settings import PositiveNumber, read_as
from textsimp.core.writing import write_json
from textsimp.simplification.phrase_based.backoff_model import END, LanguageModel
from textsimp.simplification.rerank.word_complexity import WordComplexity

Floats = NDArray[np.float64]
MEASURES = ("fluency", "adequacy", "simplicity", "likelihood")
_TENTHS = 10
_DIGITS = 5
"""Measures are rounded, so that a sentence's neighbours in a batch, which touch the last bits, change no choice."""


@dataclass(frozen=True)
class Written:
    """A hypothesis: its text, its words as the network wrote them, and their mean log probability there.

    What a diverse search subtracts for words of other groups is missing from the last.
    """

    text: str
    tokens: Sequence[str]
    score: float


_ALL = Field(min_length=len(MEASURES), max_length=len(MEASURES))


@dataclass(frozen=True)
class Weighing:
    """The weight of each measure, and the mean and the deviation it has over hypotheses for dev; `MEASURES`' order."""

    weights: Annotated[list[float], _ALL]
    means: Annotated[list[float], _ALL]
    deviations: Annotated[list[PositiveNumber], _ALL]

    def scores(self, measured: Floats) -> Floats:
        """The weighted sum of standardised measures. Shape: (H, 4) to (H,)."""
        scores: Floats = ((measured - self.means) / self.deviations) @ np.array(self.weights)
        return scores

    def write(self, path: Path) -> None:
        """Write it where `read` finds it."""
        write_json(path, {"measures": MEASURES, **vars(self)})

    @classmethod
    def read(cls, path: Path, remedy: str) -> "Weighing":
        """What `write` wrote; `InputError` where the file is something else."""
        return read_as(path, cls, remedy, is_closed=False)


@dataclass(frozen=True)
class Judge:
    """What hypotheses are measured with.

    `vectors` gives the vector of each text, of length 1; shape (N, d). At most `clusters` hypotheses are compared.
    """

    language: LanguageModel
    complexity: WordComplexity
    vectors: Callable[[Sequence[str]], Floats]
    clusters: int

    def shortlists(
        self, sources: Sequence[str], hypotheses: Sequence[Sequence[Written]]
    ) -> list[tuple[list[Written], Floats]]:
        """For each source the best hypothesis of each cluster, the most probable first, and their measures.

        Of hypotheses with the same text the first counts. Shape of the measures: (H, 4), `MEASURES`' order.
        """
        distinct = [list({item.text: item for item in reversed(row)}.values())[::-1] for row in hypotheses]
        texts = [*sources, *(item.text for row in distinct for item in row)]
        vectors = self.vectors(texts)
        shortlists, start = [], len(sources)
        for source, row in zip(vectors, distinct, strict=False):
            own = vectors[start : start + len(row)]
            start += len(row)
            indexes = representatives(own, self.clusters)
            measured = [
                [
                    self._fluency(item.tokens),
                    float(vector @ source),
                    (1 - self.complexity.of_sentence(item.tokens)),
                    item.score,
                ]
                for item, vector in ((row[index], own[index]) for index in indexes)
            ]
            shortlists.append(([row[index] for index in indexes], np.round(measured, _DIGITS)))
        return shortlists

    def _fluency(self, words: Sequence[str]) -> float:
        """The geometric mean of the words' probabilities in the simple language model."""
        total, _ = self.language.words(self.language.begin(), [*words, END])
        return math.exp(total / (len(words) + 1))


def representatives(vectors: Floats, clusters: int) -> list[int]:
    """Rows that stand for the others, in order: the first of each of at most `clusters` groups of near rows.

    Groups are joined by the mean cosine distance of their members (average linkage), the nearest first.
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    if len(vectors) <= clusters:
        return list(range(len(vectors)))
    size = len(vectors)
    distances = np.clip(1 - vectors @ vectors.T, 0, None)[np.triu_indices(size, 1)]
    groups = fcluster(linkage(np.round(distances, _DIGITS), "average"), clusters, "maxclust")
    first: dict[int, int] = {}
    for index, group in enumerate(groups.tolist()):
        first.setdefault(group, index)
    return sorted(first.values())


def ranked(shortlist: Sequence[Written], measured: Floats, weighing: Weighing) -> list[tuple[Written, float]]:
    """The hypotheses of a shortlist with their scores, the best first; of equal ones the more probable."""
    scores = weighing.scores(measured).tolist()
    order = sorted(range(len(shortlist)), key=lambda index: (-scores[index], index))
    return [(shortlist[index], scores[index]) for index in order]


def weigh(measured: Sequence[Floats], quality: Sequence[Sequence[float]]) -> Weighing:
    """The weights, tenths that sum to 1, whose choices have the best mean quality; only that of likelihood may be 0.

    Args:
        measured: the measures of each sentence's hypotheses. Shape of each: (H, 4).
        quality: SARI of each hypothesis.
    """
    rows = np.concatenate(measured)
    means, deviations = rows.mean(0), np.maximum(rows.std(0), 10.0**-_DIGITS)
    best, best_value = Weighing([], [], []), -math.inf
    for parts in product(range(1, _TENTHS), repeat=len(MEASURES) - 1):
        rest = _TENTHS - sum(parts)
        if rest < 0:
            continue
        weights = [part / _TENTHS for part in (*parts, rest)]
        tried = Weighing(weights, means.tolist(), deviations.tolist())
        value = sum(row[int(tried.scores(measures).argmax())] for measures, row in zip(measured, quality, strict=True))
        if value > best_value:
            best, best_value = tried, value
    return best
