"""Sentences, words, syllables and FK on small texts of our own; the golden numbers are in test_metrics_golden.py."""

import random
from collections.abc import Callable

import pytest
from nltk.tokenize.destructive import NLTKWordTokenizer
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

from textsimp.metrics.readability import (
    count_syllables,
    estimate_syllables,
    fk_statistics,
    fkgl_statistics,
    length_statistics,
    pronunciations,
    rule_syllables,
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


SYLLABLES = {
    count_syllables: "cat 1 Simplification 5 n't 1 's 1 fire 2 blog 4 U.S. 4 fine 1",
    # a, eo (not one sound), ka; the first group after a consonant is not judged; a silent e, but not after l
    estimate_syllables: "azeoka 4 zeoka 2 zukame 2 zukale 3 zukaes 2 1960 1 -lrb- 5 qrst 4 zuk 3 1960s 5 zuka 2 "
    "g7a8o 4 日本 2 , 1",
    rule_syllables: "cat 1 see 0 table 2 nation 2 capitalism 5 . 0 mr 2 the 1",
}


@pytest.mark.parametrize("count", SYLLABLES)
def test_syllables(count: Callable[[str], int]) -> None:
    fields = SYLLABLES[count].split()
    assert [(word, str(count(word))) for word in fields[::2]] == list(zip(fields[::2], fields[1::2], strict=True))


def test_dictionary_takes_the_longest_pronunciation() -> None:
    table = pronunciations()
    assert table["every"] == 3
    assert len(table) > 120_000
    assert not any("(" in word or " " in word for word in table)


def test_grade_and_length() -> None:
    lines = ["the cat sat . it purred .", "", "a cat !"]
    found = fk_statistics(lines)
    assert found.counts.sum(0).tolist() == [3, 10, 11]  # sentences, words, syllables
    assert found.score().value == pytest.approx(0.39 * 10 / 3 + 11.8 * 11 / 10 - 15.59)
    assert length_statistics(lines).score().value == pytest.approx(10 / 3)
    assert str(found.signature) == "FK|tok:nltk|sent:punkt|syl:cmudict-max|version:1"
    empty = ["", " "]
    assert not fk_statistics(empty).counts.any()
    assert fk_statistics(empty).score().value == length_statistics(empty).score().value == 0


def test_fkgl_by_hand() -> None:
    # two sentences; words: the cat sat . / it sat . -> 7 with the full stops, 5 syllables
    assert fkgl_statistics(["The cat sat. It sat."]).score().value == max(0, 0.39 * 7 / 2 + 11.8 * 5 / 7 - 15.59) == 0
    score = fkgl_statistics(["Unostentatious capitalism.", ""]).score()
    assert score.value == pytest.approx(0.39 * 3 + 11.8 * 10 / 3 - 15.59)
    assert fkgl_statistics([""]).score().value == 0
