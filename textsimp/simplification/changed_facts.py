"""What became of the numbers, names and negations of a sentence in another one: lost, invented, left out.

What is missing comes in two severities: `lost` where the words around it are still there, `left out` where they went
with it. Where a text has a fact elsewhere, what stands beside it says whether it is still said of the same thing (`12
cats and 3 dogs`, `3 cats and 12 dogs`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from textsimp.metrics.rewriting.word_links import Word
from textsimp.simplification.compared_texts import ComparedTexts, Side
from textsimp.simplification.written_names import Name, has_name, is_common, is_same_name, is_slip, names_of
from textsimp.simplification.written_negations import (
    Negation,
    bare_forms,
    denied,
    implied_negations,
    negations_of,
)
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
class _Missing:
    """A number or a name of the input that the output has not, `end` exclusive.

    Attributes:
        by_the_way: whether it never alarms: `first`, or some of the words of a name.
    """

    fact: Fact
    start: int
    end: int
    text: str
    by_the_way: bool


def changed_facts(texts: ComparedTexts, judged: Sequence[Fact]) -> list[Finding]:
    """The facts of these kinds that the two texts do not share."""
    names = _Names(texts) if Fact.NAME in judged else None
    numbers = _Numbers(texts)
    missing = [*numbers.missing, *(names.missing if names else ())]
    places = {place for item in missing for place in range(item.start, item.end)}
    found = [_severity(texts, item, places) for item in missing]
    if texts.dangles and not any(finding.change is Change.LOST for finding in found):
        found += names.repeated() if names else []
    found += numbers.invented(missing) + (names.invented() if names else [])
    return found + (_Negations(texts).changed() if Fact.NEGATION in judged else [])


def _severity(texts: ComparedTexts, item: _Missing, missing: set[int]) -> Finding:
    """Whether a fact was cut out, alone or with those beside it (`11 July 2006`), or went with what it is said of."""
    start, end = item.start, item.end
    while start - 1 in missing:
        start -= 1
    while end in missing:
        end += 1
    cut = texts.kept_around if item.fact is Fact.NUMBER else texts.is_cut
    lost = (not item.by_the_way or (item.fact is Fact.NAME and texts.dangles)) and (
        cut(item.start, item.end) or texts.closes(start, end)
    )
    return Finding(item.fact, Change.LOST if lost else Change.LEFT_OUT, item.text)


class _Numbers:
    """The numbers of both texts."""

    def __init__(self, texts: ComparedTexts) -> None:
        self.texts = texts
        self.before, self.after = numbers_of(texts.before.words), numbers_of(texts.after.words)
        # what is on both sides and says a number by the way stands for no other one
        self._fresh = [number for number in self.after if not number.soft or not _stands_in(number, texts.before)]
        self._gone = [number for number in self.before if not number.soft or not _stands_in(number, texts.after)]
        self.missing = [
            _Missing(Fact.NUMBER, number.start, number.end, number.text, number.soft)
            for number in self.before
            if (not number.soft or (number.told and not _stands_in(number, texts.after)))
            and not same_number(number, self._fresh)
        ]

    def invented(self, missing: Sequence[_Missing]) -> list[Finding]:
        """The new numbers, and those that stand where another one stood."""
        texts = self.texts
        changed = any(item.fact is Fact.NUMBER and not item.by_the_way for item in missing)
        new = [
            number
            for number in self.after
            if not number.soft
            and not same_number(number, self._gone)
            and not texts.after.enumerates(number)
            and (changed or not self._counts(number))
        ]
        return [Finding(Fact.NUMBER, Change.INVENTED, number.text) for number in [*new, *self._exchanged()]]

    def _exchanged(self) -> Iterator[Number]:
        """Numbers that stand beside a word beside which the input has another one: `3 cats` for `12 cats`.

        The other one is gone, or stands where this one stood; else the words were only put in another order.
        """
        both = [(number, other) for number in self.before for other in self.after if not same_number(number, [other])]
        pairs = [pair for pair in both if self._replaces(*pair)]
        for number, other in both:
            swapped = any(same_number(number, [there]) and same_number(other, [here]) for here, there in pairs)
            replaced = (number, other) in pairs and (swapped or not same_number(number, self.after))
            if replaced or self._is_turned(number, other):
                yield other

    def _is_turned(self, number: Number, other: Number) -> bool:
        """Whether each of two numbers stands between the words between which the other one stood."""
        here, there = ([item for item in self.before if same_number(item, [one])] for one in (number, other))
        places = [item for item in self.after if same_number(item, [number])]
        if not len(here) == len(there) == len(places) == 1:
            return False
        a, b = (_between(self.texts.before, item) for item in (number, there[0]))
        new_b, new_a = _between(self.texts.after, other), _between(self.texts.after, places[0])
        return _agree(a, new_b) + _agree(b, new_a) >= 3 > 1 >= _agree(a, new_a) + _agree(b, new_b)

    def _replaces(self, number: Number, other: Number) -> bool:
        """Whether a number of the output stands beside the same content word as another one of the input."""
        texts = self.texts
        if number.soft and not number.told:
            return False
        if other.soft and (not other.told or _stands_in(other, texts.before)):
            return False
        beside = {(side, texts.place.get(place)) for side, place in _beside(texts.before, number)}
        return not beside.isdisjoint(_beside(texts.after, other))

    def _counts(self, number: Number) -> bool:
        """Whether a new number word may say how many things the input lists, no number of the input being missing."""
        before = self.texts.before
        joints = sum(word.folded in ("and", "or") for word in before.words) + "".join(before.marks).count(",")
        return not number.digits and all(2 <= float(value) <= joints + 1 for value in number.values)


def _stands_in(number: Number, side: Side) -> bool:
    return number.text.lower() in side.folded


class _Names:
    """The names of both texts."""

    def __init__(self, texts: ComparedTexts) -> None:
        self.texts, self.cased = texts, texts.cased
        before, after = texts.before, texts.after
        self.before = names_of(before.words, before.begins, after.words, self.cased)
        self.after = names_of(after.words, after.begins, before.words, self.cased)
        self.missing = [item for name in self.before for item in self._missing(name)]

    def _missing(self, name: Name) -> Iterator[_Missing]:
        words, others = self.texts.before.words, self.texts.after.words
        if _is_month_in_digits(name, numbers_of(others)):
            return
        gone = [word for word in name.words if not has_name(word, words, others, self.cased)]
        if len(gone) == len(name.words):
            yield _Missing(Fact.NAME, name.start, name.end, name.text, False)
        else:
            told = [word for word in gone if not is_common(word)]
            if told:
                yield _Missing(Fact.NAME, name.start, name.end, " ".join(word.text for word in told), True)

    def repeated(self) -> list[Finding]:
        """Names that the output has less often, where it has a hole that no other fact explains."""
        texts = self.texts
        return [
            Finding(Fact.NAME, Change.LOST, name.text)
            for name in self.before
            if not any(place in texts.place for place in range(name.start, name.end))
            and all(self._count(word, texts.before.words) > self._count(word, texts.after.words) for word in name.words)
        ]

    def _count(self, word: Word, words: Sequence[Word]) -> int:
        return sum(is_same_name(word, other, self.cased) for other in words)

    def invented(self) -> list[Finding]:
        """The new names."""
        texts = self.texts
        words, others = texts.after.words, texts.before.words
        new = [
            word
            for name in self.after
            for word in name.words
            if not has_name(word, words, others, self.cased)
            and not is_common(word)
            and (self.cased or not is_slip(word.folded, texts.before.folded))
        ]
        return [Finding(Fact.NAME, Change.INVENTED, word.text) for word in new]


def _is_month_in_digits(name: Name, written: Sequence[Number]) -> bool:
    """Whether a month stands as a number in the other text: 9/22 for September 22."""
    digits = [number for number in written if number.digits]
    return any(same_number(month, digits) for month in numbers_of(name.words))


def _beside(side: Side, fact: Number) -> list[tuple[int, int]]:
    """The content words next to a number, as direction and place, one light word aside; no month or number is one."""
    found: list[tuple[int, int]] = []
    around = [*side.words[max(0, fact.start - 1) : fact.start], *side.words[fact.end : fact.end + 1]]
    if any(word.folded in MONTHS for word in around):
        return found
    if fact.end < len(side.words) and not side.begins(fact.end) and _says_what(side.words[fact.end]):
        found.append((1, fact.end))
    for place in (fact.start - 1, fact.start - 2):
        if place < 0 or side.begins(place + 1) or side.words[place].folded == "between":
            break
        if not side.words[place].light:
            found += [(-1, place)] if _says_what(side.words[place]) else []
            break
    return found


def _between(side: Side, fact: Number) -> tuple[str, str]:
    """The words before and behind a number, `.` for a mark."""
    return "." if side.begins(fact.start) else side.words[fact.start - 1].folded, side.follows(fact.end - 1)


def _agree(a: tuple[str, str], b: tuple[str, str]) -> int:
    return sum(one == other for one, other in zip(a, b, strict=True))


def _says_what(word: Word) -> bool:
    return not word.light and not word.number and word.folded not in MONTHS


class _Negations:
    """The negations of both texts."""

    def __init__(self, texts: ComparedTexts) -> None:
        self.texts = texts
        self.before, self.after = (negations_of(side.words, side.begins) for side in (texts.before, texts.after))

    def changed(self) -> list[Finding]:
        """Those that only one of the texts has."""
        gone = [negation for negation in self.before if not self._is_kept(negation)]
        new = [negation for negation in self.after if not self._is_old(negation)]
        for negation in list(new):
            other = next((other for other in gone if self._near(other, negation)), None)
            if other is not None:
                gone.remove(other)
                new.remove(negation)
        found = [Finding(Fact.NEGATION, self._severity(negation), negation.text) for negation in gone]
        found += [Finding(Fact.NEGATION, Change.INVENTED, n.text) for n in new if not self._is_reworded(n)]
        return found + self._prefixes()

    def _is_kept(self, negation: Negation) -> bool:
        kept = (self.texts.place.get(place) for place in negation.scope)
        return any(denied(self.texts.after.words, self.after, place) for place in kept if place is not None)

    def _is_old(self, negation: Negation) -> bool:
        kept = (self.texts.origin.get(place) for place in negation.scope)
        return any(denied(self.texts.before.words, self.before, place) for place in kept if place is not None)

    def _near(self, negation: Negation, other: Negation) -> bool:
        """Whether a negation of the input and one of the output stand among the same words."""
        around = (
            self.texts.place.get(place) for place in range(negation.place - _AROUND, negation.place + _AROUND + 1)
        )
        linked = [place for place in around if place is not None]
        return not linked or any(abs(place - other.place) <= _AROUND for place in linked)

    def _severity(self, negation: Negation) -> Change:
        """What became of a negation of the input that the output has not."""
        texts = self.texts
        implied = self._implied_after
        places = [texts.place.get(place) for place in negation.scope]
        kept = any(place is not None for place in places)
        lost = (kept and not _is_implied(places, implied)) or bool(texts.after.stranded - texts.before.stranded)
        lost = lost or (
            not implied and not self._is_contrast(negation) and texts.closes(negation.place, negation.place + 1)
        )
        return Change.LOST if lost else Change.LEFT_OUT

    def _is_contrast(self, negation: Negation) -> bool:
        """Whether another part is put in place of what is denied: `not a road but a network`."""
        words = self.texts.before.words[max(negation.scope, default=negation.place) :][:2]
        return any(word.folded == "but" for word in words)

    def _is_reworded(self, negation: Negation) -> bool:
        """Whether a new negation comes of a word of the input that implied it, or stands among new words."""
        texts, implied = self.texts, self._implied_before
        inserted = negation.text.lower() in _ADVERBS and texts.origin.get(negation.place - 1) is not None
        if not inserted and not any(place in texts.origin for place in negation.scope):
            return True
        around = range(negation.place - _AROUND, negation.place + _AROUND + 1)
        origins = [texts.origin[place] for place in negation.scope[:2] if place in texts.origin] or [
            texts.origin[place] for place in around if place in texts.origin
        ]
        return any(abs(origin - place) <= _NEAR for origin in origins for place in implied)

    @cached_property
    def _implied_before(self) -> set[int]:
        return implied_negations(self.texts.before.words, self.texts.after.words)

    @cached_property
    def _implied_after(self) -> set[int]:
        return implied_negations(self.texts.after.words, self.texts.before.words)

    def _prefixes(self) -> list[Finding]:
        """Words that say no by their prefix or ending, and stand without it in the other text."""
        texts = self.texts
        lost = _without_prefix(texts.before, texts.after, self.after)
        new = _without_prefix(texts.after, texts.before, self.before)
        return [Finding(Fact.NEGATION, Change.LOST, word) for word in lost] + [
            Finding(Fact.NEGATION, Change.INVENTED, word) for word in new
        ]


def _without_prefix(side: Side, other: Side, negations: Sequence[Negation]) -> Iterator[str]:
    """The words of a side, such as `unable`, that the other one has without what denies them."""
    for word in side.words:
        if word.folded in other.folded:
            continue
        bare = bare_forms(word.folded)
        found = [there for there, facing in enumerate(other.words) if facing.folded in bare]
        if any(facing in side.folded for facing in bare) or not found:
            continue
        implied = implied_negations(other.words, side.words)
        if not any(
            denied(other.words, negations, there) or any(abs(there - near) <= _NEAR for near in implied)
            for there in found
        ):
            yield word.text


def _is_implied(places: Sequence[int | None], implied: set[int]) -> bool:
    """Whether a word of the other text says no instead: beside what is denied, or anywhere where that is reworded."""
    direct = [place for place in places[:2] if place is not None]
    if direct:
        return any(abs(place - other) <= _NEAR for place in direct for other in implied)
    return bool(implied)


_ADVERBS = ("not", "never", "hardly")
"""Negations that can be put into a sentence whose other words stay."""
_NEAR = 3
"""Words between a word that implies a negation and one that it is said of."""
_AROUND = 5
"""Words on either side of a negation that say where it stands."""
