"""Hand-labelled units, and how far the classifier agrees with them (F1)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.errors import bad_input
from textsimp.metrics.rewriting.classes import Rewriting
from textsimp.metrics.rewriting.pairs import Unit
from textsimp.textfiles import read_lines

HEADER = ("id", "half", "style", "case", "label", "complex", "simple")
_LABELS = tuple(kind.value for kind in Rewriting)


@dataclass(frozen=True)
class LabelledUnit:
    """A unit with the class that a reader gave it.

    Attributes:
        id: unique in its file.
        half: which part of the data it belongs to, such as dev or test.
        style: news, encyclopedic or mixed.
        case: what the unit was written to show, or where it was drawn from.
        label: by meaning.
        unit: the texts.
    """

    id: str
    half: str
    style: str
    case: str
    label: Rewriting
    unit: Unit


def read_labelled(path: str | Path) -> list[LabelledUnit]:
    """The units of a TSV file with the columns of `HEADER`; `InputError` names the line at fault."""
    lines = read_lines(path)
    if not lines or tuple(lines[0].split("\t")) != HEADER:
        raise bad_input(path, 1, "another header than expected", f"write {', '.join(HEADER)}, parted by tabs")
    found: dict[str, LabelledUnit] = {}
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(HEADER) or not all(cell.strip() for cell in cells):
            raise bad_input(path, number, "an empty or missing cell, or one too many", f"give {len(HEADER)} cells")
        if cells[4] not in _LABELS:
            raise bad_input(path, number, f"label {cells[4]!r} is no class", f"write one of {', '.join(_LABELS)}")
        if cells[0] in found:
            raise bad_input(path, number, f"id {cells[0]} occurs twice", "give each unit an id of its own")
        unit = Unit(cells[5], (cells[6],))
        found[cells[0]] = LabelledUnit(cells[0], cells[1], cells[2], cells[3], Rewriting(cells[4]), unit)
    return list(found.values())


def confusion(labels: Sequence[Rewriting], found: Sequence[Rewriting]) -> NDArray[np.int64]:
    """How often each class (row) was called which (column), in the order of `Rewriting`. Shape: (7, 7)."""
    order = {kind: index for index, kind in enumerate(Rewriting)}
    table = np.zeros((len(order), len(order)), dtype=np.int64)
    for label, kind in zip(labels, found, strict=True):
        table[order[label], order[kind]] += 1
    return table


def accuracy(table: NDArray[np.int64]) -> float:
    """Share of the units with the same class on both sides; NaN without units."""
    total = int(table.sum())
    return float(np.trace(table)) / total if total else math.nan


def cohen_kappa(table: NDArray[np.int64]) -> float:
    """Agreement beyond chance (Cohen 1960): (observed - expected) / (1 - expected); NaN where chance explains all."""
    total = int(table.sum())
    if not total:
        return math.nan
    expected = float(table.sum(0) @ table.sum(1)) / total**2
    return (accuracy(table) - expected) / (1 - expected) if expected < 1 else math.nan


def agreement(units: Sequence[LabelledUnit], found: Sequence[Rewriting]) -> dict[str, Any]:
    """Accuracy, kappa, confusions, and precision and recall of each class, ready for JSON.

    Args:
        units: with their labels.
        found: the class that was found for each.

    Returns:
        `units`, `accuracy`, `kappa`; `confusion`: `{label: {found: count}}` without zeros; `classes`:
        `{class: {labelled, found, precision, recall}}`, null for a class that does not occur; `cases`:
        `{case: {units, right}}`; `wrong`: `{id: found}`.
    """
    table = confusion([unit.label for unit in units], found)
    rights = [unit.label == kind for unit, kind in zip(units, found, strict=True)]
    cases = sorted({unit.case for unit in units})
    by_case = {case: [right for unit, right in zip(units, rights, strict=True) if unit.case == case] for case in cases}
    return {
        "units": len(units),
        "accuracy": accuracy(table),
        "kappa": cohen_kappa(table),
        "confusion": {
            a: {b: int(count) for b, count in zip(_LABELS, row, strict=True) if count}
            for a, row in zip(_LABELS, table, strict=True)
            if row.any()
        },
        "classes": {name: _of_class(table, index) for index, name in enumerate(_LABELS)},
        "cases": {case: {"units": len(right), "right": sum(right)} for case, right in by_case.items()},
        "wrong": {unit.id: kind.value for unit, kind in zip(units, found, strict=True) if unit.label != kind},
    }


def _of_class(table: NDArray[np.int64], index: int) -> dict[str, float | int | None]:
    labelled, found, both = int(table[index].sum()), int(table[:, index].sum()), int(table[index, index])
    precision, recall = both / found if found else None, both / labelled if labelled else None
    return {"labelled": labelled, "found": found, "precision": precision, "recall": recall}
