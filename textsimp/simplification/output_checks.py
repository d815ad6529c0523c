"""What a simplification does to the facts of its sentence: numbers, names and negations lost, invented or left out.

A plain-language editor has to look where an output says something else than its sentence, and need not where it says
less. So what is missing comes in two severities: `lost`, which alarms, where the words around it are still there (`in
1990 he moved` to `in he moved`), and `left out`, which does not, where they went with it. What is new alarms.

The rules are English's. Numbers are read in every language; names where capitals mark them, so not in German; negations
in English alone. What could not be judged is said.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from textsimp.metrics.readability import count_line, grade_level
from textsimp.metrics.rewriting.languages import language as rules_of
from textsimp.metrics.rewriting.word_links import (
    Matcher,
    Word,
    align_words,
    is_too_long,
    join_compounds,
    sentences_of,
    words_of,
)
from textsimp.simplification.written_names import has_name, is_cased, is_common, names_of
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
    texts = _Texts(complex, simple)
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


def marks_between(text: str, words: Sequence[Word]) -> list[str]:
    """The marks before each word, spaces and hyphens left out; words that the text writes otherwise have none."""
    marks, end = [], 0
    for word in words:
        start = text.find(word.text, end, end + _FAR)
        between = text[end:start] if start >= 0 else ""
        marks.append("".join(_MARK.findall(between)))
        end = start + len(word.text) if start >= 0 else end
    return marks


_FAR = 40
"""Characters between a word and the next one at most."""
_MARK = re.compile(r"[.,;:!?()\[\]—–/]|-[lr]rb-|--|(?<=\s)-(?=\s)")


class _Side:
    """The words of one side, and the marks between them."""

    def __init__(self, text: str, words: Sequence[Word]) -> None:
        self.words, self.folded = words, frozenset(word.folded for word in words)
        self.marks = marks_between(text, words)

    def follows(self, place: int) -> str:
        """What stands behind a word: the next word, or `.` for a mark or the end of the sentence."""
        behind = place + 1
        if behind >= len(self.words) or self.words[behind].sentence != self.words[place].sentence:
            return "."
        return "." if self.marks[behind] else self.words[behind].folded

    def begins(self, place: int) -> bool:
        """Whether a sentence or a part between marks begins with this word."""
        return place == 0 or bool(self.marks[place]) or self.words[place - 1].sentence != self.words[place].sentence

    def enumerates(self, number: Number) -> bool:
        """Whether a number is the marker of an item: `1.` or `1)` at the beginning."""
        marked = number.end < len(self.words) and self.marks[number.end][:1] in (".", ")")
        return number.digits and marked and self.begins(number.start) and len(number.text) < 3

    @cached_property
    def dangling(self) -> frozenset[tuple[str, str]]:
        """Prepositions and articles that have nothing to stand before, each with what follows it."""
        found = ((word.folded, self.follows(place)) for place, word in enumerate(self.words))
        return frozenset(
            (word, behind)
            for word, behind in found
            if (word in _PREPOSITIONS and (behind == "." or behind in _NO_OBJECTS))
            and not (word in _CONJUNCTIONS and behind in _SUBJECTS)
            or (word in _COPULAS and behind == ".")
            or (word in _ARTICLES and (behind == "." or behind in _NO_OBJECTS or behind in _PREPOSITIONS))
        )

    @cached_property
    def stranded(self) -> frozenset[tuple[str, str]]:
        """Forms of `do` that stand before a verb as if they denied it, each with the verb: `he did want`."""
        pairs = ((self.words[place], self.words[place + 1]) for place in range(len(self.words) - 1))
        return frozenset(
            (left.folded, right.folded)
            for left, right in pairs
            if left.folded in ("do", "does", "did") and not right.light and not right.folded.endswith(_NO_VERBS)
        )


class _Texts:
    """Both sides, and which word became which."""

    def __init__(self, complex: str, simple: str) -> None:
        rules = rules_of("english")
        sides = [words_of(sentences_of([text]), rules) for text in (complex, simple)]
        words = join_compounds(sides[0], sides[1]), join_compounds(sides[1], sides[0])
        self.before, self.after = _Side(complex, words[0]), _Side(simple, words[1])
        linked = not is_too_long(complex) and not is_too_long(simple)
        links = align_words(*words, Matcher(rules)) if linked else ()
        self.place = {link.complex: link.simple for link in links}
        self.origin = {link.simple: link.complex for link in links}
        self.cased = is_cased(words[0])
        self._holes = len(_HOLE.findall(simple)) > len(_HOLE.findall(complex))

    @cached_property
    def dangles(self) -> bool:
        """Whether the output has a place where something is missing, and the input none like it."""
        return self._holes or bool(self.after.dangling - self.before.dangling)

    def kept_around(self, start: int, end: int) -> bool:
        """Whether the words around a number of the input stand in the output as if it had been cut out."""
        return self.dangles or self.closes(start, end) or self._is_bare(start, end)

    def closes(self, start: int, end: int) -> bool:
        """Whether what stands on both sides of the part, words or marks, meets in the output."""
        left = None if self.before.begins(start) else self.place.get(start - 1)
        ends = self.before.follows(end - 1) == "."
        right = None if ends else self.place.get(end)
        if self.before.begins(start):
            return right is not None and self.after.begins(right)
        if left is None:
            return False
        return self.after.follows(left) == "." if ends else right == left + 1 and not self.after.begins(right)

    def _is_bare(self, start: int, end: int) -> bool:
        """Whether the word that a cut number belonged to is kept, with nothing new in the number's place."""
        words = self.before.words
        left = start - 1 if not self.before.begins(start) else None
        if left is not None and (words[left].folded in MONTHS or words[left].text[0].isupper() and left > 0):
            return left in self.place  # July 19, Voyager 2
        if self._has_no_object(start):
            return True
        for position in range(end, min(end + 3, len(words))):
            if self.before.begins(position) or words[position].light or words[position].number:
                return False
            if (place := self.place.get(position)) is not None:
                return self.after.begins(place) or self._stands_bare(place)
        return False

    def _stands_bare(self, place: int) -> bool:
        """Whether nothing before a noun of the output says how many; a month needs no number behind a preposition."""
        before = self.after.words[place - 1].folded
        is_month = self.after.words[place].folded in MONTHS
        return before not in _DETERMINERS and not (is_month and before in _PREPOSITIONS)

    def _has_no_object(self, start: int) -> bool:
        """Whether the preposition before a cut part is kept, with nothing new behind it."""
        left = self.place.get(start - 1) if not self.before.begins(start) else None
        if left is None or self.after.words[left].folded not in _PREPOSITIONS:
            return False
        return self.after.follows(left) not in _DETERMINERS


