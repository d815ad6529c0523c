"""The edits that a sentence offers: rules whose words it has, and phrases that can be left out as a whole.

Without a parser a phrase is what stands between marks and small words: a bracket, an apposition, an opening or closing
phrase set off by a comma, a phrase with its preposition. What is quoted stays as it is.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textsimp.simplification.edit_tagger.edit_rules import LONGEST, Rule
from textsimp.simplification.edit_tagger.edit_words import EditWord, folded
from textsimp.simplification.edit_tagger.plain_words import PARTICIPLES, PASTS
from textsimp.simplification.edit_tagger.word_classes import (
    ABBREVIATIONS,
    ARTICLES,
    BE,
    BEFORE_INFINITIVES,
    BEFORE_NUMBERS,
    BETWEEN,
    CONDITIONS,
    CONJUNCTIONS,
    COUNTS,
    DETERMINERS,
    ENDS,
    FREE,
    GENDERS_OF,
    HAVE,
    LIGHT,
    LISTING,
    MARKS,
    NEGATIONS,
    NOT_BEFORE_TO,
    NOUNS_TOO,
    OPENERS,
    PAST_VERBS,
    PLACE_VERBS,
    PLACED,
    PLURAL_VERBS,
    PLURALS,
    PREPOSITIONS,
    RELATIVES,
    SINGULAR_VERBS,
    SUBJECT_WORDS,
    SUBORDINATE,
    VERBS,
)

KINDS = ("replace", "judged", "drop", "split", "bracket", "opening", "apposition", "closing", "phrase")
"""Kinds of edits: words by a rule that is sure and by another, words left out, a sentence ended; phrases left out."""
_QUOTES = frozenset("\"'`“‘") | {"``"}
_PAIRS = (("(", ")"), ("[", "]"))
_PHRASE = 9
_CLAUSE = 24
"""Most words of a phrase, and of what stands between commas, that can be left out."""
_MANY = 4
"""Commas that make a list."""


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
        self._by_source: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, rule in enumerate(rules):
            self._by_source[rule.source].append(number)

    def __call__(self, words: Sequence[EditWord]) -> list[Edit]:
        """The edits of a sentence, in a fixed order, without repeats."""
        texts = folded(words)
        quoted = _quoted(texts)
        edits = dict.fromkeys(self._of_rules(words, texts))
        taken: set[tuple[int, int]] = set()
        for start, end, kind in _phrases(texts):
            first = start + (not words[start].is_word)
            begins_name = kind != "bracket" and 0 < first < end and _is_name(words, first, first + 1)
            if (start, end) not in taken and not begins_name and _can_go(texts, start, end, kind):
                taken.add((start, end))
                edits[Edit(start, end, KINDS.index(kind), -1, ())] = None
        return [edit for edit in edits if not any(quoted[edit.start : edit.end])]

    def _of_rules(self, words: Sequence[EditWord], texts: Sequence[str]) -> Iterator[Edit]:
        for start in range(len(texts)):
            for size in range(1, min(LONGEST, len(texts) - start) + 1):
                end = start + size
                for number in self._by_source.get(tuple(texts[start:end]), ()):
                    rule = self.rules[number]
                    if rule.splits:
                        if _can_end(texts, start) and _goes_on(rule, texts, end):
                            yield Edit(start, end, KINDS.index("split"), number, rule.target)
                    elif not _is_name(words, start, end) and _fits(rule, texts, start, end):
                        yield Edit(
                            start,
                            end,
                            KINDS.index("judged" if not rule.sure else "replace" if rule.target else "drop"),
                            number,
                            rule.target,
                        )


def _is_name(words: Sequence[EditWord], start: int, end: int) -> bool:
    """Whether a word inside the sentence has a capital."""
    return any(
        word.text[0].isupper() and index > 0 and words[index - 1].folded not in (*ENDS, ":", '"')
        for index, word in enumerate(words[start:end], start)
    )


def _quoted(texts: Sequence[str]) -> list[bool]:
    """Whether each word stands in a quotation of others' words, marks included; an odd mark opens none."""
    marks = [index for index, word in enumerate(texts) if word == '"']
    quoted = [False] * len(texts)
    for left, right in zip(marks[::2], marks[1::2], strict=False):
        quoted[left : right + 1] = [True] * (right + 1 - left)
    return quoted


