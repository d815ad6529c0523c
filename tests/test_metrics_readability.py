"""Sentences, words, syllables and FK on small texts of our own; the golden numbers are in test_metrics_golden.py."""

import random

import pytest
from nltk.tokenize.destructive import NLTKWordTokenizer
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

from textsimp.metrics.readability import (
    count_syllables,
    estimate_syllables,
    fk_statistics,
    length_statistics,
    pronunciations,
)
from textsimp.metrics.tokens.punkt import ABBREVIATIONS, STARTERS, split_sentences
from textsimp.metrics.tokens.treebank import split_words

STRINGS = (
    *"the The a U.S u.s Dr St st cannot Cannot gonna wanna gimme gımme d'ye 'tis 'Twas don't It's 's n't".split(),
    *"x A b 3.5 1,200 1998 well-known cannot-do e.g i.e é İ ſ it'll THEY'VE rock'n'roll O'Neil more'n _ a_b no".split(),
    *"sept ph.d `` '' -- .. ... ² ٣ 中文".split(),
    *".,;:?!'\"`()[]{}<>-&$%#@*/\\«»“”‘’„–—…",
)
ENDS = ("", ".", " .", ". ", ' . "', " . ''", ".)", "?'", '."', ": ", ",", "' '", ". )'\"", "''", " ' )")


@pytest.mark.parametrize("seed", range(2))
def test_sentences_and_words_are_those_of_nltk(seed: int) -> None:
    """Whatever short cut is taken for plain words: texts of all that the rules of Punkt and the treebank look at."""
    parameters, treebank = PunktParameters(), NLTKWordTokenizer()
    parameters.abbrev_types, parameters.sent_starters = set(ABBREVIATIONS), set(STARTERS)
    punkt, draw = PunktSentenceTokenizer(parameters), random.Random(seed)
    for _ in range(1500):
        share = draw.random()
        strings = (draw.choices(STRINGS, k=1 if draw.random() > share else 3) for _ in range(draw.randint(1, 9)))
        line = draw.choice((" ", " ", " ", "  ", "\t", "\u00a0")).join(map("".join, strings)) + draw.choice(ENDS)
        sentences = split_sentences(line)
        assert sentences == punkt.tokenize(line.strip())
        for sentence in sentences:
            assert split_words(sentence) == treebank.tokenize(sentence)


@pytest.mark.parametrize(
    ("word", "syllables"),
    [("cat", 1), ("Simplification", 5), ("n't", 1), ("'s", 1), ("fire", 2), ("blog", 4), ("U.S.", 4), ("fine", 1)],
)
def test_syllables(word: str, syllables: int) -> None:
    assert count_syllables(word) == syllables


@pytest.mark.parametrize(
    ("word", "syllables"),
    [
        ("1960", 1),
        ("-lrb-", 5),
        ("qrst", 4),
        ("zuk", 3),
        ("1960s", 5),
        ("zuka", 2),
        ("azeoka", 4),  # a, eo (not one sound), ka
        ("zeoka", 2),  # the first group after a consonant is not judged
        ("zukame", 2),  # silent e
        ("zukale", 3),  # not after l
        ("zukaes", 2),
        ("g7a8o", 4),
        ("日本", 2),
        (",", 1),
    ],
)
def test_estimated_syllables(word: str, syllables: int) -> None:
    assert estimate_syllables(word) == syllables


def test_dictionary_takes_the_longest_pronunciation() -> None:
    table = pronunciations()
    assert table["every"] == 3
    assert len(table) > 120_000
    assert not any("(" in word or " " in word for word in table)


def counts(lines: list[str]) -> list[float]:
    """Sentences, words and syllables of all lines."""
    return fk_statistics(lines).counts.sum(0).tolist()


def test_grade_and_length() -> None:
    lines = ["the cat sat . it purred .", "", "a cat !"]
    assert counts(lines) == [3, 10, 11]
    assert fk_statistics(lines).score().value == pytest.approx(0.39 * 10 / 3 + 11.8 * 11 / 10 - 15.59)
    assert length_statistics(lines).score().value == pytest.approx(10 / 3)
    assert str(fk_statistics(lines).signature) == "FK|tok:nltk|sent:punkt|syl:cmudict-max|version:1"


def test_text_without_words() -> None:
    lines = ["", " "]
    assert counts(lines) == [0, 0, 0]
    assert fk_statistics(lines).score().value == length_statistics(lines).score().value == 0
