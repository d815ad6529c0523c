"""What raters get, CSV sheets and HTML forms, and what they give back; `form.js` writes the same CSV from the form."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path

from textsimp.core.errors import bad_input
from textsimp.core.inline import embedded_json, html_page
from textsimp.core.reading import is_written, parse_table, read_text
from textsimp.core.spreadsheet import guarded
from textsimp.core.writing import atomic_folder, write_json, write_texts
from textsimp.extras.human.guidelines import Guidelines
from textsimp.extras.human.study import Item, Study, key_of

NO_TEXT = "(no text)"
# without a byte-order mark spreadsheet programs take UTF-8 for the machine's old encoding
MARK = "\ufeff"
# what spreadsheet programs save "CSV" with, by country
_DELIMITERS = ",;\t"


@dataclass(frozen=True)
class SheetRow:
    """One row of a filled sheet: its file and line, who rated what, and a point or None for each criterion."""

    path: Path
    line: int
    rater: str
    item: str
    values: tuple[int | None, ...]


def export_study(study: Study, folder: Path, key: Path) -> None:
    """Write `RATER.csv` and `RATER.html` for every rater and guidelines.txt into a new folder, and the key elsewhere.

    The key is there first; a run that was killed after it is begun again.

    Raises:
        InputError: the folder or another study's key exists (ratings might be lost).
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise bad_input(folder, None, "is there already", "name a new folder, or remove it if nobody has rated in it")
    if key.exists() and not is_written(key, key_of(study)):
        raise bad_input(key, None, "is there already", "name a new key, or remove it if its sheets are of no use")
    with atomic_folder(folder, "guidelines.txt") as temporary:
        write_texts(temporary, _texts(study))
        write_json(key, key_of(study))


def _texts(study: Study) -> Iterator[tuple[str, str]]:
    """Yield the files by name, one at a time: together those of many raters are large."""
    yield "guidelines.txt", study.guidelines.text()
    for rater in study.raters:
        order = study.order(rater)
        yield f"{rater}.csv", _blank_sheet(study.guidelines, rater, order)
        yield f"{rater}.html", _rating_form(study, rater, order)


def _columns(asked: Guidelines) -> tuple[str, ...]:
    return "rater", "item", asked.sides.original, asked.sides.versions, *asked.keys


def _blank_sheet(asked: Guidelines, rater: str, order: Sequence[Sequence[Item]]) -> str:
    """Return the CSV sheet of one rater, with every cell quoted and empty cells for the ratings."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(_columns(asked))
    for item in (item for items in order for item in items):
        texts = guarded(item.original), guarded(item.text or NO_TEXT)
        writer.writerow([rater, item.id, *texts, *[""] * len(asked.keys)])
    return MARK + file.getvalue()


def _rating_form(study: Study, rater: str, order: Sequence[Sequence[Item]]) -> str:
    """Return the form of one rater, with the sentences and outputs in the order of the sheet."""
    asked = study.guidelines
    data = {
        "study": study.name,
        "rater": rater,
        "columns": list(_columns(asked)),
        "headings": asked.headings,
        "seconds": study.seconds,
        "criteria": [{**asdict(criterion), "scale": criterion.scale} for criterion in asked.criteria],
        "sentences": [
            {
                "original": items[0].original,
                "outputs": [{"id": item.id, "text": item.text or NO_TEXT} for item in items],
            }
            for items in order
        ],
    }
    return html_page(
        Path(__file__).resolve().parent,
        "form.html.jinja",
        ["form.css"],
        ["widgets.js", "form.js"],
        rater=rater,
        rules=asked.rules,
        criteria=asked.criteria,
        data=embedded_json(data),
    )


def read_sheet(path: Path, asked: Guidelines) -> Iterator[SheetRow]:
    """Yield the rows of a filled sheet; only the columns of names and ratings are looked at, in any order.

    Raises:
        InputError: a column is absent, a cell is neither empty nor on the scale, or there is no row at all.
    """
    text = read_text(path)
    delimiter = max(_DELIMITERS, key=text.partition("\n")[0].count)
    rows = parse_table(text, path, delimiter, strict=False, remedy="save the sheet as CSV again")
    _, header = next(rows, (1, []))
    needed = ("rater", "item", *asked.keys)
    if wrong := [column for column in needed if header.count(column) != 1]:
        what = f"{'two columns' if wrong[0] in header else 'no column'} {wrong[0]!r}"
        raise bad_input(path, 1, what, f"the sheet needs {', '.join(needed)}")
    empty = True
    for line, cells in rows:
        # spreadsheet programs save empty rows below the table, and leave out empty cells at a row's end
        if any(cell.strip() for cell in cells):
            empty = False
            row = dict(zip_longest(header, cells[: len(header)], fillvalue=""))
            yield _row(path, line, asked, {column: row[column].strip() for column in needed})
    if empty:
        raise bad_input(path, None, "no row below the header", "give a filled sheet")


def _row(path: Path, line: int, asked: Guidelines, cells: dict[str, str]) -> SheetRow:
    for column in ("rater", "item"):
        if not cells[column]:
            raise bad_input(path, line, f"no {column}", "restore the cell as it was in the sheet")
    for criterion in asked.criteria:
        if cells[criterion.key] not in ("", *map(str, criterion.scale)):
            remedy = f"give a whole number from {criterion.scale[0]} to {criterion.scale[-1]}"
            raise bad_input(path, line, f"{criterion.key} is {cells[criterion.key]!r}", remedy)
    values = tuple(int(cells[key]) if cells[key] else None for key in asked.keys)
    return SheetRow(path, line, cells["rater"], cells["item"], values)
