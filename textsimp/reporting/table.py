"""A table before it is written as Markdown, LaTeX, HTML or JSON: grouped columns, marked cells, footnotes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from textsimp.core.results import Comparison, Estimate

MISSING = "–"
DAGGER, DOUBLE_DAGGER = "†", "‡"
"""After a difference: its interval excludes 0; and approximate randomisation finds p < 0.05 as well."""
LEVEL = 0.05
MARKS = "† the interval excludes 0; ‡ and approximate randomisation finds p < 0.05 too."


@dataclass(frozen=True)
class Cell:
    """One cell.

    value: the number as it was computed, for comparison; None where there is none.
    best: the best of its column, printed bold.
    tone: `good` or `bad`, shown by colour in addition to the text.
    interval: the 95 percent interval of the number, shown small beside or below it with so many `digits`.
    """

    text: str
    value: float | None = None
    best: bool = False
    tone: str = ""
    interval: tuple[float, float] | None = None
    digits: int = 1

    @property
    def interval_text(self) -> str:
        """Such as `35.1 to 38.0`; empty where there is none."""
        return "" if self.interval is None else " to ".join(number(bound, self.digits) for bound in self.interval)


@dataclass(frozen=True)
class Column:
    """One column: its group and footnote may be empty.

    `short` is the group in few letters, for Markdown, which has one line of headers; empty for the group itself.
    """

    group: str
    header: str
    note: str = ""
    numeric: bool = True
    short: str = ""


@dataclass(frozen=True)
class Row:
    """One row; `starts_block` draws a line above it, `heading` names the rows from here on in a line of its own."""

    cells: tuple[Cell, ...]
    starts_block: bool = False
    heading: str = ""


@dataclass(frozen=True)
class Table:
    """A table with its title and a text that says what its columns are; `lead` is what it comes to, if in few words.

    A folded table is closed on the page until it is asked for, and not in results.md.
    """

    key: str
    title: str
    text: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    lead: str = ""
    folded: bool = False

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise ValueError(f"table {self.key}: {len(row.cells)} cells in a row of {len(self.columns)} columns")

    @property
    def footnotes(self) -> list[str]:
        """The distinct footnotes of the columns, in order; the first has number 1."""
        return list(dict.fromkeys(column.note for column in self.columns if column.note))

    def number(self, column: Column) -> int:
        """The number of a column's footnote, 0 for none."""
        return self.footnotes.index(column.note) + 1 if column.note else 0

    @property
    def groups(self) -> list[tuple[str, int]]:
        """Runs of columns of one group: name and width."""
        return [(group, len(list(columns))) for group, columns in groupby(column.group for column in self.columns)]


def text_cell(text: str, tone: str = "") -> Cell:
    """A cell of words."""
    return Cell(text or MISSING, tone=tone)


def number_cell(value: float | None) -> Cell:
    """A number of ours: integers whole, floats with one decimal."""
    return Cell(number(value), value)


def estimate_cell(estimate: Estimate | None, digits: int = 1, interval: bool = True, tone: str = "") -> Cell:
    """A number of ours with its interval where it has one; a dash for None."""
    if estimate is None:
        return Cell(MISSING)
    low, high = estimate.low, estimate.high
    bounds = (low, high) if interval and low is not None and high is not None else None
    return Cell(number(estimate.value, digits), estimate.value, tone=tone, interval=bounds, digits=digits)


def comparison_cell(comparison: Comparison | None, digits: int = 1) -> Cell:
    """A difference with its sign, its interval and the mark of its tests (`MARKS`); a dash for None."""
    if comparison is None:
        return Cell(MISSING)
    value, low, high = comparison.difference, comparison.low, comparison.high
    text = number(float(value), digits)
    text = f"+{text}" if float(f"{value:.{digits}f}") > 0 else text
    if low is None or high is None:
        return Cell(text, value)
    mark = ""
    if low > 0 or high < 0:
        mark = DOUBLE_DAGGER if is_significant(comparison) else DAGGER
    return Cell(f"{text}{mark}", value, interval=(low, high), digits=digits)


def is_significant(comparison: Comparison) -> bool:
    """Whether both tests say so: the interval excludes 0, and approximate randomisation finds p < 0.05."""
    low, high, p = comparison.low, comparison.high, comparison.p_randomisation
    return low is not None and high is not None and (low > 0 or high < 0) and p is not None and p < LEVEL


def printed_cell(text: str | None) -> Cell:
    """A published number, with the decimals that the paper prints."""
    if not text:
        return Cell(MISSING)
    return Cell(f"{int(text):,}" if text.isdigit() and len(text) > 3 else text, float(text))


def number(value: float | None, digits: int = 1) -> str:
    """Decimals for a float, separated thousands for an integer, a dash for None."""
    if value is None:
        return MISSING
    if isinstance(value, int):
        return f"{value:,}"
    text = f"{value:,.{digits}f}"
    return text.removeprefix("-") if not text.strip("-0.,") else text


def mark_best(rows: Sequence[Row], columns: Iterable[int], eligible: Sequence[bool]) -> tuple[Row, ...]:
    """Mark the highest number of each column among the eligible rows; equal as printed is equal."""
    marked = [list(row.cells) for row in rows]
    for column in columns:
        ranked = [i for i, allowed in enumerate(eligible) if allowed and marked[i][column].value is not None]
        if len(ranked) < 2:
            continue
        top = max(_as_printed(marked[i][column]) for i in ranked)
        for i in ranked:
            if _as_printed(marked[i][column]) == top:
                marked[i][column] = replace(marked[i][column], best=True)
    return tuple(replace(row, cells=tuple(cells)) for row, cells in zip(rows, marked, strict=True))


def _as_printed(cell: Cell) -> float:
    return float(cell.text.replace(",", "").rstrip(DAGGER + DOUBLE_DAGGER))
