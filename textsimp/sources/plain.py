"""Running text whose paragraphs are parted by blank lines: Newsela's articles, and a user's own two files."""

import re
from pathlib import Path

from textsimp.core.errors import bad_input
from textsimp.core.records import Document, DocumentPair
from textsimp.core.textfiles import read_text
from textsimp.sources.sentences import check_text, split_sentences

CORPUS = "own"
_BLANK = re.compile(r"\n[ \t]*\n")


def read_article(path: str | Path) -> list[str]:
    """The paragraphs of an article as running text; `InputError` where there is none, or damaged text.

    Lines inside a paragraph are joined by a space, runs of spaces become one.
    """
    blocks = _BLANK.split(read_text(path).replace("\r\n", "\n"))
    paragraphs = [" ".join(block.split()) for block in blocks if not block.isspace() and block]
    if not paragraphs:
        raise bad_input(path, None, "an article without paragraphs", "fetch the release again, or drop the article")
    return [check_text(path, None, paragraph) for paragraph in paragraphs]


def read_document(path: str | Path, name: str, level: int) -> Document:
    """An article as a document, its sentences split by rules; `InputError` as `read_article`."""
    return Document(name, level, tuple(tuple(split_sentences(paragraph)) for paragraph in read_article(path)))


def read_plain_pair(complex_file: str | Path, simple_file: str | Path) -> DocumentPair:
    """Two files as an unlabelled document pair; levels are 0 and 1, as for Newsela; `InputError` as `read_article`."""
    complex_, simple = (
        read_document(path, Path(path).stem, level) for level, path in enumerate((complex_file, simple_file))
    )
    return DocumentPair(f"{complex_.id}--{simple.id}", CORPUS, complex_.id, complex_, simple)
