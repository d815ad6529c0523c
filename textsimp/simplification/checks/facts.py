"""Numbers and names of a sentence that its simplification has otherwise."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from textsimp.simplification.checks.parsed_texts import LEFT_OUT, Finding, Side

if TYPE_CHECKING:
    from spacy.tokens import Token

_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_YEAR = re.compile(r"\b(\d\d)\d\d\s?[-–/](\d\d)$")
# What text2num does not read; the first three make a number before them larger.
_OTHERS = {"dozen": 12.0, "decade": 10.0, "century": 100.0, "half": 0.5, "quarter": 0.25, "both": 2.0, "twice": 2.0}
_OTHERS |= {"once": 1.0, "couple": 2.0, "pair": 2.0, "double": 2.0, "single": 1.0}
_CURRENCIES = {"$": "dollar", "£": "pound", "€": "euro", "¥": "yen", "eur": "euro", "usd": "dollar", "gbp": "pound"}
_UNITS = frozenset({*_CURRENCIES.values(), "percent"})
_SUMS = ("DATE", "TIME", "MONEY", "QUANTITY", "PERCENT")
_SOFT = frozenset((0.0, 0.5, 1.0, 2.0, 100.0, 10.0))
_MONTHS = "january february march april may june july august september october november december".split()


class Number(NamedTuple):
    """A number: its first token, text, values (a range has two), and what it counts; `soft` where words may say it."""

    token: "Token"
    text: str
    values: set[float]
    unit: str
    soft: bool


class _Word(NamedTuple):
    """A token for text2num."""

    token: "Token"

    def text(self) -> str:
        return self.token.lower_

    def nt_separated(self, previous: object) -> bool:
        return False

    def not_a_number_part(self) -> bool:
        return self.token.lower_ == "one" and self.token.pos_ in ("PRON", "DET")


def numbers(side: Side) -> list[Number]:
    """Return the numbers of a text: text2num reads the words, and `1.5 million` is one number."""
    from text_to_num import find_numbers

    doc, found, end = side.doc, list[Number](), 0
    spoken = {item.start: item for item in find_numbers([_Word(token) for token in side.tokens], "en", threshold=0)}
    for token in side.tokens:
        item = spoken.get(token.i)
        if token.i < end:
            continue
        end, values = token.i + 1, _values(token)
        if values and end in spoken and spoken[end].value >= 100:
            values, end = {value * spoken[end].value for value in values}, spoken[end].end
        elif item and not values:
            values, end = {float(item.value)}, item.end
        elif token.lemma_ in _OTHERS:
            values = {_OTHERS[token.lemma_]}
        if values and end < len(doc) and (times := _OTHERS.get(doc[end].lemma_, 0)) >= 10:
            values |= {value * times for value in values}
        if values:
            soft = token.text == "0" or (token.is_alpha and (values <= _SOFT or bool(item and item.is_ordinal)))
            found.append(Number(token, doc[token.i : end].text, values, _unit(token, doc[end - 1]), soft))
    return found


def _values(token: "Token") -> set[float]:
    values = {float(part.replace(",", "")) for part in _DIGITS.findall(token.text)}
    before = token.doc[max(token.i - 2, 0) : token.i].text if re.fullmatch(r"\d\d", token.text) else ""
    if match := _YEAR.search(before + token.text):  # 1990-95
        values.add(float(match[1] + match[2]))
    return values


def _unit(first: "Token", last: "Token") -> str:
    """Return the lemma of what a number counts, a currency or `percent`; empty where it counts nothing."""
    after = last.nbor().lower_ if last.i + 1 < len(last.doc) else ""
    for sign in (first.nbor(-1).lower_ if first.i else "", after):
        if sign in _CURRENCIES:
            return _CURRENCIES[sign]
    if after in ("%", "percent") or last.doc[last.i + 1 : last.i + 3].text == "per cent":
        return "percent"
    return last.head.lemma_.lower() if last.dep_ in ("nummod", "amod", "quantmod", "compound") else ""


def changed_numbers(before: Side, after: Side) -> Iterator[Finding]:
    """Yield the numbers and currencies that only one of the texts has, and numbers that count something else."""
    old, new = numbers(before), numbers(after)
    old_values = {value for number in old for value in number.values}
    old_values |= {_MONTHS.index(word) + 1.0 for word in before.words.intersection(_MONTHS)}
    new_values = {value for number in new for value in number.values}
    for number in old:
        has_unit = number.unit not in _UNITS or number.unit in {n.unit for n in new} | after.words
        if not has_unit and number.values & new_values:
            yield Finding("number", "lost", number.unit)
        if not number.soft and not number.values & _forms(new_values):
            yield Finding("number", "lost" if _is_cut(number, after) else LEFT_OUT, number.text)
    joints = sum(token.lower_ in ("and", "or", ",") for token in before.tokens)
    for number in new:
        is_old = number.soft or number.values <= _forms(old_values)
        counts = number.text.isalpha() and min(number.values) <= joints + 1  # how many things the sentence lists
        is_item = number.token.is_sent_start and number.token.doc[number.token.i + 1 :][:1].text in (".", ")")
        if (not is_old and not counts and not is_item) or (is_old and any(_takes(number, n, old, new) for n in old)):
            yield Finding("number", "invented", number.text)
        if number.unit in _UNITS and number.unit not in {n.unit for n in old} | before.words | {"percent"}:
            yield Finding("number", "invented", number.unit)


def _forms(values: set[float]) -> set[float]:
    """Return numbers, and what else they may be written as: 50% for a half, the 1800s for the 19th century."""
    return values | {form for n in values for form in (n * 100, n * 100 - 100, n / 100, n / 100 + 1)}


def _takes(new: Number, old: Number, olds: list[Number], news: list[Number]) -> bool:
    """Return whether a number counts what another one of the sentence counted, which now counts something else."""
    if not new.unit or new.unit != old.unit or new.values & old.values:
        return False
    pairs = [(number, new) for number in olds] + [(number, old) for number in news]
    return not any(number.unit == new.unit and number.values & other.values for number, other in pairs)


def _is_cut(number: Number, after: Side) -> bool:
    """Return whether what a number belongs to is still there: what it counts, or the rest of its date or sum."""
    token = number.token
    spans = (span for span in token.doc.ents if span.label_ in _SUMS and span.start <= token.i < span.end)
    rest = [other for span in spans for other in span if other.like_num or other.lower_ in _MONTHS]
    if any(other.i != token.i and other.lower_ in after.words for other in rest):
        return True
    return token.dep_ == "nummod" and token.head.pos_ == "NOUN" and token.head.lemma_.lower() in after.words


def changed_names(before: Side, after: Side) -> Iterator[Finding]:
    """Yield the names that only one of the texts has, where capitals tell them; those that are gone are left out."""
    if before.doc.text.islower():
        return
    for token in after.tokens:
        is_title = token.is_title and not token.is_sent_start and token.pos_ in ("NOUN", "ADJ")
        is_name = is_title or (token.pos_ == "PROPN" and token.text[0].isupper())
        if is_name and token.is_alpha and len(token) > 1 and not before.has(token):
            yield Finding("name", "invented", token.text)
    names = [span.root for span in before.doc.ents if span.root.pos_ == "PROPN" and not any(map(after.has, span))]
    yield from (Finding("name", LEFT_OUT, name.text) for name in names)
