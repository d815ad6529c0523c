"""What a simplification does to the facts of its sentence: numbers, names and negations lost, invented or left out.

A plain-language editor has to look where an output says something else than its sentence, and need not where it says
less. So what is missing comes in two severities: `lost`, which alarms, where the words around it are still there (`in
1990 he moved` to `in he moved`), and `left out`, which does not, where they went with it. What is new alarms.

The rules are English's. Numbers are read in every language; names where capitals mark them, so not in German; negations
in English alone. What could not be judged is said.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from textsimp.metrics.readability import count_line, grade_level
from textsimp.simplification.compared_texts import ComparedTexts
from textsimp.simplification.written_names import has_name, is_common, names_of
from textsimp.simplification.written_negations import Negation, denied, implied_negations, negations_of
from textsimp.simplification.written_numbers import MONTHS, Number, numbers_of, same_number


class Fact(StrEnum):
    """What is looked for."""

    NUMBER = "number"
    NAME = "name"
    NEGATION = "negation"


class Change(StrEnum):
    """What happened to it; all but `left out` alarm."""

    LOST = "lost"
    INVENTED = "invented"
    LEFT_OUT = "left out"


@dataclass(frozen=True)
class Finding:
    """One fact that the output has otherwise, as the text writes it."""

    fact: Fact
    change: Change
    text: str

    def __str__(self) -> str:
        return f"{self.fact} {self.change}: {self.text}"


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
        found = [str(finding) for finding in self.findings if finding.change is not Change.LEFT_OUT]
        return ("empty output", *found) if self.is_empty else tuple(found)

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
    judged = {Fact.NUMBER: True, Fact.NAME: language != "de" and texts.cased, Fact.NEGATION: language == "en"}
    findings: list[Finding] = []
    is_copy = complex.split() == simple.split()
    if not is_copy and not is_empty:
        for fact, find in ((Fact.NUMBER, _numbers), (Fact.NAME, _names), (Fact.NEGATION, _negations)):
            findings += find(texts) if judged[fact] else []
    not_judged = tuple(fact for fact in Fact if not judged[fact])
    ratio = len(texts.after.words) / max(len(texts.before.words), 1)
    grades = grade(complex), grade(simple)
    return OutputCheck(tuple(dict.fromkeys(findings)), not_judged, *grades, ratio, is_copy, is_empty)


def grade(text: str) -> float:
    """The Flesch-Kincaid grade level of one line; 0 without words."""
    return float(grade_level(np.array([count_line(text)], dtype=np.float64), floor=-np.inf)[0, 0])


def _numbers(texts: ComparedTexts) -> list[Finding]:
    before, after = numbers_of(texts.before.words), numbers_of(texts.after.words)
    # what is on both sides and says a number by the way stands for no other one
    fresh = [number for number in after if not number.soft or number.text.lower() not in texts.before.folded]
    gone = [number for number in before if not number.soft or number.text.lower() not in texts.after.folded]
    found = []
    for number in before:
        if not number.soft and not same_number(number, fresh):
            lost = texts.kept_around(number.start, number.end)
            found.append(Finding(Fact.NUMBER, Change.LOST if lost else Change.LEFT_OUT, number.text))
    invented = [number for number in after if not number.soft and not same_number(number, gone)]
    invented = [
        number for number in invented if not texts.after.enumerates(number) and not _counts(number, texts, found)
    ]
    return found + [Finding(Fact.NUMBER, Change.INVENTED, number.text) for number in invented]


def _counts(number: Number, texts: ComparedTexts, missing: Sequence[Finding]) -> bool:
    """Whether a new number word may say how many things the input lists, no number of the input being missing."""
    joints = sum(word.folded in ("and", "or") for word in texts.before.words) + "".join(texts.before.marks).count(",")
    return not missing and not number.digits and all(2 <= float(value) <= joints + 1 for value in number.values)


def _names(texts: ComparedTexts) -> list[Finding]:
    written = {value for number in numbers_of(texts.after.words) if number.digits for value in number.values}
    before, after = (
        names_of(texts.before.words, texts.before.begins, texts.after.words),
        names_of(texts.after.words, texts.after.begins, texts.before.words),
    )
    found = []
    for name in before:
        folded = name.text.lower()
        if folded in MONTHS and MONTHS.index(folded) + 1.0 in written:
            continue  # 9/22 for September 22
        if not any(has_name(word, texts.before.words, texts.after.words) for word in name.words):
            lost = texts.dangles or texts.closes(name.start, name.end)
            found.append(Finding(Fact.NAME, Change.LOST if lost else Change.LEFT_OUT, name.text))
    new = [word for name in after for word in name.words if not has_name(word, texts.after.words, texts.before.words)]
    return found + [Finding(Fact.NAME, Change.INVENTED, word.text) for word in new if not is_common(word)]


def _negations(texts: ComparedTexts) -> list[Finding]:
    before, after = negations_of(texts.before.words), negations_of(texts.after.words)
    found = []
    if len(after) < len(before):
        implied = implied_negations(texts.after.words, texts.before.words)
        found = [_lost_negation(texts, negation, after, implied) for negation in before]
    if len(after) > len(before):
        implied = implied_negations(texts.before.words, texts.after.words)
        found = [_new_negation(texts, negation, before, implied) for negation in after]
    return [finding for finding in found if finding is not None]


def _lost_negation(texts: ComparedTexts, negation: Negation, after: Sequence[Negation], implied: set[int]) -> Finding | None:
    """What became of a negation of the input; None where it is still one."""
    places = [texts.place.get(place) for place in negation.scope]
    kept = [place for place in places if place is not None]
    if any(denied(texts.after.words, after, place) for place in kept):
        return None
    lost = (bool(kept) and not _is_implied(places, implied)) or bool(texts.after.stranded - texts.before.stranded)
    return Finding(Fact.NEGATION, Change.LOST if lost else Change.LEFT_OUT, negation.text)


def _new_negation(texts: ComparedTexts, negation: Negation, before: Sequence[Negation], implied: set[int]) -> Finding | None:
    """A negation of the output; None where it comes of one of the input, or of a word that implied it."""
    places = [texts.origin.get(place) for place in negation.scope]
    if any(denied(texts.before.words, before, place) for place in places if place is not None):
        return None
    if not any(place is not None for place in places):
        return None  # a word of its own: `not trust` for `suspicious`
    return None if _is_implied(places, implied) else Finding(Fact.NEGATION, Change.INVENTED, negation.text)


def _is_implied(places: Sequence[int | None], implied: set[int]) -> bool:
    """Whether a word of the other text says no instead: beside what is denied, or anywhere where that is reworded."""
    direct = [place for place in places[:2] if place is not None]
    if direct:
        return any(abs(place - other) <= _NEAR for place in direct for other in implied)
    return bool(implied)


_NEAR = 2
"""Words between a word that implies a negation and one that it is said of."""
