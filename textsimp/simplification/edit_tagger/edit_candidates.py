"""The edits that a sentence offers: rules whose words it has, and phrases that can be left out as a whole.

Without a parser a phrase is what stands between marks and small words: a bracket, an apposition, an opening or closing
phrase set off by a comma, a relative clause, a phrase with its preposition.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from textsimp.simplification.edit_tagger.edit_rules import LONGEST, Rule
from textsimp.simplification.edit_tagger.edit_words import EditWord, folded
from textsimp.simplification.edit_tagger.word_classes import (
    BOUND,
    CONJUNCTIONS,
    DETERMINERS,
    ENDS,
    LIGHT,
    MARKS,
    NEGATIONS,
    OPENERS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    VERBS,
)

KINDS = ("replace", "drop", "split", "bracket", "opening", "apposition", "closing", "relative", "phrase", "conjunct")
"""Kinds of edits: words by a rule, words left out by a rule, a sentence ended by a rule; phrases left out."""
_PAIRS = (("(", ")"), ("[", "]"))
_PHRASE = 9
_CLAUSE = 24
"""Most words of a phrase, and of what stands between commas, that can be left out."""


@dataclass(frozen=True)
class Edit:
    """Words `start` to `end` (exclusive) of a sentence and what is written for them.

    Attributes:
        kind: index into `KINDS`.
        rule: number of the rule; -1 for a phrase that is left out.
        target: words, folded; empty where they are left out.
    """

    start: int
    end: int
    kind: int
    rule: int
    target: tuple[str, ...]


class Candidates:
    """Finds the edits of a sentence by the rules of a model."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = list(rules)
        self._by_source: Mapping[tuple[str, ...], list[int]] = _by_source(rules)

    def __call__(self, words: Sequence[EditWord]) -> list[Edit]:
        """The edits of a sentence, in a fixed order, without repeats."""
        texts = folded(words)
        edits = dict.fromkeys(self._of_rules(words, texts))
        taken: set[tuple[int, int]] = set()
        for start, end, kind in _phrases(texts):
            begins_name = words[start].is_word and start > 0 and _is_name(words, start, start + 1)
            if (start, end) not in taken and not begins_name and _can_go(texts, start, end):
                taken.add((start, end))
                edits[Edit(start, end, KINDS.index(kind), -1, ())] = None
        return list(edits)

    def _of_rules(self, words: Sequence[EditWord], texts: Sequence[str]) -> Iterator[Edit]:
        for start in range(len(texts)):
            for size in range(1, min(LONGEST, len(texts) - start) + 1):
                end = start + size
                for number in self._by_source.get(tuple(texts[start:end]), ()):
                    rule = self.rules[number]
                    if rule.splits:
                        if _has_verb(texts[:start]) and _goes_on(rule, texts[end:]):
                            yield Edit(start, end, KINDS.index("split"), number, rule.target)
                    elif not _is_name(words, start, end) and _fits(texts, start, rule):
                        yield Edit(start, end, KINDS.index("replace" if rule.target else "drop"), number, rule.target)


def _by_source(rules: Sequence[Rule]) -> dict[tuple[str, ...], list[int]]:
    found: dict[tuple[str, ...], list[int]] = {}
    for number, rule in enumerate(rules):
        found.setdefault(rule.source, []).append(number)
    return found


def _is_name(words: Sequence[EditWord], start: int, end: int) -> bool:
    """Whether a word inside the sentence has a capital."""
    return any(
        word.text[0].isupper() and place > 0 and words[place - 1].folded not in (*ENDS, ":", '"')
        for place, word in enumerate(words[start:end], start)
    )


def _fits(texts: Sequence[str], start: int, rule: Rule) -> bool:
    """Whether what is written can stand there: no preposition after an article, `-ing` for `-ing`."""
    after_article = start > 0 and texts[start - 1] in ("a", "an", "the")
    if after_article and rule.target and rule.target[0] in PREPOSITIONS | VERBS:
        return False
    if len(rule.source) > 1 or not rule.target or not rule.source[0].endswith("ing"):
        return True
    return rule.target[0].endswith("ing") or rule.target[0] in LIGHT


