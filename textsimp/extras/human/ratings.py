"""Ratings by person, output and system: from filled sheets and the key, and as a tidy table on disk.

A table of ratings is a DataFrame with the columns `COLUMNS`: one person's rating of one system's output for one
sentence (its line, from 1) on one criterion. Systems with the same output share the item, and so the rating; a missing
`rating` was left blank.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from textsimp.core.errors import bad_input
from textsimp.core.reading import parse_table, read_records, read_text
from textsimp.core.spreadsheet import guarded, unguarded
from textsimp.core.writing import atomic_write
from textsimp.extras.human.guidelines import Criterion, guidelines_with
from textsimp.extras.human.study import Study

COLUMNS = ("rater", "line", "item", "system", "criterion", "rating")
_AS_RETURNED = "give the sheets as they came back, each once"
# what spreadsheet programs save "CSV" with, by country
_DELIMITERS = ",;\t"


def table_of(rows: Sequence[Sequence[object]]) -> pd.DataFrame:
    """Return the table of ratings with these rows."""
    return pd.DataFrame(rows, columns=[*COLUMNS]).astype({"line": int, "rating": "Int64"})


def gather(study: Study, paths: Sequence[Path], blanks_are_missing: bool, key: str | Path = "the key") -> pd.DataFrame:
    """Return the ratings of some or all raters, unblinded, in the order of the key.

    Args:
        paths: filled sheets or downloads of the form; a file may hold several raters.
        blanks_are_missing: whether empty cells are accepted.
        key: the file of the study, for messages.

    Raises:
        InputError: a cell off the scale, an item that the rater was not given, an item rated twice by a rater, a rater
            without a row for an item, an empty cell where none is accepted.
    """
    asked = study.guidelines
    given = {(rater, item.id) for rater, items in study.asked.items() for item in items}
    answers: dict[tuple[str, str], dict[str, str]] = {}
    for path in paths:
        for row, cells in _read_sheet(path, ("rater", "item", *asked.keys)):
            rater, name = place = cells.pop("rater"), cells.pop("item")
            if place not in given:
                what = f"item {name!r} was not given to rater {rater!r} by {key}"
                raise bad_input(path, row, what, f"give the key of these sheets, and {_AS_RETURNED}")
            if place in answers:
                raise bad_input(path, row, f"{name} by {rater} is there already", _AS_RETURNED)
            for one in asked.criteria:
                value, (low, *_, high) = cells[one.key], one.scale
                if not value and not blanks_are_missing:
                    remedy = "have it rated, or count blanks as missing by --allow-blank"
                    raise bad_input(path, row, f"no {one.key} for {name}", remedy)
                if value not in ("", *map(str, one.scale)):
                    remedy = f"give a whole number from {low} to {high}"
                    raise bad_input(path, row, f"{one.key} is {value!r}", remedy)
            answers[place] = cells
    raters = {rater for rater, _ in answers}
    if absent := sorted(place for place in given - answers.keys() if place[0] in raters):
        rater, name = absent[0]
        what = f"no row for {len(absent)} items, such as {name} of {rater}"
        raise bad_input(paths[0], None, what, "give whole sheets, with empty cells where nothing was rated")
    return table_of(
        [
            (rater, item.line, item.id, system, criterion, int(value) if value else None)
            for rater in study.raters
            for item in study.asked[rater]
            for system in item.systems
            for criterion, value in answers.get((rater, item.id), {}).items()
        ]
    )


def _read_sheet(path: Path, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line and needed cells of the rows of a filled sheet; its columns may stand in any order.

    Spreadsheet programs save empty rows below the table, and leave out empty cells at a row's end.
    """
    text = read_text(path)
    delimiter = max(_DELIMITERS, key=text.partition("\n")[0].count)
    rows = parse_table(text, path, delimiter, strict=False, remedy="save the sheet as CSV again")
    _, header = next(rows, (1, []))
    if wrong := [column for column in needed if header.count(column) != 1]:
        what = f"{'two columns' if wrong[0] in header else 'no column'} {wrong[0]!r}"
        raise bad_input(path, 1, what, f"the sheet needs {', '.join(needed)}")
    filled = [(row, cells) for row, cells in rows if any(cell.strip() for cell in cells)]
    if not filled:
        raise bad_input(path, None, "no row below the header", "give a filled sheet")
    for row, cells in filled:
        named = dict(zip(header, map(str.strip, cells), strict=False))
        yield row, {column: named.get(column, "") for column in needed}


def write_ratings(path: Path, ratings: pd.DataFrame) -> None:
    """Write the tidy table: CSV, one row per rating, with an empty cell for a missing rating."""
    names = ["rater", "item", "system"]
    with atomic_write(path) as file:
        ratings.assign(**ratings[names].map(guarded)).to_csv(file, index=False, lineterminator="\n")


def read_ratings(path: Path) -> pd.DataFrame:
    """Read a tidy table; `InputError` for a bad cell, criteria of two kinds, or a rating that is there twice."""
    again = "run `import` again, or correct the row"
    rows: dict[tuple[str, ...], tuple[str, ...]] = {}
    criteria: dict[str, Criterion] = {}
    for number, record in read_records(path, COLUMNS, remedy=again):
        rater, line, item, system, criterion, rating = row = tuple(unguarded(record[name]) for name in COLUMNS)
        if not criteria and (asked := guidelines_with(criterion)):
            criteria = {one.key: one for one in asked.criteria}
        one = criteria.get(criterion)
        what = f"criterion {criterion!r} is none of {', '.join(criteria) or 'a kind'}" if one is None else ""
        if one is not None and rating not in ("", *map(str, one.scale)):
            what = f"{criterion} {rating!r} is not on its scale"
        if not (line.isascii() and line.isdigit() and len(line) < 10):
            what = f"line {line!r} is no whole number"
        if (place := (rater, item, system, criterion)) in rows:
            what = f"{', '.join(place)} is there twice"
        if what or not (rater and item and system):
            raise bad_input(path, number, what or "an empty rater, item or system", again)
        rows[place] = row
    if not rows:
        raise bad_input(path, None, "no rating", again)
    return table_of([(*row[:5], int(row[5]) if row[5] else None) for row in rows.values()])
