"""Flesch-Kincaid grade level (FK) and average sentence length (Len), as in tables 5 and 8 of Jiang et al. 2020."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.score import Score, Signature
from textsimp.metrics.sentences import split_sentences, split_words
from textsimp.metrics.statistics import Counts, SegmentStatistics, quotient
from textsimp.metrics.syllables import count_syllables


@dataclass(frozen=True)
class TextCounts:
    """Sentences, words (punctuation marks included) and syllables of a text."""

    sentences: int
    words: int
    syllables: int


def count_text(lines: Iterable[str]) -> TextCounts:
    """Count the sentences inside each line, their words, and the syllables of these."""
    sentences = words = syllables = 0
    for line in lines:
        for sentence in split_sentences(line):
            tokens = split_words(sentence)
            sentences += 1
            words += len(tokens)
            syllables += sum(map(count_syllables, tokens))
    return TextCounts(sentences, words, syllables)


def flesch_kincaid(counts: TextCounts) -> Score:
    """The grade level over a whole text (Kincaid et al. 1975): 0.39 w/s + 11.8 y/w - 15.59 for s sentences, w words,
    y syllables; 0 for a text without words."""
    signature = Signature.of("FK", tok="nltk", sent="punkt", syl="cmudict-max")
    if not counts.words:
        return Score(0.0, signature)
    return Score(0.39 * counts.words / counts.sentences + 11.8 * counts.syllables / counts.words - 15.59, signature)


def sentence_length(counts: TextCounts) -> Score:
    """Words per sentence over a whole text; 0 for a text without words."""
    value = counts.words / counts.sentences if counts.sentences else 0.0
    return Score(value, Signature.of("LEN", tok="nltk", sent="punkt"))


def readability_statistics(lines: Iterable[str]) -> dict[str, SegmentStatistics]:
    """`fk` and `len` from the sentences, words and syllables of each line; K is 3."""
    counts = np.array([astuple(count_text([line])) for line in lines], dtype=np.float64).reshape(-1, 3)
    nothing = TextCounts(0, 0, 0)
    return {
        "fk": SegmentStatistics(flesch_kincaid(nothing).signature, counts, partial(grade_level, floor=-np.inf)),
        "len": SegmentStatistics(sentence_length(nothing).signature, counts, _words_per_sentence),
    }


def grade_level(sums: Counts, floor: float) -> NDArray[np.float64]:
    """The grade level from sums of sentences, words, syllables, at least `floor`. Shape: (..., 3) to (..., 1)."""
    sentences, words, syllables = (sums[..., place : place + 1] for place in range(3))
    grade = 0.39 * quotient(words, sentences) + 11.8 * quotient(syllables, words) - 15.59
    return np.where(words > 0, np.maximum(grade, floor), 0)


def _words_per_sentence(sums: Counts) -> NDArray[np.float64]:
    return quotient(sums[..., 1:2], sums[..., :1])