_HOLE = re.compile(r"\(\s*[)–-]|,\s*[,.;)]|(?<![\d\s])\s*%|[$£€](?!\s*\d)|-lrb-\s*-rrb-")
"""Where a number is missing."""
_PREPOSITIONS = frozenset(
    "in on at by for with to from into of about during until since between after before than within near against as "
    "through across towards toward approximately nearly".split()
)
_CONJUNCTIONS = frozenset("until since before after than as".split())
_SUBJECTS = frozenset("he she they we".split())
_NO_VERBS = ("ing", "ly", "n't")
_COPULAS = frozenset("is are was were".split())
_ARTICLES = frozenset("the a an".split())
_NO_OBJECTS = frozenset(
    "and or but he she they we was were is are had has have when where who which that because while although in on at "
    "by for with from into of to after before during until since also too".split()
)
"""What does not stand behind a preposition."""
_DETERMINERS = frozenset(
    "a an the this that these those many several some few various multiple numerous "
    "most all every each other more much lots any both different certain large number group of hundreds thousands "
    "millions billions dozens first last next early late".split()
)


def _numbers(texts: _Texts) -> list[Finding]:
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


def _counts(number: Number, texts: _Texts, missing: Sequence[Finding]) -> bool:
    """Whether a new number word may say how many things the input lists, no number of the input being missing."""
    joints = sum(word.folded in ("and", "or") for word in texts.before.words) + "".join(texts.before.marks).count(",")
    return not missing and not number.digits and all(2 <= float(value) <= joints + 1 for value in number.values)


def _names(texts: _Texts) -> list[Finding]:
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


def _negations(texts: _Texts) -> list[Finding]:
    before, after = negations_of(texts.before.words), negations_of(texts.after.words)
    found = []
    if len(after) < len(before):
        implied = implied_negations(texts.after.words, texts.before.words)
        found = [_lost_negation(texts, negation, after, implied) for negation in before]
    if len(after) > len(before):
        implied = implied_negations(texts.before.words, texts.after.words)
        found = [_new_negation(texts, negation, before, implied) for negation in after]
    return [finding for finding in found if finding is not None]


def _lost_negation(texts: _Texts, negation: Negation, after: Sequence[Negation], implied: set[int]) -> Finding | None:
    """What became of a negation of the input; None where it is still one."""
    places = [texts.place.get(place) for place in negation.scope]
    kept = [place for place in places if place is not None]
    if any(denied(texts.after.words, after, place) for place in kept):
        return None
    lost = (bool(kept) and not _is_implied(places, implied)) or bool(texts.after.stranded - texts.before.stranded)
    return Finding(Fact.NEGATION, Change.LOST if lost else Change.LEFT_OUT, negation.text)


def _new_negation(texts: _Texts, negation: Negation, before: Sequence[Negation], implied: set[int]) -> Finding | None:
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
