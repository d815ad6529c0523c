"""Tables as Markdown, and reports/results.md."""

import re
import unicodedata
from collections.abc import Sequence

from textsimp.reporting.opening import Opening
from textsimp.reporting.table import Cell, Column, Table


def to_markdown(table: Table, compact: bool = False) -> str:
    """Return the table alone, then its footnotes: a padded grid, or a compact one without intervals."""
    grid = [[_header(table, column) for column in table.columns]]
    for row in table.rows:
        if row.heading:
            grid.append([f"*{escape(row.heading)}*", *[""] * (len(row.cells) - 1)])
        grid.append([_cell(cell, not compact) for cell in row.cells])
    widths = [3 if compact else max(3, *(display_width(line[i]) for line in grid)) for i in range(len(table.columns))]
    numeric = table.numeric
    rule = ["-" * (width - 1) + ":" if right else "-" * width for width, right in zip(widths, numeric, strict=True)]
    lines = [_line(cells, widths, numeric) for cells in (grid[0], rule, *grid[1:])]
    notes = [f"[{index}] {escape(note)}" for index, note in enumerate(table.footnotes, 1)]
    return "\n".join(lines) + "\n" + "".join(f"\n{note}\n" for note in notes)


def results_page(title: str, main: Opening | None, sections: Sequence[tuple[str, Sequence[Table]]]) -> str:
    """Return reports/results.md: the main table, then the others that are not folded, under their sections.

    It is short, to be kept in Git: without intervals. The page and results.json have everything.
    """
    parts = [f"# {escape(title)}\n"]
    if main:
        parts += ["".join(f"- {escape(corpus)}\n" for corpus in main.corpora)] if main.corpora else []
        parts += [f"**{escape(main.table.lead)}**\n"] if main.table.lead else []
        parts += [f"{escape(main.unjudged)}\n"] if main.unjudged else []
        parts += ["".join(f"- {escape(term)}: {escape(meaning)}\n" for term, meaning in main.terms.items())]
        parts += [f"{escape(main.table.text)}\n", to_markdown(main.table)]
    parts.append("The intervals of the numbers, figures and further tables are in index.html and results.json.\n")
    for heading, tables in sections:
        shown = [table for table in tables if not table.folded]
        if shown:
            parts.append(f"## {escape(heading)}\n")
        for table in shown:
            parts += [f"### {escape(table.title)}\n", f"{escape(table.text)}\n", to_markdown(table, compact=True)]
    return "\n".join(parts)


def escape(text: str) -> str:
    """Return text that Markdown shows as it is, in one line; what cannot be mark-up stays, for those who read it."""
    return re.sub(r"[\\`*\[\]|]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])", r"\\\g<0>", " ".join(text.split()))


def display_width(text: str) -> int:
    """Return the columns of a terminal: wide characters take two, combining ones none."""
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def _header(table: Table, column: Column) -> str:
    mark = f" [{table.number(column)}]" if column.note else ""
    return escape(f"{column.short or column.group} {column.header}".strip()) + mark


def _cell(cell: Cell, intervals: bool) -> str:
    text = escape(cell.text + (f" ({cell.interval_text})" if cell.interval and intervals else ""))
    return f"**{text}**" if cell.best else text


def _line(cells: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    padded = []
    for cell, width, right in zip(cells, widths, numeric, strict=True):
        space = " " * (width - display_width(cell))
        padded.append(space + cell if right else cell + space)
    return "| " + " | ".join(padded) + " |"
