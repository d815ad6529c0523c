"""Checks of outputs on trained parts, for English: what a simplification says otherwise than its sentence.

spaCy's packaged pipeline finds words, lemmas, heads and entities; text2num reads numbers; GloVe, where it is installed,
tells which words are near in meaning. What is gone comes in two severities: `lost`, which alarms, where what it was
said of is still there, and `left out`, which does not, where it went with its clause.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from textsimp.core.errors import InputError
from textsimp.metrics.readability import count_line, grade_level
from textsimp.simplification.checks.changes import CHECKS
from textsimp.simplification.checks.parsed_texts import LEFT_OUT, Finding, Side, parse

LANGUAGE = "en"


@dataclass(frozen=True)
class OutputCheck:
    """What was found out about one output."""

    findings: tuple[Finding, ...]  # what the output says otherwise, numbers first
    # Flesch-Kincaid grade levels (`textsimp.metrics.readability`)
    grade_before: float
    grade_after: float
    length_ratio: float  # words of the output for each of the input; 0 without words
    is_copy: bool  # whether the output is the input but for spaces
    is_empty: bool  # whether the output has no words where the input has some

    @property
    def alarms(self) -> tuple[str, ...]:
        """Return what an editor has to look at, one line each."""
        alarms = (f"{kind} {change}: {text}" for kind, change, text in self.findings if change != LEFT_OUT)
        return ("empty output",) if self.is_empty else tuple(alarms)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return what went with its clause."""
        return tuple(f"{kind} {change}: {text}" for kind, change, text in self.findings if change == LEFT_OUT)


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
    changed = [(complex, simple) for complex, simple in pairs if simple.split() not in ([], complex.split())]
    before = {text: Side(doc) for text, doc in parse((complex for complex, _ in changed), True).items()}
    after = parse((simple for _, simple in changed), False)
    checks = []
    for complex, simple in pairs:
        is_copy, counts = complex.split() == simple.split(), (len(complex.split()), len(simple.split()))
        sides = () if is_copy or not counts[1] else ((before[complex], Side(after[simple])),)
        found = [finding for texts in sides for check in CHECKS for finding in check(*texts)]
        ratio, is_empty = counts[1] / max(counts[0], 1), counts[1] == 0 < counts[0]
        checks.append(OutputCheck(tuple(dict.fromkeys(found)), grade(complex), grade(simple), ratio, is_copy, is_empty))
    return checks


def grade(text: str) -> float:
    """Return the Flesch-Kincaid grade level of one line; 0 without words."""
    return float(grade_level(np.array([count_line(text)], dtype=np.float64), floor=-np.inf)[0, 0])
