"""Running text: Newsela's articles, whose paragraphs are parted by blank lines, and a user's own plain texts."""

import re
from collections.abc import Sequence
from pathlib import Path

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import read_prose
from textsimp.core.records import Document, DocumentPair
from textsimp.sources.documents import pieces_of, read_marked, read_plain
from textsimp.sources.sentences import check_text
from textsimp.sources.splitting.boundaries import split_running_text
from textsimp.sources.splitting.language import DEFAULT_LANGUAGE, Language, foreign, load_language, other_language
from textsimp.sources.splitting.layout import Kind, Piece, text_paragraphs
from textsimp.sources.text_folders import readable_name

CORPUS = "own"
_BLANK = re.compile(r"\n[ \t]*\n")


class EmptyTextError(InputError):
    """A plain text in which there is no sentence."""


def read_article(path: str | Path) -> list[str]:
    """Return the paragraphs of an article as running text; `InputError` where there is none, or damaged text.

    Lines inside a paragraph are joined by a space, runs of spaces become one.
    """
    text = _checked(path, read_prose(path))
    paragraphs = [" ".join(block.split()) for block in _BLANK.split(text) if block and not block.isspace()]
    if not paragraphs:
        raise bad_input(path, None, "an article without paragraphs", "fetch the release again, or drop the article")
    return paragraphs


def split_text(text: str, language: str = DEFAULT_LANGUAGE, lines: str = "auto") -> tuple[tuple[str, ...], ...]:
    """Return the sentences of a plain text by paragraph, runs of spaces as one space (docs/formats.md has the rules).

    Args:
        text: any text; time is linear in its length.
        language: one of `splitting.language.LANGUAGES`.
        lines: what the end of a line means: `auto` (guessed), `wrapped` (nothing) or `sentences` (a sentence ends).

    `InputError` for an unknown language or meaning of lines.
    """
    rules = load_language(language)
    return _split(text_paragraphs(text, rules, lines), rules, lines)


def _split(paragraphs: Sequence[Sequence[Piece]], rules: Language, lines: str) -> tuple[tuple[str, ...], ...]:
    split = [
        [(piece, [piece.text] if piece.whole else split_running_text(piece.text, rules)) for piece in pieces]
        for pieces in paragraphs
    ]
    own = [
        len(sentences) > 1
        for pieces in split
        for piece, sentences in pieces
        if piece.kind is Kind.TEXT and len(pieces) > 1
    ]
    if 2 * sum(own) > len(own) and lines != "wrapped":
        # most lines have several sentences: each is a paragraph
        split = [[pair] for pieces in split for pair in pieces]
    return tuple(tuple(sentence for _, sentences in pieces for sentence in sentences) for pieces in split)


def read_plain_pair(
    complex_file: str | Path, simple_file: str | Path, language: str = DEFAULT_LANGUAGE, lines: str = "auto"
) -> DocumentPair:
    """Return two texts in any form of `documents` as an unlabelled document pair; levels are 0 and 1, as for Newsela.

    `EmptyTextError` where a text has no sentences, `InputError` where a file is absent or damaged or as `split_text`.
    """
    complex_, simple = (
        _read_plain(path, level, language, lines) for level, path in enumerate((complex_file, simple_file))
    )
    return DocumentPair(f"{complex_.id}--{simple.id}", CORPUS, complex_.id, complex_, simple)


def language_doubt(text: str, language: str) -> str:
    """Return what is to be said of a text that is surely in another language than it is read as; else nothing."""
    if likely := other_language(text, language):
        return f"looks like {likely}, was split as {language}; use --language"
    if known := foreign(text):
        return f"looks like {known}; its sentences may be split wrongly, and what is made of them may be wrong"
    return ""


def _read_plain(path: str | Path, level: int, language: str, lines: str) -> Document:
    rules = load_language(language)
    if marked := read_marked(Path(path)):
        pieces = pieces_of(marked.blocks, lines)
    else:
        pieces = text_paragraphs(_checked(path, read_plain(Path(path))), rules, lines)
    paragraphs = _split(pieces, rules, lines)
    if not paragraphs:
        raise EmptyTextError(f"{path}: a text without sentences; give a file with text in it")
    return Document(readable_name(Path(path).stem), level, paragraphs)


def _checked(path: str | Path, text: str) -> str:
    """Return a text with Unix line ends; `InputError` naming the line of any damage."""
    text = text.replace("\r\n", "\n")
    for number, line in enumerate(text.split("\n"), 1):
        if line and not line.isspace():
            check_text(path, number, " ".join(line.split()))
    return text
