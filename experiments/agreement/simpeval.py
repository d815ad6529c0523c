"""Ratings of simplifications by people: SimpEval (Maddela et al. 2023).

`simpeval_past.csv` has outputs of 24 systems for 100 sentences of ASSET's test set, each with five ratings from 0 to
100; `simpeval_2022.csv` has newer systems with three ratings, of which `simpDA_2022.csv` has adequacy, fluency and
simplicity one rater a row. People are among the systems.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.errors import bad_input
from textsimp.core.reading import quoted, read_records

LOWEST, HIGHEST = 0.0, 100.0
CRITERIA = ("adequacy", "fluency", "simplicity")
_PAST, _NEWER, _DIRECT = "simpeval_past.csv", "simpeval_2022.csv", "simpDA_2022.csv"
_NUMBER = re.compile(r"-?\d{1,3}(\.\d{1,9})?")
_REMEDY = "fetch the release again"


@dataclass(frozen=True)
class RatedOutput:
    """One system's output for one original, as the raters saw it, with their ratings from 0 to 100."""

    item: str
    original: str
    output: str
    system: str
    ratings: tuple[float, ...]


def read_past(folder: Path) -> list[RatedOutput]:
    """The 2,400 outputs with five overall ratings.

    Raises:
        InputError: the file is absent or damaged, a rating is not from 0 to 100, or a system has an original twice or
            lacks one that another has.
    """
    return _read(folder / _PAST, "processed_generation", 5)


def read_newer(folder: Path) -> list[RatedOutput]:
    """The 360 outputs with three overall ratings; `InputError` as `read_past`."""
    return _read(folder / _NEWER, "generation", 3)


def read_direct(folder: Path) -> dict[str, list[RatedOutput]]:
    """The same outputs with ratings of each of `CRITERIA`, sorted by value; `InputError` as `read_past`."""
    path, texts = folder / _DIRECT, [f"Input.{name}" for name in ("id", "original", "simplified", "system")]
    cells: dict[str, dict[tuple[str, str, str, str], list[float]]] = {criterion: {} for criterion in CRITERIA}
    columns = [f"Answer.{criterion}" for criterion in CRITERIA]
    for line, row in read_records(path, (*texts, *columns), remedy=_REMEDY):
        item, original, output, system = (row[name] for name in texts)
        key = item, original, output, system
        for criterion, column in zip(CRITERIA, columns, strict=True):
            cells[criterion].setdefault(key, []).append(_rating(path, line, row[column]))
    rated = {
        criterion: [RatedOutput(*key, ratings=tuple(sorted(ratings))) for key, ratings in of_criterion.items()]
        for criterion, of_criterion in cells.items()
    }
    for rows in rated.values():
        _check(path, rows)
    return rated


def _read(path: Path, output: str, raters: int) -> list[RatedOutput]:
    columns = [f"rating_{number}" for number in range(1, raters + 1)]
    rows = [
        RatedOutput(
            *(row["original_id"], row["original"], row[output], row["system"]),
            ratings=tuple(_rating(path, line, row[name]) for name in columns),
        )
        for line, row in read_records(path, ("original_id", "original", output, "system", *columns), remedy=_REMEDY)
    ]
    _check(path, rows)
    return rows


def _rating(path: Path, line: int, text: str) -> float:
    if not _NUMBER.fullmatch(text) or not LOWEST <= float(text) <= HIGHEST:
        raise bad_input(path, line, f"{quoted(text)} is no rating from {LOWEST:g} to {HIGHEST:g}", _REMEDY)
    return float(text)


def _check(path: Path, rows: Sequence[RatedOutput]) -> None:
    """Refuse a file without rows, or whose systems do not each have every original once."""
    times = Counter((row.system, row.item) for row in rows)
    systems, items = ({key[part] for key in times} for part in (0, 1))
    if not rows:
        raise bad_input(path, None, "has no rated output", _REMEDY)
    for (system, item), number in times.items():
        if number > 1:
            raise bad_input(path, None, f"{quoted(system)} has the original {quoted(item)} {number} times", _REMEDY)
    if len(times) < len(systems) * len(items):
        system, item = next((s, i) for s in sorted(systems) for i in sorted(items) if (s, i) not in times)
        raise bad_input(path, None, f"{quoted(system)} has no output for the original {quoted(item)}", _REMEDY)
