"""Two texts that say the same, word by word: what became of a word, what stands around it, where something is missing.

A part that was cut out of a sentence is told by what it leaves: its neighbours meet (`in he moved`), or a word stands
before nothing (`the of`). No parser is asked.
"""

import re
from collections.abc import Sequence
from functools import cached_property

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
from textsimp.simplification.written_names import is_cased
from textsimp.simplification.written_negations import NEGATIONS
from textsimp.simplification.written_numbers import MONTHS, Number


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


class Side:
    """The words of one side, and the marks between them."""

    def __init__(self, text: str, words: Sequence[Word]) -> None:
        self.words, self.folded = words, frozenset(word.folded for word in words)
        self.marks = marks_between(text, words)
        self.asks = "?" in text

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

    def ends(self, place: int) -> bool:
        """Whether a sentence ends with this word."""
        behind = place + 1
        return behind == len(self.words) or self.words[behind].sentence != self.words[place].sentence

    @cached_property
    def dangling(self) -> frozenset[tuple[str, str]]:
        """Words that have nothing to stand before or behind, each with what follows it.

        Prepositions and articles before a verb or a mark, `and` at the end, a verb at the beginning.
        """
        return self._without_object | frozenset(
            (mark, word.folded)
            for place, word in enumerate(self.words)
            for mark, is_bare in (
                (".and", word.folded in _JOINING and self.ends(place) and place > 0),
                (".", word.folded in _COPULAS | {"has", "had", "have"} and self._opens(place)),
            )
            if is_bare
        )

    def _opens(self, place: int) -> bool:
        """Whether a statement of several words begins with this one."""
        is_first = place == 0 or self.words[place - 1].sentence != self.words[place].sentence
        return is_first and not self.ends(place) and not self.asks

    @cached_property
    def _without_object(self) -> frozenset[tuple[str, str]]:
        found = ((word.folded, self.follows(place)) for place, word in enumerate(self.words))
        return frozenset(
            (word, behind)
            for word, behind in found
            if (word in _PREPOSITIONS and (behind == "." or behind in _NO_OBJECTS | _PASTS))
            and not (word in _CONJUNCTIONS and behind in _SUBJECTS)
            or (word in _COPULAS and behind == ".")
            or (word in _ARTICLES and (behind == "." or behind in _NO_OBJECTS | _PREPOSITIONS | _PASTS))
        )

    @cached_property
    def stranded(self) -> frozenset[tuple[str, str]]:
        """Forms of `do` that stand before a verb as if they denied it, each with the verb: `he did want`."""
        pairs = ((self.words[place], self.words[place + 1]) for place in range(len(self.words) - 1))
        return frozenset(
            (left.folded, right.folded)
            for left, right in pairs
            if left.folded in ("do", "does", "did")
            and not right.light
            and right.folded not in NEGATIONS
            and not right.folded.endswith(_NO_VERBS)
        )


class ComparedTexts:
    """Both sides, and which word became which."""

    def __init__(self, complex: str, simple: str) -> None:
        rules = rules_of("english")
        sides = [words_of(sentences_of([text]), rules) for text in (complex, simple)]
        words = join_compounds(sides[0], sides[1]), join_compounds(sides[1], sides[0])
        self.before, self.after = Side(complex, words[0]), Side(simple, words[1])
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

    def is_cut(self, start: int, end: int) -> bool:
        """Whether the output reads as if a name of the input had been cut out of it."""
        return self.dangles or self.closes(start, end)

    def closes(self, start: int, end: int) -> bool:
        """Whether what stands on both sides of the part, words or marks, meets in the output."""
        left = None if self.before.begins(start) else self.place.get(start - 1)
        ends = self.before.follows(end - 1) == "."
        right = None if ends else self.place.get(end)
        if self.before.begins(start):
            return right is not None and self.after.begins(right)
        if left is None:
            return False
        if ends:
            return self.after.follows(left) == "."
        behind = left + 1
        if behind >= len(self.after.words) or self.after.begins(behind):
            return False
        # a light word has no link of its own where the content words around it went
        return right == behind or (right is None and self.after.words[behind].folded == self.before.words[end].folded)

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
