"""Sentences, words, syllables and FK on small texts of our own; the golden numbers are in test_metrics_golden.py."""

import pytest

from textsimp.metrics.readability import (
    count_syllables,
    estimate_syllables,
    fk_statistics,
    length_statistics,
    pronunciations,
)
from textsimp.metrics.tokens import split_sentences, split_words


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
        ["they", "do", "n't", "pay", "$", "5", ",", "-lrb-", "or", "so", "-rrb-", "``", "now", "''", "."]
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


def test_long_and_foreign_lines() -> None:
    assert counts(["word " * 1000, "дом 🙂 …"])[:2] == [2, 1003]
