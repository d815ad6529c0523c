"""How complex a word and a sentence are, learnt from the two sides of a training corpus."""

import math
import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Field

from textsimp.core.settings import read_as
from textsimp.core.writing import write_json
from textsimp.metrics.readability import rule_syllables

Tokens = Sequence[str]
_RIDGE = 1.0
_FEWEST = 3
"""A word that occurs less often, on both sides together, teaches nothing; one that occurs once need not be kept."""
_QUANTILES = 100
_RAREST = 3
"""The words of a sentence that are looked at on their own."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_WORD_FEATURES, _SENTENCE_FEATURES = 4, 5


@dataclass(frozen=True)
class WordComplexity:
    """The complexity of words and sentences, each from 0 to 1.

    A word's is the share of running words of the training corpus, both sides together, that a ridge regression finds
    less complex. What it predicts is the log of how much more often a word occurs on the complex side than on the
    simple one; it knows the word's letters, its syllables, and how often it occurs in all.

    Attributes:
        counts: of the words that occur more than once.
        word: the regression's coefficients of (1, letters, syllables, log of the count).
        quantiles: its predictions for running words, in ascending order.
        sentence: coefficients of the features of a sentence, for its being complex (1) or simple (0).
    """

    counts: dict[str, int]
    word: Annotated[list[float], Field(min_length=_WORD_FEATURES, max_length=_WORD_FEATURES)]
    quantiles: Annotated[list[float], Field(min_length=1)]
    sentence: Annotated[list[float], Field(min_length=_SENTENCE_FEATURES, max_length=_SENTENCE_FEATURES)]

    def of_word(self, word: str) -> float | None:
        """The complexity of a word, in any case; None for what is no word: a number, a mark, an anonymised name."""
        if not _WORD.fullmatch(word):
            return None
        value = float(np.dot(self.word, _word_features(word.lower(), self.counts)))
        return bisect(self.quantiles, value) / len(self.quantiles)

    def of_sentence(self, words: Tokens) -> float:
        """The complexity of a sentence, by its length, its commas and the complexity of its words."""
        return float(np.clip(np.dot(self.sentence, self.features(words)), 0, 1))

    def features(self, words: Tokens) -> list[float]:
        """What the complexity of a sentence is predicted from, 1 first."""
        known = sorted(value for word in words if (value := self.of_word(word)) is not None)
        mean, rarest = (sum(part) / max(1, len(part)) for part in (known, known[-_RAREST:]))
        return [1.0, math.log1p(len(words)), sum(word in {",", ";", "("} for word in words) / 10, mean, rarest]

    def write(self, path: Path) -> None:
        """Write it where `read` finds it."""
        write_json(path, vars(self))

    @classmethod
    def read(cls, path: Path, remedy: str) -> "WordComplexity":
        """What `write` wrote; `InputError` where the file is something else."""
        return read_as(path, cls, remedy)


def learn_complexity(pairs: Sequence[tuple[Tokens, Tokens]]) -> WordComplexity:
    """Learn from pairs of a complex and a simple sentence, one at least."""
    sides = [_counted(row[side] for row in pairs) for side in range(2)]
    both = sides[0] + sides[1]
    totals = [max(1, side.total()) for side in sides]
    taught = sorted(word for word, count in both.items() if count >= _FEWEST) or sorted(both)
    rows = [_word_features(word, both) for word in taught]
    more = [
        math.log((sides[0][word] + 1) / (totals[0] + len(both)))
        - math.log((sides[1][word] + 1) / (totals[1] + len(both)))
        for word in taught
    ]
    coefficients = _ridge(rows, more, [math.sqrt(both[word]) for word in taught], _WORD_FEATURES)
    ordered = sorted((float(np.dot(coefficients, _word_features(word, both))), count) for word, count in both.items())
    running = np.cumsum([count for _, count in ordered])
    ranks = np.searchsorted(running, np.arange(1, _QUANTILES) / _QUANTILES * (running[-1] if len(running) else 0))
    quantiles = [ordered[rank][0] for rank in ranks.tolist()] if ordered else [0.0]
    repeated = {word: count for word, count in sorted(both.items()) if count > 1}
    words = WordComplexity(repeated, coefficients, quantiles, [0.0] * _SENTENCE_FEATURES)
    changed = [pair for pair in pairs if list(pair[0]) != list(pair[1])]
    sentences = [words.features(pair[side]) for side in range(2) for pair in changed]
    is_complex = [float(side == 0) for side in range(2) for _ in changed]
    shown = _ridge(sentences, is_complex, [1.0] * len(sentences), _SENTENCE_FEATURES)
    return WordComplexity(repeated, coefficients, quantiles, shown)


def _counted(rows: Iterable[Tokens]) -> Counter[str]:
    return Counter(word.lower() for row in rows for word in row if _WORD.fullmatch(word))


def _word_features(word: str, counts: dict[str, int]) -> list[float]:
    return [1.0, len(word) / 10, rule_syllables(word) / 3, math.log(max(1, counts.get(word, 1)))]


def _ridge(rows: list[list[float]], goals: list[float], weights: list[float], size: int) -> list[float]:
    """The `size` coefficients of a weighted ridge regression, the first one free; 0 where there is nothing."""
    matrix = np.array(rows).reshape(len(rows), size)
    weighted = matrix * np.array(weights)[:, None]
    penalty = _RIDGE * np.eye(size)
    penalty[0, 0] = 1e-9
    return [float(value) for value in np.linalg.solve(weighted.T @ matrix + penalty, weighted.T @ np.array(goals))]
