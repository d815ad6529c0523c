"""A table before it is written as Markdown or HTML: grouped columns, marked cells, footnotes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

MISSING = "–"
DAGGER, DOUBLE_DAGGER = "†", "‡"
"""After a difference: its interval excludes 0; and approximate randomisation finds p < 0.05 as well."""
LEVEL = 0.05
MARKS = "† the interval excludes 0; ‡ and approximate randomisation finds p < 0.05 too."


@dataclass(frozen=True)
class Cell:
    """One cell.

    value: the number behind it, for comparison; None where there is none.
    best: the best of its column, printed bold.
    tone: `good` or `bad`, shown by colour in addition to the text.
    interval: the 95 percent interval of the number, shown small beside or below it.
    """

    text: str
    value: float | None = None
    best: bool = False
    tone: str = ""
    interval: tuple[float, float] | None = None

    @property
    def interval_text(self) -> str:
        """Such as `35.1 to 38.0`; empty where there is none."""
        return "" if self.interval is None else " to ".join(number(bound) for bound in self.interval)


@dataclass(frozen=True)
class Column:
    """One column.

    group: the columns that it stands with; may be empty.
    header: its own name.
    note: its footnote; may be empty.
    short: the group in few letters, for Markdown, which has one line of headers; empty for the group itself.
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
    """A table with its title and a text that says what its columns are; `lead` is what it comes to, if in few words."""

    key: str
    title: str
    text: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    lead: str = ""

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
        runs: list[tuple[str, int]] = []
        for column in self.columns:
            if runs and runs[-1][0] == column.group:
                runs[-1] = (column.group, runs[-1][1] + 1)
            else:
                runs.append((column.group, 1))
        return runs


def text_cell(text: str, tone: str = "") -> Cell:
    """A cell of words."""
    return Cell(text or MISSING, tone=tone)


def number_cell(value: float | None, tone: str = "") -> Cell:
    """A number of ours: integers whole, floats with one decimal."""
    return Cell(number(value), value, tone=tone)


def interval_cell(value: float, low: float, high: float) -> Cell:
    """A number of ours with its 95 percent interval."""
    return Cell(number(value), value, interval=(low, high))


def difference_cell(value: float, low: float, high: float, p_randomisation: float | None = None) -> Cell:
    """A difference with its sign, interval and the mark of its tests (`DAGGER`)."""
    sign = "+" if float(f"{value:.1f}") > 0 else ""
    mark = ""
    if low > 0 or high < 0:
        mark = DOUBLE_DAGGER if p_randomisation is not None and p_randomisation < LEVEL else DAGGER
    return Cell(f"{sign}{number(value)}{mark}", value, interval=(low, high))


def printed_cell(text: str | None) -> Cell:
    """A published number, with the decimals that the paper prints."""
    if not text:
        return Cell(MISSING)
    return Cell(f"{int(text):,}" if text.isdigit() and len(text) > 3 else text, float(text))


def number(value: float | None) -> str:
    """One decimal for a float, separated thousands for an integer, a dash for None."""
    if value is None:
        return MISSING
    if isinstance(value, int):
        return f"{value:,}"
    text = f"{value:,.1f}"
    return "0.0" if text == "-0.0" else text


def mark_best(rows: Sequence[Row], columns: Iterable[int], eligible: Sequence[bool]) -> tuple[Row, ...]:
    """Mark the highest number of each column among the eligible rows; equal as printed is equal."""
    marked = [list(row.cells) for row in rows]
    for column in columns:
        places = [i for i, allowed in enumerate(eligible) if allowed and marked[i][column].value is not None]
        if len(places) < 2:
            continue
        top = max(_as_printed(marked[i][column]) for i in places)
        for i in places:
            if _as_printed(marked[i][column]) == top:
                marked[i][column] = replace(marked[i][column], best=True)
    return tuple(replace(row, cells=tuple(cells)) for row, cells in zip(rows, marked, strict=True))


def _as_printed(cell: Cell) -> float:
    return float(cell.text.replace(",", "").rstrip(DAGGER + DOUBLE_DAGGER))
