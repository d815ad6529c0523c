"""Our averages beside tables 6 and 7 of Jiang et al. 2020, from data/published/human_evaluation.csv."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from textsimp.errors import InputError, bad_input
from textsimp.human_evaluation.summary import MEASURES
from textsimp.textfiles import read_text

TABLES = {6: "newsela_old", 7: "newsela_auto"}
"""The test set of each table."""

PUBLISHED = Path(__file__).resolve().parent.parent.parent / "data" / "published" / "human_evaluation.csv"
_SOURCE = "Jiang et al. 2020"
_TRAINING_SETS = {"old": "newsela_old", "new": "newsela_auto", "auto": "newsela_auto"}
_REFERENCE = "Simple (reference)"


@dataclass(frozen=True)
class PublishedRow:
    """One row of a table, or one system of ours that has none.

    Attributes:
        system, train_set: as in the table; the name of our system, and empty, where it has no row.
        printed: measure -> cell as printed; empty where the system has no row.
        ours: the name of our system; None where we have none.
    """

    system: str
    train_set: str
    printed: Mapping[str, str]
    ours: str | None


def beside_published(number: int, systems: Sequence[str], path: Path = PUBLISHED) -> list[PublishedRow]:
    """The rows of a table in its order, each with the system of ours that belongs to it, then our other systems.

    A system belongs to a row by its name, `MODEL` or `TRAINING_SET/MODEL`: letters and digits have to agree, in any
    case; `reference` is the row of the references, `old` and `new` (or `auto`) are the training sets.

    Raises:
        InputError: no such table, a damaged file, a name that fits several rows, or two names that fit one.
    """
    if number not in TABLES:
        raise InputError(f"--table {number}: there is {' and '.join(map(str, TABLES))}")
    rows = _rows(path, f"Table {number}")
    owner: dict[int, str] = {}
    for system in systems:
        fitting = [place for place, row in enumerate(rows) if _fits(system, row)]
        if len(fitting) > 1:
            raise InputError(f"{system!r} fits {len(fitting)} rows of table {number}; name it old/NAME or new/NAME")
        for place in fitting:
            if place in owner:
                raise InputError(f"{owner[place]!r} and {system!r} fit one row of table {number}; rename one of them")
            owner[place] = system
    found = [
        PublishedRow(row["system"], row["train_set"], {name: row[name] for name in MEASURES}, owner.get(place))
        for place, row in enumerate(rows)
    ]
    return found + [PublishedRow(name, "", {}, name) for name in systems if name not in owner.values()]


def _fits(system: str, row: Mapping[str, str]) -> bool:
    training, _, model = system.rpartition("/")
    named = _plain(row["system"])
    if row["system"] == _REFERENCE:
        return _plain(system) in (named, "reference")
    return _plain(model) == named and (not training or _TRAINING_SETS.get(training, training) == row["train_set"])


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _rows(path: Path, table: str) -> list[dict[str, str]]:
    """The rows of one table, with checked columns and numbers."""
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""))
    restore = "restore the file from Git"
    for column in ("source", "table", "train_set", "system", *MEASURES):
        if column not in (reader.fieldnames or ()):
            raise bad_input(path, 1, f"no column {column!r}", restore)
    rows = []
    for row in reader:
        if None in row.values() or not all(re.fullmatch(r"\d\.\d+", row[name]) for name in MEASURES):
            raise bad_input(path, reader.line_num, "not a row of ratings", restore)
        if row["source"] == _SOURCE and row["table"] == table:
            rows.append(row)
    if not rows:
        raise bad_input(path, None, f"no row of {table}", restore)
    return rows
