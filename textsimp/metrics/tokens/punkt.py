"""Sentences of a line: the decisions of Punkt (Kiss and Strunk 2006) with given lists, as NLTK takes them.

The metric script of Jiang et al. 2020 counts the sentences of NLTK's Punkt model, an algorithm with learnt lists.
These are a download of their own; here the lists are ours: newspaper abbreviations, and words that often begin a
sentence. On the outputs of the paper's table 8 they give exactly the learnt model's counts, which show that it ends a
sentence after `i.e.`; `e.g.` is treated alike. On other text single sentences may be split otherwise.

NLTK's package takes a second and 140 MB to import. For one text without collocations and orthographic statistics its
algorithm comes down to these rules; the tests compare. The expressions are of `regex`, as NLTK's: its classes of
characters differ from those of `re`.
"""

import string
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, starmap
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

ABBREVIATIONS = frozenset(
    # titles, companies, places, dates, others
    """adm brig capt cmdr col dr gen gov hon jr lt maj messrs mr mrs ms prof rep reps rev sen sens sgt sr st supt
    bros co corp cos inc ltd
    ala ariz ark ave blvd calif colo conn del fla ft ga ill ind kan ky la mass md mich minn miss mo mont mt n.c n.d n.h
    n.j n.m n.y neb nev okla ore pa r.i s.c s.d tenn tex u.k u.n u.s u.s.a u.s.s.r va vt w.va wash wis wyo
    a.d a.m apr aug b.c dec feb fri jan jul jun mon nov oct p.m sat sept thurs tues wed
    b.a d.c e.u etc l.a m.a m.d p.o ph.d v vs""".split()
)
STARTERS = frozenset(
    # upper-case words that begin a sentence even after an abbreviation: `in the U.S. The law ...`
    """a after although an and as at but by during each for from he her his however if in it its many most no on one our
    she since so some such that the their there these they this those though to under until we what when where while
    with you""".split()
)


def split_sentences(line: str) -> list[str]:
    """Return the sentences of one line of text, without surrounding white space; none in a blank line."""
    text = line.strip()
    if not _CANDIDATE.search(text):  # most lines
        return [text] if text else []
    return [text[start:end] for start, end in _with_closing_marks(text, _spans(text))]


def _spans(text: str) -> Iterator[Span]:
    start = 0
    for match, context in _candidates(text):
        if _ends_sentence(context):
            yield start, match.end()
            start = match.end() if match["next"] is None else match.start("next")
    yield start, len(text.rstrip())


@lru_cache(maxsize=1 << 16)
def _ends_sentence(context: str) -> bool:
    """Return whether a sentence ends within a few tokens, before the last of them."""
    return any(starmap(_ends_between, pairwise(_TOKEN.findall(context))))


def _ends_between(token: str, follower: str) -> bool:
    ends = _ends_alone(token)
    if not token.endswith("."):
        return ends
    initial = _INITIAL.match(token) is not None
    if not ends and not initial:  # an abbreviation or an ellipsis
        word = follower.lower()
        if len(word) > 1 and word.endswith(".") and _ends_alone(follower):
            word = word[:-1]
        ends = follower[0].isupper() and word in STARTERS
    if initial or _NUMBER.match(token):
        goes_on = follower in _MARKS or follower[0].islower() or (initial and follower[0].isupper())
        return ends and not goes_on
    return ends


def _ends_alone(token: str) -> bool:
    """Return whether a token ends a sentence by itself: a mark, or a word with a full stop, no abbreviation."""
    if token in (".", "?", "!"):
        return True
    if not token.endswith(".") or token.endswith(".."):
        return False
    word = token[:-1].lower()
    return word not in ABBREVIATIONS and word.rpartition("-")[2] not in ABBREVIATIONS


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
