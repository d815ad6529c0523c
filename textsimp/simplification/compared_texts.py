"""Two texts that say the same, word by word: what became of a word, what stands around it, where something is missing.

A part that was cut out of a sentence is told by what it leaves: its neighbours meet (`in he moved`), or a word stands
before nothing (`the of`). No parser is asked.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

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
from textsimp.simplification.common_words import MONTHS
from textsimp.simplification.written_names import is_cased
from textsimp.simplification.written_negations import NEGATIONS
from textsimp.simplification.written_numbers import Number


def _marks_between(text: str, words: Sequence[Word]) -> list[str]:
    """The marks before each word, spaces and hyphens left out; words that the text writes otherwise have none."""
    marks, end = [], 0
    for word in words:
        start = text.find(word.text, end, end + _FAR)
        between = text[end:start] if start >= 0 else ""
        marks.append("".join(_MARK.findall(between)))
        end = start + len(word.text) if start >= 0 else end
    return marks


_CURRENCY_SIGN = re.compile(r"[$£€¥](?=\s?\d)")
_CURRENCIES = {
    f"{word}{ending}": sign
    for word, sign in {"dollar": "$", "pound": "£", "euro": "€", "yen": "¥", "yuan": "¥"}.items()
    for ending in ("", "s")
}
_FAR = 40
"""Characters between a word and the next one at most."""
_MARK = re.compile(r"[.,;:!?()\[\]—–/]|-[lr]rb-|--|(?<=\s)-(?=\s)")


class Side:
    """The words of one side, and the marks between them.

    Attributes:
        currency_signs: those before a number, `$` and the like.
        currencies: the same and those that words name.
    """

    def __init__(self, text: str, words: Sequence[Word]) -> None:
        self.words, self.folded = words, frozenset(word.folded for word in words)
        self.marks = _marks_between(text, words)
        self._asks = "?" in text
        self.currency_signs = frozenset(_CURRENCY_SIGN.findall(text))
        names = (_CURRENCIES[word.folded] for word in words if word.folded in _CURRENCIES)
        self.currencies = self.currency_signs.union(*names)

    def follows(self, position: int) -> str:
        """What stands behind a word: the next word, or `.` for a mark or the end of the sentence."""
        return "." if self._ends(position) or self.marks[position + 1] else self.words[position + 1].folded

    def begins(self, position: int) -> bool:
        """Whether a sentence or a part between marks begins with this word."""
        return self._is_first(position) or bool(self.marks[position])

    def enumerates(self, number: Number) -> bool:
        """Whether a number is the marker of an item: `1.` or `1)` at the beginning."""
        marked = number.end < len(self.words) and self.marks[number.end][:1] in (".", ")")
        return number.digits and marked and self.begins(number.start) and len(number.text) < 3

    def _is_first(self, position: int) -> bool:
        """Whether a sentence begins with this word."""
        return position == 0 or self.words[position - 1].sentence != self.words[position].sentence

    def _ends(self, position: int) -> bool:
        """Whether a sentence ends with this word."""
        return position + 1 == len(self.words) or self._is_first(position + 1)

    @cached_property
    def dangling(self) -> frozenset[tuple[str, str]]:
        """Words that have nothing to stand before or behind, each with what follows it.

        Prepositions and articles before a verb or a mark, `and` at the end, a verb at the beginning.
        """
        pairs = set()
        for position, word in enumerate(word.folded for word in self.words):
            behind = self.follows(position)
            if _lacks_object(word, behind):
                pairs.add((word, behind))
            if word in _JOINING and position > 0 and self._ends(position):
                pairs.add((".and", word))
            if word in _OPENING_VERBS and self._opens(position):
                pairs.add((".", word))
        return frozenset(pairs)

    def _opens(self, position: int) -> bool:
        """Whether a statement of several words begins with this one."""
        return self._is_first(position) and not self._ends(position) and not self._asks

    @cached_property
    def stranded(self) -> frozenset[tuple[str, str]]:
        """Forms of `do` that stand before a verb as if they denied it, each with the verb: `he did want`."""
        return frozenset(
            (left.folded, right.folded)
            for left, right in pairwise(self.words)
            if left.folded in ("do", "does", "did")
            and not right.light
            and right.folded not in NEGATIONS
            and not right.folded.endswith(_NO_VERBS)
        )


def _lacks_object(word: str, behind: str) -> bool:
    if word in _COPULAS:
        return behind == "."
    if word in _ARTICLES:
        return behind == "." or behind in _NO_OBJECTS | _PREPOSITIONS | _PASTS
    if word in _CONJUNCTIONS and behind in _SUBJECTS:
        return False
    return word in _PREPOSITIONS and (behind == "." or behind in _NO_OBJECTS | _PASTS)


class ComparedTexts:
    """Both sides, and which word became which.

    Attributes:
        output_position: of a word of the output, by that of its word in the input; `input_position` the other way.
        cased: whether capitals mark the names of the input.
    """

    def __init__(self, complex: str, simple: str) -> None:
        rules = rules_of("english")
        sides = [words_of(sentences_of([text]), rules) for text in (complex, simple)]
        words = join_compounds(sides[0], sides[1]), join_compounds(sides[1], sides[0])
        self.before, self.after = Side(complex, words[0]), Side(simple, words[1])
        linked = not is_too_long(complex) and not is_too_long(simple)
        links = align_words(*words, Matcher(rules)) if linked else ()
        self.output_position = {link.complex: link.simple for link in links}
        self.input_position = {link.simple: link.complex for link in links}
        self.cased = is_cased(words[0])
        self._holes = len(_HOLE.findall(simple)) > len(_HOLE.findall(complex))

    @cached_property
    def dangles(self) -> bool:
        """Whether the output has a place where something is missing, and the input none like it."""
        return self._holes or bool(self.after.dangling - self.before.dangling)

    def is_cut(self, start: int, end: int) -> bool:
        """Whether the output reads as if a part of the input had been cut out of it."""
        return self.dangles or self.closes(start, end)

    def closes(self, start: int, end: int) -> bool:
        """Whether what stands on both sides of the part, words or marks, meets in the output."""
        behind_part = self.before.follows(end - 1)
        right = None if behind_part == "." else self.output_position.get(end)
        if self.before.begins(start):
            return right is not None and self.after.begins(right)
        left = self.output_position.get(start - 1)
        if left is None:
            return False
        behind_left = self.after.follows(left)
        if behind_left == ".":
            return behind_part == "."
        # a light word has no link of its own where the content words around it went
        return right == left + 1 or (right is None and behind_part == behind_left)

    def is_bare(self, start: int, end: int) -> bool:
        """Whether the word that a cut number belonged to is kept, with nothing new in the number's place."""
        words = self.before.words
        left = None if self.before.begins(start) else start - 1
        if left is not None and (words[left].folded in MONTHS or words[left].text[0].isupper() and left > 0):
            return left in self.output_position  # July 19, Voyager 2
        if self._has_no_object(start):
            return True
        for position in range(end, min(end + 3, len(words))):
            if self.before.begins(position) or words[position].light or words[position].number:
                return False
            if (in_output := self.output_position.get(position)) is not None:
                return self.after.begins(in_output) or self._stands_bare(in_output)
        return False

    def _stands_bare(self, position: int) -> bool:
        """Whether nothing before a noun of the output says how many; a month needs no number behind a preposition."""
        before = self.after.words[position - 1].folded
        is_month = self.after.words[position].folded in MONTHS
        return before not in _DETERMINERS and not (is_month and before in _PREPOSITIONS)

    def _has_no_object(self, start: int) -> bool:
        """Whether the preposition before a cut part is kept, with nothing new behind it."""
        left = None if self.before.begins(start) else self.output_position.get(start - 1)
        if left is None or self.after.words[left].folded not in _PREPOSITIONS:
            return False
        return self.after.follows(left) not in _DETERMINERS


