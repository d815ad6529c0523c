"""Where sentences end in a line: the decisions of Punkt (Kiss and Strunk 2006) with given lists, as NLTK takes them.

NLTK's package takes a second and 140 MB to import. Without a learnt model, which is a download of its own, its
algorithm comes down to these rules, for one text without collocations and orthographic statistics; the tests compare.
The expressions are of `regex`, as NLTK's: its classes of characters differ from those of `re`.
"""

import string
from collections.abc import Iterator, Set
from functools import lru_cache
from itertools import pairwise
from typing import Any

import regex

_CLOSES = r"""[)";}\]*:@'({\[‘’“”«»?!]"""
_CANDIDATE = regex.compile(rf"[.?!](?=(?P<after>{_CLOSES}|\s+(?P<next>\S+)))")
_SEVERAL = r"(?:-{2,}|\.{2,}|(?:\.\s){2,}\.)"
_TOKEN = regex.compile(
    rf"""{_SEVERAL}|(?=[^("`{{\[:;&#*@)}}\]\-,])\S+?(?=\s|$|{_CLOSES}|{_SEVERAL}|,(?=$|\s|{_CLOSES}|{_SEVERAL}))|\S"""
)
_CLOSING = regex.compile(r"""["')\]}‘’“”«»]+?(?:\s+|(?=--)|$)""", regex.MULTILINE)
_INITIAL = regex.compile(r"[^\W\d]\.$")
_NUMBER = regex.compile(r"^-?[.,]?\d[\d,.-]*\.?$")
_MARKS = frozenset(";:,.!?")

Span = tuple[int, int]


class Punkt:
    """Sentences by a list of abbreviations, without their full stops, and one of words that begin sentences."""

    def __init__(self, abbreviations: Set[str], starters: Set[str]) -> None:
        self._abbreviations, self._starters = abbreviations, starters
        self._ends = lru_cache(maxsize=1 << 16)(self._ends_sentence)

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a text that neither begins nor ends with white space."""
        if not _CANDIDATE.search(text):  # most lines
            return [text] if text else []
        return [text[start:end] for start, end in _with_closing_marks(text, self._spans(text))]

    def _spans(self, text: str) -> Iterator[Span]:
        start = 0
        for match, context in _candidates(text):
            if self._ends(context):
                yield start, match.end()
                start = match.end() if match["next"] is None else match.start("next")
        yield start, len(text.rstrip())

    def _ends_sentence(self, context: str) -> bool:
        """Whether a sentence ends within a few tokens, before the last of them."""
        tokens = _TOKEN.findall(context)
        return any(self._ends_between(token, follower) for token, follower in pairwise(tokens))

    def _ends_between(self, token: str, follower: str) -> bool:
        ends = self._ends_alone(token)
        if not token.endswith("."):
            return ends
        initial = _INITIAL.match(token) is not None
        if not ends and not initial:  # an abbreviation or an ellipsis
            word = follower.lower()
            if len(word) > 1 and word.endswith(".") and self._ends_alone(follower):
                word = word[:-1]
            ends = follower[0].isupper() and word in self._starters
        if initial or _NUMBER.match(token):
            goes_on = follower in _MARKS or follower[0].islower() or (initial and follower[0].isupper())
            return ends and not goes_on
        return ends

    def _ends_alone(self, token: str) -> bool:
        """Whether a token ends a sentence by itself: a mark, or a word with a full stop that is no abbreviation."""
        if token in (".", "?", "!"):
            return True
        if not token.endswith(".") or token.endswith(".."):
            return False
        word = token[:-1].lower()
        return word not in self._abbreviations and word.rpartition("-")[2] not in self._abbreviations


def _candidates(text: str) -> Iterator[tuple[Any, str]]:
    """The places where a sentence may end, with the word before and what follows; of several in a word the last."""
    start, end = 0, 0
    last: Any | None = None
    for match in _CANDIDATE.finditer(text):
        before = text[end : match.start()]
        space = max(map(before.rfind, string.whitespace))
        word = end + space + 1 if space > 0 else start
        if last and end <= word:
            yield last, text[start:end] + last[0] + last["after"]
        start, end, last = word, match.start(), match
    if last:
        yield last, text[start:end] + last[0] + last["after"]


def _with_closing_marks(text: str, spans: Iterator[Span]) -> Iterator[Span]:
    """Spans that end behind the quotes and brackets which follow a full stop."""
    moved = 0
    start, end = next(spans)
    for following in spans:
        closing = _CLOSING.match(text[slice(*following)])
        if closing:
            yield start + moved, following[0] + len(closing[0].rstrip())
        elif start + moved < end:
            yield start + moved, end
        moved = closing.end() if closing else 0
        start, end = following
    if start + moved < end:
        yield start + moved, end
