"""Rating sheets as CSV, blank and filled; `form.js` writes the same file from the form."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.human_evaluation.guidelines import KEYS, SCALE
from textsimp.human_evaluation.study import Study
from textsimp.textfiles import read_text

COLUMNS = ("rater", "item", "complex", "output", *KEYS)
NO_TEXT = "(no text)"
MARK = "\ufeff"
"""Without a byte-order mark spreadsheet programs take UTF-8 for the machine's old encoding."""

_NEEDED = ("rater", "item", *KEYS)
_DELIMITERS = ",;\t"  # what spreadsheet programs save "CSV" with, by country
_FORMULA = re.compile(r"[=+\-@|＝＋－＠]")  # full-width ones are formulas in some programs


@dataclass(frozen=True)
class SheetRow:
    """One row of a filled sheet: where it stands, who rated what, and a point of SCALE or None for each criterion."""

    path: Path
    line: int
    rater: str
    item: str
    values: tuple[int | None, ...]


def guarded(text: str) -> str:
    """Text that no spreadsheet program takes for a formula: an apostrophe before what could start one."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """The text that `guarded` was given."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text, 1) else text


def blank_sheet(study: Study, rater: str) -> str:
    """The CSV for a rater, with empty cells for the ratings; every cell is quoted."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(COLUMNS)
    for items in study.order(rater):
        for item in items:
            texts = guarded(item.complex), guarded(item.text or NO_TEXT)
            writer.writerow([rater, item.id, *texts, *[""] * len(KEYS)])
    return MARK + file.getvalue()


def read_sheet(path: Path) -> Iterator[SheetRow]:
    """The rows of a filled sheet; only the columns of names and ratings are looked at, in any order.

    Raises:
        InputError: no such file, no such column, a cell that is not 1 to 5 or empty, no row at all.
    """
    text = read_text(path)
    header = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=header.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    found = 0
    try:
        if absent := [column for column in _NEEDED if column not in (reader.fieldnames or ())]:
            raise bad_input(path, 1, f"no column {absent[0]!r}", f"the sheet needs {', '.join(_NEEDED)}")
        for row in reader:
            # spreadsheet programs like to save empty rows below the table
            if any(cell for cell in row.values() if cell and str(cell).strip()):
                found += 1
                yield _row(path, reader.line_num, row)
    except csv.Error as error:
        raise bad_input(path, reader.line_num, f"not CSV ({error})", "save the sheet as CSV again") from None
    if not found:
        raise bad_input(path, None, "no row below the header", "give a filled sheet")


def _row(path: Path, line: int, row: dict[str, str | None]) -> SheetRow:
    cells = {column: (row[column] or "").strip() for column in _NEEDED}
    for column in ("rater", "item"):
        if not cells[column]:
            raise bad_input(path, line, f"no {column}", "restore the cell as it was in the sheet")
    values = tuple(_value(path, line, key, cells[key]) for key in KEYS)
    return SheetRow(path, line, cells["rater"], cells["item"], values)


def _value(path: Path, line: int, key: str, cell: str) -> int | None:
    if cell and cell not in map(str, SCALE):
        raise bad_input(path, line, f"{key} is {cell!r}", f"give a whole number from {SCALE[0]} to {SCALE[-1]}")
    return int(cell) if cell else None
