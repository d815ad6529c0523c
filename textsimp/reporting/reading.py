"""Reading what the earlier stages wrote: an absent file names its stage, a wrong one is an `InputError`."""

import csv
import io
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from textsimp.errors import InputError, bad_input
from textsimp.textfiles import read_text

Scores = dict[str, float]
T = TypeVar("T")


@dataclass(frozen=True)
class Curve:
    """The rows of a CSV file, cells as they stand there, by column."""

    rows: tuple[dict[str, str], ...]


def read_curve(path: Path, stage: str, name: str) -> Curve:
    """A CSV file that a stage writes for a corpus or run."""
    reader = csv.DictReader(io.StringIO(read_text(present(path, stage, name))))
    rows = tuple(reader)
    for line, row in enumerate(rows, 2):
        if None in row or None in row.values():
            raise bad_input(path, line, "another number of cells than the header", f"run the stage {stage} again")
    return Curve(rows)


def present(path: Path, stage: str, name: str) -> Path:
    """The path; `InputError` with the stage to run where there is no such file."""
    if not path.is_file():
        raise bad_input(path, None, "no such file", f"run the stage {stage} for {name} first (`dvc repro {stage}`)")
    return path


def checked(read: Callable[[], T], path: Path) -> T:
    """The result of `read`; what it does not find in the JSON file, or finds of another type, is an `InputError`."""
    try:
        return read()
    except KeyError as error:
        raise bad_input(path, None, f"no key {error}", "run the stage that writes it again") from None
    except (TypeError, AttributeError, ValueError, InputError) as error:
        raise bad_input(path, None, f"not what its stage writes ({error})", "run that stage again") from None


def scores(value: dict[str, Any]) -> Scores:
    """Finite numbers by name."""
    return {str(name): finite(number) for name, number in value.items()}


def finite(value: Any) -> float:
    """A finite number; `InputError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError(f"{value!r} is no number")
    return value


def finite_or_none(value: Any) -> float | None:
    """A finite number, or None for null."""
    return None if value is None else finite(value)


def in_order(planned: Iterable[str], found: Iterable[str]) -> list[str]:
    """The planned names, then others that are there."""
    planned = list(planned)
    return [*planned, *sorted(set(found) - set(planned))]
