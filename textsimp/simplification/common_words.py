"""Which words of English are no names, where capitals do not tell: in lower-cased text, and where a sentence begins.

The list was counted in public releases by `tools/ship_common_words.py`: words that are mostly written without a capital
inside a sentence. What is neither on it nor a form of a word on it is a name, or a rare term.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from textsimp.core.reading import read_lines
from textsimp.metrics.readability import pronunciations
from textsimp.metrics.rewriting.languages import language

MONTHS = tuple("january february march april may june july august september october november december".split())
WEEKDAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
COMMON, NAMES = (Path(__file__).with_name("fitted") / f"{name}.txt" for name in ("common_words", "known_names"))

_ENDINGS = (
    ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("ly", ""),
    ("ness", ""), ("less", ""), ("er", ""), ("er", "e"), ("est", ""), ("able", ""),
)  # fmt: skip
_REMEMBERED = 2**16
_BEGINNINGS = ("un", "re", "non", "in", "im", "dis", "mis", "over", "under", "out", "pre", "anti", "co", "sub", "super")


@lru_cache(_REMEMBERED)
def is_name_word(word: str) -> bool:
    """Whether a lower-cased word is mostly a name: counted as one, or in no list of words at all."""
    return is_known_name(word) or (
        len(word) > 2 and word.isalpha() and word not in pronunciations() and not is_common_word(word)
    )


def is_known_name(word: str) -> bool:
    """Whether a lower-cased word was counted as a name."""
    return word in _known_names()


def is_listed(word: str) -> bool:
    """Whether a lower-cased word itself is on the list of common ones."""
    return word in _common_words()


@lru_cache(_REMEMBERED)
def is_common_word(word: str) -> bool:
    """Whether a lower-cased word is on the list, or is formed of one that is: by an ending, a prefix, another word."""
    known, spelling = _common_words(), language("english").spelling(word)
    return word in known or any(form in known for form in _forms(spelling)) or _is_compound(spelling)


def is_english(sentence: str) -> bool:
    """Whether a sentence may be English: by its small words, or by the share of its words without a capital."""
    written = re.findall(r"[^\W\d_]+", sentence)
    if not _SMALL.isdisjoint(word.lower() for word in written):
        return True
    words = [word for word in written if len(word) > 2 and word.islower() and not is_known_name(word)]
    unknown = sum(not is_common_word(word) for word in words)
    return len(words) < _FEWEST or unknown <= max(_RARE, (1 - _SHARE) * len(words))


_FEWEST, _RARE, _SHARE = 3, 1, 0.75
"""Words that tell a language; those of an English sentence that may be on no list, and the share of those that are."""
_SMALL = frozenset(
    "the of and is was are were with from by for to that his her their have has been not this which at she they "
    "be".split()
)
"""Small words that other languages in Latin script do not write."""


@cache
def _known_names() -> frozenset[str]:
    return frozenset(read_lines(NAMES))


@cache
def _common_words() -> frozenset[str]:
    return frozenset(read_lines(COMMON))


def _forms(word: str) -> Iterator[str]:
    for beginning in ("", *_BEGINNINGS):
        rest = word.removeprefix(beginning)
        if beginning and (rest == word or len(rest) < _SHORTEST):
            continue
        yield rest
        for ending, old in _ENDINGS:
            if rest.endswith(ending) and len(rest) - len(ending) >= _SHORTEST - 1:
                stem = rest.removesuffix(ending) + old
                yield stem
                if ending in ("ed", "ing", "er", "est") and len(stem) > _SHORTEST and stem[-1:] == stem[-2:-1]:
                    yield stem[:-1]


def _is_compound(word: str) -> bool:
    lengths = range(_SHORTEST, len(word) - _SHORTEST + 1)
    return any(is_listed(word[:length]) and is_listed(word[length:]) for length in lengths)


_SHORTEST = 4
"""Letters of what a prefix or another word is added to."""
