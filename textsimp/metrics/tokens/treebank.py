"""Words in the Penn Treebank's manner, as NLTK's tokeniser of words cuts them (its rules, in its order).

NLTK's package takes a second and 140 MB to import; the tests compare with it. The expressions are of `regex`, and those
of contractions of `re`, as NLTK's: their classes of characters differ.
"""

import re

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
    (rf"(?i)\b({first})({second}){end}", r" \1 \2 ")
    for first, second, end in (
        *(("can", "not", r"\b"), ("d", "'ye", r"\b"), ("gim", "me", r"\b"), ("gon", "na", r"\b"), ("got", "ta", r"\b")),
        *(("lem", "me", r"\b"), ("more", "'n", r"\b"), ("wan", "na", r"(?=\s)")),
    )
) + ((r"(?i) ('t)(is)\b", r" \1 \2 "), (r"(?i) ('t)(was)\b", r" \1 \2 "))
_INSIDE = tuple((regex.compile(rule), new) for rule, new in (*_OPENING, *_PUNCTUATION))
_PADDED = (
    *((regex.compile(rule), new) for rule, new in _CLOSING),
    *((re.compile(rule), new) for rule, new in _CONTRACTIONS),
)


def split_words(sentence: str) -> list[str]:
    """Return the words of one sentence; punctuation marks are words too, and quotes become `` and ''."""
    for rule, new in _INSIDE:
        sentence = rule.sub(new, sentence)
    sentence = f" {sentence} "
    for rule, new in _PADDED:
        sentence = rule.sub(new, sentence)
    return sentence.split()
