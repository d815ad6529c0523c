"""Ratings by person, output and system: from filled sheets and the key, and as a tidy table on disk.

A table of ratings is a DataFrame with the columns `COLUMNS`: one person's rating of one system's output for one
sentence (its line, from 1) on one criterion. Systems with the same output share the item, and so the rating; a missing
`rating` was left blank.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from textsimp.core.errors import bad_input
from textsimp.core.reading import parse_table, read_records, read_text
from textsimp.core.spreadsheet import guarded, unguarded
from textsimp.core.writing import atomic_write
from textsimp.extras.human.guidelines import CROWD, Guidelines, guidelines, guidelines_with
from textsimp.extras.human.study import Study

COLUMNS = ("rater", "line", "item", "system", "criterion", "rating")
_NAMES = ["rater", "item", "system"]
_AGAIN, _AS_BEFORE = "run `import` again", "restore the cell as it was in the sheet"
_AS_RETURNED = "give the sheets as they came back"
# what spreadsheet programs save "CSV" with, by country
_DELIMITERS = ",;\t"


def table_of(rows: Sequence[Sequence[object]]) -> pd.DataFrame:
    """Return the table of ratings with these rows."""
    return pd.DataFrame(rows, columns=[*COLUMNS]).astype({"line": int, "rating": "Int64"})


def gather(study: Study, paths: Sequence[Path], blanks_are_missing: bool, key: str | Path = "the key") -> pd.DataFrame:
    """Return the ratings of some or all raters, unblinded, in the order of the key.

    Args:
        paths: filled sheets or downloads of the form; a file may hold several raters.
        blanks_are_missing: whether empty cells are accepted, as missing ratings.
        key: the file of the study, for messages.

    Raises:
        InputError: a cell off the scale, a rater or item that the key does not know, an item rated twice by a
            rater, a rater without a row for an item, an empty cell where none is accepted.
    """
    asked = study.guidelines
    sheets = pd.concat([_read_sheet(path, asked) for path in paths], ignore_index=True)
    sheets["before"] = sheets.file.astype(str) + ":" + sheets.row.astype(str)
    sheets["before"] = sheets.groupby(["rater", "item"]).before.transform("first")
    given = {(rater, item.id) for rater, items in study.asked.items() for item in items}
    is_given = pd.Series([place in given for place in zip(sheets.rater, sheets["item"], strict=True)])
    blank = "have it rated, or count blanks as missing by --allow-blank"
    faults: list[tuple[str, Any, str]] = [
        ("no rater", sheets.rater == "", _AS_BEFORE),
        ("no item", sheets["item"] == "", _AS_BEFORE),
        ("rater {rater!r} is not in {key}", ~sheets.rater.isin(study.raters), f"it has {', '.join(study.raters)}"),
        ("item {item!r} is not in {key}", ~sheets["item"].isin(study.by_id), "give the key of these sheets"),
        ("{item} was not given to {rater}", ~is_given, _AS_RETURNED),
        ("{item} by {rater} stands in {before} already", sheets.duplicated(["rater", "item"]), _AS_RETURNED),
    ]
    for one in asked.criteria:
        remedy = f"give a whole number from {one.scale[0]} to {one.scale[-1]}"
        is_off = ~sheets[one.key].isin(["", *map(str, one.scale)])
        faults.append((f"{one.key} is {{{one.key}!r}}", is_off, remedy))
    if not blanks_are_missing:
        faults += [(f"no {name} for {{item}}", sheets[name] == "", blank) for name in asked.keys]
    _check(sheets.assign(key=str(key)), faults)
    for rater, own in sheets.groupby("rater", sort=False):
        if absent := [item.id for item in study.asked[str(rater)] if item.id not in set(own["item"])]:
            what = f"no row for {len(absent)} items of {rater}, such as {absent[0]}"
            remedy = "give the whole sheet, with empty cells where nothing was rated"
            raise bad_input(own.file.iloc[0], None, what, remedy)
    answers = sheets.set_index(["rater", "item"])[[*asked.keys]].to_dict("index")
    return table_of(
        [
            (rater, item.line, item.id, system, criterion, int(value) if value else None)
            for rater in study.raters
            for item in study.asked[rater]
            for system in item.systems
            for criterion, value in answers.get((rater, item.id), {}).items()
        ]
    )


def _read_sheet(path: Path, asked: Guidelines) -> pd.DataFrame:
    """Return names and ratings of a filled sheet as texts, with `file` and `row`; its columns may stand in any order.

    Spreadsheet programs save empty rows below the table, and leave out empty cells at a row's end.
    """
    text = read_text(path)
    delimiter = max(_DELIMITERS, key=text.partition("\n")[0].count)
    rows = parse_table(text, path, delimiter, strict=False, remedy="save the sheet as CSV again")
    _, header = next(rows, (1, []))
    needed = ("rater", "item", *asked.keys)
    if wrong := [column for column in needed if header.count(column) != 1]:
        what = f"{'two columns' if wrong[0] in header else 'no column'} {wrong[0]!r}"
        raise bad_input(path, 1, what, f"the sheet needs {', '.join(needed)}")
    places = [header.index(column) for column in needed]
    table = [
        (path, row, *(cells[place].strip() if place < len(cells) else "" for place in places))
        for row, cells in rows
        if any(cell.strip() for cell in cells)
    ]
    if not table:
        raise bad_input(path, None, "no row below the header", "give a filled sheet")
    return pd.DataFrame(table, columns=["file", "row", *needed])


def _check(table: pd.DataFrame, faults: Iterable[tuple[str, Any, str]]) -> None:
    """Raise `InputError` for the first row that has the first of the faults: what, in which rows, and the remedy."""
    for what, is_bad, remedy in faults:
        for row in table[is_bad].head(1).to_dict("records"):
            raise bad_input(row["file"], row["row"], what.format_map(row), remedy)


def write_ratings(path: Path, ratings: pd.DataFrame) -> None:
    """Write the tidy table: CSV, one row per rating, with an empty cell for a missing rating."""
    with atomic_write(path) as file:
        ratings.assign(**ratings[_NAMES].map(guarded)).to_csv(file, index=False, lineterminator="\n")


def read_ratings(path: Path) -> pd.DataFrame:
    """Read a tidy table.

    Raises:
        InputError: a bad cell, a rating that is there twice, two ratings of one item by one rater, absent rows.
    """
    rows = list(read_records(path, COLUMNS, remedy=_AGAIN))
    if not rows:
        raise bad_input(path, None, "no rating", _AGAIN)
    table = pd.DataFrame([row for _, row in rows])[[*COLUMNS]].map(unguarded)
    asked = guidelines_with(table.criterion.iloc[0]) or guidelines("outputs")
    points = {f"{one.key}={point}" for one in asked.criteria for point in ("", *map(str, one.scale))}
    first = table.groupby(["rater", "item", "criterion"])[["line", "rating"]].transform("first")
    faults = {
        "an empty rater, item or system": (table[_NAMES] == "").any(axis=1),
        "line {line!r} is no whole number": ~table.line.str.fullmatch("[0-9]{1,9}"),
        f"criterion {{criterion!r}} is none of {', '.join(asked.keys)}": ~table.criterion.isin(asked.keys),
        "{criterion} {rating!r} is not on its scale": ~(table.criterion + "=" + table.rating).isin(points),
        "{rater}, {item}, {system}, {criterion} is there twice": table.duplicated([*_NAMES, "criterion"]),
        "{item} has two ratings by {rater}": (first != table[["line", "rating"]]).any(axis=1),
    }
    placed = table.assign(file=str(path), row=[number for number, _ in rows])
    _check(placed, ((what, is_bad, "correct the row") for what, is_bad in faults.items()))
    whole = len(table[["item", "system"]].drop_duplicates()) * len(asked.keys)
    for rater, number in table.rater.value_counts().items():
        if number < whole and asked != guidelines(CROWD):  # workers of a crowd have different items: `crowd` looks
            raise bad_input(path, None, f"{number} of {whole} rows of {rater}: rows were cut out", _AGAIN)
    return table_of(table.assign(rating=pd.to_numeric(table.rating)).to_numpy().tolist())
