"""Tables of released outputs that follow from their scores and comparisons: letters, agreement, contradictions."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

from textsimp.metrics import ranking
from textsimp.metrics.sari import VARIANTS
from textsimp.reporting.listers import released
from textsimp.reporting.table import MISSING, Cell, Column, Row, comparison_cell, number, number_cell, text_cell
from textsimp.reporting.templates import Frame

_HEADERS = ("Spearman", "Kendall", "pairs", "ordered differently", "one significant", "both significant")


def letters_cell(frame: Frame, said: dict[str, Any]) -> Cell:
    """The letters of a system: systems that share one do not differ significantly."""
    letters = ranking.letters(frame.numbers, frame.scope_name, frame.text(said["measure"]), _alpha(frame))
    return text_cell(letters[frame.text(said["system"])])


def agreement(frame: Frame) -> tuple[list[Column], list[Row]]:
    """How far each two metrics agree on the order of the systems."""
    columns = [Column("", header, numeric=False) for header in ("By", "and by")]
    rows = []
    for pair in ranking.agreement(frame.numbers, frame.scope_name, _alpha(frame)):
        labels = (text_cell(frame.run.labels.name(metric, "variant")) for metric in pair.metrics)
        correlations = (pair.spearman, pair.kendall)
        cells = (Cell(MISSING if value is None else f"{value:.2f}", value) for value in correlations)
        rows.append(Row((*labels, *cells, *map(number_cell, (pair.pairs, pair.flips, pair.one, pair.both)))))
    return [*columns, *(Column("", header) for header in _HEADERS)], rows


def contradictions(frame: Frame) -> tuple[list[Column], list[Row]]:
    """The pairs on which two variants of SARI come to opposite significant results."""
    flips = [
        flip
        for metrics in combinations(VARIANTS, 2)
        for flip in ranking.flipped_pairs(frame.numbers, frame.scope_name, metrics, _alpha(frame))
    ]
    opposite = {frozenset((flip.higher, flip.lower)) for flip in flips if len(flip.significant) > 1}
    labels = {str(row["system"]): format(row["system"], "label") for row in released(frame)}
    columns = [Column("", header, numeric=False) for header in ("System", "minus")]
    columns += [Column("", frame.run.labels.name(name, "variant"), frame.signature(name)) for name in VARIANTS]
    rows = [
        Row((text_cell(labels[a]), text_cell(labels[b]), *(_difference(frame, name, a, b) for name in VARIANTS)))
        for a, b in combinations(labels, 2)
        if frozenset((a, b)) in opposite
    ]
    return columns, rows


def _difference(frame: Frame, measure: str, system: str, base: str) -> Cell:
    """A difference, bold where it is significant after correction."""
    comparison = frame.numbers.compared(frame.scope_name, measure, system, base)
    if comparison is None:
        return text_cell("")
    text = ("+" if comparison.difference > 0 else "") + number(comparison.difference)
    bold = ranking.differ(frame.numbers, frame.scope_name, measure, system, base, _alpha(frame))
    return replace(comparison_cell(comparison), text=text, best=bold)


def _alpha(frame: Frame) -> float:
    return float(frame.numbers.notes["alpha"])


COMPUTED: dict[str, Callable[[Frame], tuple[list[Column], list[Row]]]] = {
    function.__name__: function for function in (agreement, contradictions)
}
"""Columns and rows by the word `computed` of a spec."""
