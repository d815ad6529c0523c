"""Stage report: every table beside the published numbers, as Markdown, JSON and one HTML page."""

from pathlib import Path

from stages import stage
from textsimp.reporting.inputs import Folders
from textsimp.reporting.plan import load_plan
from textsimp.reporting.report import ReportFiles, write_report


@stage()
def main(
    *, reports: Path, published: Path, corpora: Path, outputs: Path, markdown: Path, html: Path, json: Path
) -> str:
    """Write the report of everything that params.yaml names."""
    write_report(load_plan(), Folders(reports, published, corpora, outputs), ReportFiles(markdown, html, json))
    return f"wrote {markdown}, {html} and {json}"
