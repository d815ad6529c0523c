"""The numbers of an English text, in digits or words: which words write one, and which values it may stand for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from textsimp.metrics.rewriting.word_links import Word
from textsimp.simplification.common_words import MONTHS

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth"
).split()
_SCALES = {"hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_WRITTEN_SCALES = _SCALES | {"bn": 1e9, "mn": 1e6, "m": 1e6, "k": 1e3}
_VALUES: dict[str, float] = {
    **{word: float(value) for value, word in enumerate(_SMALL)},
    **{word: float(value) for value, word in enumerate(_ORDINALS)},
    **{word: 10.0 * tens for tens, word in enumerate(_TENS, 2)},
    **{f"{word[:-1]}ieth": 10.0 * tens for tens, word in enumerate(_TENS, 2)},
    **{f"{word}th": value for word, value in _SCALES.items()},
}
_ORDINAL = frozenset([*_ORDINALS, *(word for word in _VALUES if word.endswith("th"))])
_MULTIPLES = {"dozen": 12.0, "score": 20.0, "decade": 10.0, "century": 100.0, "millennium": 1000.0}
_MULTIPLES |= {f"{word}s": value for word, value in _MULTIPLES.items()}
_MULTIPLES |= {"centuries": 100.0, "millennia": 1000.0}
_EQUAL: dict[str, tuple[float, ...]] = {
    **dict.fromkeys(("once", "single", "sole", "solo", "alone", "another"), (1,)),
    **dict.fromkeys(("both", "twice", "double", "doubled", "pair", "pairs", "couple", "couples", "duo", "twin"), (2,)),
    **dict.fromkeys(("twins", "bilateral", "dual", "duet"), (2,)),
    **dict.fromkeys(("triple", "tripled", "trio", "trilogy", "thrice", "triplets", "trios", "thirds"), (3,)),
    **dict.fromkeys(("quartet", "quadruple", "quarters", "fourths", "tetralogy"), (4,)),
    **dict.fromkeys(("quintet", "fifths"), (5,)),
    **dict.fromkeys(("half", "halves", "midpoint"), (2, 0.5, 50)),
    "quarter": (4, 0.25, 25),
    "noon": (12,),
    "midday": (12,),
    "midnight": (12,),
    "fortnight": (2, 14),
    "teens": (10,),
}
"""Words that say a number by the way: they may stand for one, and are never missed."""
_ARTICLES = ("a", "an")
_CENTURIES = frozenset(["century", "centuries"])
_SOFT = frozenset([*MONTHS, "one", "first", "second", "seconds", *_MULTIPLES, *_EQUAL])
_TOLD = frozenset("one first second once twice thrice double triple half both quarter dozen decade century".split())
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_ROMAN = re.compile(r"(?=[ivx]{2})x{0,3}(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}
_SUFFIXES = frozenset(["st", "nd", "rd", "th", "s"])


@dataclass(frozen=True)
class Number:
    """A number as it is written.

    Attributes:
        start, end: its words, the second exclusive.
        values: what it may stand for: `two decades` for 2 and 20, `the 20th century` for 20, 1900 and 19.
        text: as it is written.
        soft: whether it is written by a word that also has other meanings (`one`, `second`, `century`).
        told: whether it says all the same how many or which (`one`, `second`, `half`), not only in passing (`a`).
        digits: whether it is written in digits.
    """

    start: int
    end: int
    values: frozenset[float | str]
    text: str
    soft: bool
    told: bool
    digits: bool


def numbers_of(words: Sequence[Word]) -> list[Number]:
    """The numbers of a text in order; time is linear in the number of words."""
    numbers = []
    position = 0
    while position < len(words):
        number = _digits(words, position) or _in_words(words, position) or _roman(words, position)
        if number is not None:
            numbers.append(number)
        position = number.end if number else position + 1
    return numbers


def same_number(number: Number, candidates: Sequence[Number]) -> bool:
    """Whether one of the candidates is this number, its years perhaps shortened (`1990-95`)."""
    values = {
        value
        for candidate in candidates
        # a month may be written in digits, 3 for March, but not as `third`
        if _is_month(number) == _is_month(candidate) or number.digits or candidate.digits
        for value in candidate.values
    }
    return not values.isdisjoint(number.values) or any(
        _is_shortened(a, b) or _is_shortened(b, a) for a in number.values for b in values
    )


def _is_month(number: Number) -> bool:
    return number.text.lower() in MONTHS


def _is_shortened(year: float | str, short: float | str) -> bool:
    if isinstance(year, str) or isinstance(short, str):
        return False
    return 1000 <= year < 2100 and 10 <= short < 100 and year % 100 == short


def _digits(words: Sequence[Word], start: int) -> Number | None:
    written = words[start].folded
    if written in MONTHS and words[start].text[0].isupper():
        return _number(words, start, start + 1, {float(MONTHS.index(written) + 1)})
    if not _DIGITS.fullmatch(written):
        return None
    end = start + 1
    if written.count(".") + written.count(",") > 1 or "," in written:
        return _number(words, start, end, {_plain(written)}, digits=True)
    value, values = float(written), set[float | str]()
    if _is(words, end, _SUFFIXES):
        end += 1
        values = {value}
        if any(word.folded in _CENTURIES for word in words[end : end + 3]):
            values |= {value * 100 - 100, value - 1}
            end += _is(words, end, _CENTURIES)
    elif _is(words, end, _WRITTEN_SCALES) and words[end].folded != "m":
        value, end = _scaled(words, end, value)
    elif _is(words, end, _MULTIPLES):
        values = {value, value * _MULTIPLES[words[end].folded]}
        end += 1
    return _number(words, start, end, values or {value}, digits=True)


def _plain(written: str) -> float | str:
    """`1,5` is taken for a decimal number as some languages write it; other groups of digits are themselves."""
    head, mark, tail = written.partition(",")
    return float(f"{head}.{tail}") if mark and "," not in tail and "." not in written else written


def _scaled(words: Sequence[Word], end: int, value: float) -> tuple[float, int]:
    while end < len(words) and words[end].folded in _WRITTEN_SCALES:
        value *= _WRITTEN_SCALES[words[end].folded]
        end += 1
    return round(value, 6), end


def _in_words(words: Sequence[Word], start: int) -> Number | None:
    first = words[start].folded
    if first in ("half", "quarter") and _is(words, start + 2, _SCALES):  # half a million
        value, end = _scaled(words, start + 2, _EQUAL[first][1])
        return _number(words, start, end, {value})
    if first in _EQUAL:
        return _number(words, start, start + 1, set(map(float, _EQUAL[first])))
    if first in _MULTIPLES:
        return _number(words, start, start + 1, {_MULTIPLES[first]})
    if first in _ARTICLES and _is(words, start + 1, _MULTIPLES):
        return _number(words, start, start + 2, {_MULTIPLES[words[start + 1].folded]})
    if first not in _VALUES and first not in _SCALES and not (first in _ARTICLES and _is(words, start + 1, _SCALES)):
        return None
    total, end = _sum(words, start)
    values: set[float | str] = {total}
    if _is(words, end, _MULTIPLES):
        values.add(total * _MULTIPLES[words[end].folded])
        if words[end - 1].folded in _ORDINAL:
            values |= {total * 100 - 100, total - 1}
        end += 1
    return _number(words, start, end, values)


def _sum(words: Sequence[Word], start: int) -> tuple[float, int]:
    """The value of number words that follow each other, and where they end: `two hundred and fifty-one`."""
    total, current, position, last = 0.0, 0.0, start, float("inf")
    while position < len(words):
        word = words[position].folded
        if word in _SCALES:
            scale = _SCALES[word]
            if scale == 100:
                current = (current or 1.0) * scale
            else:
                total, current = total + (current or 1.0) * scale, 0.0
            last = scale
        elif word in _VALUES and (position == start or _continues(last, _VALUES[word])):
            current += _VALUES[word]
            last = _VALUES[word]
        elif not (word in _ARTICLES and position == start) and not (
            word == "and" and last >= 100 and last != float("inf") and _is(words, position + 1, _VALUES)
        ):
            break
        position += 1
        if word in _ORDINAL:
            break
    return total + current, position


def _continues(last: float, value: float) -> bool:
    """Whether a number word goes on from the one before: `twenty one`, `hundred twenty`, not `one two`."""
    return last >= 100 and value < 100 or (20 <= last < 100 and last % 10 == 0 and value < 10)


def _roman(words: Sequence[Word], start: int) -> Number | None:
    word = words[start]
    if not _ROMAN.fullmatch(word.folded) or not (word.text.isupper() or word.text.islower()):
        return None
    digits = [_ROMAN_VALUES[letter] for letter in word.folded]
    value = sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))
    return _number(words, start, start + 1, {float(value)})


def _number(words: Sequence[Word], start: int, end: int, values: set[float | str], digits: bool = False) -> Number:
    folded = {word.folded for word in words[start:end]} - {*_ARTICLES, "and"}
    soft = not digits and folded <= _SOFT
    text = " ".join(word.text for word in words[start:end])
    return Number(start, end, frozenset(values), text, soft, folded <= _TOLD, digits)


def _is(words: Sequence[Word], position: int, known: frozenset[str] | dict[str, float]) -> bool:
    return (
        position < len(words)
        and words[position].folded in known
        and words[position - 1].sentence == words[position].sentence
    )
