"""What a simplification does to its sentence: checks on trained parts, for English.

spaCy's packaged pipeline finds words, their classes, lemmas, heads and entities; text2num reads numbers; GloVe, where it
is installed, tells which words are near in meaning. What is gone comes in two severities: `lost`, which alarms, where
what it was said of is still there, and `left out`, which does not, where it went with its clause.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from textsimp.core.errors import InputError
from textsimp.metrics.readability import count_line, grade_level
from textsimp.simplification.checks.facts import changed_names, changed_numbers
from textsimp.simplification.checks.findings import Change, Finding, Kind
from textsimp.simplification.checks.form import broken_sentences, changed_brackets, changed_quotations
from textsimp.simplification.checks.meaning import (
    changed_conditions,
    changed_limits,
    changed_negations,
    changed_roles,
    changed_speakers,
    new_words,
)
from textsimp.simplification.checks.parsed_texts import Side, parse

__all__ = ["LANGUAGE", "Change", "Finding", "Kind", "OutputCheck", "check_output", "check_outputs", "grade"]

LANGUAGE = "en"


@dataclass(frozen=True)
class OutputCheck:
    """What was found out about one output.

    Attributes:
        findings: what the output says otherwise, numbers first.
        grade_before, grade_after: Flesch-Kincaid grade levels (`textsimp.metrics.readability`).
        length_ratio: words of the output for each of the input; 0 without words.
        is_copy: whether the output is the input but for spaces.
        is_empty: whether the output has no words where the input has some.
    """

    findings: tuple[Finding, ...]
    grade_before: float
    grade_after: float
    length_ratio: float
    is_copy: bool
    is_empty: bool

    @property
    def alarms(self) -> tuple[str, ...]:
        """Return what an editor has to look at, one text each."""
        changed = [str(finding) for finding in self.findings if finding.change is not Change.LEFT_OUT]
        return ("empty output", *changed) if self.is_empty else tuple(changed)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return what went with its clause."""
        return tuple(str(finding) for finding in self.findings if finding.change is Change.LEFT_OUT)


def check_output(complex: str, simple: str, language: str = LANGUAGE) -> OutputCheck:
    """Compare one output with its input; see `check_outputs`, which is faster for many."""
    return check_outputs([(complex, simple)], language)[0]


def check_outputs(pairs: Sequence[tuple[str, str]], language: str = LANGUAGE) -> list[OutputCheck]:
    """Compare outputs with their inputs, each a sentence or a few; every distinct text is parsed once.

    Args:
        pairs: inputs, each with its output.
        language: the code of their language.

    Raises:
        InputError: the language is not English, or spaCy's pipeline is not installed.
    """
    if language != LANGUAGE:
        raise InputError(f"language {language!r}: outputs are checked in English alone; leave the checks out")
    before = {text: Side(doc) for text, doc in parse((complex for complex, _ in pairs), True).items()}
    after = parse((simple for complex, simple in pairs if _differ(complex, simple)), False)
    return [_checked(before[complex], complex, simple, after) for complex, simple in pairs]


def _differ(complex: str, simple: str) -> bool:
    return complex.split() != simple.split()


def _checked(before: Side, complex: str, simple: str, docs) -> OutputCheck:
    counts = len(complex.split()), len(simple.split())
    is_copy, is_empty = not _differ(complex, simple), bool(counts[0]) and not counts[1]
    findings = () if is_copy or is_empty else _findings(before, Side(docs[simple]))
    ratio = counts[1] / max(counts[0], 1)
    return OutputCheck(tuple(dict.fromkeys(findings)), grade(complex), grade(simple), ratio, is_copy, is_empty)


def _findings(before: Side, after: Side) -> Iterator[Finding]:
    yield from changed_numbers(before, after)
    yield from changed_names(before, after)
    for check in (changed_negations, changed_limits, changed_conditions, changed_speakers, changed_roles, new_words):
        yield from check(before, after)
    yield from changed_quotations(before.doc.text, after.doc.text)
    yield from changed_brackets(before, after)
    yield from broken_sentences(before, after)


def grade(text: str) -> float:
    """Return the Flesch-Kincaid grade level of one line; 0 without words."""
    return float(grade_level(np.array([count_line(text)], dtype=np.float64), floor=-np.inf)[0, 0])
