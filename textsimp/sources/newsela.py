"""The licensed Newsela release: `articles/SLUG.LANG.LEVEL.txt` and `articles_metadata.csv` (F1).

An article is running text; blank lines part its paragraphs.
"""

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.sources.checks import check_text
from textsimp.textfiles import atomic_write, read_text

HEADER = ("slug", "language", "title", "grade_level", "version", "filename")
METADATA = "articles_metadata.csv"
ARTICLES = "articles"
_BLANK = re.compile(r"\n[ \t]*\n")
_VALID = {
    "slug": re.compile(r"[^\s/\\]+"),
    "grade_level": re.compile(r"[0-9]{1,3}(\.[0-9]{1,9})?"),
    "version": re.compile(r"[0-9]{1,3}"),
    "filename": re.compile(r"(?!\.)[^/\\\0]+"),
}
_FAULTS = {
    "slug": "the slug is no name",
    "grade_level": "the grade level is no number",
    "version": "the version is no whole number",
    "filename": "a file name without folders is needed",
}


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
    """The rows of `articles_metadata.csv`; `InputError` with file and line for a bad header or row."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    rows: list[Article] = []
    seen = set()
    try:
        for cells in reader:
            if reader.line_num == 1:
                _check_header(path, cells)
                continue
            article = _article(path, reader.line_num, cells)
            for name in (f"{article.slug}.{article.language}.{article.version}", f"the file {article.filename}"):
                if name in seen:
                    raise bad_input(path, reader.line_num, f"{name} stands here twice", "drop one row")
                seen.add(name)
            rows.append(article)
    except csv.Error as error:
        raise bad_input(path, reader.line_num, f"not CSV ({error})", "fetch the release again") from None
    if not rows:
        raise bad_input(path, None, "no articles", "fetch the release again")
    return rows


def read_article(path: str | Path) -> list[str]:
    """The paragraphs of an article as running text; `InputError` where there is none, or damaged text.

    Lines inside a paragraph are joined by a space, runs of spaces become one.
    """
    text = read_text(path).replace("\r\n", "\n")
    if not text:
        raise bad_input(path, None, "an empty file", "fetch the release again, or drop the article")
    paragraphs = [" ".join(block.split()) for block in _BLANK.split(text)]
    paragraphs = [paragraph for paragraph in paragraphs if paragraph]
    if not paragraphs:
        raise bad_input(path, None, "an article without paragraphs", "fetch the release again, or drop the article")
    return [check_text(path, None, paragraph) for paragraph in paragraphs]


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


def _check_header(path: str | Path, cells: list[str]) -> None:
    if tuple(cells) != HEADER:
        missing = [name for name in HEADER if name not in cells]
        what = f"the header has no column {missing[0]!r}" if missing else "the header's columns are others"
        raise bad_input(path, 1, f"{what}; it is to be {','.join(HEADER)}", "fetch the release again")


def _article(path: str | Path, line: int, cells: list[str]) -> Article:
    if len(cells) != len(HEADER):
        raise bad_input(path, line, f"{len(cells)} columns, not {len(HEADER)}", "fetch the release again")
    slug, language, title, grade, version, filename = cells
    faults = [fault for key, fault in _FAULTS.items() if not _VALID[key].fullmatch(cells[HEADER.index(key)])]
    if faults:
        raise bad_input(path, line, f"not an article's row ({faults[0]})", "fetch the release again")
    return Article(slug, language, title, float(grade), int(version), filename, line)