def _fits(rule: Rule, texts: Sequence[str], start: int, end: int) -> bool:
    """Whether what is written can stand there: the form of a verb, what an article or a number asks for."""
    left, right = texts[start - 1] if start else ".", texts[end] if end < len(texts) else "."
    if rule.source in BEFORE_NUMBERS and right[0].isdigit() != (rule.target != ("an", "extra")):
        return False
    if not rule.target:
        return rule.source[-1] not in PLACED or (left in PLACE_VERBS and right in PREPOSITIONS)
    head, source = rule.target[0], rule.source[-1]
    if left in ARTICLES and (head in PREPOSITIONS | VERBS | COUNTS or head in PASTS | PARTICIPLES):
        return False
    if source in NOT_BEFORE_TO and right == "to":
        return False
    if source in NOUNS_TOO and left not in BEFORE_INFINITIVES:
        return False
    if len(rule.source) == 1 and source.endswith("s") != rule.target[-1].endswith("s") and right in VERBS:
        return rule.target[-1] in PLURALS
    if rule.target == ("most",) and right in DETERMINERS | ARTICLES:
        return False
    passive = _helpers(texts, start)
    if head in PARTICIPLES:
        return bool(passive) or right == "by"
    if head in PASTS and (
        passive - {"have"} or ("have" in passive and head not in ("got", "had", "lived")) or right == "by"
    ):
        return False
    if head in PASTS and len(rule.target) == 1 and right in PREPOSITIONS:
        return False  # works selected by him
    if len(rule.source) > 1 or not rule.source[0].endswith("ing"):
        return True
    return head.endswith("ing") or head in LIGHT


def _helpers(texts: Sequence[str], start: int) -> set[str]:
    """The forms of `be` and `have` that stand before a verb, adverbs between them passed over."""
    helpers: set[str] = set()
    for word in reversed(texts[max(0, start - 4) : start]):
        if word in BE:
            helpers.add("be")
        elif word in HAVE:
            helpers.add("have")
        elif not (word.endswith("ly") or word in BETWEEN):
            break
    return helpers


def _can_end(texts: Sequence[str], index: int) -> bool:
    """Whether a sentence can end before this word: it has a verb, and no bracket or subordinate clause is open."""
    first = max((number for number, word in enumerate(texts[:index]) if word in ENDS), default=-1) + 1
    sentence = texts[first:index]
    while sentence and sentence[0] in _QUOTES:
        sentence = sentence[1:]
    return len(sentence) > 3 and sentence[0] not in SUBORDINATE and _has_verb(sentence) and _is_balanced(sentence)


def _is_balanced(texts: Sequence[str]) -> bool:
    return all(texts.count(left) == texts.count(right) for left, right in _PAIRS)


def _goes_on(rule: Rule, texts: Sequence[str], end: int) -> bool:
    """Whether words after a split make a sentence: a clause, or what a subject that the rule writes may do."""
    rest = texts[end:]
    if rest and rest[-1] in ENDS:
        rest = rest[:-1]
    if len(rest) < 2 or not rest[0].isalnum() or any(word in ENDS for word in rest):
        return False
    subject = rule.target[-1]
    if len(rule.target) == 1 or subject not in SUBJECT_WORDS:
        return rule.source[-1] not in RELATIVES and _is_sentence(rest) and texts[end - 1 : end] != [","]
    singular = rest[0] in SINGULAR_VERBS
    if "," in rest or not (singular or rest[0] in PLURAL_VERBS):
        return False
    if subject in GENDERS_OF:
        opposite = "she" if subject == "he" else "he"
        is_same = rule.source[-1] == "who" or texts[0] == subject
        is_told = not GENDERS_OF[subject].isdisjoint(texts) and GENDERS_OF[opposite].isdisjoint(texts)
        return singular and is_same and is_told
    if rule.source[-1] != "which":
        return texts[0] == subject
    several = texts[end - 3].endswith("s") or "and" in texts[max(0, end - 6) : end - 2]
    if rest[0] in SINGULAR_VERBS & PLURAL_VERBS and several:
        return False
    return singular if subject in ("it", "this") else rest[0] in PLURAL_VERBS - SINGULAR_VERBS


def _is_sentence(texts: Sequence[str]) -> bool:
    """Whether words can be a sentence: they have a verb, but do not begin with it, nor with what a clause describes."""
    verb = next((index for index, word in enumerate(texts) if _is_verb(word)), 0)
    return verb > 0 and texts[0].isalnum() and {*RELATIVES, "that", ","}.isdisjoint(texts[:verb])


