"""The licensed Newsela release, and sentence pairs of it that others aligned (docs/formats.md names the files).

Xu et al. 2015 have one pair per line, in five columns: document id, version of the complex side (V0, the original, to
V4), version of the simple side, complex sentence, simple sentence. No message quotes a sentence.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import quoted, read_lines, read_table
from textsimp.core.records import AlignmentLabel, DocumentPair, SentencePair
from textsimp.core.writing import atomic_write
from textsimp.sources.manual import NEWSELA_LEVELS
from textsimp.sources.parallel import ParallelCorpus
from textsimp.sources.plain import read_article
from textsimp.sources.sentences import damage, level_pairs, split_document

HEADER = ("slug", "language", "title", "grade_level", "version", "filename")
METADATA = "articles_metadata.csv"
ARTICLES = "articles"
_VALID = {
    "slug": (r"[^\s/\\]+", "the slug is no name"),
    "grade_level": (r"[0-9]{1,3}(\.[0-9]{1,9})?", "the grade level is no number"),
    "version": (r"[0-9]{1,3}", "the version is no whole number"),
    "filename": (r"(?!\.)[^/\\\0]+", "a file name without folders is needed"),
}
NEWSELA_AUTO = Path("newsela-auto", "ACL2020")
NEWSELA_OLD = Path("newsela-old", "aligned.sents.txt")
"""Where acquire puts the file of Xu et al. 2015."""
XU2015 = "newsela_data_share-*/newsela_articles_*.aligned.sents.txt"
_COLUMNS = ("document", "complex version", "simple version", "complex sentence", "simple sentence")
_VERSION = re.compile(r"V([0-4])")
SIMILAR_LEVELS = ((0, 1), (1, 2), (2, 3))
"""(complex, simple) levels left out of training: Jiang et al. 2020, section 5.1, after Zhang and Lapata 2017."""
_REMEDY = "unpack the release again, or correct the line"


@dataclass(frozen=True)
class Article:
    """A row of the metadata: one version (level 0 to 4, rarely 5) of an article set; `line` is where it ends there."""

    slug: str
    language: str
    title: str
    grade_level: float
    version: int
    filename: str
    line: int = field(default=0, compare=False)


def read_metadata(path: str | Path) -> list[Article]:
    """Return the rows of `articles_metadata.csv`; `InputError` with file and line for a bad header or row."""
    rows: list[Article] = []
    seen = set()
    for line, cells in read_table(path, strict=True, remedy="fetch the release again"):
        if line == 1 and tuple(cells) == HEADER:
            continue
        if line == 1:
            missing = [name for name in HEADER if name not in cells]
            what = f"the header has no column {missing[0]!r}" if missing else "the header's columns are others"
            raise bad_input(path, 1, f"{what}; it is to be {','.join(HEADER)}", "fetch the release again")
        article = _article(path, line, cells)
        for name in (f"{article.slug}.{article.language}.{article.version}", f"the file {article.filename}"):
            if name in seen:
                raise bad_input(path, line, f"{name} stands here twice", "drop one row")
            seen.add(name)
        rows.append(article)
    if not rows:
        raise bad_input(path, None, "no articles", "fetch the release again")
    return rows


def read_articles(raw: Path, corpus: str, language: str) -> Iterator[DocumentPair]:
    """Yield all pairs of levels of every article set in a language, without alignments, by slug.

    `InputError` where the metadata or an article is absent or bad.
    """
    sets: dict[str, list[Article]] = {}
    for article in read_metadata(raw / METADATA):
        if article.language == language and article.version in NEWSELA_LEVELS:
            sets.setdefault(article.slug, []).append(article)
    for slug in sorted(sets):
        documents = [
            split_document(f"{slug}.{language}-{row.version}", row.version, read_article(raw / ARTICLES / row.filename))
            for row in sorted(sets[slug], key=lambda row: row.version)
        ]
        yield from level_pairs(f"{slug}.{language}", corpus, slug, documents)


def write_release(folder: str | Path, articles: Iterable[tuple[Article, list[str]]]) -> None:
    """Write articles (with their paragraphs as running text) and metadata in the release's layout."""
    folder = Path(folder)
    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(HEADER)
    for article, paragraphs in articles:
        writer.writerow([getattr(article, key) for key in HEADER])
        with atomic_write(folder / ARTICLES / article.filename) as file:
            file.write("\n\n".join(paragraphs) + "\n")
    with atomic_write(folder / METADATA) as file:
        file.write(table.getvalue())


def _article(path: str | Path, line: int, cells: list[str]) -> Article:
    if len(cells) != len(HEADER):
        raise bad_input(path, line, f"{len(cells)} columns, not {len(HEADER)}", "fetch the release again")
    slug, language, title, grade, version, filename = cells
    for key, (pattern, fault) in _VALID.items():
        if not re.fullmatch(pattern, cells[HEADER.index(key)]):
            raise bad_input(path, line, f"not an article's row ({fault})", "fetch the release again")
    return Article(slug, language, title, float(grade), int(version), filename, line)


def newsela_old(raw: Path) -> ParallelCorpus:
    """Return the pairs of Xu et al. 2015, all as aligned: the release says no more.

    Lines that are empty or damaged on a side are left out and counted, and so are those of `SIMILAR_LEVELS`. `group` is
    newsela_old:DOCUMENT, `pair_id` is newsela_old:DOCUMENT.COMPLEX-SIMPLE:LINE.

    Raises:
        InputError: the file is absent, empty or not UTF-8; a line without five columns, with an unknown version, or
            whose simple side is at no simpler version.
    """
    pairs, dropped = [], Counter[str]()
    path = raw / NEWSELA_OLD
    lines = read_lines(path)
    if not lines:
        raise bad_input(path, None, "an empty file", _REMEDY)
    for number, line in enumerate(lines, 1):
        try:
            document, levels, sentences = _row(line)
        except InputError as error:
            raise bad_input(path, number, str(error), _REMEDY) from None
        fault = damage(*sentences)
        if fault or levels in SIMILAR_LEVELS:
            dropped[fault.partition(" '")[0] if fault else f"levels {levels[0]}-{levels[1]}"] += 1
            continue
        group = f"newsela_old:{document}"
        complex_, simple = (sentence.strip() for sentence in sentences)
        pair_id = f"{group}.{levels[0]}-{levels[1]}:{number}"
        pairs.append(SentencePair(complex_, simple, AlignmentLabel.ALIGNED, pair_id, group))
    return ParallelCorpus(pairs, dict(sorted(dropped.items())))


def _row(line: str) -> tuple[str, tuple[int, int], tuple[str, str]]:
    """Document, (complex, simple) level and sentences of a line; `InputError` without place for another form."""
    cells = line.split("\t")
    if len(cells) != len(_COLUMNS):
        raise InputError(f"{len(cells)} columns, not {len(_COLUMNS)}: {', '.join(_COLUMNS)}")
    document = cells[0].strip()
    if not re.fullmatch(r"\S+", document):
        raise InputError(f"document id {quoted(cells[0])} is empty or has a space in it")
    complex_, simple = (_level(cell) for cell in cells[1:3])
    if complex_ >= simple:
        raise InputError(f"version V{simple} is not simpler than V{complex_}")
    return document, (complex_, simple), (cells[3], cells[4])


def _level(cell: str) -> int:
    match = _VERSION.fullmatch(cell.strip())
    if not match:
        raise InputError(f"version {quoted(cell)} is none of V0 to V4")
    return int(match[1])
