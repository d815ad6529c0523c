"""Words in the Penn Treebank's manner, as NLTK's tokeniser of words cuts them (its rules, in its order).

NLTK's package takes a second and 140 MB to import; the tests compare with it. The expressions are of `regex`, and those
of contractions of `re`, as NLTK's: their classes of characters differ.
"""

import re
from functools import lru_cache
from itertools import chain

import regex

_OPENING = (
    (r"([«“‘„]|[`]+)", r" \1 "),
    (r'^"', r"``"),
    (r"(``)", r" \1 "),
    (r"""([ (\[{<])("|'{2})""", r"\1 `` "),
    (r"(?i)(?<!\w)(')(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", r"\1 "),
)
_PUNCTUATION = (
    # possessive, so that spaces at the end are passed once
    (r"""([^.])(\.)([\])}>"'»”’ ]*+)\s*$""", r"\1 \2 \3 "),
    (r"([:,])([^\d])", r" \1 \2"),
    (r"([:,])$", r" \1 "),
    (r"\.{2,}", r" \g<0> "),
    (r"[;@#$%&]", r" \g<0> "),
    (r"[‒-―]", r" \g<0> "),
    (r"""([^.])(\.)([\])}>"']*)\s*$""", r"\1 \2\3 "),
    (r"[?!]", r" \g<0> "),
    (r"([^'])' ", r"\1 ' "),
    (r"[*]", r" \g<0> "),
    (r"[\]\[(){}<>]", r" \g<0> "),
    (r"--", r" -- "),
)
_CLOSING = (
    (r"([»”’])", r" \1 "),
    (r"''", " '' "),
    (r'"', " '' "),
    (r"\s+", " "),
    (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
)
_CONTRACTIONS = tuple(
    (f"(?i){rule}", r" \1 \2 ")
    for rule in (
        *(r"\b(can)(not)\b", r"\b(d)('ye)\b", r"\b(gim)(me)\b", r"\b(gon)(na)\b", r"\b(got)(ta)\b", r"\b(lem)(me)\b"),
        *(r"\b(more)('n)\b", r"\b(wan)(na)(?=\s)", r" ('t)(is)\b", r" ('t)(was)\b"),
    )
)
_INSIDE = [(regex.compile(rule), new) for rule, new in (*_OPENING, *_PUNCTUATION)]
_PADDED = [(regex.compile(rule), new) for rule, new in _CLOSING]
_PADDED += [(re.compile(rule), new) for rule, new in _CONTRACTIONS]
_REMEMBERED = 1 << 17
"""Strings of which the words are kept."""
_PLAIN = re.compile(r"(\w+(?:-\w+)*)([.,;:?!]?)")
_CONTRACTED = re.compile(r"\b(?:cannot|gimme|gonna|gotta|lemme|wanna)\b", re.IGNORECASE)
_BEHIND_STOPS = frozenset("])}>\"'»”’")
_ODD_SPACE = re.compile(r"[^\S ]")


def split_words(sentence: str) -> list[str]:
    """Return the words of one sentence; punctuation marks are words too, and quotes become `` and ''.

    The rules look past a space only at the end, where a full stop and the closing marks behind it are cut off. So each
    string between spaces has its words, the last one with the closing marks, and they are looked for once.
    """
    strings = sentence.split(" ")
    last = len(strings) - 1
    while last > 0 and _BEHIND_STOPS.issuperset(strings[last]):
        last -= 1
    if last < 1 or _ODD_SPACE.search(sentence):
        return _by_rules(sentence)
    inside = chain.from_iterable(map(_words_of, strings[1:last]))
    return [*_words_of(strings[0], begins=True), *inside, *_words_of(" ".join(strings[last:]), ends=True)]


@lru_cache(_REMEMBERED)
def _words_of(string: str, begins: bool = False, ends: bool = False) -> tuple[str, ...]:
    """Return the words of a part of a sentence, which may be its beginning or its end."""
    plain = _PLAIN.fullmatch(string)
    if plain and not _CONTRACTED.search(string):
        is_whole = not plain[2] or (plain[2] == "." and not ends)
        return (string,) if is_whole else plain.groups()
    words = _by_rules(("" if begins else "x ") + string + ("" if ends else " x"))
    return tuple(words[not begins : len(words) - (not ends)])


def _by_rules(sentence: str) -> list[str]:
    for rule, new in _INSIDE:
        sentence = rule.sub(new, sentence)
    sentence = f" {sentence} "
    for rule, new in _PADDED:
        sentence = rule.sub(new, sentence)
    return sentence.split()
