"""What raters get, CSV sheets and HTML forms, and what they give back; `form.js` writes the same CSV from the form."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path

from textsimp.core.errors import InputError, bad_input
from textsimp.core.inline import embedded_json, html_page
from textsimp.core.reading import parse_table, read_text
from textsimp.core.spreadsheet import guarded
from textsimp.core.writing import atomic_folder, write_texts
from textsimp.extras.human.guidelines import Guidelines
from textsimp.extras.human.study import Item, Study, read_key, write_key

NO_TEXT = "(no text)"
SECONDS = "seconds"
MARK = "\ufeff"
"""Without a byte-order mark spreadsheet programs take UTF-8 for the machine's old encoding."""
_HERE = Path(__file__).resolve().parent
_SECONDS = re.compile(r"[0-9]{1,6}([.,][0-9]{1,3})?")
_DELIMITERS = ",;\t"  # what spreadsheet programs save "CSV" with, by country


@dataclass(frozen=True)
class SheetRow:
    """One row of a filled sheet: its file and line, who rated what, and a point or None for each criterion.

    `seconds` is what a crowd's form writes: how long the question was in view before its answer.
    """

    path: Path
    line: int
    rater: str
    item: str
    values: tuple[int | None, ...]
    seconds: float | None = None


def _columns(asked: Guidelines) -> tuple[str, ...]:
    timed = (SECONDS,) if asked.is_crowd else ()
    return "rater", "item", asked.sides.original, asked.sides.versions, *asked.keys, *timed


def _blank_sheet(study: Study, rater: str, order: Sequence[Sequence[Item]]) -> str:
    """The CSV sheet of one rater, with empty cells for the ratings. Every cell is quoted."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
    columns = _columns(study.guidelines)
    writer.writerow(columns)
    for items in order:
        for item in items:
            texts = guarded(item.original), guarded(item.text or NO_TEXT)
            writer.writerow([rater, item.id, *texts, *[""] * (len(columns) - 4)])
    return MARK + file.getvalue()


def _rating_form(study: Study, rater: str, order: Sequence[Sequence[Item]]) -> str:
    """The form of one rater, with the sentences and outputs in the order of his sheet.

    Texts reach the page as JSON in which no mark-up can start, and the script writes them as text. A content security
    policy allows the page's own script and style by their digests and nothing else, no network access either.
    """
    asked = study.guidelines
    data = {
        "study": study.name,
        "rater": rater,
        "columns": list(_columns(asked)),
        "headings": asked.headings,
        "seconds": study.seconds,
        "timed": asked.is_crowd,
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
        _HERE,
        "form.html.jinja",
        ["form.css"],
        ["form.js"],
        rater=rater,
        rules=asked.rules,
        criteria=asked.criteria,
        data=embedded_json(data),
    )


def export_study(study: Study, folder: Path, key: Path, raters: Sequence[str] = ()) -> None:
    """Write `RATER.csv` and `RATER.html` for every rater and guidelines.txt into a new folder, and the key elsewhere.

    With `raters` for these alone: the others have their sheets from an earlier export.

    An InputError where the folder or another study's key exists (ratings might be lost), or the key would be in the
    folder. The key is there first; a run that was killed behind it is begun again.
    """
    if folder.resolve() in (key.resolve(), *key.resolve().parents):
        raise InputError(f"--key {key}: would be in the raters' folder and tell them the systems; put it elsewhere")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise bad_input(folder, None, "is there already", "name a new folder, or remove it if nobody has rated in it")
    if key.exists() and not _is_key_of(key, study):
        raise bad_input(key, None, "is there already", "name a new key, or remove it if its sheets are of no use")
    with atomic_folder(folder, "guidelines.txt") as temporary:
        write_texts(temporary, _texts(study, raters or study.raters))
        write_key(key, study)


def _texts(study: Study, raters: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The files by name, one at a time: together those of many raters are large."""
    yield "guidelines.txt", study.guidelines.text()
    for rater in raters:
        order = study.order(rater)
        yield f"{rater}.csv", _blank_sheet(study, rater, order)
        yield f"{rater}.html", _rating_form(study, rater, order)


def _is_key_of(path: Path, study: Study) -> bool:
    try:
        return read_key(path) == study
    except InputError:
        return False


def read_sheet(path: Path, asked: Guidelines) -> Iterator[SheetRow]:
    """The rows of a filled sheet; only the columns of names and ratings are looked at, in any order.

    Raises InputError for an absent column, a cell that is neither empty nor on the scale, or no row at all.
    """
    text = read_text(path)
    delimiter = max(_DELIMITERS, key=text.partition("\n")[0].count)
    rows = parse_table(text, path, delimiter, strict=False, remedy="save the sheet as CSV again")
    _, header = next(rows, (1, []))
    needed = ("rater", "item", *asked.keys)
    for column in needed:
        if header.count(column) != 1:
            what = f"{'two columns' if column in header else 'no column'} {column!r}"
            raise bad_input(path, 1, what, f"the sheet needs {', '.join(needed)}")
    empty = True
    for line, cells in rows:
        # spreadsheet programs like to save empty rows below the table, and to leave out empty cells at a row's end
        if any(cell.strip() for cell in cells):
            empty = False
            yield _row(path, line, asked, dict(zip_longest(header, cells[: len(header)], fillvalue="")))
    if empty:
        raise bad_input(path, None, "no row below the header", "give a filled sheet")


def _row(path: Path, line: int, asked: Guidelines, row: dict[str, str]) -> SheetRow:
    cells = {column: row[column].strip() for column in ("rater", "item", *asked.keys)}
    for column in ("rater", "item"):
        if not cells[column]:
            raise bad_input(path, line, f"no {column}", "restore the cell as it was in the sheet")
    for criterion in asked.criteria:
        if cells[criterion.key] not in ("", *map(str, criterion.scale)):
            remedy = f"give a whole number from {criterion.scale[0]} to {criterion.scale[-1]}"
            raise bad_input(path, line, f"{criterion.key} is {cells[criterion.key]!r}", remedy)
    values = tuple(int(cells[key]) if cells[key] else None for key in asked.keys)
    seconds = read_seconds(path, line, row.get(SECONDS, "")) if asked.is_crowd else None
    return SheetRow(path, line, cells["rater"], cells["item"], values, seconds)


def read_seconds(path: Path, line: int, cell: str) -> float | None:
    """Seconds, None for an empty cell; `InputError` for what is no such number."""
    text = cell.strip()
    if text and not _SECONDS.fullmatch(text):
        raise bad_input(path, line, f"seconds is {cell!r}", "leave the cell as the form wrote it, or empty")
    return float(text.replace(",", ".")) if text else None
