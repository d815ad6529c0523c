"""Hand-labelled units, and how far the classifier agrees with them."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from textsimp.core.reading import read_lines
from textsimp.metrics.kappa import cohen_kappa
from textsimp.metrics.rewriting.kinds import CLASSES, Rewriting
from textsimp.metrics.rewriting.units import Unit
from textsimp.metrics.scores import SegmentStatistics, Signature, mean_of_segments


class LabelledUnit(NamedTuple):
    """A unit with the class that a reader gave it by meaning; `half` is the part of the data, such as dev or test."""

    half: str
    label: Rewriting
    unit: Unit


def read_labelled(path: str | Path) -> list[LabelledUnit]:
    """Return the units of a TSV file with the columns id, half, style, case, label, complex and simple."""
    rows = [line.split("\t") for line in read_lines(path)[1:]]
    return [
        LabelledUnit(half, Rewriting(label), Unit(complex_text, (simple_text,)))
        for _, half, _, _, label, complex_text, simple_text in rows
    ]


def agreement(units: Sequence[LabelledUnit], classes: Sequence[Rewriting]) -> tuple[SegmentStatistics, float]:
    """Return how far classes that were found agree with the labels of units, one at least.

    The accuracy as statistics of the units, a share of 1; and Cohen's kappa (1960), NaN where chance explains all.
    """
    right = [unit.label == kind for unit, kind in zip(units, classes, strict=True)]
    kappa = cohen_kappa(confusion([unit.label for unit in units], classes))
    return mean_of_segments(right, Signature.of("accuracy")), math.nan if kappa is None else kappa


def confusion(labels: Sequence[Rewriting], classes: Sequence[Rewriting]) -> NDArray[np.int64]:
    """Return how often each class (row) was called which (column), in the order of `Rewriting`. Shape: (7, 7)."""
    table = np.zeros((len(CLASSES), len(CLASSES)), dtype=np.int64)
    for label, kind in zip(labels, classes, strict=True):
        table[CLASSES.index(label), CLASSES.index(kind)] += 1
    return table
