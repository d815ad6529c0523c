"""Helpers that readers of all formats share: checks of sentences, and documents of English running text."""

import re
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input
from textsimp.core.records import Document, DocumentPair
from textsimp.sources.splitting.boundaries import split_running_text
from textsimp.sources.splitting.language import DEFAULT_LANGUAGE, load_language

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
    """Return the sentences of a paragraph of English running text, in order, without the space between them."""
    return split_running_text(paragraph, load_language(DEFAULT_LANGUAGE))
