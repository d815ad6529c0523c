"""Changes of words, and those that a reference makes too."""

from collections.abc import Sequence

import pytest

from textsimp.metrics.rewriting.changes import change_statistics, reference_words
from textsimp.metrics.rewriting.units import UnitAligner, units_of
from textsimp.metrics.scores import Score


def score(complex_lines: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Score:
    units = map(UnitAligner("english").align, units_of(complex_lines, outputs))
    return change_statistics(list(units), reference_words(references, "english"), "english").score()


COMPLEX = ["The committee purchased an enormous building near the harbour ."]


@pytest.mark.parametrize(
    ("output", "references", "total", "correct"),
    [
        (COMPLEX[0], ["The committee bought a big building ."], 0, 0),
        ("The committee bought an enormous building near the harbour .", ["The committee bought a house ."], 1, 1),
        ("The committee bought an enormous building near the harbour .", ["The committee got a house ."], 1, 0),
        ("The committee bought an enormous building near the harbour .", ["It got one .", "They bought it ."], 1, 1),
        ("The committee purchased a big building .", ["The committee purchased a big house ."], 2, 2),
        ("The committee purchased a big building .", ["The committee purchased a house near the harbour ."], 2, 0),
        ("The committee purchased an enormous building near the harbour yesterday .", COMPLEX, 1, 0),
    ],
    ids=["none", "replaced", "other word", "one of two", "left out", "kept by people", "added"],
)
def test_changes_are_counted_and_compared(output: str, references: list[str], total: int, correct: int) -> None:
    found = score(COMPLEX, [output], [[line] for line in references])
    assert found.value == 100 * total
    assert found.parts == {"correct": pytest.approx(100 * correct / total if total else 0)}


def test_sentences_are_counted_together() -> None:
    outputs = ["The committee bought an enormous building near the harbour .", COMPLEX[0]]
    found = score(COMPLEX * 2, outputs, [["The committee bought it ."] * 2])
    assert (found.value, found.parts) == (50, {"correct": 100})