_HOLE = re.compile(r"\(\s*[)–-]|[–—-]\s*\)|\bborn\s*\)|,\s*[,.;)]|(?<![\d\s])\s*%|[$£€](?!\s*\d)|-lrb-\s*-rrb-")
"""Where a number is missing."""
_PREPOSITIONS = frozenset(
    "in on at by for with to from into of about during until since between after before than within near against as "
    "through across towards toward approximately nearly".split()
)
_CONJUNCTIONS = frozenset("until since before after than as".split())
_SUBJECTS = frozenset("he she they we".split())
_NO_VERBS = ("ing", "ly", "n't")
_COPULAS = frozenset("is are was were".split())
_OPENING_VERBS = _COPULAS | {"has", "had", "have"}
"""What no statement begins with."""
_JOINING = frozenset(["and", "or"])
_PASTS = frozenset(
    "became began believed brought built came could did felt fought gave got grew held kept knew led made met moved "
    "ran rose said sang sat saw sent shall should spoke stood thought told took used wanted went will won would "
    "wrote".split()
)
"""Verbs that are hardly anything else: what stands before one as before a noun has lost it."""
_ARTICLES = frozenset("the a an".split())
_NO_OBJECTS = frozenset(
    "and or but he she they we was were is are had has have when where who which that because while although in on at "
    "by for with from into of to after before during until since also too as without than together".split()
)
"""What does not stand behind a preposition."""
_DETERMINERS = frozenset(
    "a an the this that these those many several some few various multiple numerous "
    "most all every each other more much lots any both different certain large number group of hundreds thousands "
    "millions billions dozens first last next early late".split()
)
