"""Ratings by person, output and system: from filled sheets and the key, and as a tidy table on disk."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path

from textsimp.core.errors import bad_input, none_of
from textsimp.core.reading import read_table
from textsimp.core.spreadsheet import guarded, unguarded
from textsimp.core.writing import atomic_write
from textsimp.extras.human.guidelines import INSPECTION, KINDS, Guidelines, guidelines, guidelines_with
from textsimp.extras.human.sheets import SheetRow, read_seconds, read_sheet
from textsimp.extras.human.study import Study


@dataclass(frozen=True)
class Rating:
    """One person's rating of one system's output for one sentence (its line, from 1) on one criterion, a point on it.

    Systems with the same output share the item, and so the rating; None is a rating that was left blank. `seconds` is
    how long a worker of a crowd looked before the answer, where the form said so.
    """

    rater: str
    line: int
    item: str
    system: str
    criterion: str
    rating: int | None
    seconds: float | None = None


AUTOMATIC = "automatic"
"""The rater whose classes are those of the rules."""
TIMED_COLUMNS = tuple(field.name for field in fields(Rating))
COLUMNS = TIMED_COLUMNS[:-1]
"""Of a table of ratings; that of a crowd has the seconds too."""


def gather(study: Study, paths: Sequence[Path], blanks_are_missing: bool, key: str | Path = "the key") -> list[Rating]:
    """The ratings of some or all raters, unblinded.

    Args:
        paths: filled sheets or downloads of the form; a file may hold several raters.
        blanks_are_missing: accept empty cells, as missing ratings.
        key: the file of the study, for messages.

    Returns:
        In the order of the key: by rater, item, system and criterion.

    Raises:
        InputError: a rater or item that the key does not know, an item rated twice by a rater, a rater without a row
            for an item, an empty cell where none is accepted.
    """
    rows: dict[tuple[str, str], SheetRow] = {}
    for row in chain.from_iterable(read_sheet(path, study.guidelines) for path in paths):
        _check(row, study, rows.get((row.rater, row.item)), blanks_are_missing, key)
        rows[row.rater, row.item] = row
    present: dict[str, Path] = {}
    for (rater, _), row in rows.items():
        present.setdefault(rater, row.path)
    for rater, path in present.items():
        if absent := [item.id for item in study.asked(rater) if (rater, item.id) not in rows]:
            what = f"no row for {len(absent)} items of {rater}, such as {absent[0]}"
            raise bad_input(path, None, what, "give the whole sheet, with empty cells where nothing was rated")
    by_people = [
        Rating(rater, item.line, item.id, system, criterion, value, rows[rater, item.id].seconds)
        for rater in study.raters
        if rater in present
        for item in study.asked(rater)
        for system in item.systems
        for criterion, value in zip(study.guidelines.keys, rows[rater, item.id].values, strict=True)
    ]
    return [*by_people, *_automatic(study)] if study.kind == INSPECTION else by_people


def _automatic(study: Study) -> list[Rating]:
    """The classes of an inspection as the rules of `textsimp rewriting` have them for English."""
    from textsimp.metrics.rewriting.kinds import rewritings  # slow to import, and needed for inspections alone
    from textsimp.metrics.rewriting.units import Unit
    from textsimp.metrics.tokens import split_sentences

    (criterion,) = study.guidelines.criteria
    units = [Unit(item.original, tuple(split_sentences(item.text))) for item in study.items]
    points = [criterion.scale[criterion.points.index(kind)] for kind in rewritings(units, "english").classes]
    return [
        Rating(AUTOMATIC, item.line, item.id, system, criterion.key, point)
        for item, point in zip(study.items, points, strict=True)
        for system in item.systems
    ]


def write_ratings(path: Path, ratings: Sequence[Rating]) -> None:
    """Write the tidy table: CSV, one row per rating, with an empty cell for a missing rating."""
    timed = any(asked.is_crowd for rating in ratings[:1] if (asked := guidelines_with(rating.criterion)))
    with atomic_write(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(TIMED_COLUMNS if timed else COLUMNS)
        for rating in ratings:
            names = guarded(rating.rater), rating.line, guarded(rating.item), guarded(rating.system)
            values = (rating.rating, rating.seconds) if timed else (rating.rating,)
            writer.writerow([*names, rating.criterion, *("" if value is None else value for value in values)])


def read_ratings(path: Path) -> list[Rating]:
    """Read a tidy table; `InputError` for a bad cell, a thing rated twice, two ratings of one item by one rater."""
    rows = read_table(path, remedy="run `import` again")
    header = tuple(next(rows, (1, []))[1])
    if header not in (COLUMNS, TIMED_COLUMNS):
        raise bad_input(path, 1, "not the header of a table of ratings", f"which has {', '.join(COLUMNS)}")
    ratings: dict[tuple[str, str, str, str], Rating] = {}
    items: dict[tuple[str, str, str], Rating] = {}
    asked: Guidelines | None = None
    for line, cells in rows:
        rating = _parsed(path, line, cells, len(header))
        asked = asked or guidelines_with(rating.criterion)
        _check_point(path, line, rating, asked)
        if (key := (rating.rater, rating.item, rating.system, rating.criterion)) in ratings:
            raise bad_input(path, line, f"{', '.join(key)} is there twice", "remove one of the rows")
        ratings[key] = rating
        first = items.setdefault((rating.rater, rating.item, rating.criterion), rating)
        if (first.rating, first.line) != (rating.rating, rating.line):
            what = f"{rating.item} has two ratings by {rating.rater}"
            raise bad_input(path, line, what, "an item is one text; correct it")
    if asked is None:
        raise bad_input(path, None, "no rating", "run `import` again")
    _check_is_whole(path, list(ratings.values()), asked)
    return list(ratings.values())


def _check_is_whole(path: Path, ratings: Sequence[Rating], asked: Guidelines) -> None:
    """Every rater has a row for every output of every item, also for what was left blank: else rows were cut out."""
    outputs = {(rating.item, rating.system): rating for rating in ratings}
    systems = {rating.system for rating in ratings} if asked.is_whole else set()
    of_line = {(rating.line, rating.system) for rating in ratings}
    for line in sorted({rating.line for rating in ratings}):
        if absent := sorted(system for system in systems if (line, system) not in of_line):
            what = f"no row for {absent[0]} at sentence {line}, which other systems have"
            raise bad_input(path, None, what, "rows were cut out: run `import` again")
    if asked.is_crowd:
        return  # whose part is whole, the key knows
    there = {(rating.rater, rating.item, rating.system, rating.criterion) for rating in ratings}
    for rater in dict.fromkeys(rating.rater for rating in ratings):
        for item, system in outputs:
            if absent := [key for key in asked.keys if (rater, item, system, key) not in there]:
                what = f"no row for {absent[0]} of {item} ({system}) by {rater}"
                raise bad_input(path, None, what, "rows were cut out: run `import` again")


def _check(row: SheetRow, study: Study, before: SheetRow | None, blanks_are_missing: bool, key: str | Path) -> None:
    if row.rater not in study.raters:
        remedy = f"it has {', '.join(study.raters)}"
        raise bad_input(row.path, row.line, f"rater {row.rater!r} is not in {key}", remedy)
    item = study.item(row.item)
    if item is None:
        raise bad_input(row.path, row.line, f"item {row.item!r} is not in {key}", "give the key of these sheets")
    if item.raters and row.rater not in item.raters:
        what = f"{row.item} was not given to {row.rater}"
        raise bad_input(row.path, row.line, what, "give the sheets as they came back")
    if before:
        what = f"{row.item} by {row.rater} stands in {before.path}:{before.line} already"
        raise bad_input(row.path, row.line, what, "give every rating once")
    if None in row.values and not blanks_are_missing:
        what = f"no {study.guidelines.keys[row.values.index(None)]} for {row.item}"
        raise bad_input(row.path, row.line, what, "have it rated, or count blanks as missing by --allow-blank")


def _parsed(path: Path, row: int, cells: Sequence[str], expected: int) -> Rating:
    if len(cells) != expected:
        raise bad_input(path, row, f"{len(cells)} cells, expected {expected}", "run `import` again")
    rater, line, item, system, criterion, rating, *timed = map(unguarded, cells)
    remedy = "correct the cell"
    if not (rater and item and system):
        raise bad_input(path, row, "an empty rater, item or system", remedy)
    if not line.isascii() or not line.isdigit():
        raise bad_input(path, row, f"line {line!r} is no whole number", remedy)
    try:
        value = int(rating) if rating else None
    except ValueError:
        raise bad_input(path, row, f"rating {rating!r} is no whole number", remedy) from None
    return Rating(rater, int(line), item, system, criterion, value, read_seconds(path, row, *timed) if timed else None)


def _check_point(path: Path, row: int, rating: Rating, asked: Guidelines | None) -> None:
    """The criterion and the point are of the kind of study to which the first rating belongs."""
    known = asked.criteria if asked else [criterion for kind in KINDS for criterion in guidelines(kind).criteria]
    scale = next((criterion.scale for criterion in known if criterion.key == rating.criterion), None)
    if scale is None:
        what = none_of(f"criterion {rating.criterion!r} is", (criterion.key for criterion in known))
        raise bad_input(path, row, what, "correct the cell")
    if rating.rating is not None and rating.rating not in scale:
        what = f"rating '{rating.rating}' is not from {scale[0]} to {scale[-1]}"
        raise bad_input(path, row, what, "correct the cell")
