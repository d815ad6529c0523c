"""Ratings by person, output and system: from filled sheets and the key, and as a tidy table on disk.

A table of ratings is a DataFrame with the columns `COLUMNS`: one person's rating of one system's output for one
sentence (its line, from 1) on one criterion. Systems with the same output share the item, and so the rating; a missing
`rating` was left blank.
"""

from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pandas as pd

from textsimp.core.errors import bad_input
from textsimp.core.reading import read_records
from textsimp.core.spreadsheet import guarded, unguarded
from textsimp.core.writing import atomic_write
from textsimp.extras.human.guidelines import CROWD, Guidelines, guidelines, guidelines_with
from textsimp.extras.human.sheets import SheetRow, read_sheet
from textsimp.extras.human.study import Study

COLUMNS = ("rater", "line", "item", "system", "criterion", "rating")
_NAMES = ["rater", "item", "system"]
_AGAIN = "run `import` again"


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
        InputError: a rater or item that the key does not know, an item rated twice by a rater, a rater without a row
            for an item, an empty cell where none is accepted.
    """
    rows: dict[str, dict[str, SheetRow]] = {}
    for row in chain.from_iterable(read_sheet(path, study.guidelines) for path in paths):
        own = rows.setdefault(row.rater, {})
        _check(row, study, own.get(row.item), blanks_are_missing, key)
        own[row.item] = row
    for rater, own in rows.items():
        if absent := [item.id for item in study.asked[rater] if item.id not in own]:
            path = next(iter(own.values())).path
            what = f"no row for {len(absent)} items of {rater}, such as {absent[0]}"
            raise bad_input(path, None, what, "give the whole sheet, with empty cells where nothing was rated")
    return table_of(
        [
            (rater, item.line, item.id, system, criterion, value)
            for rater in study.raters
            if rater in rows
            for item in study.asked[rater]
            for system in item.systems
            for criterion, value in zip(study.guidelines.keys, rows[rater][item.id].values, strict=True)
        ]
    )


def _check(row: SheetRow, study: Study, before: SheetRow | None, blanks_are_missing: bool, key: str | Path) -> None:
    item, what, remedy = study.by_id.get(row.item), "", "give the sheets as they came back"
    if row.rater not in study.raters:
        what, remedy = f"rater {row.rater!r} is not in {key}", f"it has {', '.join(study.raters)}"
    elif item is None:
        what, remedy = f"item {row.item!r} is not in {key}", "give the key of these sheets"
    elif item.raters and row.rater not in item.raters:
        what = f"{row.item} was not given to {row.rater}"
    elif before:
        what = f"{row.item} by {row.rater} stands in {before.path}:{before.line} already"
    elif None in row.values and not blanks_are_missing:
        what = f"no {study.guidelines.keys[row.values.index(None)]} for {row.item}"
        remedy = "have it rated, or count blanks as missing by --allow-blank"
    if what:
        raise bad_input(row.path, row.line, what, remedy)


def write_ratings(path: Path, ratings: pd.DataFrame) -> None:
    """Write the tidy table: CSV, one row per rating, with an empty cell for a missing rating."""
    with atomic_write(path) as file:
        ratings.assign(**ratings[_NAMES].map(guarded)).to_csv(file, index=False, lineterminator="\n")


def read_ratings(path: Path) -> pd.DataFrame:
    """Read a tidy table.

    Raises:
        InputError: a bad cell, a rating that is there twice, two ratings of one item by one rater, absent rows.
    """
    rows = dict(read_records(path, COLUMNS, remedy=_AGAIN))
    if not rows:
        raise bad_input(path, None, "no rating", _AGAIN)
    table = pd.DataFrame([*rows.values()], [*rows])[[*COLUMNS]].map(unguarded)
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
    for what, is_bad in faults.items():
        for line, row in table[is_bad].head(1).iterrows():
            raise bad_input(path, int(str(line)), what.format(**row), "correct the row")
    _check_is_whole(path, table, asked)
    return table_of(table.assign(rating=pd.to_numeric(table.rating)).to_numpy().tolist())


def _check_is_whole(path: Path, table: pd.DataFrame, asked: Guidelines) -> None:
    """Raise `InputError` where rows were cut out; of a crowd, whose workers have different items, `crowd` looks."""
    whole = len(table[["item", "system"]].drop_duplicates()) * len(asked.keys)
    for rater, number in table.rater.value_counts().items():
        if number < whole and asked != guidelines(CROWD):
            raise bad_input(path, None, f"{number} of {whole} rows of {rater}: rows were cut out", _AGAIN)
