"""What systems do to the sentences of a test set, beside what people do (Jiang et al. 2020, Figure 3)."""

from collections.abc import Iterable, Mapping, Sequence

from textsimp.reporting.inputs import CorpusResults
from textsimp.reporting.names import PAPER
from textsimp.reporting.simplification.analysis_cells import (
    EXCLUDES,
    agreement_text,
    difference_of,
    number_of,
    people_text,
    starts_block,
    system_cells,
    system_order,
)
from textsimp.reporting.simplification.analysis_results import AnalysedSet, Analysis, Numbers
from textsimp.reporting.simplification.tables import main_first
from textsimp.reporting.tables import Column, Row, Table

SYSTEM = (Column("", "System", numeric=False), Column("", "Trained on", numeric=False))
_GROUPS = {"word_operations": "aligned sentences with", "edit_rates": "content words"}


def output_rewriting_tables(corpus: CorpusResults) -> list[Table]:
    """Three tables for each test set: classes, differences, operations on words."""
    analysis = corpus.analysis
    if analysis is None:
        return []
    return [
        table(corpus.plan.name, test_set, analysis.test_sets[test_set], analysis)
        for test_set in main_first(analysis.test_sets)
        for table in (_classes, _differences, _operations)
    ]


def _classes(name: str, test_set: str, found: AnalysedSet, analysis: Analysis) -> Table:
    parts, note = analysis.parts["classes"], analysis.signatures["rewriting"]
    return Table(
        key=f"rewriting-outputs-{name}-{test_set}",
        title=f"Kinds of rewriting in outputs, {name}, test set {test_set}, beside Figure 3",
        text=f"Percent of the sentences. {people_text(found)} {agreement_text(analysis)} {PAPER}, Figure 3, sorts 100 "
        "outputs of a system by hand; its shares are printed as a figure only.",
        columns=(*SYSTEM, *(Column("", part, note) for part in parts)),
        rows=tuple(_rows(found.systems, parts)),
    )


def _differences(name: str, test_set: str, found: AnalysedSet, analysis: Analysis) -> Table:
    parts, note = analysis.parts["classes"], analysis.signatures["rewriting"]
    rows, groups = [], {"Minus the references": found.to_reference, "New minus old data": found.new_to_old}
    for heading, differences in groups.items():
        for place, system in enumerate(system_order(differences)):
            cells = (*system_cells(system), *(difference_of(differences[system][part]) for part in parts))
            rows.append(Row(cells, place == 0, heading if place == 0 else ""))
    return Table(
        key=f"rewriting-differences-{name}-{test_set}",
        title=f"Kinds of rewriting in outputs as differences, {name}, test set {test_set}",
        text="In points, with the 95 percent interval of the paired bootstrap over the sentences. Systems against "
        f"people, and the same model on new and on old data (named is the old side). {EXCLUDES}",
        columns=(*SYSTEM, *(Column("", part, note) for part in parts)),
        rows=tuple(rows),
    )


def _operations(name: str, test_set: str, found: AnalysedSet, analysis: Analysis) -> Table:
    note = analysis.signatures["rewriting"]
    columns = [Column(group, part, note, short=" ") for key, group in _GROUPS.items() for part in analysis.parts[key]]
    return Table(
        key=f"rewriting-edits-{name}-{test_set}",
        title=f"Operations on words in outputs, {name}, test set {test_set}",
        text="Percent; inserted and written are of the simple words, the others of the complex ones. "
        + people_text(found),
        columns=(*SYSTEM, *columns),
        rows=tuple(_rows(found.systems, [part for key in _GROUPS for part in analysis.parts[key]])),
    )


def _rows(systems: Mapping[str, Numbers], parts: Sequence[str]) -> Iterable[Row]:
    names = system_order(systems)
    for place, name in enumerate(names):
        cells = (*system_cells(name), *(number_of(systems[name][part]) for part in parts))
        yield Row(cells, starts_block(names, place))
