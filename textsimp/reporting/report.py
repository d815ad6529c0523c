"""The report of one run: reports/index.html, and its tables as results.md, results.tex and results.json."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core.writing import atomic_write, write_json
from textsimp.reporting.claims import claim_tables
from textsimp.reporting.examples import Example, read_examples
from textsimp.reporting.grid import build_tables
from textsimp.reporting.inputs import Folders, Run, present
from textsimp.reporting.latex import latex_document
from textsimp.reporting.markdown import results_page
from textsimp.reporting.opening import Opening, opening
from textsimp.reporting.output_samples import OutputSet, read_outputs
from textsimp.reporting.page import Section, page, read_card, shown_alignments, shown_outputs
from textsimp.reporting.plan import CorpusPlan, ReportPlan
from textsimp.reporting.plots import FIGURES
from textsimp.reporting.specs import SPECS, SectionSpec, read_specs
from textsimp.reporting.table import Cell, Table
from textsimp.reporting.templates import Frame

MAIN = "main"
"""The section of the one table that stands before all others."""


@dataclass(frozen=True)
class ReportFiles:
    """The files of a report: the same tables four times, figures and texts in the HTML page alone."""

    markdown: Path
    html: Path
    latex: Path
    json: Path


def write_report(plan: ReportPlan, folders: Folders, files: ReportFiles, specs: Path = SPECS) -> None:
    """Read everything that the plan names and write all files, each whole or not at all.

    Raises:
        InputError: a file of an earlier stage is absent or wrong; nothing is written then.
    """
    main, sections = report_sections(Run(plan, folders), specs)
    title = f"Results, experiment {plan.experiment}"
    parts = [(part.title, part.tables) for part in sections]
    everything = [(main.table.title, [main.table]), *parts] if main else parts
    texts = {
        files.markdown: results_page(title, main, parts),
        files.html: page(title, main, sections),
        files.latex: latex_document(title, everything),
    }
    for path, text in texts.items():
        with atomic_write(path) as file:
            file.write(text)
    write_json(files.json, results_object(plan.experiment, everything))


def report_sections(run: Run, specs: Path = SPECS) -> tuple[Opening | None, list[Section]]:
    """The first screen, if there are claims, and the parts of the report that the results fill."""
    read = read_specs(specs)
    frame = Frame(run, {})
    tables: dict[str, list[Table]] = {}
    main = None
    for claim_spec, table, claims in claim_tables(frame, read):
        if claim_spec.section == MAIN:
            main = main or opening(run, table, claims, read.terms)
        else:
            tables.setdefault(claim_spec.section, []).append(table)
    for spec in read.tables:
        tables.setdefault(spec.section, []).extend(build_tables(frame, spec))
    filled = [spec for spec in read.sections if tables.get(spec.key)]
    return main, [_section(run, spec, tables[spec.key]) for spec in filled]


def _section(run: Run, spec: SectionSpec, tables: list[Table]) -> Section:
    """A part of the report; what is folded comes last."""
    config, labels = run.plan.config, run.labels
    systems = {system: labels.name(system, "label") for system in labels.alignment_systems}
    annotated = run.annotated if "alignments" in spec.texts else []
    simplified = run.simplified if "outputs" in spec.texts else []
    corpora = run.plan.corpora if "cards" in spec.texts else ()
    return Section(
        key=spec.key,
        title=spec.title,
        tables=sorted(tables, key=lambda table: table.folded),
        figures=[figure for name in spec.figures for figure in FIGURES[name](run)],
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
