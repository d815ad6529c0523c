"""Ratings by person, output and system: from filled sheets and the key, and as a tidy table on disk."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.human_evaluation.guidelines import KEYS, SCALE
from textsimp.human_evaluation.sheets import SheetRow, guarded, read_sheet, unguarded
from textsimp.human_evaluation.study import Study
from textsimp.textfiles import atomic_write, read_text


@dataclass(frozen=True)
class Rating:
    """One person's rating of one system's output for one sentence on one criterion.

    Attributes:
        rater: who rated.
        line: of the complex sentence in its file, from 1.
        item: what was rated; systems with the same output share it, and then have the same rating.
        system: whose output it is.
        criterion: one of guidelines.KEYS.
        rating: from 1 to 5; None where it was left blank.
    """

    rater: str
    line: int
    item: str
    system: str
    criterion: str
    rating: int | None


COLUMNS = tuple(field.name for field in fields(Rating))


def gather(study: Study, paths: Sequence[Path], blanks_are_missing: bool) -> list[Rating]:
    """The ratings of some or all raters, unblinded.

    Args:
        study: the key.
        paths: filled sheets or downloads of the form; a file may hold several raters.
        blanks_are_missing: accept empty cells, as missing ratings.

    Returns:
        In the order of the key: by rater, item, system and criterion.

    Raises:
        InputError: a rater or item that the key does not know, an item rated twice by a rater, a rater without a row
            for an item, an empty cell where none is accepted.
    """
    systems = {item.id: item.systems for item in study.items}
    rows: dict[tuple[str, str], SheetRow] = {}
    for path in paths:
        for row in read_sheet(path):
            _check(row, study.raters, systems, rows, blanks_are_missing)
            rows[row.rater, row.item] = row
    _check_complete(study, rows)
    present = [rater for rater in study.raters if any(key[0] == rater for key in rows)]
    return [
        Rating(rater, item.line, item.id, system, criterion, value)
        for rater in present
        for item in study.items
        for system in item.systems
        for criterion, value in zip(KEYS, rows[rater, item.id].values, strict=True)
    ]


def write_ratings(path: Path, ratings: Iterable[Rating]) -> None:
    """Write the tidy table: CSV, one row a rating, an empty cell for a missing one."""
    with atomic_write(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for one in ratings:
            names = guarded(one.rater), one.line, guarded(one.item), guarded(one.system)
            writer.writerow([*names, one.criterion, "" if one.rating is None else one.rating])


def read_ratings(path: Path) -> list[Rating]:
    """Read a tidy table.

    Raises:
        InputError: another header, a bad cell, the same thing rated twice, or two ratings of one item by one rater.
    """
    reader = csv.reader(io.StringIO(read_text(path), newline=""))
    if (header := next(reader, [])) != list(COLUMNS):
        raise bad_input(path, 1, f"columns {', '.join(header)}", f"the table needs {', '.join(COLUMNS)}")
    found: dict[tuple[str, str, str, str], Rating] = {}
    items: dict[tuple[str, str, str], Rating] = {}
    for cells in reader:
        line = reader.line_num
        one = _parsed(path, line, cells)
        if (key := (one.rater, one.item, one.system, one.criterion)) in found:
            raise bad_input(path, line, f"{', '.join(key)} is there twice", "remove one of the rows")
        found[key] = one
        same = items.setdefault((one.rater, one.item, one.criterion), one)
        if (same.rating, same.line) != (one.rating, one.line):
            raise bad_input(path, line, f"{one.item} has two ratings by {one.rater}", "an item is one text; correct it")
    if not found:
        raise bad_input(path, None, "no rating", "run `import` again")
    return list(found.values())


def _check(
    row: SheetRow,
    raters: Sequence[str],
    systems: dict[str, tuple[str, ...]],
    rows: dict[tuple[str, str], SheetRow],
    blanks_are_missing: bool,
) -> None:
    if row.rater not in raters:
        raise bad_input(row.path, row.line, f"rater {row.rater!r} is not in the key", f"it has {', '.join(raters)}")
    if row.item not in systems:
        raise bad_input(row.path, row.line, f"item {row.item!r} is not in the key", "give the key of these sheets")
    if before := rows.get((row.rater, row.item)):
        what = f"{row.item} by {row.rater} stands in {before.path}:{before.line} already"
        raise bad_input(row.path, row.line, what, "give every rating once")
    if None in row.values and not blanks_are_missing:
        what = f"no {KEYS[row.values.index(None)]} for {row.item}"
        raise bad_input(row.path, row.line, what, "have it rated, or count blanks as missing by --allow-blank")


def _check_complete(study: Study, rows: dict[tuple[str, str], SheetRow]) -> None:
    given: dict[str, set[str]] = defaultdict(set)
    path: dict[str, Path] = {}
    for (rater, item), row in rows.items():
        given[rater].add(item)
        path[rater] = row.path
    for rater, items in given.items():
        if absent := [item.id for item in study.items if item.id not in items]:
            what = f"no row for {len(absent)} items of {rater}, such as {absent[0]}"
            raise bad_input(path[rater], None, what, "give the whole sheet, with empty cells where nothing was rated")


def _parsed(path: Path, row: int, cells: Sequence[str]) -> Rating:
    if len(cells) != len(COLUMNS):
        raise bad_input(path, row, f"{len(cells)} cells, expected {len(COLUMNS)}", "run `import` again")
    rater, line, item, system, criterion, rating = map(unguarded, cells)
    remedy = "correct the cell"
    if not (rater and item and system):
        raise bad_input(path, row, "an empty rater, item or system", remedy)
    if not line.isascii() or not line.isdigit():
        raise bad_input(path, row, f"line {line!r} is no whole number", remedy)
    if criterion not in KEYS:
        raise bad_input(path, row, f"criterion {criterion!r} is none of {', '.join(KEYS)}", remedy)
    if rating and rating not in map(str, SCALE):
        raise bad_input(path, row, f"rating {rating!r} is not from {SCALE[0]} to {SCALE[-1]}", remedy)
    return Rating(rater, int(line), item, system, criterion, int(rating) if rating else None)
