"""The ends of the sentences of running text, in any language that has a file of rules here.

A sentence ends at a full stop, question mark, exclamation mark or ellipsis, with the quotes, brackets, footnote numbers
and emoji that close after it, before a space and what may begin a sentence: a capital, a digit, a currency. There is no
end after abbreviations, initials and ordinals unless a word follows that begins sentences, after the marker of a list's
item, in brackets that open within a sentence, and in quotes from which the sentence goes on.

Every step looks at a window of fixed size, so that the time is linear in the length of any text.
"""

import re
from bisect import bisect_right
from itertools import pairwise

from textsimp.sources.splitting.language import Language

_EMOJI = r"[\u2600-\u26ff\u2764\ufe0f\u200d\U0001f300-\U0001faff]"
_END = re.compile(
    r"(?<![.!?…。！？])(?P<mark>[.!?…。！？]++(?: \.(?=\s)){0,4}+)"
    r"(?:[\"'”’“‘»«›‹)\]*_¹²³⁰-⁹]|\[\d{1,3}\]|" + _EMOJI + r"| (?:[»”]|’”)(?=\s|$)|(?<=[。！？])[」』）])*+(?P<close>)"
    rf"(?: (?:{_EMOJI}++|\[(?:…|\.\.\.)\]|[:;]-?[)(DP](?!\S)))*+"
    r"(?:\s|(?<=[。！？」』）])(?=[^\s。！？]))"
)
_OPEN = re.compile(r"(?:[¿¡\"'’“”„‘‚«»‹›(\[{*_—–-] ?)*+")
_NEXT = re.compile(r"[^\W_]{1,40}")
_CAMEL = re.compile(r"[a-z]{1,2}[A-Z]")
_BULLETS = "•‣◦▪●⁃"
_MARKER = re.compile(
    rf"(?:[-*+–—{_BULLETS}] ?)?[(\[]?(?:\d{{1,3}}(?:\.\d{{1,3}})*|[A-Za-z]|[ivxIVX]{{1,5}})[.)\]]{{1,2}}"
)
_INLINE = re.compile(rf"(?<!\S)(?:[{_BULLETS}] ?|\(?(?P<number>\d{{1,2}})(?P<close>\.?\)|\.) )(?=\w)")
_HAS_WORD = re.compile(r"\w")
_ARTICLE = re.compile(r"^[^\W\d_]{1,4}['’](?=\w)")
_ACRONYM = re.compile(r"(?:[^\W\d_]{1,2}\.-?)+[^\W\d_]{1,2}")
_INITIAL = re.compile(r"[^\W\d_](?:\.-[^\W\d_])?")
_ROMAN = re.compile(r"[IVXLC]+")
_NUMBER = re.compile(r"\d|[A-Z]\. ?\d|(?:[VX]|[IVXLC]{2,})(?!['’\w])")
_NAMES = r"(?:[A-Z][\w'’.-]{0,30} ){1,4}"
_SPAN = re.compile(
    r"\((?:[^()]|\([^()]{0,100}\)){1,300}+\)"
    r"|„[^„“”]{1,300}[“”]|«[^«»]{1,300}»|»[^«»]{1,300}«|“[^“”]{1,300}”|(?<!\S)\"[^\"]{1,300}\"(?!\w)"
)
_WINDOW = 40


def split_running_text(text: str, language: Language) -> list[str]:
    """Return the sentences of a paragraph without line ends or runs of spaces, without the space between them."""
    starts = [0, *_inline_items(text, language), len(text)]
    return [sentence for begin, end in pairwise(starts) for sentence in _sentences(text[begin:end].strip(), language)]


def _inline_items(text: str, language: Language) -> list[int]:
    """Return where items of lists without line ends begin: bullets, and 2. after 1. at the start or after a colon."""
    starts: list[int] = []
    last = 0
    for match in _INLINE.finditer(text):
        position, number = match.start(), match["number"]
        if number is None:
            starts += [position] if _HAS_WORD.search(text, starts[-1] if starts else 0, position) else []
        elif match["close"] == "." and language.ordinals:
            continue
        elif int(number) == last + 1 and (last or not position or text[position - 2] == ":"):
            starts += [position] if last else []
            last += 1
    return [start for start in starts if start]


def _sentences(text: str, language: Language) -> list[str]:
    if not _END.search(text):
        return [text] if text else []
    rules = _Rules(text, language)
    sentences, start = [], 0
    for match in _END.finditer(text):
        if rules.ends(match, start):
            sentences.append(text[start : match.end()].strip())
            start = match.end()
    rest = text[start:].strip()
    return [*sentences, rest] if rest else sentences


