"""Specs into tables: what a row and a column say of a cell, put together and looked up in the results."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import Any

from textsimp.core.errors import InputError
from textsimp.core.results import Estimate, as_printed
from textsimp.metrics import ranking
from textsimp.metrics.degenerate import NOTE, note_of
from textsimp.metrics.sari import VARIANTS
from textsimp.reporting.listers import Variables, contexts, expanded, missing, released
from textsimp.reporting.specs import CellSpec, ClaimTableSpec, ColumnSpec, RowSpec, TableSpec
from textsimp.reporting.table import (
    MISSING,
    Cell,
    Column,
    Row,
    Table,
    comparison_cell,
    estimate_cell,
    mark_best,
    number,
    number_cell,
    printed_cell,
    text_cell,
)
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


def missing_outputs(frame: Frame) -> tuple[list[Column], list[Row]]:
    """The printed tables that nothing stands beside, as the outputs could not be had."""
    columns = [Column("", header, numeric=False) for header in ("Printed", "Missing", "How to get it")]
    return columns, [Row(tuple(map(text_cell, texts))) for texts in missing(frame)]


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
    function.__name__: function for function in (agreement, contradictions, missing_outputs)
}
"""Columns and rows by the word `computed` of a spec."""


_LEAST_P = 0.00005
"""Smaller ones are not told apart."""


@dataclass(frozen=True)
class _Columns:
    """One column of a table: its spec, the variables that it stands for, and how it is headed."""

    spec: ColumnSpec
    variables: Variables
    column: Column


@dataclass(frozen=True)
class _Rows:
    spec: RowSpec
    variables: Variables


def build_tables(frame: Frame, spec: TableSpec) -> list[Table]:
    """The tables of a spec, one for each context; those without any number of ours are left out."""
    frame = replace(frame, results=spec.results, scope=spec.scope, printed=spec.printed)
    frames = (frame.holding(variables) for variables in contexts(frame, spec.per))
    tables = (_table(here.holding(more), spec) for here in frames for more in expanded(here, spec.each))
    return [table for table in tables if table is not None]


def _table(frame: Frame, spec: TableSpec) -> Table | None:
    columns, rows = COMPUTED[spec.computed](frame) if spec.computed else _grid(frame, spec)
    return framed(frame, spec, columns, rows) if rows else None


def framed(
    frame: Frame, spec: TableSpec | ClaimTableSpec, columns: Sequence[Column], rows: Sequence[Row], lead: str = ""
) -> Table:
    """A table of these columns and rows, with the key and the texts that its spec says."""
    texts = frame.text(spec.key), frame.sentences(spec.title), frame.sentences(spec.text)
    return Table(*texts, tuple(columns), tuple(rows), lead, frame.agrees(spec.folded))


def _grid(frame: Frame, spec: TableSpec) -> tuple[list[Column], list[Row]]:
    columns = list(_columns(frame, spec.columns))
    lines = [_Rows(row, variables) for row in spec.rows for variables in expanded(frame, row.each)]
    cells = [[_cell(frame, column, line) for column in columns] for line in lines]
    # a row or column that has nothing to show is left out; ours have to be somewhere
    shown = [row for row, line in enumerate(cells) if any(cell.text != MISSING for cell in line)]
    used = [
        index
        for index, column in enumerate(columns)
        if not column.column.numeric or any(cells[row][index].value is not None for row in shown)
    ]
    ours = [index for index in used if columns[index].spec.show not in ("printed", "text")]
    if not any(cells[row][index].text != MISSING for row in shown for index in ours):
        return [], []
    stub = [Column("", header, numeric=False) for header in spec.stub]
    rows = _rows(frame, [lines[row] for row in shown], [[cells[row][index] for index in used] for row in shown])
    best = [number for number, index in enumerate(used, len(stub)) if columns[index].spec.best]
    marked = mark_best(rows, best, [_is_ranked(frame, lines[row]) for row in shown])
    return [*stub, *(columns[index].column for index in used)], list(marked)


def _is_ranked(frame: Frame, row: _Rows) -> bool:
    """Whether a row may be the best: not that of a system whose outputs are degenerate."""
    here = frame.holding(row.variables, results=row.spec.results or frame.results)
    system = here.text(row.spec.system)
    degenerate = here.results and system and note_of(here.scope_name, system) in here.numbers.notes
    return row.spec.ranked and not degenerate


def _columns(frame: Frame, specs: Sequence[ColumnSpec], outer: ColumnSpec | None = None) -> Iterator[_Columns]:
    """The columns in their order; those inside others have their variables, and take over what they do not say."""
    for spec in specs:
        spec = spec if outer is None else _inherited(spec, outer)
        read = replace(frame, results=spec.results or frame.results)
        for variables in expanded(read, spec.each):
            here = read.holding(variables)
            if spec.columns:
                for column in _columns(here, spec.columns, spec):
                    yield replace(column, variables={**variables, **column.variables})
            else:
                yield _Columns(spec, variables, _column(here, spec))


def _inherited(spec: ColumnSpec, outer: ColumnSpec) -> ColumnSpec:
    names = {item.name for item in fields(ColumnSpec)} - {"each", "columns", "best"}
    unsaid = {name: getattr(outer, name) for name in names if getattr(spec, name) in ("", None)}
    return replace(spec, **unsaid)


def _column(frame: Frame, spec: ColumnSpec) -> Column:
    note = frame.sentences(spec.note)
    if spec.signature:
        here = replace(frame, results=spec.results or frame.results, scope=spec.scope or frame.scope)
        note = here.signature(frame.text(spec.signature))
    numeric = spec.show not in ("text", "letters", "learned")
    return Column(frame.text(spec.group), frame.text(spec.header), note, numeric, frame.text(spec.short))


def _rows(frame: Frame, lines: Sequence[_Rows], cells: Sequence[Sequence[Cell]]) -> list[Row]:
    """Rows with their first cells; a heading or a line where these change."""
    rows: list[Row] = []
    heading, block = "", ""
    for line, values in zip(lines, cells, strict=True):
        here = frame.holding(line.variables)
        here = replace(here, results=line.spec.results or frame.results, scope=line.spec.scope or frame.scope)
        before, heading = heading, here.text(line.spec.heading)
        last, block = block, here.text(line.spec.block)
        starts = heading != before or block != last and bool(rows)
        stub = [text_cell(here.text(template)) for template in line.spec.labels]
        rows.append(Row((*stub, *values), starts, heading if heading != before else ""))
    return rows


def _cell(frame: Frame, column: _Columns, row: _Rows) -> Cell:
    """The cell of a row and a column: what the row says goes before what the column says."""
    said: dict[str, Any] = {}
    for spec in (column.spec, row.spec):
        values = {field.name: getattr(spec, field.name) for field in fields(CellSpec)}
        said |= {name: value for name, value in values.items() if value not in ("", None)}
    frame = frame.holding({**column.variables, **row.variables})
    said |= row.spec.cells.get(frame.text(column.spec.name), {})
    frame = replace(frame, results=said.get("results", frame.results), scope=said.get("scope", frame.scope))
    show = said.get("show", "value")
    if show not in SHOW:
        raise InputError(f"report: show {show!r}: expected one of {', '.join(sorted(SHOW))}")
    return SHOW[show](frame, said)


def _shown_value(frame: Frame, said: dict[str, Any]) -> Cell:
    scope, system, measure = frame.scope_name, frame.text(said.get("system", "")), frame.text(said.get("measure", ""))
    estimate = frame.numbers.get(scope, system, measure)
    if "only" in said and not frame.numbers.value(scope, system, frame.text(said["only"])):
        estimate = None
    tone, printed = "", ""
    if "column" in said:
        printed = frame.printed_cell(said["column"])
    elif "match" in said:
        value = frame.numbers.value(frame.text(said["match"]), system, measure)
        printed = "" if value is None else f"{value:.{said.get('digits', 1)}f}"
    if printed and estimate is not None:
        tone = "good" if as_printed(estimate.value, printed) == printed else "bad"
    return estimate_cell(estimate, said.get("digits", 1), said.get("interval", True), tone)


def _shown_difference(frame: Frame, said: dict[str, Any]) -> Cell:
    measure, system, base = (frame.text(said.get(name, "")) for name in ("measure", "system", "base"))
    return comparison_cell(frame.numbers.compared(frame.scope_name, measure, system, base), said.get("digits", 1))


def _shown_percent(frame: Frame, said: dict[str, Any]) -> Cell:
    """A difference in percent of the base."""
    measure, system, base = (frame.text(said.get(name, "")) for name in ("measure", "system", "base"))
    values = [frame.numbers.value(frame.scope_name, name, measure) for name in (system, base)]
    if values[0] is None or not values[1]:
        return Cell(MISSING)
    percent = 100 * (values[0] - values[1]) / values[1]
    return Cell(f"{'+' if percent > 0 else ''}{number(percent)}%", percent)


def _shown_learned(frame: Frame, said: dict[str, Any]) -> Cell:
    """Whether a system's outputs are those of one that has learned, and why not; a dash where nobody looked."""
    notes = frame.numbers.notes
    why = notes.get(note_of(frame.scope_name, frame.text(said["system"])))
    return text_cell(f"no: {why}" if why else "yes" if NOTE in notes else "", "void" if why else "")


def _shown_p(frame: Frame, said: dict[str, Any]) -> Cell:
    """A p value in four digits, or that it is smaller."""
    p = frame.numbers.value(frame.scope_name, frame.text(said["system"]), frame.text(said["measure"]))
    return Cell(MISSING) if p is None else Cell("<0.0001" if p < _LEAST_P else number(float(p), 4), float(p))


SHOW: dict[str, Callable[[Frame, dict[str, Any]], Cell]] = {
    "value": _shown_value,
    "difference": _shown_difference,
    "percent": _shown_percent,
    "p": _shown_p,
    "printed": lambda frame, said: printed_cell(frame.printed_cell(said["column"])),
    "text": lambda frame, said: text_cell(frame.text(said["text"])),
    "number": lambda frame, said: estimate_cell(Estimate(float(frame.text(said["text"]))), said.get("digits", 1)),
    "letters": letters_cell,
    "learned": _shown_learned,
}
"""What a cell shows, by the word in a spec."""
