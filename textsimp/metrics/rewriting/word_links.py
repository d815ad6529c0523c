"""Links of words of a complex sentence with words of the simple one: a monolingual, one-to-one aligner.

Two words match with a strength: same, other case, other spelling, other form, alike in letters, alike in meaning. Where
a word could go to several places, the pair whose neighbours match too wins, and then the pair at about the same place;
the best assignment as a whole is found by `scipy.optimize.linear_sum_assignment`. Light words (`the`, `of`) are linked
only near a link of content words, since they match everywhere.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from textsimp.metrics.rewriting import english
from textsimp.metrics.tokens import split_sentences

LONGEST = 1000
"""Words of a text that are linked: memory and time go with the square."""
_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|\d+(?:[.,]\d+)*|'s\b|[^\W\d_]+")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'"})
_BRACKET = re.compile(r"-[lr][rsc]b-", re.IGNORECASE)
# only what stands before a name: `ill .` may be Illinois, but is more often the end of a sentence
_BEFORE_NAMES = frozenset("capt col dr gen gov lt mr mrs ms prof rep rev sen sgt st vs".split())
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


@dataclass(frozen=True)
class Word:
    """One word of a sentence pair's complex or simple side.

    Attributes:
        folded: lower-cased, thousands without commas.
        sentence: index of its sentence on its side.
        light: whether it carries grammar rather than content.
        name: whether it is written like a name: a capital inside the sentence, or at its beginning before another.
        parts: how many written words it joins; above 1 where the other side writes them as one.
    """

    text: str
    folded: str
    sentence: int
    light: bool
    name: bool
    parts: int = 1

    @property
    def number(self) -> bool:
        """Return whether it is written in digits."""
        return self.folded[0].isdigit()


def sentences_of(texts: Sequence[str]) -> list[str]:
    """Return every sentence of one side, tokenised text split too; punctuation alone is no sentence."""
    sentences = [sentence for text in texts for sentence in _rejoined(split_sentences(text))]
    return [sentence for sentence in sentences if _WORD.search(sentence)]


def is_too_long(text: str) -> bool:
    """Return whether a text has more than `LONGEST` words."""
    return len(text) > LONGEST and sum(1 for _ in _WORD.finditer(text)) > LONGEST


def words_of(sentences: Sequence[str]) -> list[Word]:
    """Return the words of one side in order, without punctuation."""
    return [word for index, sentence in enumerate(sentences) for word in _sentence_words(sentence, index)]


def _sentence_words(sentence: str, index: int) -> list[Word]:
    text = english.open_clitics(_BRACKET.sub(" ", sentence.translate(_QUOTES)))
    written = _WORD.findall(text)
    capital = [word[0].isupper() for word in written]
    # a sentence of capitals only (a heading) marks no names
    cased = not all(capital) or len(written) == 1
    words = []
    for k, word in enumerate(written):
        folded = _THOUSANDS.sub("", word.lower())
        light = english.is_light(folded)
        inside = k > 0 or (len(written) > 1 and capital[1])
        words.append(Word(word, folded, index, light, cased and capital[k] and inside and not light))
    return words


def _rejoined(sentences: Sequence[str]) -> list[str]:
    """Return sentences rejoined where one ended in an abbreviation, its mark apart, as in tokenised `st . louis`."""
    whole: list[str] = []
    for sentence in sentences:
        word, mark = whole[-1].lower().split()[-2:] if whole and len(whole[-1].split()) > 1 else ("", "")
        # an initial, `u.s`, or a title before a name
        if mark == "." and (len(word) == 1 or "." in word or word in _BEFORE_NAMES):
            whole[-1] = f"{whole[-1]} {sentence}"
        else:
            whole.append(sentence)
    return whole


def join_compounds(words: Sequence[Word], facing: Sequence[Word]) -> list[Word]:
    """Return words, neighbouring ones joined that the other side writes as one (`rain water`, `rainwater`)."""
    vocabulary = {word.folded for word in facing}
    joined: list[Word] = []
    rest = list(words)
    while rest:
        first, *others = rest[:2]
        compound = first.folded + "".join(word.folded for word in others)
        if others and compound in vocabulary and first.sentence == others[0].sentence:
            text = f"{first.text} {others[0].text}"
            first = Word(text, compound, first.sentence, others[0].light, first.name, parts=2)
        joined.append(first)
        rest = rest[first.parts :]
    return joined


class Match(IntEnum):
    """Kinds of match, after none the best first; SIMILAR is another word (a rewording)."""

    NONE = 0
    EXACT = 1
    CASE = 2
    SPELLING = 3
    INFLECTION = 4
    SIMILAR = 5


# not tuned on labelled sentences
_MIN_LETTERS = 4
"""Words that are compared by letters have that many at least."""
_MIN_LETTER_SIMILARITY = 0.65
"""Least Dice coefficient of the bags of character bigrams, in [0, 1]."""
_OTHER_WORD = 0.8
"""Strength of such a match is its similarity times this factor, below that of any same word."""


_REMEMBERED = 1 << 17
"""Pairs of words: those of some thousand sentences, and some 50 MB."""


def match(a: Word, b: Word) -> tuple[Match, float]:
    """Return the best kind of match and its strength in (0, 1]; `Match.NONE` and 0 where the words do not match."""
    return _match(a.text, a.folded, b.text, b.folded)


@lru_cache(_REMEMBERED)
def _match(a: str, a_folded: str, b: str, b_folded: str) -> tuple[Match, float]:
    (a_spelling, a_stem, a_whole), (b_spelling, b_stem, b_whole) = _form(a_folded), _form(b_folded)
    is_whole = a_whole or b_whole
    if a == b:
        return Match.EXACT, 1.0
    if a_folded == b_folded:
        return Match.CASE, 0.99
    if a_spelling == b_spelling:
        return Match.SPELLING, 0.95
    if not is_whole and a_stem == b_stem:
        return Match.INFLECTION, 0.9
    letters = 0.0 if is_whole else _letters(a_spelling, b_spelling)
    return (Match.SIMILAR, _OTHER_WORD * letters) if letters else (Match.NONE, 0.0)


@lru_cache(_REMEMBERED)
def _form(folded: str) -> tuple[str, str, bool]:
    """Return spelling and stem of a lower-cased word, and whether it (light, a number) is itself or something else."""
    spelling = english.spelling(folded)
    return spelling, english.stem(spelling), english.is_light(folded) or folded[0].isdigit()


def _letters(a: str, b: str) -> float:
    """Dice coefficient of the bigrams, 0 below the threshold or where the first letters differ."""
    if a[0] != b[0] or min(len(a), len(b)) < _MIN_LETTERS:
        return 0.0
    first, second = (Counter(pairwise(word)) for word in (a, b))
    dice = 2 * (first & second).total() / (first.total() + second.total())
    return dice if dice >= _MIN_LETTER_SIMILARITY else 0.0


Floats = NDArray[np.float64]


@dataclass(frozen=True, order=True)
class WordLink:
    """One link: word indexes on both sides, and what kind of match it is."""

    complex: int
    simple: int
    match: Match


# of the assignment; not tuned on labelled sentences
_WINDOW = 3
"""Words before and after that count as neighbours."""
_CONTEXT = 0.2
"""Gain of a pair for each side on which the direct neighbours match fully, as strength; at distance d 1/d of it."""
_PLACE = 0.02
"""Loss of a pair whose words are at opposite ends, as strength; only breaks ties."""


def align_words(complex_words: Sequence[Word], simple_words: Sequence[Word]) -> tuple[WordLink, ...]:
    """Return the links of a sentence pair, ordered by complex word; every word is in one link at most."""
    if not complex_words or not simple_words:
        return ()
    strength, kinds = _strengths(complex_words, simple_words)
    gain = strength + _CONTEXT * _support(strength) - _PLACE * _distance(strength.shape)
    rows, columns = linear_sum_assignment(np.where(strength > 0, gain, 0.0), maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    links = sorted(WordLink(i, j, Match(int(kinds[i, j]))) for i, j in pairs if strength[i, j] > 0)
    content = {link.complex: link for link in links if not complex_words[link.complex].light}
    if any(all(word.light for word in words) for words in (complex_words, simple_words)):
        return tuple(links)
    return tuple(link for link in links if link.complex in content or _near(link, content))


def _strengths(a: Sequence[Word], b: Sequence[Word]) -> tuple[Floats, Floats]:
    """Return strength and kind of each pair, 0 where the words do not match. Shape of each: (complex, simple)."""
    rows, columns = ({word.text: word for word in words} for words in (a, b))  # a long text repeats its words
    strengths, kinds = np.zeros((2, len(rows), len(columns)))
    for i, first in enumerate(rows.values()):
        for j, second in enumerate(columns.values()):
            kind, strength = match(first, second)
            if strength:
                strengths[i, j], kinds[i, j] = strength, kind
    numbers = [{text: number for number, text in enumerate(texts)} for texts in (rows, columns)]
    places = np.ix_(*([of[word.text] for word in words] for of, words in zip(numbers, (a, b), strict=True)))
    return strengths[places], kinds[places]


def _support(strength: Floats) -> Floats:
    """The best matching neighbour before plus the best one after, weighted by distance. Shape: (complex, simple)."""
    rows, columns = strength.shape
    padded = np.pad(strength, _WINDOW)  # (complex + 2 _WINDOW, simple + 2 _WINDOW)
    best = {-1: np.zeros_like(strength), 1: np.zeros_like(strength)}
    steps = range(1, _WINDOW + 1)
    for sign, down, right in product(best, steps, steps):
        top, left = _WINDOW + sign * down, _WINDOW + sign * right
        neighbour = padded[top : top + rows, left : left + columns] / max(down, right)  # (complex, simple)
        best[sign] = np.maximum(best[sign], neighbour)
    return best[-1] + best[1]


def _distance(shape: tuple[int, int]) -> Floats:
    """Return the distances of words' places in their sentences, in [0, 1). Shape: (complex, simple)."""
    rows, columns = shape
    return np.abs(np.arange(rows)[:, None] / rows - np.arange(columns)[None, :] / columns)


def _near(link: WordLink, content: Mapping[int, WordLink]) -> bool:
    """Return whether a link of content words, by their complex words, is near on both sides, in the same direction."""
    return any(
        0 < sign * (content[complex_].simple - link.simple) <= _WINDOW
        for sign in (-1, 1)
        for distance in range(1, _WINDOW + 1)
        if (complex_ := link.complex + sign * distance) in content
    )
