"""English words by form: which inflection a word has, and which article stands before it. No parser is asked."""

import re
from collections.abc import Container, Sequence
from itertools import pairwise

from textsimp.metrics.rewriting import english

_VOWEL = re.compile(
    r"(?!uni([^nm]|$)|use|usu|eu|one|once|u[a-z]?[.]|ut[ai]|ur[ae]n)[aeiou]|hour|honou?r|heir|honest", re.IGNORECASE
)
_PLURALS = frozenset("children feet geese lives halves leaves men mice people teeth wives wolves women".split())
_SUFFIXES = ("ing", "ed", "ly", "s")
_DEGREES = (("er", "est"), ("est", "er"))  # of adjectives, which have both; `er` alone makes nouns of people
_VERBAL = ("ing", "ed")  # those that a longer word has by chance so rarely that the rest need not be known


def with_articles(words: Sequence[str], source: Sequence[str]) -> list[str]:
    """Write `a` or `an` as the next word asks for, where the two do not meet in `source`, which is in lower case."""
    met, result = set(pairwise(source)), list(words)
    for index, (article, following) in enumerate(pairwise(words)):
        pair = (article.lower(), following.lower())
        if pair[0] in ("a", "an") and pair not in met and following[0].isalpha():
            right = "an" if _VOWEL.match(pair[1]) else "a"
            result[index] = article if right == pair[0] else right.capitalize() if article[0].isupper() else right
    return result


def form(word: str, known: Container[str]) -> str:
    """Return the suffix by which a word in lower case is inflected or derived; empty where it is in its base form.

    A suffix counts where what is left is long, or one of the `known` words (`bring` and `species` have none). Of
    irregular words, plurals have `s`, comparatives and superlatives `er` and `est`, and what else there is `ed`.
    """
    if word in english.BASE_FORMS:
        for suffix in ("ing", "er", "est"):
            if word.endswith(suffix):
                return suffix
        return "s" if word in _PLURALS or word == "goes" else "ed"
    for suffix, base_suffix in _DEGREES:
        if word.endswith(suffix) and len(word) > 4 and word.removesuffix(suffix) + base_suffix in known:
            return suffix
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and not word.endswith("ss"):
            rest = word.removesuffix(suffix)
            if suffix in _VERBAL and len(rest) > 3 or any(base in known for base in _bases(rest, suffix)):
                return suffix
    return ""


def _bases(rest: str, suffix: str) -> list[str]:
    """Return words of three letters at least that could have this rest before the suffix."""
    bases = [rest, rest + "e"] if suffix != "s" else [rest]
    if suffix == "s" and rest.endswith("e"):
        bases.append(rest[:-1])
    if rest.endswith(("i", "ie")) and suffix != "ing":
        bases.append(rest.removesuffix("e")[:-1] + "y")
    if len(rest) > 3 and rest[-1] == rest[-2]:
        bases.append(rest[:-1])
    return [base for base in bases if len(base) > 2]


def is_inflection(first: str, second: str) -> bool:
    """Return whether words in lower case are forms or derivations of one: the same stem, or one in the other."""
    first_stem, second_stem = (english.stem(english.spelling(word)) for word in (first, second))
    return first_stem in second_stem or second_stem in first_stem
