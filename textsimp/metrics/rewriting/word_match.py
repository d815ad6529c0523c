"""How alike two words are: same, other case, other spelling, other form, alike in letters, alike in meaning (F1)."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.rewriting.languages import Language
from textsimp.metrics.rewriting.tokens import Word

Vectors = Callable[[str], NDArray[np.float64] | None]
"""From a lower-cased word to its vector; None where it has none."""


class Match(IntEnum):
    """Kinds of match, best first; from SIMILAR on, the word is another one (a rewording)."""

    EXACT = 1
    CASE = 2
    SPELLING = 3
    INFLECTION = 4
    SIMILAR = 5
    VECTOR = 6


_STRENGTH = {Match.EXACT: 1.0, Match.CASE: 0.99, Match.SPELLING: 0.95, Match.INFLECTION: 0.9}


@dataclass(frozen=True)
class MatchConfig:
    """When two different words still match. Not tuned on labelled sentences.

    Attributes:
        min_letters: words that are compared by letters have that many at least.
        min_letter_similarity: least Dice coefficient of the bags of character bigrams, in [0, 1].
        min_cosine: least cosine of the word vectors, where vectors are given.
        other_word: strength of these matches is their similarity times this factor, below that of any same word.
    """

    min_letters: int = 4
    min_letter_similarity: float = 0.65
    min_cosine: float = 0.6
    other_word: float = 0.8


@dataclass(frozen=True)
class _Form:
    """What a lower-cased word is compared by; `whole` words (light ones, numbers) are themselves or something else."""

    folded: str
    spelling: str
    stem: str
    whole: bool


@dataclass
class Matcher:
    """Matches words of one language; it remembers the forms of the words that it has seen."""

    language: Language
    config: MatchConfig = field(default_factory=MatchConfig)
    vectors: Vectors | None = None
    _forms: dict[str, _Form] = field(default_factory=dict, repr=False)

    def match(self, a: Word, b: Word) -> tuple[Match | None, float]:
        """The best kind of match and its strength in (0, 1]; None and 0 where the words do not match."""
        if a.text == b.text:
            return Match.EXACT, _STRENGTH[Match.EXACT]
        if a.folded == b.folded:
            return Match.CASE, _STRENGTH[Match.CASE]
        one, other = self._form(a.folded), self._form(b.folded)
        kind = self._same_word(one, other)
        if kind is not None:
            return kind, _STRENGTH[kind]
        return (None, 0.0) if one.whole or other.whole else self._other_word(one, other)

    def _form(self, folded: str) -> _Form:
        if folded not in self._forms:
            spelling, whole = self.language.spelling(folded), self.language.is_light(folded) or folded[0].isdigit()
            self._forms[folded] = _Form(folded, spelling, self.language.stem(spelling), whole)
        return self._forms[folded]

    def _same_word(self, a: _Form, b: _Form) -> Match | None:
        if a.spelling == b.spelling:
            return Match.SPELLING
        if a.whole or b.whole:
            return None
        inflected = a.stem == b.stem or self.language.same_beginning(a.spelling, b.spelling)
        return Match.INFLECTION if inflected else None

    def _other_word(self, a: _Form, b: _Form) -> tuple[Match | None, float]:
        letters, cosine = self._letters(a.spelling, b.spelling), self._cosine(a.folded, b.folded)
        if max(letters, cosine) == 0:
            return None, 0.0
        kind = Match.SIMILAR if letters >= cosine else Match.VECTOR
        return kind, self.config.other_word * max(letters, cosine)

    def _letters(self, a: str, b: str) -> float:
        """Dice coefficient of the bigrams, 0 below the threshold or where the first letters differ."""
        if a[0] != b[0] or min(len(a), len(b)) < self.config.min_letters:
            return 0.0
        first, second = (Counter(pairwise(word)) for word in (a, b))
        dice = 2 * (first & second).total() / (first.total() + second.total())
        return dice if dice >= self.config.min_letter_similarity else 0.0

    def _cosine(self, a: str, b: str) -> float:
        """Cosine of the vectors, 0 below the threshold or without vectors."""
        if self.vectors is None:
            return 0.0
        first, second = self.vectors(a), self.vectors(b)
        if first is None or second is None:
            return 0.0
        norm = float(np.linalg.norm(first) * np.linalg.norm(second))
        cosine = float(first @ second) / norm if norm else 0.0
        return min(cosine, 1.0) if cosine >= self.config.min_cosine else 0.0
