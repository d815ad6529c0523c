"""Flesch-Kincaid grade level (FK) and average sentence length (Len), as in tables 5 and 8 of Jiang et al. 2020."""

from collections.abc import Iterable
from dataclasses import dataclass

from textsimp.metrics.score import Score, Signature
from textsimp.metrics.sentences import split_sentences, split_words
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
