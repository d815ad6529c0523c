"""A small rule-based sentence splitter for English news (F1).

Used where a release gives running text: the Newsela articles that nobody annotated. A boundary is a full stop,
exclamation or question mark with the quotes and brackets that close after it, followed by a space and what can begin a
sentence: an upper-case letter or a digit, with the quotes and brackets that open before it. No boundary is

- after a title or another abbreviation that a name or number follows (Dr., St., No.), or a single initial (J. K.);
- after an acronym with full stops (U.S., B.C.), unless a word follows that commonly begins a sentence;
- between a.m. or p.m. and a day or time zone;
- between a quotation that ends in ? or ! and who said it ("Why?" Smith asked.);
- inside round brackets that are still open.
"""

import re

_END = re.compile(r"[.!?…]+[\"'”’)\]]*\s+(?=[\"'“‘(’\[]*[A-Z0-9À-ÖØ-Þ])")
_LAST_WORD = re.compile(r"\S+$")
_INITIAL = re.compile(r"[\"'“‘(\[]*[A-Z]\.")
_ACRONYM = re.compile(r"[\"'“‘(\[]*(?:[A-Za-z]\.){2,}[\"'”’)\]]*")
_CLOCK = re.compile(r"[ap]\.m\.[\"'”’)\]]*")
_DAY = re.compile(r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Eastern|Central|Pacific|GMT|UTC|[ECMP][SD]?T)\b")
_QUESTION_QUOTE = re.compile(r"[!?][\"”’']+$")
_SAID = re.compile(
    r"(?:[A-Z][\w'’.-]*\s+){1,4}(?:said|says|asked|asks|cried|shouted|wondered|wrote|added|yelled|replied)\b"
)
_TITLES = frozenset(
    "Mr. Mrs. Ms. Dr. Prof. St. Mt. Ft. Gen. Col. Capt. Lt. Sgt. Maj. Sen. Rep. Gov. Pres. Rev. Hon. No. Nos. vs. "
    "Jan. Feb. Mar. Apr. Jun. Jul. Aug. Sept. Sep. Oct. Nov. Dec. Fig. Vol. approx. ca. cf. e.g. i.e. al.".split()
)
_STARTERS = frozenset(
    "The A An In On At It He She They We I You This That These Those There But And Or So Then When While If As For "
    "After Before Since Because Although Some Many Most Few Each Every All No Not Now Today His Her Their Its Our My "
    "Your What Who How Why Where One Two Three".split()
)


def split_sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph of running text, in order, without the space between them."""
    sentences, start = [], 0
    for match in _END.finditer(paragraph):
        before = paragraph[start : match.end()].rstrip()
        if _is_boundary(before, paragraph[match.end() :]):
            sentences.append(before)
            start = match.end()
    rest = paragraph[start:].strip()
    return sentences + [rest] if rest else sentences


def _is_boundary(before: str, after: str) -> bool:
    last = _LAST_WORD.search(before)
    word = last[0] if last else ""
    if word.lstrip("\"'“‘([") in _TITLES or _INITIAL.fullmatch(word):
        return False
    if _CLOCK.fullmatch(word):
        return not _DAY.match(after)
    if _ACRONYM.fullmatch(word):
        following = after.split(maxsplit=1)[0].strip("\"'“‘([,.")
        return following in _STARTERS
    if _QUESTION_QUOTE.search(word) and _SAID.match(after):
        return False
    return before.count("(") <= before.count(")")
