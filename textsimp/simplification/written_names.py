"""The names of a text, by their capitals: which words write one, and whether another text has it."""

import os
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textsimp.metrics.rewriting.word_links import Word

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
_MONTHS = "january february march april june july august september october november december".split()
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SHORT = {word[:length]: word for word in (*_MONTHS, *_DAYS) for length in (3, 4)}


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


def names_of(words: Sequence[Word], begins: Callable[[int], bool], others: Sequence[Word]) -> list[Name]:
    """The names of a text in order: words with a capital inside a sentence, each run of them as one.

    A word with a capital at the beginning of a sentence is one where it has its capital inside one too, here or in the
    other text.

    Args:
        begins: whether a sentence, or a part of it after a mark, begins with the word at this place.
        others: the words of the other text.
    """
    inside = {word.folded for side in (words, others) for word in side if word.name and not _is_first(side, word)}
    marks = [word.text[0].isupper() and not word.light and word.folded in inside for word in words]
    names = []
    start = 0
    while start < len(words):
        end = start + 1
        while marks[start] and end < len(words) and marks[end] and not begins(end):
            end += 1
        if marks[start]:
            names.append(Name(start, end, tuple(words[start:end])))
        start = end
    return names


def has_name(word: Word, words: Sequence[Word], others: Sequence[Word]) -> bool:
    """Whether another text has a word of a name, in any form of it, or in an acronym or for one."""
    own = plain(word.folded)
    if any(_alike(own, plain(other.folded), other.text[0].isupper()) for other in others):
        return True
    return _is_spelt(word, others) or any(_is_spelt(other, words, word) for other in others)


def is_common(word: Word) -> bool:
    """Whether a word with a capital is mostly no name: `President`, `River`; or an initial."""
    return word.folded in _COMMON or len(word.folded) == 1


def plain(word: str) -> str:
    """A word without accents and full stops."""
    letters = unicodedata.normalize("NFKD", word).replace(".", "")
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _is_first(words: Sequence[Word], word: Word) -> bool:
    return next(other for other in words if other.sentence == word.sentence) is word


def _alike(own: str, other: str, capital: bool) -> bool:
    """Whether two words write one name; forms of it count where the other one has a capital too."""
    if own == other or _SHORT.get(own, own) == _SHORT.get(other, other):
        return True
    if any(own in group and other in group for group in _ALIKE):
        return True
    common = len(os.path.commonprefix([own, other]))
    return capital and any(
        own[length:] in _ENDINGS and other[length:] in _ENDINGS for length in range(max(3, common - 2), common + 1)
    )


def _is_spelt(acronym: Word, words: Sequence[Word], member: Word | None = None) -> bool:
    """Whether capitals of a text, one after another, spell an acronym; with a member, its own letter among them."""
    letters = plain(acronym.folded)
    if not 2 <= len(letters) <= 6 or not acronym.text.replace(".", "").isupper():
        return False
    for others in ([word for word in words if word.text[0].isupper()], words):
        spelt = "".join(plain(word.folded)[:1] or "-" for word in others)
        start = spelt.find(letters)
        if start >= 0 and (member is None or any(word is member for word in others[start : start + len(letters)])):
            return True
    return False
