"""Which words of a sentence are replaced, and by which (Glavas and Stajner 2015, section 3)."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import InputError
from textsimp.simplification.casing import Casing
from textsimp.simplification.interface import Hypothesis
from textsimp.simplification.phrase_based.backoff_model import END, LanguageModel
from textsimp.simplification.spacing import detokenise, is_tokenised, sentence_starts, tokenise
from textsimp.simplification.word_forms import form, is_inflection, is_light, with_articles

Floats = NDArray[np.float32]
_SHORTEST = 3
"""Letters of a content word."""
_FIXED = frozenset(
    "no not never none nor neither without nothing nobody cannot n't can't don't he him his she her they them "
    "their we our i you your my it its north south east west northern southern eastern western one two three four "
    "five six seven eight nine ten eleven twelve dozen hundred thousand million billion first second third fourth "
    "fifth sixth seventh eighth ninth tenth eleventh twelfth last half former retired current least whose what "
    "few both male female man men woman women son daughter father mother northeast northwest southeast southwest "
    "northeastern northwestern southeastern southwestern".split()
)
_NUMERALS = ("teen", "teenth", "tieth")
"""Endings of numerals. Such words and the fixed ones, which tell how many, where, who, or deny, stay as they are."""


class Words:
    """Words with their unit vectors and counts.

    Args:
        matrix: Shape: (W, D), rows of length 1.
        counts: of these words and of others.
    """

    def __init__(self, words: Sequence[str], matrix: Floats, counts: Mapping[str, float]) -> None:
        self.words, self.matrix = words, matrix
        self._rows = {word: row for row, word in enumerate(words)}
        self._counts, self._size = counts, sum(counts.values())

    def vector(self, word: str) -> Floats | None:
        """Shape: (D,)."""
        row = self._rows.get(word)
        return None if row is None else self.matrix[row]

    def information(self, word: str) -> float:
        """The information content: -log((count + 1) / (size + 1))."""
        return -math.log((self._counts.get(word, 0) + 1) / (self._size + 1))

    def form(self, word: str) -> str:
        """See `word_forms.form`, with the words that are counted."""
        return form(word, self._counts)


@dataclass(frozen=True)
class Choice:
    """How candidates are chosen; see `LightLsConfig`."""

    candidates: int
    context: int
    min_similarity: float


class LightLs:
    """Simplifies sentences; `light_training.load` makes one of a folder."""

    def __init__(self, words: Words, language: LanguageModel, casing: Casing, choice: Choice) -> None:
        self._words, self._language, self._choice = words, language, choice
        self._names = casing.names()
        self._known_candidates: dict[str, list[tuple[str, float]]] = {}

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """One answer for each sentence; its score is the language model's log probability per word."""
        if n_best < 1:
            raise InputError(f"n_best: {n_best} is below 1")
        return [[self._simplify(sentence)] for sentence in sentences]

    def _simplify(self, sentence: str) -> Hypothesis:
        written = tokenise(sentence)
        source = [word.lower() for word in written]
        result = list(written)
        content = [self._is_content(index, source, written) for index in range(len(source))]
        for index in range(len(source)):
            if content[index] and (best := self._best(index, source, content)) is not None:
                result[index] = best.capitalize() if written[index][0].isupper() else best
        text = sentence
        if result != written:
            text = detokenise(with_articles(result, source), is_tokenised(sentence))
        words = [*(word.lower() for word in result), END]
        score = self._language.words(self._language.begin(), words)[0] / len(words)
        return Hypothesis(text, round(min(0.0, score), 6))

    def _is_content(self, index: int, source: Sequence[str], written: Sequence[str]) -> bool:
        """Whether a word is one that can be replaced and makes context: no name, number or word of grammar."""
        word = source[index]
        is_capital = written[index] != word and index not in sentence_starts(written)
        return len(word) >= _SHORTEST and word.isalpha() and not is_capital and not self._is_fixed(word)

    def _is_fixed(self, word: str) -> bool:
        return is_light(word) or word in _FIXED or word in self._names or word.endswith(_NUMERALS)

    def _best(self, index: int, source: Sequence[str], content: Sequence[bool]) -> str | None:
        """The candidate of the best mean rank if it says less than the word; None for no such one."""
        candidates = self._candidates(source[index])
        if not candidates:
            return None
        around = self._context(index, source, content)
        rows = []
        for word, similarity in candidates:
            vector = self._words.vector(word)
            assert vector is not None
            context = float(np.mean(around @ vector)) if len(around) else 0.0
            rows.append((similarity, context, -self._words.information(word), self._fit(index, source, word)))
        values = np.array(rows)  # (C, 4)
        better, equal = values[None] > values[:, None], values[None] == values[:, None]  # (C, C, 4)
        ranks = better.sum(1) + equal.sum(1) / 2  # (C, 4)
        best = candidates[int(ranks.mean(1).argmin())][0]
        return best if self._words.information(best) < self._words.information(source[index]) else None

    def _candidates(self, word: str) -> list[tuple[str, float]]:
        """The nearest words of the same form, and their cosines; other forms of the word itself are none."""
        if (known := self._known_candidates.get(word)) is None:
            vector = self._words.vector(word)
            known = [] if vector is None else list(self._nearest(word, self._words.matrix @ vector))
            self._known_candidates[word] = known
        return known

    def _nearest(self, word: str, similarities: Floats) -> Iterator[tuple[str, float]]:
        own, number = self._words.form(word), 0
        near = np.flatnonzero(similarities >= self._choice.min_similarity)
        for row in near[np.argsort(-similarities[near], kind="stable")]:
            neighbour = self._words.words[row]
            if (
                self._words.form(neighbour) == own
                and not self._is_fixed(neighbour)
                and not is_inflection(word, neighbour)
            ):
                yield neighbour, float(similarities[row])
                number += 1
                if number == self._choice.candidates:
                    return

    def _context(self, index: int, source: Sequence[str], content: Sequence[bool]) -> Floats:
        """Vectors of the content words around. Shape: (C, D)."""
        before = [source[i] for i in range(index) if content[i]]
        after = [source[i] for i in range(index + 1, len(source)) if content[i]]
        size = self._choice.context
        vectors = map(self._words.vector, (*(before[-size:] if size else ()), *after[:size]))
        return np.array([vector for vector in vectors if vector is not None])

    def _fit(self, index: int, source: Sequence[str], word: str) -> float:
        """Log probability of the word, and of those that it is a history of."""
        most = self._language.order - 1
        history = (*self._language.begin(), *source[:index])[-most:] if most else ()
        return self._language.words(history, [word, *source[index + 1 : index + 1 + most]])[0]
