"""OneStopQA: 30 articles whose paragraphs people aligned across three levels (F1; Berzak et al. 2020).

`NAME.txt`: `# Title` and its line, then blocks that begin with `# Paragraph` and hold one paragraph at each level
(`Adv:`, `Int:`, `Ele:`, spans marked `<A1>...</A1>` and `<D1>...</D1>`) and questions, which are not read. The articles
are OneStopEnglish's, with paragraphs merged or left out so that every paragraph has its partner at both other levels.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from textsimp.errors import InputError, bad_input
from textsimp.records import Document, DocumentPair
from textsimp.sources.checks import check_text
from textsimp.sources.onestop_english import LEVELS
from textsimp.sources.sentences import split_sentences
from textsimp.textfiles import read_lines

_MARK = re.compile(r"</?[AD]\d+>")
_LEVEL = re.compile(rf"({'|'.join(LEVELS)}):\s*(.*)")
_REMEDY = "fetch the release again"


@dataclass(frozen=True)
class AlignedParagraphs:
    """One article: `paragraphs` holds the text of each aligned paragraph at the levels of `LEVELS`, in order."""

    slug: str
    title: str
    paragraphs: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class ParagraphPair:
    """A document pair and the gold alignment of its paragraphs: (simple, complex) indexes from 0, sorted."""

    pair: DocumentPair
    links: tuple[tuple[int, int], ...]


def read_onestop_qa(folder: str | Path) -> list[AlignedParagraphs]:
    """The articles of a folder, by name.

    Raises:
        InputError: no files, or a file that is not UTF-8, damaged, or lacks a title or a level; with file and line.
    """
    paths = sorted(Path(folder).glob("*.txt"))
    if not paths:
        raise bad_input(folder, None, "no articles (*.txt)", _REMEDY)
    return [_article(path) for path in paths]


def paragraph_pairs(articles: list[AlignedParagraphs], corpus: str) -> Iterator[ParagraphPair]:
    """All pairs of levels of each article, with the gold of its paragraphs: each with its own number.

    As every paragraph has one partner, in order, a paragraph aligner is tested here on 1-to-1 alignment alone.
    """
    for article in articles:
        documents = [_document(article, level) for level in range(len(LEVELS))]
        links = tuple((number, number) for number in range(len(article.paragraphs)))
        for high, low in combinations(documents, 2):
            pair = DocumentPair(f"{article.slug}.{high.level}-{low.level}", corpus, article.slug, high, low)
            yield ParagraphPair(pair, links)


def _document(article: AlignedParagraphs, level: int) -> Document:
    paragraphs = tuple(tuple(split_sentences(texts[level])) for texts in article.paragraphs)
    return Document(f"{article.slug}-{level}", level, paragraphs)


def _article(path: Path) -> AlignedParagraphs:
    title, awaited = None, False
    blocks: list[tuple[int, dict[str, str]]] = []  # the line where each begins
    for number, line in enumerate(read_lines(path), 1):
        line = line.strip()
        if line == "# Paragraph":
            blocks.append((number, {}))
        elif line.startswith("# Title"):
            awaited = True
        elif awaited and line:
            title, awaited = check_text(path, number, line), False
        elif match := _LEVEL.fullmatch(line):
            _add(path, number, blocks, match[1], match[2])
    if title is None or not blocks:
        raise bad_input(path, None, "no # Title and # Paragraph", _REMEDY)
    for number, block in blocks:
        if missing := [level for level in LEVELS if level not in block]:
            raise bad_input(path, number, f"the paragraph lacks level {missing[0]}", _REMEDY)
    return AlignedParagraphs(path.stem, title, tuple(tuple(block[level] for level in LEVELS) for _, block in blocks))


def _add(path: Path, number: int, blocks: list[tuple[int, dict[str, str]]], level: str, marked: str) -> None:
    text = " ".join(_MARK.sub("", marked).split())
    try:
        if not blocks:
            raise InputError(f"{level}: before the first # Paragraph")
        if level in blocks[-1][1]:
            raise InputError(f"a second {level}: in one paragraph")
    except InputError as error:
        raise bad_input(path, number, str(error), _REMEDY) from None
    blocks[-1][1][level] = check_text(path, number, text)
