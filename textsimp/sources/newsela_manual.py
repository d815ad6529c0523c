"""NEWSELA-MANUAL: `newsela-manual/all/{train,dev,test}.tsv`, five columns (F1; section 3.1).

Ids are `SLUG.LANG-LEVEL-PARAGRAPH-SENTENCE`; levels go from 0, the original, to 4, the simplest.
"""

import re
from pathlib import Path

from textsimp.errors import InputError
from textsimp.sources.manual_tsv import ManualPair, ManualReader, SentenceId

LEVELS = range(5)
_ARTICLE = re.compile(r".+\.[a-z]{2}")


class _Reader(ManualReader):
    columns = (5,)

    def check_ids(self, simple: SentenceId, complex_: SentenceId) -> None:
        """Both sides are one article set, the simple side at a higher level number."""
        if not _ARTICLE.fullmatch(simple.article):
            raise InputError(f"article id {simple.article!r} is not SLUG.LANG")
        if simple.article != complex_.article:
            raise InputError(f"{simple} and {complex_} are of different article sets")
        if not (simple.level in LEVELS and complex_.level < simple.level):
            raise InputError(f"{simple} is not at a simpler level (0 to {LEVELS[-1]}) than {complex_}")


def read_newsela_manual(path: str | Path) -> list[ManualPair]:
    """The annotated document pairs of one file; `InputError` with file and line for a bad row."""
    return _Reader(path).read()
