"""The report of one run: reports/index.html, and its tables as results.md, results.tex and results.json."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textsimp.reporting.alignment.audit_tables import audit_tables
from textsimp.reporting.alignment.details import ceiling_table, emission_table, link_table, overlap_table
from textsimp.reporting.alignment.elsewhere_tables import elsewhere_tables
from textsimp.reporting.alignment.precision_recall import precision_recall_figure
from textsimp.reporting.alignment.tables import alignment_table, gold_table
from textsimp.reporting.claim_tables import claim_tables
from textsimp.reporting.config import ReportPlan
from textsimp.reporting.corpus_tables import corpus_tables
from textsimp.reporting.figures import aligner_figure, simplifier_figure
from textsimp.reporting.inputs import CorpusResults, Folders, Results, read_results
from textsimp.reporting.latex import latex_document
from textsimp.reporting.leaderboard.figures import leaderboard_figure
from textsimp.reporting.leaderboard.rewriting import rewriting_figure, rewriting_table
from textsimp.reporting.leaderboard.tables import leaderboard_tables
from textsimp.reporting.markdown import results_page
from textsimp.reporting.page.html import Section, page, shown_alignments, shown_outputs
from textsimp.reporting.published import Published
from textsimp.reporting.results_json import results_object
from textsimp.reporting.simplification.analysis_figures import length_figures, rewriting_figures
from textsimp.reporting.simplification.analysis_output_tables import output_rewriting_tables
from textsimp.reporting.simplification.analysis_sari_tables import sari_tables
from textsimp.reporting.simplification.analysis_tables import corpus_rewriting_tables
from textsimp.reporting.simplification.tables import published_table, simplification_tables
from textsimp.reporting.summary import summary
from textsimp.reporting.tables import Table
from textsimp.textfiles import atomic_write, write_json


@dataclass(frozen=True)
class ReportFiles:
    """The files of a report: the same tables four times, figures and texts in the HTML page alone."""

    markdown: Path
    html: Path
    latex: Path
    json: Path


def write_report(plan: ReportPlan, folders: Folders, files: ReportFiles) -> None:
    """Read everything that the plan names and write all files, each whole or not at all.

    Raises:
        InputError: a file of an earlier stage is absent or wrong; nothing is written then.
    """
    results, published = read_results(plan, folders), Published(folders.published)
    title, main = f"Results, experiment {plan.experiment}", summary(results, published)
    parts = sections(results, published)
    tables = [(part.title, part.tables) for part in parts]
    everything = [(main.title, [main]), *tables]
    texts = {
        files.markdown: results_page(title, main, tables),
        files.html: page(title, main, parts),
        files.latex: latex_document(title, everything),
    }
    for path, text in texts.items():
        with atomic_write(path) as file:
            file.write(text)
    write_json(files.json, results_object(plan.experiment, everything))


def sections(results: Results, published: Published) -> list[Section]:
    """The parts of the report that the results fill."""
    annotated, simplified = results.annotated, results.simplified
    claims = Section("claims", "Claims", claim_tables(results, published))
    alignment = Section(
        key="alignment",
        title="Sentence alignment",
        tables=_alignment_tables(annotated, published),
        figures=[figure(corpus) for corpus in annotated for figure in (precision_recall_figure, aligner_figure)],
        alignments=[
            shown_alignments(corpus.plan, corpus.examples, corpus.alignment.labels, results.plan.config)
            for corpus in annotated
        ],
    )
    details = Section("alignment-details", "Alignment in detail", _alignment_details(annotated, published))
    unlabelled = Section("audit", "Alignment of the unlabelled articles", audit_tables(results.corpora))
    data = Section(
        key="corpora",
        title="Corpora",
        tables=[table for corpus in results.corpora for table in corpus_tables(corpus, published)],
        cards=[corpus.card for corpus in results.corpora],
    )
    simplification = Section(
        key="simplification",
        title="Simplification",
        tables=[table for corpus in simplified for table in simplification_tables(corpus, published)],
        figures=[simplifier_figure(corpus) for corpus in simplified],
        outputs=[shown_outputs(corpus.plan, corpus.outputs, results.plan.config) for corpus in simplified],
    )
    rewriting = Section(
        key="rewriting",
        title="Kinds of rewriting",
        tables=[
            table
            for corpus in simplified
            for table in (*corpus_rewriting_tables(corpus, published), *output_rewriting_tables(corpus))
        ],
        figures=[figure for corpus in simplified for figure in rewriting_figures(corpus)],
    )
    subsets = Section(
        key="sari-subsets",
        title="SARI by sentence length and by operation",
        tables=[table for corpus in simplified for table in sari_tables(corpus)],
        figures=[figure for corpus in simplified for figure in length_figures(corpus)],
    )
    again = [published_table(name, found) for name, found in results.published.items()]
    boards = results.leaderboard.boards if results.leaderboard else ()
    released = Section(
        key="published",
        title="Published outputs",
        tables=[
            *again,
            *(table for board in boards for table in (*leaderboard_tables(board), rewriting_table(board))),
        ],
        figures=[figure(board) for board in boards for figure in (leaderboard_figure, rewriting_figure)],
    )
    found = [claims, alignment, details, unlabelled, data, simplification, rewriting, subsets, released]
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