class _Rules:
    def __init__(self, text: str, language: Language) -> None:
        self._text, self._language = text, language
        self._caseless = text.islower()
        self._spans = [(m.start(), m.end()) for m in _SPAN.finditer(text) if self._embeds(m)]
        self._opens = [start for start, _ in self._spans]

    def _embeds(self, span: re.Match[str]) -> bool:
        """Return whether a sentence goes on around this bracket or quote, if it began before."""
        after = self._text[span.end() : span.end() + 2].lstrip(" ")[:1]
        return span[0][0] == "(" or after.islower() or after in {",", ";"}

    def ends(self, match: re.Match[str], start: int) -> bool:
        """Return whether a sentence that begins at `start` ends at this mark."""
        after = _OPEN.match(self._text, match.end())
        begin = after.end() if after else match.end()
        if not self._may_begin(begin) or self._is_inside(match, start):
            return False
        mark, before = match["mark"], self._text[match.start() - 1 : match.start()]
        if before in {"(", "["}:
            return False
        if mark == ".":
            return self._full_stop_ends(match, start, begin)
        return not (mark[-1] in "!?" and self._is_said(match))

    def _may_begin(self, position: int) -> bool:
        char = self._text[position : position + 1]
        if char.islower():
            return self._caseless or _CAMEL.match(self._text, position) is not None
        return char.isalnum() or (char != "" and char in "$€£¥§#@")

    def _is_inside(self, match: re.Match[str], start: int) -> bool:
        index = bisect_right(self._opens, match.start()) - 1
        if index < 0 or match.end("close") >= self._spans[index][1]:
            return False
        opened = self._spans[index][0]
        return opened > start and any(char.isalnum() for char in self._text[start : min(opened, start + _WINDOW)])

    def _is_said(self, match: re.Match[str]) -> bool:
        quoted = self._text[match.end("mark") : match.end("close")][:1]
        if quoted not in {'"', "”", "’", "'"} or not self._language.said:
            return False
        return re.compile(rf"{_NAMES}(?:{'|'.join(self._language.said)})\b").match(self._text, match.end()) is not None

    def _full_stop_ends(self, match: re.Match[str], start: int, begin: int) -> bool:
        position = match.start()
        words = self._text[max(start, position - _WINDOW) : position].split(" ")
        word = _ARTICLE.sub("", words[-1].lstrip("\"'“„‘‚«»‹›([{¿¡*_—–"))
        if position + 1 - start <= 12 and _MARKER.fullmatch(self._text[start : position + 1]):
            return False
        following = _NEXT.match(self._text, begin)
        name = following[0] if following else ""
        kind = self._listed([*words[:-1], word], name, _NUMBER.match(self._text, begin) is not None)
        kind = kind or self._unlisted(word, words[-2] if len(words) > 1 else "", name)
        if kind in ("starter", "unit"):
            is_word = name.isalpha() and not self._text.startswith(".", begin + len(name))
            return is_word and (kind == "unit" or name.lower() in self._language.starters)
        return kind == "end"

    def _listed(self, words: list[str], following: str, numbered: bool) -> str | None:
        """Return what the language's lists say of the last words, as far as they are one abbreviation.

        `end`, `never`, or `starter`: a sentence ends only before a word that begins sentences.
        """
        rules = self._language
        for size in (4, 3, 2, 1):
            joined = "".join(words[-size:])
            if size > len(words) or not (size == 1 or all(part.endswith(".") for part in words[-size:-1])):
                continue
            forms = {joined, joined.lower(), joined.capitalize() if joined.isupper() else joined}
            if forms & rules.clock:
                return "never" if following in rules.days else "end"
            if forms & rules.never:
                return "never"
            if forms & rules.starter:
                return "starter"
            if forms & rules.number and numbered:
                return "never"
        return None

    def _unlisted(self, word: str, before: str, following: str) -> str:
        """Return the same of numbers, initials and acronyms; `unit`: a sentence ends before any word."""
        rules = self._language
        if word.isdecimal() and len(word) <= 3:
            if before.endswith(":"):
                return "never"
            return "starter" if rules.ordinals else "end"
        if len(word) == 1 and word.islower() and before[-1:].isdigit():
            return "unit"
        if following.lower() in rules.particles and _INITIAL.fullmatch(word):
            return "never"
        if len(word) == 1 and word.isalpha() or _ACRONYM.fullmatch(word) or word.endswith(tuple(rules.suffix)):
            return "starter"
        return "starter" if rules.ordinals and _ROMAN.fullmatch(word) else "end"
