"""reports/index.html: one page that needs nothing else; every text is escaped.

Tables and figures are in the page as they are printed. The page's one script shows browsers of document pairs and
outputs; a content security policy lets nothing but that script run.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from textsimp.core.reading import read_text
from textsimp.reporting.browser import rendered
from textsimp.reporting.figures import Figure
from textsimp.reporting.opening import Opening
from textsimp.reporting.table import MISSING, Cell, Table
from textsimp.reporting.texts import present

_LONG_HEADER, _LONG_TEXT = 12, 24
"""Letters of a header, and of a cell of words, that may go over several lines."""
_WIDE, _ACROSS = 18, 24
"""Columns of a table that a screen, and an upright page, hold in letters of the usual size, and in smaller ones."""
# nothing in a card may ask for a file or go elsewhere, and its text is no HTML
_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink", "html_inline"])
)
_WHOLE = re.compile(
    r"(?:[<>=≥] )?[-+]?\d+\.\d[†‡]?(?: [<>=≥] \d+\.\d)*(?: \([-\d.]+ to [-\d.]+\))?|\([-+][\d.]+ to [-+][\d.]+\)"
)
"""A comparison, or a difference with its interval, that stays on one line."""


@dataclass(frozen=True)
class Section:
    """One part of the page: tables, then figures, then texts of each corpus; folded tables last.

    A corpus of `alignments` or `outputs` is what the template takes: names, whether its text is `hidden`, a browser.
    """

    key: str
    title: str
    tables: Sequence[Table]
    figures: Sequence[Figure] = ()
    alignments: Sequence[Mapping[str, Any]] = ()
    outputs: Sequence[Mapping[str, Any]] = ()
    cards: Sequence[Mapping[str, str]] = ()


def page(title: str, main: Opening | None, sections: Sequence[Section]) -> str:
    """Return the whole page."""
    helpers = {function.__name__: function for function in (pieces, is_claims, table_class, classes, header_classes)}
    values = {"title": title, "paper": "Jiang et al. 2020", "main": main, "sections": sections}
    return rendered("page.html.jinja", helpers, **values)


def read_card(corpora: Path, name: str) -> dict[str, str]:
    """Return a corpus's name, and its data card as HTML in which all text is escaped; the card's title is left out."""
    lines = read_text(present(corpora / name / "CARD.md", "build_corpus", name)).splitlines()
    tokens = _MARKDOWN.parse("\n".join(lines[1:]))
    for token in tokens:
        # the card stands below a heading of the second level
        token.tag = {"h2": "h3", "h3": "h4"}.get(token.tag, token.tag)
    return {"name": name, "html": _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})}


def table_class(table: Table) -> str | None:
    """Return the CSS class of a table of claims, of one that is set smaller, or also printed sideways.

    A column with intervals counts as two.
    """
    if is_claims(table):
        return "words"
    columns = zip(*(row.cells for row in table.rows), strict=True)
    width = len(table.columns) + sum(any(cell.interval for cell in cells) for cells in columns)
    return "wide across" if width > _ACROSS else "wide" if width > _WIDE else None


def is_claims(table: Table) -> bool:
    """Return whether the table is of claims, which a narrow screen shows one below the other."""
    return {column.header for column in table.columns} >= {"Claim", "Printed", "Ours", "Verdict"}


def pieces(text: str) -> list[tuple[str, bool]]:
    """Return the text in pieces, each with whether it may not be broken over two lines."""
    ends = [0, *(end for match in _WHOLE.finditer(text) for end in match.span()), len(text)]
    return [(text[start:end], number % 2 == 1) for number, (start, end) in enumerate(pairwise(ends)) if start < end]


def header_classes(table: Table, index: int) -> str | None:
    """Return the CSS classes of the header of a column, None for none."""
    header = table.columns[index].header
    texts = [] if table.numeric[index] else [row.cells[index].text for row in table.rows]
    is_long = len(header) > _LONG_HEADER or any(len(text) > _LONG_TEXT for text in texts)
    return _joined(table, index, "long" if is_long else "")


def classes(table: Table, index: int, cell: Cell) -> str | None:
    """Return the CSS classes of a cell, None for none."""
    return _joined(table, index, "none" if cell.text == MISSING else "", cell.tone)


def _joined(table: Table, index: int, *names: str) -> str | None:
    """Return the CSS classes of a column and these."""
    columns = table.columns
    edge = index > 0 and columns[index].group != columns[index - 1].group
    return " ".join(filter(None, ("n" if table.numeric[index] else "", "edge" if edge else "", *names))) or None
