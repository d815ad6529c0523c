"""Helpers that readers of all formats share: checks of sentences, documents, and a splitter for English running text.

A boundary is a full stop, exclamation or question mark, the quotes and brackets that close after it, a space and an
upper-case letter or digit. There is none after titles, initials and acronyms that a name follows, between a.m. and a
day or time zone, between a quotation and who said it ("Why?" Smith asked.), and inside open round brackets.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input
from textsimp.core.records import Document, DocumentPair

_MARKS = frozenset(".!?…")
_CLOSING = "\"'”’)]"
_BEGINNING = re.compile(r"[\"'“‘(’\[]*[A-Z0-9À-ÖØ-Þ]")
_WORD = re.compile(r"\S+")
_INITIAL = re.compile(r"[\"'“‘(\[]*[A-Z]\.")
_ACRONYM = re.compile(r"[\"'“‘(\[]*(?:[A-Za-z]\.){2,}[\"'”’)\]]*")
_CLOCK = re.compile(r"[ap]\.m\.[\"'”’)\]]*")
_DAY = re.compile(r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Eastern|Central|Pacific|GMT|UTC|[ECMP][SD]?T)\b")
_QUESTION_QUOTE = re.compile(r"[!?][\"”’']+$")
_SAID = re.compile(
    r"(?:[A-Z][\w'’.-]*\s+){1,4}(?:said|says|asked|asks|cried|shouted|wondered|wrote|added|yelled|replied)\b"
)
_TITLES = frozenset(
    """Mr. Mrs. Ms. Dr. Prof. St. Mt. Ft. Gen. Col. Capt. Lt. Sgt. Maj. Sen. Rep. Gov. Pres. Rev. Hon. No. Nos. vs.
    Jan. Feb. Mar. Apr. Jun. Jul. Aug. Sept. Sep. Oct. Nov. Dec. Fig. Vol. approx. ca. cf. e.g. i.e. al.""".split()
)
_STARTERS = frozenset(
    """The A An In On At It He She They We I You This That These Those There But And Or So Then When While If As For
    After Before Since Because Although Some Many Most Few Each Every All No Not Now Today His Her Their Its Our
    My Your What Who How Why Where One Two Three""".split()
)
# What cp1252 and Latin-1 make of the UTF-8 continuation bytes 80 to BF; the guillemet stays out, for «IRMÃ» is text.
_CONTINUATION = "\x80-\xba\xbc-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
_MOJIBAKE = re.compile(f"[ÂÃ][{_CONTINUATION}]|â[{_CONTINUATION}]{{2}}|\ufffd")
# lone surrogates too, which JSON can spell and no file in UTF-8 can hold
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")


def damage(*texts: str) -> str | None:
    """Return the fault of the first bad one of some sentences: emptiness, mojibake, control characters; else None.

    Mojibake is U+FFFD, or UTF-8 that was read as Latin-1 or cp1252 (`Ã©` for é, `â€™` for an apostrophe).
    """
    for text in texts:
        if not text.strip():
            return "an empty sentence"
        if match := _MOJIBAKE.search(text):
            return f"mojibake {match[0]!r} (text decoded with a wrong encoding)"
        if match := _CONTROL.search(text):
            return f"the control character {match[0]!r}"
    return None


def check_text(path: str | Path, line: int | None, text: str) -> str:
    """Return the text itself, if it can be a sentence; else `InputError` naming file and line."""
    if fault := damage(text):
        raise bad_input(path, line, fault, "restore the text from its source")
    return text


def member(row: Any, key: str, *kinds: type) -> Any:
    """Return the value of a key in a JSON object; `InputError` where it is absent or of none of these types."""
    value = row.get(key) if isinstance(row, dict) else None
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise InputError(f"{key!r} is absent or not {' or '.join(kind.__name__ for kind in kinds)}")
    return value


def split_document(name: str, level: int, paragraphs: Iterable[str]) -> Document:
    """Return a document of paragraphs of running text."""
    return Document(name, level, tuple(tuple(split_sentences(paragraph)) for paragraph in paragraphs))


def level_pairs(name: str, corpus: str, group: str, documents: Sequence[Document]) -> list[DocumentPair]:
    """Return all pairs of the levels of an article, the most complex first, without alignments."""
    return [
        DocumentPair(f"{name}.{high.level}-{low.level}", corpus, group, high, low)
        for high, low in combinations(documents, 2)
    ]


def split_sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph of running text, in order, without the space between them.

    Time is linear in the length of the paragraph, whatever is in it.
    """
    sentences, start, open_brackets = [], 0, 0
    for word, following in pairwise(_WORD.finditer(paragraph)):
        open_brackets += word[0].count("(") - word[0].count(")")
        if word[0].rstrip(_CLOSING)[-1:] not in _MARKS or not _BEGINNING.match(paragraph, following.start()):
            continue
        if _is_boundary(word[0], following, open_brackets > 0):
            sentences.append(paragraph[start : word.end()])
            start, open_brackets = following.start(), 0
    rest = paragraph[start:].strip()
    return [*sentences, rest] if rest else sentences


def _is_boundary(word: str, following: re.Match[str], in_brackets: bool) -> bool:
    if word.lstrip("\"'“‘([") in _TITLES or _INITIAL.fullmatch(word):
        return False
    if _CLOCK.fullmatch(word):
        return not _DAY.match(following.string, following.start())
    if _ACRONYM.fullmatch(word):
        return following[0].strip("\"'“‘([,.") in _STARTERS
    return not (in_brackets or (_QUESTION_QUOTE.search(word) and _SAID.match(following.string, following.start())))
