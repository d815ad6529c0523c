"""Numbers and names of a sentence that its simplification has otherwise."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textsimp.simplification.checks.findings import Change, Finding, Kind
from textsimp.simplification.checks.parsed_texts import Side

if TYPE_CHECKING:
    from spacy.tokens import Token

_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_YEAR = re.compile(r"\b(\d\d)\d\d\s?[-–/](\d\d)?$")
_OTHERS = {"half": 0.5, "quarter": 0.25, "dozen": 12, "decade": 10, "century": 100, "both": 2, "twice": 2, "once": 1}
_OTHERS |= {"couple": 2, "pair": 2, "double": 2, "single": 1, "third": 3, "twin": 2, "two-thirds": 3}
_CURRENCIES = {"$": "dollar", "£": "pound", "€": "euro", "¥": "yen", "eur": "euro", "usd": "dollar", "gbp": "pound"}
_UNITS = frozenset({*_CURRENCIES.values(), "percent"})
_SOFT = frozenset((0.0, 0.5, 1.0, 2.0, 100.0, 10.0))
_MONTHS = "january february march april may june july august september october november december".split()


@dataclass(frozen=True)
class Number:
    """A number as it is written, its values (a range has two), and what it counts; `soft` where a word says it too."""

    token: "Token"
    text: str
    values: tuple[float, ...]
    unit: str
    soft: bool


class _Word:
    """A token for text2num."""

    def __init__(self, token: "Token") -> None:
        self._text = token.lower_
        self._is_pronoun = token.pos_ in ("PRON", "DET")

    def text(self) -> str:
        return self._text

    def nt_separated(self, previous: object) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return self._is_pronoun and self._text == "one"


def numbers(side: Side) -> list[Number]:
    """Return the numbers of a text: text2num reads the words, and `1.5 million` is one number."""
    from text_to_num import find_numbers

    doc, found = side.doc, []
    spoken = {item.start: item for item in find_numbers([_Word(token) for token in doc], "en", threshold=0)}
    position = 0
    while position < len(doc):
        token, item = doc[position], spoken.get(position)
        end = position + 1
        if any(letter.isdigit() for letter in token.text):
            values = _values(token)
            if end in spoken and spoken[end].value >= 100:
                values, end = tuple(value * spoken[end].value for value in values), spoken[end].end
        elif item:
            values, end = (float(item.value),), item.end
        elif token.lemma_.lower() in _OTHERS:
            values = (float(_OTHERS[token.lemma_.lower()]),)
        else:
            values = ()
        if values and end < len(doc) and (times := _OTHERS.get(doc[end].lemma_.lower(), 0)) >= 10:
            values += tuple(value * times for value in values)  # two decades
        if values:
            text = doc[position:end].text
            soft = not text[0].isdigit() and (set(values) <= _SOFT or bool(item and item.is_ordinal))
            found.append(Number(token, text, values, _unit(doc[position], doc[end - 1]), soft))
        position = end
    return found


def _values(token: "Token") -> tuple[float, ...]:
    values = [float(part.replace(",", "")) for part in _DIGITS.findall(token.text)]
    before = token.doc[max(token.i - 2, 0) : token.i].text if token.i > 1 else ""
    if match := _YEAR.search(before if re.fullmatch(r"\d\d", token.text) else token.text):  # 1990-95
        values.append(float(match[1] + (match[2] or token.text)))
    return tuple(values)


def _unit(first: "Token", last: "Token") -> str:
    """Return the lemma of what a number counts, a currency or `percent`; empty where it counts nothing."""
    doc = last.doc
    before = doc[first.i - 1].lower_ if first.i else ""
    after = doc[last.i + 1].lower_ if last.i + 1 < len(doc) else ""
    for sign in (before, after):
        if sign in _CURRENCIES:
            return _CURRENCIES[sign]
    if after in ("%", "percent", "per") and (after != "per" or doc[last.i + 1 :][:2].text == "per cent"):
        return "percent"
    return str(last.head.lemma_.lower()) if last.dep_ in ("nummod", "amod", "quantmod", "compound") else ""


def changed_numbers(before: Side, after: Side) -> Iterator[Finding]:
    """Yield the numbers and currencies that only one of the texts has, and numbers that count something else."""
    old, new = numbers(before), numbers(after)
    old_values = {value for number in old for value in number.values}
    old_values |= {float(_MONTHS.index(word) + 1) for word in before.words & set(_MONTHS)}
    new_values = {value for number in new for value in number.values}
    for number in old:
        if number.unit in _UNITS and number.unit not in {other.unit for other in new} | after.words:
            if set(number.values) & new_values:
                yield Finding(Kind.NUMBER, Change.LOST, number.unit)
        if not number.soft and not set(number.values) & _forms(new_values):
            yield Finding(Kind.NUMBER, Change.LOST if _is_cut(number, after) else Change.LEFT_OUT, number.text)
    for number in new:
        is_old = number.soft or set(number.values) <= _forms(old_values)
        if not is_old and not _enumerates(number) and not _counts(number, before):
            yield Finding(Kind.NUMBER, Change.INVENTED, number.text)
        if is_old and any(_is_exchanged(number, other, old, new) for other in old):
            yield Finding(Kind.NUMBER, Change.INVENTED, number.text)
        if number.unit in _UNITS and number.unit not in {other.unit for other in old} | before.words | {"percent"}:
            yield Finding(Kind.NUMBER, Change.INVENTED, number.unit)


def _forms(values: set[float]) -> set[float]:
    """Return numbers, and what else they may be written as: 50% for a half, the 1800s for the 19th century."""
    scaled = (value * factor - less for value in values for factor, less in ((100, 0), (100, 100), (0.01, 0), (0.01, -1)))
    return values | set(scaled)


def _enumerates(number: Number) -> bool:
    return number.token.is_sent_start and number.token.i + 1 < len(number.token.doc) and number.token.nbor().is_punct


def _counts(number: Number, before: Side) -> bool:
    """Return whether a new number word may say how many things the sentence lists."""
    joints = sum(token.lower_ in ("and", "or", ",") for token in before.doc)
    return not number.text[0].isdigit() and number.values[0] <= joints + 1


def _is_exchanged(new: Number, old: Number, olds: list[Number], news: list[Number]) -> bool:
    """Return whether a number counts what another one of the sentence counted, which now counts something else."""
    if not new.unit or new.unit != old.unit or set(new.values) & set(old.values):
        return False
    same = [number for number in olds if number.unit == new.unit and set(number.values) & set(new.values)]
    kept = [number for number in news if number.unit == old.unit and set(number.values) & set(old.values)]
    return not same and not kept


def _is_cut(number: Number, after: Side) -> bool:
    """Return whether what a number belongs to is still there: what it counts, or the rest of its date or sum."""
    token = number.token
    span = next((span for span in token.doc.ents if span.start <= token.i < span.end), None)
    if span is not None and span.label_ in ("DATE", "TIME", "MONEY", "QUANTITY", "PERCENT"):
        rest = [other for other in span if other.i != token.i and (other.like_num or other.lower_ in _MONTHS)]
        if any(other.lower_ in after.words for other in rest):
            return True
    return token.dep_ == "nummod" and token.head.lemma_.lower() in after.words and token.head.pos_ == "NOUN"


def changed_names(before: Side, after: Side) -> Iterator[Finding]:
    """Yield the names that only the simplification has, and those whose verb has lost them."""
    if not any(token.is_title for token in before.doc[1:]) and before.doc.text.islower():
        return  # names are told by their capitals
    for token in after.doc:
        is_name = token.pos_ == "PROPN" or (token.is_title and not token.is_sent_start and token.pos_ in ("NOUN", "ADJ"))
        if is_name and token.is_alpha and len(token) > 1 and not before.has_name(token):
            yield Finding(Kind.NAME, Change.INVENTED, token.text)
    for token in before.doc:
        if token.pos_ == "PROPN" and token.dep_ not in ("compound", "nmod", "flat") and not _has_part(token, after):
            yield Finding(Kind.NAME, _name_change(token, after), token.text)


def _has_part(token: "Token", after: Side) -> bool:
    names = [token, *(child for child in token.children if child.pos_ == "PROPN" and child.dep_ in ("compound", "nmod"))]
    return any(after.has_name(name) for name in names)


def _name_change(token: "Token", after: Side) -> Change:
    """Return whether the verb of a name is kept with nobody in its place."""
    is_argument = token.dep_ in ("nsubj", "nsubjpass", "dobj")
    kept = [other for other in after.doc if other.lemma_ == token.head.lemma_ and other.pos_ == "VERB"]
    lost = is_argument and kept and not any(child.dep_ == token.dep_ for verb in kept for child in verb.children)
    return Change.LOST if lost else Change.LEFT_OUT
