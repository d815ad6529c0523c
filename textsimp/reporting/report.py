"""The report of one run: reports/index.html, and its tables as results.md and results.json."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from textsimp.core.writing import atomic_write, write_json
from textsimp.reporting import (
    tables_alignment,
    tables_claims,
    tables_corpora,
    tables_people,
    tables_published,
    tables_rewriting,
    tables_simplification,
)
from textsimp.reporting.browser import alignment_browser, output_browser
from textsimp.reporting.figures import Figure
from textsimp.reporting.inputs import Folders, Run
from textsimp.reporting.markdown import results_page
from textsimp.reporting.names import ABOUT
from textsimp.reporting.opening import Opening, opening
from textsimp.reporting.page import Section, page, read_card
from textsimp.reporting.plan import CorpusPlan, ReportPlan
from textsimp.reporting.table import Cell, Table
from textsimp.reporting.texts import present, read_examples, read_outputs

Tables = Callable[[Run], Iterable[Table]]
Figures = Callable[[Run], Iterable[Figure]]


@dataclass(frozen=True)
class Part:
    """A part of the page: functions that give its tables and figures, and what else it shows of each corpus.

    `texts` is `alignments`, `outputs` or `cards`; empty for none.
    """

    key: str
    title: str
    tables: Sequence[Tables]
    figures: Sequence[Figures] = ()
    texts: str = ""


PARTS = (
    Part("claims", "Claims", tables_claims.TABLES),
    Part("alignment", "Sentence alignment", tables_alignment.TABLES, texts="alignments"),
    Part("audit", "Alignment of the unlabelled articles", (tables_corpora.audit, tables_corpora.paragraphs)),
    Part("corpora", "Corpora", tables_corpora.TABLES, texts="cards"),
    Part("simplification", "Simplification", tables_simplification.TABLES, texts="outputs"),
    Part("people", "Judged by people", tables_people.TABLES),
    Part("rewriting", "Kinds of rewriting", tables_rewriting.TABLES, tables_rewriting.FIGURES),
    Part("published", "Published outputs", tables_published.TABLES),
)


@dataclass(frozen=True)
class ReportFiles:
    """The files of a report: the same tables three times, figures and texts in the HTML page alone."""

    markdown: Path
    html: Path
    json: Path


def write_report(plan: ReportPlan, folders: Folders, files: ReportFiles) -> None:
    """Read everything that the plan names and write all files, each whole or not at all.

    Raises:
        InputError: a file of an earlier stage is absent or wrong; nothing is written then.
    """
    main, sections = report_sections(Run(plan, folders))
    title = f"Results, experiment {plan.experiment}"
    shown = [(section.title, section.tables) for section in sections]
    texts = {files.markdown: results_page(title, main, shown), files.html: page(title, main, sections)}
    for path, text in texts.items():
        with atomic_write(path) as file:
            file.write(text)
    everything = [(main.table.title, [main.table]), *shown] if main else shown
    write_json(files.json, results_object(plan.experiment, everything))


def report_sections(run: Run) -> tuple[Opening | None, list[Section]]:
    """Return the first screen, if there are claims, and the parts of the report that the results fill."""
    main = tables_claims.summary(run)
    tables = [(part, [table for function in part.tables for table in function(run)]) for part in PARTS]
    sections = [_section(run, part, sorted(shown, key=lambda table: table.folded)) for part, shown in tables if shown]
    return opening(run, *main) if main else None, sections


def _section(run: Run, part: Part, tables: list[Table]) -> Section:
    corpora = run.plan.corpora if part.texts == "cards" else ()
    return Section(
        key=part.key,
        title=part.title,
        tables=tables,
        figures=[figure for figures in part.figures for figure in figures(run)],
        alignments=[_browsed(run, corpus, _alignments) for corpus in run.annotated if part.texts == "alignments"],
        outputs=[_browsed(run, corpus, _outputs) for corpus in run.simplified if part.texts == "outputs"],
        cards=[read_card(run.folders.corpora, corpus.name) for corpus in corpora],
    )


def _browsed(run: Run, corpus: CorpusPlan, browser: Callable[[Run, CorpusPlan], Any]) -> dict[str, Any]:
    """Return the texts of a corpus to browse; none where they may not be shown."""
    shown = {"name": corpus.name, "label": run.label(corpus.name), "about": ABOUT.get(corpus.name, "")}
    return shown | {"hidden": not corpus.show_text, "browser": browser(run, corpus) if corpus.show_text else None}


def _alignments(run: Run, corpus: CorpusPlan) -> dict[str, Any] | None:
    """Return the browser of a corpus's document pairs with links."""
    path = run.folders.reports / "examples" / f"alignment.{corpus.name}.jsonl"
    examples = read_examples(present(path, "evaluate_alignment", corpus.name))
    names = {system: run.label(system) for system in run.labels.alignment_systems}
    return alignment_browser(f"pairs-{corpus.name}", examples, names, run.plan.config.browser_pairs)


def _outputs(run: Run, corpus: CorpusPlan) -> dict[str, Any] | None:
    """Return the browser of a corpus's test sentences with outputs."""
    systems = list(product(run.plan.training_sets, run.plan.simplifiers))
    folders = (run.folders.corpora / corpus.name / "test", run.folders.outputs / corpus.name)
    test_sets = read_outputs(*folders, sorted(run.test_sets(corpus.name)), systems)
    number = run.plan.config.output_sentences_browsed
    return output_browser(f"outputs-{corpus.name}", test_sets, systems, run.labels, number)


def results_object(experiment: str, sections: Sequence[tuple[str, Sequence[Table]]]) -> dict[str, Any]:
    """Return results.json: `{"experiment", "tables": [{key, section, title, lead, text, folded, columns, rows}]}`.

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
    interval = None if cell.interval is None else list(cell.interval)
    full = {"text": cell.text, "value": cell.value, "interval": interval, "best": cell.best or None}
    return {name: value for name, value in full.items() if value is not None}
