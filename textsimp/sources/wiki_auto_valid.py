"""WIKI-AUTO articles with the alignments of its authors' own neural CRF, as a planning corpus passed them on (F1).

`wikiauto_sents_valid.csv` (Cripwell et al. 2023) has one row a complex sentence, with a header; `simple` is a list in
Python's notation of the simple sentences aligned to it, `label` an operation. What is lost: paragraphs (each side is
one here), the simple sentences that nothing aligns to, and several complex sentences of one simple sentence. So the
recall of another aligner against these links means something, its precision less.
"""

import ast
import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textsimp.errors import InputError, bad_input
from textsimp.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.sources.checks import damage
from textsimp.sources.wiki_manual import COMPLEX_LEVEL, SIMPLE_LEVEL
from textsimp.textfiles import read_text

SENTENCES = "wikiauto_sents_valid.csv"
COLUMNS = ("title", "pair_id", "sent_id", "complex", "label", "simple")
_REMEDY = "fetch the release again"


@dataclass
class _Article:
    """The title, the sentences and the links of one pair while rows are read."""

    title: str
    complex: list[str] = field(default_factory=list)
    simple: list[str] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)


def read_wiki_auto_valid(folder: str | Path, corpus: str) -> list[DocumentPair]:
    """The article pairs with their links, in the file's order.

    A pair's `id` is WIKI-AUTO's, its `group` the title, as for SWiPE: three pages are in both.

    WIKI-AUTO has no labels. A complex sentence with one simple sentence is called aligned here, one with several
    (a split) is partially aligned to each.

    Raises:
        InputError: the file is absent, not UTF-8, lacks a column, or has a bad row; the text names file and line.
    """
    path = Path(folder) / SENTENCES
    articles: dict[str, _Article] = {}
    for line, row in _rows(path):
        try:
            _add(articles.setdefault(row["pair_id"], _Article(row["title"])), row)
        except InputError as error:
            raise bad_input(path, line, str(error), _REMEDY) from None
    empty = [key for key, article in articles.items() if not article.simple]
    if empty or not articles:
        raise bad_input(path, None, f"pair {empty[0]} has no simple sentence" if empty else "no rows", _REMEDY)
    return [_pair(key, article, corpus) for key, article in articles.items()]


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        header = reader.fieldnames or ()
        if missing := [name for name in COLUMNS if name not in header]:
            raise bad_input(path, 1, f"no column {missing[0]}", _REMEDY)
        for row in reader:
            if None in row or None in row.values():
                raise bad_input(path, reader.line_num, f"not {len(header)} columns", _REMEDY)
            yield reader.line_num, row
    except csv.Error as error:
        raise bad_input(path, reader.line_num, f"not CSV ({error})", _REMEDY) from None


def _add(article: _Article, row: dict[str, Any]) -> None:
    number = len(article.complex)
    if row["sent_id"] != str(number):
        raise InputError(f"sent_id {row['sent_id']!r} where {number} follows")
    simple = _sentences(row["simple"])
    for sentence in (row["complex"], *simple):
        if fault := damage(sentence):
            raise InputError(fault)
    label = AlignmentLabel.ALIGNED if len(simple) == 1 else AlignmentLabel.PARTIAL
    article.links += (Link(len(article.simple) + offset, number, label) for offset in range(len(simple)))
    article.complex.append(row["complex"].strip())
    article.simple += simple


def _sentences(text: str) -> list[str]:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        value = None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"simple {text[:40]!r} is no list of sentences")
    return [item.strip() for item in value]


def _pair(key: str, article: _Article, corpus: str) -> DocumentPair:
    complex_ = Document(f"normal-{key}", COMPLEX_LEVEL, (tuple(article.complex),))
    simple = Document(f"simple-{key}", SIMPLE_LEVEL, (tuple(article.simple),))
    return DocumentPair(key, corpus, article.title, complex_, simple, tuple(sorted(article.links)))
