"""A table before it is written: a pandas frame of cells, whose columns have groups and footnotes, with its texts."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from textsimp.core.results import Comparison, Estimate

if TYPE_CHECKING:
    import pandas as pd

MISSING = "–"
DAGGER, DOUBLE_DAGGER = "†", "‡"
"""After a difference: its interval excludes 0; and approximate randomisation finds p < 0.05 as well."""
LEVEL = 0.05
MARKS = "†: the interval excludes 0. ‡: a randomisation test also finds p < 0.05."


@dataclass(frozen=True)
class Cell:
    """One cell.

    value: the number as it was computed, for comparison; None where there is none.
    best: the best of its column, printed bold.
    tone: `good` or `bad`, shown by colour in addition to the text.
    interval: the 95 percent interval of the number, shown small beside or below it with so many `digits`.
    is_ours: False for what a paper prints, and for words that stand beside the numbers.
    """

    text: str = MISSING
    value: float | None = None
    best: bool = False
    tone: str = ""
    interval: tuple[float, float] | None = None
    digits: int = 1
    is_ours: bool = True

    @property
    def interval_text(self) -> str:
        """Such as `35.1 to 38.0`; empty where there is none."""
        return "" if self.interval is None else " to ".join(number(bound, self.digits) for bound in self.interval)


class Column(NamedTuple):
    """The key of a column in a frame: its header, a group above it, a footnote; empty where there is none.

    `short` is the group in few letters, for Markdown, which has one line of headers; empty for the group itself.
    """

    group: str = ""
    header: str = ""
    note: str = ""
    short: str = ""


class Line(NamedTuple):
    """The name of a row: its first cells, a heading or a block that a line is drawn at where it changes."""

    labels: Sequence[str]
    heading: str = ""
    block: str = ""


class Row(NamedTuple):
    """A row as it is written; `starts_block` draws a line above it, `heading` names the rows from here on."""

    cells: tuple[Cell, ...]
    starts_block: bool = False
    heading: str = ""


@dataclass(frozen=True)
class Table:
    """A table with its title and a text that says what its columns are; `lead` is what it comes to, if in few words.

    The columns of the frame are `Column`s, its rows are indexed by heading and block, its values are `Cell`s. A folded
    table is closed on the page until it is asked for, and not in results.md.
    """

    key: str
    title: str
    text: str
    frame: "pd.DataFrame"
    lead: str = ""
    folded: bool = False

    @cached_property
    def columns(self) -> list[Column]:
        """The columns from left to right."""
        return [Column(*column) for column in self.frame.columns]

    @cached_property
    def rows(self) -> list[Row]:
        """The rows from the top; the heading is empty where it goes on."""
        rows: list[Row] = []
        before = "", ""
        for (heading, block), cells in zip(self.frame.index, self.frame.itertuples(index=False), strict=True):
            starts = heading != before[0] or (block != before[1] and bool(rows))
            rows.append(Row(tuple(cells), starts, heading if heading != before[0] else ""))
            before = heading, block
        return rows

    @cached_property
    def numeric(self) -> list[bool]:
        """Return whether each column has numbers, which are set to the right."""
        return [any(cell.value is not None for cell in self.frame.iloc[:, at]) for at in range(self.frame.shape[1])]

    @cached_property
    def footnotes(self) -> list[str]:
        """The distinct footnotes of the columns, in order; the first has number 1."""
        return list(dict.fromkeys(column.note for column in self.columns if column.note))

    def number(self, column: Column) -> int:
        """Return the number of a column's footnote, 0 for none."""
        return self.footnotes.index(column.note) + 1 if column.note else 0

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Runs of columns of one group: name and width."""
        return [(group, len(list(columns))) for group, columns in groupby(column.group for column in self.columns)]


def framed(stub: Sequence[str], lines: Sequence[Line], columns: Mapping[Column, Sequence[Cell]]) -> "pd.DataFrame":
    """Return the frame of these columns, with the labels of the rows, under the headers of the stub, before them."""
    import pandas as pd  # slow to import, and pages of links need the cells alone

    index = pd.MultiIndex.from_tuples([(line.heading, line.block) for line in lines], names=["heading", "block"])
    labels = {Column(header=name): [words(line.labels[at]) for line in lines] for at, name in enumerate(stub)}
    everything = labels | dict(columns)
    names = pd.MultiIndex.from_tuples(list(everything), names=Column._fields)
    rows = list(zip(*everything.values(), strict=True))
    return pd.DataFrame(rows, index=index, columns=names, dtype=object)


def tables(
    key: str,
    title: str,
    text: str | Iterable[str],
    stub: str | Sequence[str],
    rows: Sequence[Line | str],
    columns: Mapping[Column, Sequence[Cell]],
    folded: bool = False,
) -> Iterator[Table]:
    """Yield the table of these columns, or none where nothing in it is ours.

    Rows and columns in which every cell is missing are left out, and so are the empty ones of several texts. A row may
    be given by its label alone.
    """
    lines = [Line([row]) if isinstance(row, str) else row for row in rows]
    kept = [at for at in range(len(lines)) if any(cells[at].text != MISSING for cells in columns.values())]
    shown = {column: [cells[at] for at in kept] for column, cells in columns.items()}
    shown = {column: cells for column, cells in shown.items() if any(cell.text != MISSING for cell in cells)}
    if any(cell.is_ours and cell.text != MISSING for cells in shown.values() for cell in cells):
        text = text if isinstance(text, str) else " ".join(filter(None, text))
        headers = [stub] if isinstance(stub, str) else stub
        yield Table(key, title, text, framed(headers, [lines[at] for at in kept], shown), folded=folded)


def text_of(function: Callable[..., object]) -> str:
    """Return the docstring of a function that gives a table, to be the text below its title."""
    return " ".join((function.__doc__ or "").split())


def words(text: str, tone: str = "", is_ours: bool = False) -> Cell:
    """Return a cell of words."""
    return Cell(text or MISSING, tone=tone, is_ours=is_ours)


def estimate_cell(estimate: Estimate | None, digits: int = 1, interval: bool = True, tone: str = "") -> Cell:
    """Return a number of ours with its interval where it has one; a dash for None."""
    if estimate is None:
        return Cell()
    low, high = estimate.low, estimate.high
    bounds = (low, high) if interval and low is not None and high is not None else None
    return Cell(number(estimate.value, digits), estimate.value, tone=tone, interval=bounds, digits=digits)


def comparison_cell(comparison: Comparison | None) -> Cell:
    """Return a difference with its sign, its interval and the mark of its tests (`MARKS`); a dash for None."""
    if comparison is None:
        return Cell()
    value, low, high = comparison.difference, comparison.low, comparison.high
    text = ("+" if float(f"{value:.1f}") > 0 else "") + number(float(value))
    if low is None or high is None:
        return Cell(text, value)
    mark = ""
    if low > 0 or high < 0:
        mark = DOUBLE_DAGGER if is_significant(comparison) else DAGGER
    return Cell(f"{text}{mark}", value, interval=(low, high))


def is_significant(comparison: Comparison) -> bool:
    """Return whether both tests say so: the interval excludes 0, and approximate randomisation finds p < 0.05."""
    low, high, p = comparison.low, comparison.high, comparison.p_randomisation
    return low is not None and high is not None and (low > 0 or high < 0) and p is not None and p < LEVEL


def printed_cell(text: str | None) -> Cell:
    """Return a published number, with the decimals that the paper prints."""
    if not text:
        return Cell(is_ours=False)
    return Cell(f"{int(text):,}" if text.isdigit() and len(text) > 3 else text, float(text), is_ours=False)


def number(value: float | None, digits: int = 1) -> str:
    """Return decimals for a float, separated thousands for an integer, a dash for None."""
    if value is None:
        return MISSING
    if isinstance(value, int):
        return f"{value:,}"
    text = f"{value:,.{digits}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text


def mark_best(cells: Sequence[Cell], ranked: Sequence[bool] | None = None) -> list[Cell]:
    """Return the cells of a column with the highest number of the ranked rows marked; equal as printed is equal."""
    printed = {
        at: float(cell.text.replace(",", ""))
        for at, cell in enumerate(cells)
        if cell.value is not None and (ranked is None or ranked[at])
    }
    best = max(printed.values()) if len(printed) > 1 else None
    return [replace(cell, best=best is not None and printed.get(at) == best) for at, cell in enumerate(cells)]
