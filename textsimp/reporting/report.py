"""The report of one run: reports/results.md and reports/index.html."""

from pathlib import Path

from textsimp.reporting.alignment_tables import alignment_tables
from textsimp.reporting.config import ReportPlan
from textsimp.reporting.corpus_tables import corpus_tables
from textsimp.reporting.figures import aligner_figure, precision_recall_figure, simplifier_figure
from textsimp.reporting.html import Section, page, shown_alignments, shown_outputs
from textsimp.reporting.inputs import Folders, Results, read_results
from textsimp.reporting.markdown import results_page
from textsimp.reporting.published import Published
from textsimp.reporting.simplification_tables import published_table, simplification_tables
from textsimp.reporting.summary import summary
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
    corpora = results.corpora
    alignment = Section(
        key="alignment",
        title="Sentence alignment",
        tables=[table for corpus in corpora for table in alignment_tables(corpus, published)],
        figures=[figure(corpus) for corpus in corpora for figure in (precision_recall_figure, aligner_figure)],
        alignments=[shown_alignments(corpus) for corpus in corpora],
    )
    data = Section("corpora", "Corpora", [table for corpus in corpora for table in corpus_tables(corpus, published)])
    simplification = Section(
        key="simplification",
        title="Simplification",
        tables=[table for corpus in corpora for table in simplification_tables(corpus, published)],
        figures=[simplifier_figure(corpus) for corpus in corpora],
        outputs=[shown_outputs(corpus) for corpus in corpora],
    )
    again = [published_table(name, found) for name, found in results.published.items()]
    found = [alignment, data, simplification, Section("published", "Published outputs", again)]
    return [section for section in found if section.tables]