def _has_verb(texts: Sequence[str]) -> bool:
    return any(map(_is_verb, texts))


def _is_verb(word: str) -> bool:
    return word in VERBS or word in PAST_VERBS or (len(word) > 4 and word.endswith("ed"))


def _can_go(texts: Sequence[str], start: int, end: int, kind: str) -> bool:
    """Whether words that deny nothing and set no condition go, and a sentence with a verb, if it had one, is left."""
    gone = texts[start:end]
    if not NEGATIONS.isdisjoint(gone) or any(word.endswith("n't") for word in gone) or MARKS.issuperset(gone):
        return False
    if kind != "bracket" and (not CONDITIONS.isdisjoint(gone) or any(word[0].isdigit() for word in gone)):
        return False
    if gone.count('"') % 2 or not _is_balanced(gone):
        return False
    left, right = texts[start - 1] if start else "", texts[end] if end < len(texts) else "."
    if left in CONJUNCTIONS | PREPOSITIONS | ARTICLES and (right in MARKS or not start):
        return False
    if right in ("to", "and", "or") and kind in ("phrase", "closing"):
        return False
    rest = [*texts[:start], *texts[end:]]
    return sum(word not in MARKS for word in rest) >= 4 and (_has_verb(rest) or not _has_verb(texts))


def _phrases(texts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    yield from _brackets(texts)
    marks = [-1] + [index for index, word in enumerate(texts) if _ends(texts, index) or word == ","]
    for left, right in zip(marks[:-1], marks[1:], strict=True):
        size = right - left - 1
        opens, closes = left < 0 or texts[left] in ENDS, texts[right] in ENDS
        if not 0 < size <= _CLAUSE or all(not word.isalpha() for word in texts[left + 1 : right]):
            continue  # the year of a date
        begins, after = texts[left + 1], texts[right + 1 : right + 2]
        if opens and not closes:
            if _opens_lightly(begins) and texts[right + 1 :].count(",") < _MANY and after != ["and"]:
                yield left + 1, right + 1, "opening"
        elif not opens and not closes:
            if _sets_off(texts[left + 1 : right]) and begins not in LISTING and after not in (["and"], ["or"], ["but"]):
                keeps = after == ['"'] or _follows_opening(texts, left)
                yield left, right if keeps else right + 1, "apposition"
        elif closes and not opens and _sets_off(texts[left + 1 : right]) and "and" not in texts[left + 1 : left + 3]:
            yield left, right, "closing"
    yield from _closing_prepositions(texts)


def _ends(texts: Sequence[str], index: int) -> bool:
    """Whether a mark ends a sentence: no full stop of an abbreviation or an initial."""
    if texts[index] != "." or index == 0 or index == len(texts) - 1:
        return texts[index] in ENDS
    return len(texts[index - 1]) > 1 and texts[index - 1] not in ABBREVIATIONS


def _follows_opening(texts: Sequence[str], left: int) -> bool:
    """Whether what stands between two commas follows the opening of a sentence, so that one comma has to stay."""
    begin = max((index + 1 for index in range(left) if _ends(texts, index)), default=0)
    return _opens_lightly(texts[begin]) and "," not in texts[begin:left]


def _sets_off(phrase: Sequence[str]) -> bool:
    """Whether a phrase behind a comma says more of what stands before it, and is no item of a list."""
    first = phrase[0]
    return first in PREPOSITIONS or first in RELATIVES or (first.endswith("ing") and len(phrase) > 2)


def _opens_lightly(word: str) -> bool:
    """Whether a phrase that begins with the word is no subject."""
    return word in PREPOSITIONS or word in OPENERS or word.endswith(("ly", "ing", "ed"))


def _brackets(texts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    opened: list[int] = []
    for index, word in enumerate(texts):
        if word in ("(", "["):
            opened.append(index)
        elif word in (")", "]") and opened:
            yield opened.pop(), index + 1, "bracket"


def _closing_prepositions(texts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Phrases with their preposition at the end of a sentence."""
    for start, word in enumerate(texts):
        if start == 0 or word not in FREE or texts[start - 1] in BE | PREPOSITIONS | CONJUNCTIONS:
            continue
        for end in range(start + 2, min(len(texts), start + _PHRASE) + 1):
            if end == len(texts) or _ends(texts, end):
                yield start, end, "phrase"
            if end == len(texts) or texts[end] in MARKS:
                break