def _goes_on(rule: Rule, texts: Sequence[str]) -> bool:
    """Whether words after a split make a sentence: a clause, or what a subject that the rule writes may do."""
    if not texts or len(rule.target) == 1 or rule.target[-1] not in PRONOUNS | DETERMINERS:
        return _is_clause(texts)
    first = texts[0]
    ends = first.endswith(("ed", "ly", "s")) and first not in PRONOUNS and first.isalpha()
    return first in VERBS or first in OPENERS or ends


def _is_clause(texts: Sequence[str]) -> bool:
    """Whether words can be a sentence: they have a verb, but do not begin with it."""
    return (
        bool(texts)
        and _has_verb(texts)
        and texts[0] not in VERBS
        and not texts[0].endswith(("ed", "ing"))
        and texts[0].isalnum()
    )


def _has_verb(texts: Sequence[str]) -> bool:
    return any(word in VERBS or (len(word) > 4 and word.endswith("ed")) for word in texts)


def _can_go(texts: Sequence[str], start: int, end: int) -> bool:
    """Whether words that deny nothing go, and a sentence with a verb, if it had one, is left."""
    gone = texts[start:end]
    if not NEGATIONS.isdisjoint(gone) or any(word.endswith("n't") for word in gone) or MARKS.issuperset(gone):
        return False
    if gone.count('"') % 2 or any(gone.count(left) != gone.count(right) for left, right in _PAIRS):
        return False
    left, right = texts[start - 1] if start else "", texts[end] if end < len(texts) else "."
    if left in CONJUNCTIONS | PREPOSITIONS and right in MARKS:
        return False
    rest = [*texts[:start], *texts[end:]]
    return sum(word not in MARKS for word in rest) >= 4 and (_has_verb(rest) or not _has_verb(texts))


def _phrases(texts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    yield from _brackets(texts)
    marks = [-1] + [place for place, word in enumerate(texts) if word in ENDS or word == ","]
    for left, right in zip(marks[:-1], marks[1:], strict=True):
        size = right - left - 1
        opens, closes = left < 0 or texts[left] in ENDS, texts[right] in ENDS
        if not 0 < size <= _CLAUSE:
            continue
        if all(not word.isalpha() for word in texts[left + 1 : right]):
            continue  # the year of a date
        if opens and not closes:
            if _opens_lightly(texts[left + 1]):
                yield left + 1, right + 1, "opening"
        elif not opens and not closes and texts[right + 1 : right + 2] not in (["and"], ["or"]):
            yield left, right, "apposition"
            yield left, right + 1, "apposition"
        elif closes and not opens:
            yield left, right, "closing"
    yield from _small(texts)


def _opens_lightly(word: str) -> bool:
    """Whether a phrase that begins with the word is no subject."""
    return word in PREPOSITIONS or word in OPENERS or word.endswith(("ly", "ing", "ed"))


def _brackets(texts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    opened: list[int] = []
    for place, word in enumerate(texts):
        if word in ("(", "["):
            opened.append(place)
        elif word in (")", "]") and opened:
            yield opened.pop(), place + 1, "bracket"


def _small(texts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Phrases that begin at a small word and end before the next border, or before the next mark."""
    for start, word in enumerate(texts):
        kind = "relative" if word in RELATIVES else "conjunct" if word in CONJUNCTIONS else "phrase"
        begins = word in RELATIVES or word in CONJUNCTIONS or (word in PREPOSITIONS and word not in BOUND)
        if start == 0 or not begins or (word == "as" and texts[start - 1] == "such"):
            continue
        ends = []
        for end in range(start + 1, min(len(texts), start + _CLAUSE) + 1):
            if end == len(texts) or texts[end] in MARKS:
                ends.append(end)
                break
            is_border = texts[end] in PREPOSITIONS or texts[end] in CONJUNCTIONS or texts[end] in RELATIVES
            if kind == "phrase" and (is_border or texts[end] in VERBS) and 1 < end - start <= _PHRASE:
                ends.append(end)
        for end in ends:
            if end - start > 1:
                yield start, end, kind
