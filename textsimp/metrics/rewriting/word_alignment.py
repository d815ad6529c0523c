"""Which word of a complex sentence became which word of the simple one: a monolingual, one-to-one aligner (F1).

Each pair of matching words has a strength (`word_match`). Where a word could go to several places, the pair whose
neighbours match too wins, and then the pair at about the same place; the best assignment as a whole is found by
`scipy.optimize.linear_sum_assignment`. Light words (`the`, `of`) are linked only near a link of content words, since
they match everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from textsimp.metrics.rewriting.tokens import Word
from textsimp.metrics.rewriting.word_match import Match, Matcher

Floats = NDArray[np.float64]


@dataclass(frozen=True, order=True)
class WordLink:
    """One link: word indexes on both sides, and what kind of match it is."""

    complex: int
    simple: int
    match: Match


@dataclass(frozen=True)
class AlignerConfig:
    """Of the assignment. Not tuned on labelled sentences.

    Attributes:
        window: how many words before and after count as neighbours.
        context: what a pair gains for each side on which the direct neighbours match fully, as strength; a neighbour
            at distance d counts 1/d.
        place: what a pair loses if its words are at opposite ends, as strength; only breaks ties.
    """

    window: int = 3
    context: float = 0.2
    place: float = 0.02


def align_words(
    complex_words: Sequence[Word], simple_words: Sequence[Word], matcher: Matcher, config: AlignerConfig
) -> tuple[WordLink, ...]:
    """The links of a sentence pair, ordered by complex word; every word is in one link at most."""
    if not complex_words or not simple_words:
        return ()
    strength, kinds = _strengths(complex_words, simple_words, matcher)
    gain = strength + config.context * _support(strength, config.window) - config.place * _distance(strength.shape)
    rows, columns = linear_sum_assignment(np.where(strength > 0, gain, 0.0), maximize=True)
    links = [
        WordLink(int(i), int(j), Match(int(kinds[i, j])))
        for i, j in zip(rows, columns, strict=True)
        if strength[i, j] > 0
    ]
    content = [link for link in links if not complex_words[link.complex].light]
    if any(all(word.light for word in words) for words in (complex_words, simple_words)):
        return tuple(sorted(links))
    return tuple(sorted(link for link in links if link in content or _near(link, content, config.window)))


def _strengths(a: Sequence[Word], b: Sequence[Word], matcher: Matcher) -> tuple[Floats, NDArray[np.int64]]:
    """Strength and kind of each pair, 0 where the words do not match. Shape of each: (complex, simple)."""
    strength, kinds = np.zeros((len(a), len(b))), np.zeros((len(a), len(b)), dtype=np.int64)
    for i, first in enumerate(a):
        for j, second in enumerate(b):
            kind, value = matcher.match(first, second)
            if kind is not None:
                strength[i, j], kinds[i, j] = value, kind
    return strength, kinds


def _support(strength: Floats, window: int) -> Floats:
    """The best matching neighbour before plus the best one after, weighted by distance. Shape: (complex, simple)."""
    rows, columns = strength.shape
    padded = np.pad(strength, window)  # (complex + 2 window, simple + 2 window)
    support = np.zeros_like(strength)
    for sign in (-1, 1):
        best = np.zeros_like(strength)
        for di in range(1, window + 1):
            for dj in range(1, window + 1):
                top, left = window + sign * di, window + sign * dj
                neighbour = padded[top : top + rows, left : left + columns] / max(di, dj)  # (complex, simple)
                best = np.maximum(best, neighbour)
        support += best
    return support


def _distance(shape: tuple[int, int]) -> Floats:
    """How far apart two words are in their sentences, in [0, 1). Shape: (complex, simple)."""
    rows, columns = shape
    return np.abs(np.arange(rows)[:, None] / rows - np.arange(columns)[None, :] / columns)


def _near(link: WordLink, content: Sequence[WordLink], window: int) -> bool:
    """Whether a link of content words is near on both sides, in the same direction."""
    return any(
        0 < (other.complex - link.complex) * (other.simple - link.simple)
        and abs(other.complex - link.complex) <= window
        and abs(other.simple - link.simple) <= window
        for other in content
    )
