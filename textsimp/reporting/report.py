"""The report of one run: reports/results.md and reports/index.html."""

from collections.abc import Sequence
from pathlib import Path

from textsimp.reporting.alignment_details import ceiling_table, emission_table, link_table, overlap_table
from textsimp.reporting.alignment_tables import alignment_table, gold_table
from textsimp.reporting.audit_tables import audit_tables
from textsimp.reporting.config import ReportPlan
from textsimp.reporting.corpus_tables import corpus_tables
from textsimp.reporting.elsewhere_tables import elsewhere_tables
from textsimp.reporting.figures import aligner_figure, simplifier_figure
from textsimp.reporting.html import Section, page, shown_alignments, shown_outputs
from textsimp.reporting.inputs import CorpusResults, Folders, Results, read_results
from textsimp.reporting.markdown import results_page
from textsimp.reporting.precision_recall import precision_recall_figure
from textsimp.reporting.published import Published
from textsimp.reporting.simplification_tables import published_table, simplification_tables
from textsimp.reporting.summary import summary
from textsimp.reporting.tables import Table
from textsimp.textfiles import atomic_write


def write_report(plan: ReportPlan, folders: Folders, markdown: Path, html: Path) -> None:
    """Read everything that the plan names and write both files, each whole or not at all.

    Raises:
        InputError: a file of an earlier stage is absent or wrong; nothing is written then.
    """
    results, published = read_results(plan, folders), Published(folders.published)
    title, main, parts = (
        f"Results, experiment {plan.experiment}",
        summary(results, published),
        sections(results, published),
    )
    texts = {
        markdown: results_page(title, main, [(part.title, part.tables) for part in parts]),
        html: page(title, main, parts),
    }
    for path, text in texts.items():
        with atomic_write(path) as file:
            file.write(text)


def sections(results: Results, published: Published) -> list[Section]:
    """The parts of the report that the results fill."""
    annotated, simplified = results.annotated, results.simplified
    alignment = Section(
        key="alignment",
        title="Sentence alignment",
        tables=_alignment_tables(annotated, published),
        figures=[figure(corpus) for corpus in annotated for figure in (precision_recall_figure, aligner_figure)],
        alignments=[shown_alignments(corpus) for corpus in annotated],
    )
    details = Section("alignment-details", "Alignment in detail", _alignment_details(annotated, published))
    unlabelled = Section("audit", "Alignment of the unlabelled articles", audit_tables(results.corpora))
    data = Section(
        "corpora", "Corpora", [table for corpus in results.corpora for table in corpus_tables(corpus, published)]
    )
    simplification = Section(
        key="simplification",
        title="Simplification",
        tables=[table for corpus in simplified for table in simplification_tables(corpus, published)],
        figures=[simplifier_figure(corpus) for corpus in simplified],
        outputs=[shown_outputs(corpus) for corpus in simplified],
    )
    again = [published_table(name, found) for name, found in results.published.items()]
    found = [alignment, details, unlabelled, data, simplification, Section("published", "Published outputs", again)]
    return [section for section in found if section.tables]


def _alignment_tables(corpora: Sequence[CorpusResults], published: Published) -> list[Table]:
    """Of the test split; tables that have nothing to show are left out."""
    tables = []
    for corpus in corpora:
        tables += [alignment_table(corpus, "test", published), gold_table(corpus, "test", published)]
        tables += [ceiling_table(corpus), emission_table(corpus)]
    return [table for table in (*tables, *elsewhere_tables(corpora, published)) if table.rows]


def _alignment_details(corpora: Sequence[CorpusResults], published: Published) -> list[Table]:
    """What the systems find, and the dev split."""
    tables = []
    for corpus in corpora:
        tables += [link_table(corpus), overlap_table(corpus)]
        tables += [alignment_table(corpus, "dev", published), gold_table(corpus, "dev", published)]
    return [table for table in tables if table.rows]
