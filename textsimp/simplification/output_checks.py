"""What a simplification does to the facts of its sentence: numbers, names and negations lost, invented or left out.

A plain-language editor has to look where an output says something else than its sentence, and need not where it says
less. So what is missing comes in two severities: `lost`, which alarms, where the words around it are still there (`in
1990 he moved` to `in he moved`), and `left out`, which does not, where they went with it. What is new alarms.

The rules are English's. Numbers are read in every language; names where capitals mark them, so not in German; negations
in English alone. What could not be judged is said.
"""

from dataclasses import dataclass

import numpy as np

from textsimp.metrics.readability import count_line, grade_level
from textsimp.simplification.changed_facts import changed_facts
from textsimp.simplification.compared_texts import ComparedTexts
from textsimp.simplification.findings import Change, Fact, Finding

__all__ = ["Change", "Fact", "Finding", "OutputCheck", "check_output", "grade"]


@dataclass(frozen=True)
class OutputCheck:
    """What was found out about one output.

    Attributes:
        findings: facts lost, invented and left out, numbers first.
        not_judged: which facts could not be looked for (names of lower-cased text, negations of other languages).
        grade_before, grade_after: Flesch-Kincaid grade levels (`textsimp.metrics.readability`).
        length_ratio: words of the output for each of the input; 0 without words.
        is_copy: whether the output is the input but for spaces.
        is_empty: whether the output has no words where the input has some.
    """

    findings: tuple[Finding, ...]
    not_judged: tuple[Fact, ...]
    grade_before: float
    grade_after: float
    length_ratio: float
    is_copy: bool
    is_empty: bool

    @property
    def alarms(self) -> tuple[str, ...]:
        """What an editor has to look at, one text each."""
        changed = [str(finding) for finding in self.findings if finding.change is not Change.LEFT_OUT]
        return ("empty output", *changed) if self.is_empty else tuple(changed)

    @property
    def left_out(self) -> tuple[str, ...]:
        """What went with its clause."""
        return tuple(str(finding) for finding in self.findings if finding.change is Change.LEFT_OUT)


def check_output(complex: str, simple: str, language: str = "en") -> OutputCheck:
    """Compare an output with its input, one sentence or a few; time goes with the product of their lengths.

    Args:
        complex, simple: the input and the output, plain text.
        language: the code of their language, as in `textsimp.sources.splitting.language`.
    """
    texts = ComparedTexts(complex, simple)
    is_empty = bool(texts.before.words) and not texts.after.words
    is_english = language == "en"
    judged = {Fact.NUMBER: True, Fact.NAME: is_english or (language != "de" and texts.cased), Fact.NEGATION: is_english}
    is_copy = complex.split() == simple.split()
    facts = [fact for fact in Fact if judged[fact]]
    findings = [] if is_copy or is_empty else changed_facts(texts, facts)
    not_judged = tuple(fact for fact in Fact if not judged[fact])
    ratio = len(texts.after.words) / max(len(texts.before.words), 1)
    grades = grade(complex), grade(simple)
    return OutputCheck(tuple(dict.fromkeys(findings)), not_judged, *grades, ratio, is_copy, is_empty)


def grade(text: str) -> float:
    """The Flesch-Kincaid grade level of one line; 0 without words."""
    return float(grade_level(np.array([count_line(text)], dtype=np.float64), floor=-np.inf)[0, 0])
