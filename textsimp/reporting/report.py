"""The report of one run: reports/index.html, and its tables as results.md and results.json."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core.writing import atomic_write, write_json
from textsimp.reporting.examples import Example, read_examples
from textsimp.reporting.inputs import Folders, Run, present
from textsimp.reporting.markdown import results_page
from textsimp.reporting.opening import Opening, opening
from textsimp.reporting.output_samples import OutputSet, read_outputs
from textsimp.reporting.page import Section, page, read_card, shown_alignments, shown_outputs
from textsimp.reporting.plan import CorpusPlan, ReportPlan
from textsimp.reporting.sections import PARTS, TERMS, Part
from textsimp.reporting.table import Cell, Table
from textsimp.reporting.tables_claims import summary


@dataclass(frozen=True)
class ReportFiles:
    """The files of a report: the same tables three times, figures and texts in the HTML page alone."""

    markdown: Path
    html: Path
    json: Path


def write_report(plan: ReportPlan, folders: Folders, files: ReportFiles, parts: Sequence[Part] = PARTS) -> None:
    """Read everything that the plan names and write all files, each whole or not at all.

    Raises:
        InputError: a file of an earlier stage is absent or wrong; nothing is written then.
    """
    main, sections = report_sections(Run(plan, folders), parts)
    title = f"Results, experiment {plan.experiment}"
    shown = [(section.title, section.tables) for section in sections]
    texts = {files.markdown: results_page(title, main, shown), files.html: page(title, main, sections)}
    for path, text in texts.items():
        with atomic_write(path) as file:
            file.write(text)
    everything = [(main.table.title, [main.table]), *shown] if main else shown
    write_json(files.json, results_object(plan.experiment, everything))


def report_sections(run: Run, parts: Sequence[Part] = PARTS) -> tuple[Opening | None, list[Section]]:
    """Return the first screen, if there are claims, and the parts of the report that the results fill."""
    main = summary(run)
    tables = [(part, part.tables_of(run)) for part in parts]
    sections = [_section(run, part, shown) for part, shown in tables if shown]
    return opening(run, *main, TERMS) if main else None, sections


def _section(run: Run, part: Part, tables: list[Table]) -> Section:
    config, labels = run.plan.config, run.labels
    systems = {system: labels.label(system) for system in labels.alignment_systems}
    annotated = run.annotated if part.texts == "alignments" else []
    simplified = run.simplified if part.texts == "outputs" else []
    corpora = run.plan.corpora if part.texts == "cards" else ()
    return Section(
        key=part.key,
        title=part.title,
        tables=tables,
        figures=[figure for figures in part.figures for figure in figures(run)],
        alignments=[shown_alignments(corpus, _examples(run, corpus), systems, config) for corpus in annotated],
        outputs=[shown_outputs(corpus, _outputs(run, corpus), labels, config) for corpus in simplified],
        cards=[read_card(run.folders.corpora, corpus.name) for corpus in corpora],
    )


def _examples(run: Run, corpus: CorpusPlan) -> list[Example]:
    """Document pairs with links; none where their text may not be shown."""
    if not corpus.show_text:
        return []
    path = run.folders.reports / "examples" / f"alignment.{corpus.name}.jsonl"
    return read_examples(present(path, "evaluate_alignment", corpus.name))


def _outputs(run: Run, corpus: CorpusPlan) -> tuple[OutputSet, ...]:
    """Test sentences with outputs; none where their text may not be shown."""
    if not corpus.show_text:
        return ()
    systems = [(training, system) for training in run.plan.training_sets for system in run.plan.simplifiers]
    folders = (run.folders.corpora / corpus.name / "test", run.folders.outputs / corpus.name)
    return read_outputs(*folders, sorted(run.test_sets(corpus.name)), systems)


def results_object(experiment: str, sections: Sequence[tuple[str, Sequence[Table]]]) -> dict[str, Any]:
    """results.json: `{"experiment", "tables": [{key, section, title, lead, text, folded, columns, rows}]}`.

    A column is `{group, header, note}`, its note being the signature of its numbers or what they are. A row is
    `{heading, cells}`, the heading empty where it goes on. A cell is `{text}` as printed, with `value` (full
    precision), `interval` (95 percent) and `best` where it has them.
    """
    tables = [
        {name: getattr(table, name) for name in ("key", "title", "lead", "text", "folded")}
        | {
            "section": section,
            "columns": [{"group": c.group, "header": c.header, "note": c.note} for c in table.columns],
            "rows": [{"heading": row.heading, "cells": [_cell(cell) for cell in row.cells]} for row in table.rows],
        }
        for section, section_tables in sections
        for table in section_tables
    ]
    return {"experiment": experiment, "tables": tables}


def _cell(cell: Cell) -> dict[str, Any]:
    written: dict[str, Any] = {"text": cell.text}
    if cell.value is not None:
        written["value"] = cell.value
    if cell.interval is not None:
        written["interval"] = list(cell.interval)
    return written | ({"best": True} if cell.best else {})
