"""The names of a text, by capitals and a list of words: which words write one, and whether another text has it."""

import os
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from string import ascii_lowercase

from textsimp.metrics.readability import pronunciations
from textsimp.metrics.rewriting.word_links import Word
from textsimp.simplification.common_words import MONTHS, WEEKDAYS, is_known_name, is_listed, is_name_word

_SAME = (
    "america american americans us usa u.s states;britain british uk u.k kingdom england english;france french;"
    "netherlands dutch holland;spain spanish;denmark danish danes;sweden swedish;switzerland swiss;greece greek greeks;"
    "wales welsh;ireland irish;germany german;poland polish poles;turkey turkish turks;norway norwegian;"
    "portugal portuguese;china chinese;soviet ussr russia russian;eu european;un nations;nyc york;la angeles;"
    "saint st;mount mt;doctor dr;mister mr;television tv;world ww wwi wwii;christmas xmas;jesus christ;"
    "philippines filipino;scotland scottish scots;finland finnish;iceland icelandic;england english"
)
_ALIKE = [frozenset(group.split()) for group in _SAME.split(";")]
_COMMON = frozenset(
    (
        "president king queen prince princess emperor duke duchess earl count lord lady sir pope bishop saint god lord "
        "captain general colonel professor mr mrs ms dr miss minister prime senator governor mayor judge "
        "city town village state states county country province district region island islands river lake sea ocean "
        "mountain mountains park street road bridge church cathedral temple palace castle university college school "
        "north south east west northern southern eastern western central world war earth moon sun internet web "
        "government parliament congress senate court party league cup championship championships olympics olympic "
        "games game team club company group band album song film movie book series show season episode award awards "
        "people bible tv cd dvd"
    ).split()
)
"""Common words that are often written with a capital: new ones are no invented names."""
_ENDINGS = frozenset(
    ("", *"n ns an ian ans ians ese ish i s es a y o e ic ics ite ites er ers ism ist ists ity al ar anism us".split())
)
"""What forms of one name differ in: Italy and Italian, Islam and Islamic, Canada and Canadians."""
_SHORT = {word[:length]: word for word in (*MONTHS, *WEEKDAYS) for length in (3, 4)}


@dataclass(frozen=True)
class Name:
    """A run of words that are written as names; `end` is exclusive."""

    start: int
    end: int
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        """As it is written."""
        return " ".join(word.text for word in self.words)


def is_cased(words: Sequence[Word]) -> bool:
    """Whether capitals mark the names of a text: it has some, and some of its other words have none."""
    content = [word for word in words if word.text[0].isalpha() and not word.light]
    capitals = sum(word.text[0].isupper() for word in content)
    return any(word.text[0].isupper() for word in words) and (capitals < len(content) or len(words) > 2 * capitals)


def names_of(words: Sequence[Word], begins: Callable[[int], bool], facing: Sequence[Word], cased: bool) -> list[Name]:
    """The names of a text in order, each run of words as one: those with a capital inside a sentence.

    A word with a capital at the beginning of a sentence is one where it has its capital inside one too, here or in the
    other text, and where it is no common word; in text whose capitals say nothing (all lower-cased, all capitals) no
    other sign is left.

    Args:
        begins: whether a sentence, or a part of it after a mark, begins with the word at this position.
        facing: the words of the other text.
        cased: whether capitals mark names.
    """
    if cased:
        inside = {word.folded for side in (words, facing) for word in side if word.name and not _is_first(side, word)}
        is_name = [
            word.text[0].isupper() and not word.light and (word.folded in inside or is_name_word(word.folded))
            for word in words
        ]
    else:
        is_name = [not word.light and is_name_word(word.folded) for word in words]
    names = []
    start = 0
    while start < len(words):
        end = start + 1
        while is_name[start] and end < len(words) and is_name[end] and not begins(end):
            end += 1
        if is_name[start]:
            names.append(Name(start, end, tuple(words[start:end])))
        start = end
    return names


def has_name(name: Word, words: Sequence[Word], facing: Sequence[Word], cased: bool) -> bool:
    """Whether another text has a word of a name, in any form of it, or in an acronym or for one.

    Args:
        name: one of `words`.
        facing: the words of the other text.
        cased: whether capitals mark names.
    """
    return (
        any(is_same_name(name, word, cased) for word in facing)
        or _is_spelt(name, facing)
        or any(_is_spelt(acronym, words, name) for acronym in facing)
    )


def is_same_name(name: Word, word: Word, cased: bool) -> bool:
    """Whether a word of another text writes this name; where capitals mark names, other forms of it need one."""
    ours, theirs = _plain(name.folded), _plain(word.folded)
    if _SHORT.get(ours, ours) == _SHORT.get(theirs, theirs) or any({ours, theirs} <= group for group in _ALIKE):
        return True
    shared = len(os.path.commonprefix([ours, theirs]))
    return (word.text[0].isupper() or not cased) and any(
        ours[length:] in _ENDINGS and theirs[length:] in _ENDINGS for length in range(max(3, shared - 2), shared + 1)
    )


def is_common(word: Word) -> bool:
    """Whether a word with a capital is mostly no name: `President`, `River`; or an initial."""
    return word.folded in _COMMON or len(word.folded) == 1


def is_slip(word: str, known: Collection[str]) -> bool:
    """Whether a lower-cased word that no list has looks like a slip of the pen: one letter from a common word, two from
    a word of the other text, or words run together."""
    if is_known_name(word):
        return False
    if any(is_listed(word[:length]) and is_listed(word[length:]) for length in range(2, len(word) - 1)):
        return True
    return any(map(_is_long_or_listed, _one_letter_off(word))) or bool(get_close_matches(word, known, 1, _CLOSE))


def _is_long_or_listed(word: str) -> bool:
    return is_listed(word) or (len(word) >= _LONG and word in pronunciations())


def _one_letter_off(word: str) -> Iterator[str]:
    for length in range(len(word)):
        head, tail = word[:length], word[length:]
        yield head + tail[1:]
        yield head + tail[1:2] + tail[:1] + tail[2:]
        for letter in ascii_lowercase:
            yield head + letter + tail[1:]
            yield head + letter + tail


_LONG = 7
"""Letters of a word that a slip is told by, where only the dictionary of pronunciations has it: it has names too."""
_CLOSE = 0.75
"""Least similarity of a misspelt word to the right one (`difflib`)."""


def _plain(word: str) -> str:
    """A word without accents and full stops."""
    letters = unicodedata.normalize("NFKD", word).replace(".", "")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _is_first(words: Sequence[Word], word: Word) -> bool:
    return next(first for first in words if first.sentence == word.sentence) is word


def _is_spelt(acronym: Word, words: Sequence[Word], member: Word | None = None) -> bool:
    """Whether words that follow each other spell an acronym, light ones aside; with a member, it is one of them."""
    letters = _plain(acronym.folded)
    if not 2 <= len(letters) <= 6 or not acronym.text.replace(".", "").isupper():
        return False
    for candidates in ([word for word in words if not word.light], words):
        initials = "".join(_plain(word.folded)[:1] or "-" for word in candidates)
        for start in range(len(initials) - len(letters) + 1):
            spelling = candidates[start : start + len(letters)]
            if (
                initials.startswith(letters, start)
                and any(word.text[0].isupper() for word in spelling)
                and (member is None or any(word is member for word in spelling))
            ):
                return True
    return False
