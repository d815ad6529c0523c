"""D-Wikipedia (Sun et al. 2021): documents of English and Simple English Wikipedia, one a line.

Lower-case tokens. Paragraphs run together ("highland.between 1975 and 1996"), so that their bounds are lost: a document
is one paragraph, and a full stop that joins two words ends a sentence too, but not inside `u.s.` or `amazon.com`.
"""

import logging
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from textsimp.core.records import Document, DocumentPair
from textsimp.sources.manual import COMPLEX_LEVEL, SIMPLE_LEVEL
from textsimp.sources.parallel import read_rows
from textsimp.sources.sentences import damage

_RUN_TOGETHER = re.compile(
    r"""([^\W\d_]{3}|[\d)\]'"]{2}|\s[)\]'"]?)\.(?!(?:com|org|net|edu|gov|info|html?|co|tv|uk|de)\b)(?=a\s|[^\W\d_]{2})"""
)
_END = re.compile(r"""(?<=\s)[.!?](?:\s+(?:''|"|\)))*(?:\s+|\Z)""")
logger = logging.getLogger(__name__)


def d_wikipedia_pairs(raw: Path, corpus: str) -> Iterator[DocumentPair]:
    """Yield the document pairs of the validation part; pairs with an empty or damaged side are left out and counted.

    `InputError` as `read_rows`.
    """
    dropped = 0
    for number, row in enumerate(read_rows(*(raw / "d_wikipedia" / f"valid.{side}" for side in ("src", "tgt"))), 1):
        if damage(*row):
            dropped += 1
            continue
        name = f"d_wikipedia:{number}"
        complex_, simple = (
            Document(f"{name}-{level}", level, (tuple(document_sentences(text)),))
            for text, level in zip(row, (COMPLEX_LEVEL, SIMPLE_LEVEL), strict=True)
        )
        yield DocumentPair(name, corpus, name, complex_, simple, None)
    logger.info("D-Wikipedia: %d pairs left out, damaged or empty", dropped)


def document_sentences(text: str) -> list[str]:
    """Return the sentences of a document, which end at a mark between spaces or at a full stop that joins two words."""
    text = _RUN_TOGETHER.sub(r"\1 . ", text)
    ends = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    return [" ".join(text[start:end].split()) for start, end in pairwise(ends) if text[start:end].strip()]
