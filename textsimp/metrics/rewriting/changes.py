"""Changes of words, and how many of them references make too: an automatic stand-in for Stajner et al. 2017, Table 3.

There people count the changes of each output (Total) and those that keep meaning and grammar and simplify (Correct).
"""

from collections.abc import Iterator, Sequence

import numpy as np

from textsimp.metrics.rewriting.kinds import recipe
from textsimp.metrics.rewriting.units import AlignedUnit, UnitAligner, replacements
from textsimp.metrics.rewriting.word_links import Match
from textsimp.metrics.scores import Counts, SegmentStatistics, quotient

Change = tuple[frozenset[str], frozenset[str]]
"""Content words that were given up, and those that stand in their place, in lower case."""


def reference_words(references: Sequence[Sequence[str]], language: str) -> list[list[frozenset[str]]]:
    """Return the words of each reference of each line, in lower case. Shape: (N, references)."""
    aligner = UnitAligner(language)
    return [
        [frozenset(word.folded for word in aligner.words([text])) for text in row]
        for row in zip(*references, strict=True)
    ]


def change_statistics(
    units: Sequence[AlignedUnit], references: Sequence[Sequence[frozenset[str]]], language: str
) -> SegmentStatistics:
    """Changes for each hundred sentences (`total`), and the percent of them that a reference makes too (`correct`).

    A change is a run of content words that are replaced, left out or added, or a word that became a similar one. It is
    correct if one of the references has none of the words that were given up and all of those in their place.

    Args:
        units: complex sentences and outputs. Length: N.
        references: see `reference_words`.
    """
    rows = []
    for unit, facing in zip(units, references, strict=True):
        changes = list(_changes(unit))
        correct = sum(any(not gone & words and put <= words for words in facing) for gone, put in changes)
        rows.append((len(changes), correct, 1))
    return SegmentStatistics(recipe(language), np.array(rows, dtype=np.float64), _shares, ("correct",), "total")


def _changes(unit: AlignedUnit) -> Iterator[Change]:
    before, after = unit.complex_words, unit.simple_words
    for run in replacements(unit):
        yield frozenset(before[k].folded for k in run.complex), frozenset(after[k].folded for k in run.simple)
    for link in unit.content_links:
        if link.match >= Match.SIMILAR:
            yield frozenset([before[link.complex].folded]), frozenset([after[link.simple].folded])


def _shares(sums: Counts) -> Counts:
    """Changes for each hundred sentences, percent of them that are correct. Shape: (..., 3) to (..., 2)."""
    total, correct, sentences = np.moveaxis(sums, -1, 0)
    return np.stack([100 * total / sentences, 100 * quotient(correct, total)], axis=-1)
