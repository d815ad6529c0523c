"""Named entities by rule, for machines without a trained spaCy model.

The rules, over spaCy's tokens, the first that matches at a token winning:

- DATE: a weekday; a month's name with the day and the year around it, or alone unless it opens the sentence; a year
  from 1000 to 2099 written as four digits.
- MONEY: a currency sign and a number, with "million" and the like. PERCENT: a number and "%" or "percent".
- CARDINAL: a number in digits, or a number word from "two" on ("one" is mostly a pronoun).
- Names: the longest run of capitalised words, "of" and "and the" kept inside "University of Ferry"; the first word of
  the sentence opens a name only when a capitalised word follows and it is no function word. PERSON after a title,
  ORG with a word such as "University", LOC with a word such as "River", GPE after "in", "from" and the like, else
  NAME, for rules cannot tell people from places by form.

They find less than a trained model does and confuse more; an entity that is missed is only a rare word.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc

COMPONENT = "textsimp_rule_entities"
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)
TITLES = frozenset("mr. mr mrs. mrs ms. ms dr. dr prof. professor sir lady judge president captain king queen".split())
PLACES = frozenset("in at from near to into toward towards outside across".split())
ORGANISATIONS = frozenset(
    "university college school institute museum council company association party committee court bank ministry "
    "department agency society union library hospital club".split()
)
LOCATIONS = frozenset(
    "river lake sea ocean island islands mountain mountains valley street road bay desert park".split()
)
SCALES = frozenset("hundred thousand million billion trillion".split())
INNER = frozenset("of de van von del la".split())
Rule = Callable[["Doc", int], tuple[int, str] | None]
"""A rule takes the sentence and a start, and gives the end (exclusive) and the label where it matches."""


def mark_entities(doc: "Doc") -> "Doc":
    """The spaCy component: set `doc.ents`."""
    from spacy.tokens import Span

    spans = []
    position = 0
    while position < len(doc):
        match = next(filter(None, (rule(doc, position) for rule in RULES)), None)
        if match is None:
            position += 1
            continue
        end, label = match
        spans.append(Span(doc, position, end, label=label))
        position = end
    doc.ents = spans
    return doc


def _date(doc: "Doc", start: int) -> tuple[int, str] | None:
    word = doc[start]
    if word.lower_ in WEEKDAYS and word.is_title:
        return start + 1, "DATE"
    if len(word.text) == 4 and word.text.isdigit() and "1000" <= word.text <= "2099":
        return start + 1, "DATE"
    day = start + 1 if _is_day(doc, start) else start
    if day >= len(doc) or doc[day].lower_ not in MONTHS or not doc[day].is_title:
        return None
    end = day + 1
    if day == start and _is_day(doc, end):
        end += 1
    if end + 1 < len(doc) and doc[end].text == "," and _is_year(doc, end + 1):
        end += 2
    elif _is_year(doc, end):
        end += 1
    return (end, "DATE") if end - start > 1 or start > 0 else None


def _number(doc: "Doc", start: int) -> tuple[int, str] | None:
    money = doc[start].is_currency and start + 1 < len(doc)
    first = start + 1 if money else start
    if not doc[first].like_num or doc[first].lower_ == "one":
        return None
    end = first + 1
    while end < len(doc) and doc[end].lower_ in SCALES:
        end += 1
    if money:
        return end, "MONEY"
    if end < len(doc) and doc[end].lower_ in ("%", "percent"):
        return end + 1, "PERCENT"
    return end, "CARDINAL"


def _name(doc: "Doc", start: int) -> tuple[int, str] | None:
    if not _is_capitalised(doc, start) or doc[start].lower_ in TITLES:
        return None
    end = start + 1
    while end < len(doc):
        if _is_capitalised(doc, end):
            end += 1
        elif doc[end].lower_ in INNER and end + 1 < len(doc) and _is_capitalised(doc, end + 1):
            end += 2
        else:
            break
    if start == 0 and (end == 1 or doc[0].is_stop):
        return None
    return end, _name_label(doc, start, end)


def _name_label(doc: "Doc", start: int, end: int) -> str:
    words = {token.lower_ for token in doc[start:end]}
    before = doc[start - 1].lower_ if start else ""
    if before in TITLES:
        return "PERSON"
    if words & ORGANISATIONS:
        return "ORG"
    if words & LOCATIONS:
        return "LOC"
    return "GPE" if before in PLACES else "NAME"


def _is_capitalised(doc: "Doc", index: int) -> bool:
    token = doc[index]
    if not token.text[:1].isupper() or token.text == "I" or token.text.startswith("I'"):
        return False
    return token.lower_ not in WEEKDAYS | MONTHS and any(letter.isalpha() for letter in token.text)


def _is_day(doc: "Doc", index: int) -> bool:
    return index < len(doc) and doc[index].text.isdigit() and 1 <= int(doc[index].text) <= 31


def _is_year(doc: "Doc", index: int) -> bool:
    return index < len(doc) and doc[index].text.isdigit() and len(doc[index].text) == 4


RULES: tuple[Rule, ...] = (_date, _number, _name)
