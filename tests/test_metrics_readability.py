"""Sentences, words, syllables and FK on small texts of our own; the golden numbers are in test_metrics_golden.py."""

import pytest

from textsimp.metrics.readability import TextCounts, count_text, flesch_kincaid, sentence_length
from textsimp.metrics.sentences import split_sentences, split_words
from textsimp.metrics.syllables import count_syllables, estimate_syllables, pronunciations


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("the cat sat . it purred .", ["the cat sat .", "it purred ."]),
        ("The cat sat. It purred!", ["The cat sat.", "It purred!"]),
        ("Dr. Lee met J. F. Ash on Jan. 3 in the U.S. army.", ["Dr. Lee met J. F. Ash on Jan. 3 in the U.S. army."]),
        ("He left the U.S. The law stayed.", ["He left the U.S.", "The law stayed."]),
        ("an error , i.e. a slip .", ["an error , i.e.", "a slip ."]),
        ("wait ... which one ?", ["wait ... which one ?"]),
        ('"Stop!" he said. "Now."', ['"Stop!"', "he said.", '"Now."']),
        ("   ", []),
    ],
)
def test_sentences(line: str, sentences: list[str]) -> None:
    assert split_sentences(line) == sentences


def test_words() -> None:
    assert split_words("they don't pay $5, -lrb- or so -rrb- ``now''.") == (
        "they do n't pay $ 5 , -lrb- or so -rrb- `` now '' .".split()
    )


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


def test_grade_and_length() -> None:
    counts = count_text(["the cat sat . it purred .", "", "a cat !"])
    assert counts == TextCounts(sentences=3, words=10, syllables=11)
    assert flesch_kincaid(counts).value == pytest.approx(0.39 * 10 / 3 + 11.8 * 11 / 10 - 15.59)
    assert sentence_length(counts).value == pytest.approx(10 / 3)
    assert str(flesch_kincaid(counts).signature) == "FK|tok:nltk|sent:punkt|syl:cmudict-max|version:1"


def test_text_without_words() -> None:
    counts = count_text(["", " "])
    assert counts == TextCounts(0, 0, 0)
    assert flesch_kincaid(counts).value == sentence_length(counts).value == 0


def test_long_and_foreign_lines() -> None:
    counts = count_text(["word " * 1000, "дом 🙂 …"])
    assert (counts.sentences, counts.words) == (2, 1003)
