"""WIKI-MANUAL: `wiki-manual/{train,dev,test}.tsv`, six columns, or five in the earlier release (F1; section 3.2).

Ids are `PAIR_PAGE-LEVEL-PARAGRAPH-SENTENCE`: level 0 is Simple English Wikipedia and 1 standard Wikipedia, PAGE the id
of the simple page.
"""

import re
from pathlib import Path

from textsimp.errors import InputError
from textsimp.sources.manual_tsv import ManualPair, ManualReader, SentenceId

SIMPLE_LEVEL, COMPLEX_LEVEL = 0, 1
_ARTICLE = re.compile(r"[^_]+_(.+)")


class _Reader(ManualReader):
    columns = (5, 6)

    def check_ids(self, simple: SentenceId, complex_: SentenceId) -> None:
        """Both sides are one article pair, at levels 0 and 1."""
        if simple.article != complex_.article:
            raise InputError(f"{simple} and {complex_} are of different article pairs")
        page_of(simple.article)
        if (simple.level, complex_.level) != (SIMPLE_LEVEL, COMPLEX_LEVEL):
            raise InputError(f"{simple} is not at level {SIMPLE_LEVEL} or {complex_} not at level {COMPLEX_LEVEL}")


def page_of(article: str) -> str:
    """The page id in `PAIR_PAGE`, which names the article pair in every split."""
    match = _ARTICLE.fullmatch(article)
    if not match:
        raise InputError(f"article id {article!r} is not PAIR_PAGE")
    return match[1]


def read_wiki_manual(path: str | Path) -> list[ManualPair]:
    """The annotated document pairs of one file; `InputError` with file and line for a bad row."""
    return _Reader(path).read()
