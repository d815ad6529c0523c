"""Snapshots of the report's tables: what invented runs give, as text that a reviewer can read.

    python tests/report_snapshots.py

writes tests/report_snapshots/ again; the difference in Git is what a change does to the report.
"""

import re
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import reporting_run as sample  # noqa: E402 the root has to be on the path first

from textsimp.reporting.inputs import Run  # noqa: E402
from textsimp.reporting.markdown import to_markdown  # noqa: E402
from textsimp.reporting.report import report_sections  # noqa: E402
from textsimp.reporting.table import Table  # noqa: E402

FOLDER = Path(__file__).with_suffix("")


def tables_of(run: Run) -> list[Table]:
    """Every table of the report in order."""
    main, sections = report_sections(run)
    return [*([main.table] if main else []), *(table for section in sections for table in section.tables)]


def as_text(tables: Iterable[Table]) -> str:
    """Tables with their intervals, best numbers, footnotes and texts, without padding."""
    parts = []
    for table in tables:
        text = re.sub(r" {2,}|(?<=-)-+(?=[-:])", lambda match: match.group()[0], to_markdown(table))
        folded = " (folded)" if table.folded else ""
        parts.append(f"## {table.key}: {table.title}{folded}\n\n{table.lead} {table.text}\n\n{text}")
    return "\n".join(parts)


def snapshots(root: Path) -> dict[str, str]:
    """The texts by file name: tables of a run that trained everything, those of released outputs, and a small page."""
    sample.write_whole_run(root / "trained", paragraphs=["sample_news"])
    sample.write_published(root / "released")
    sample.write_leaderboard(root / "released")
    sample.write_published(root / "page")
    sample.write(root / "page" / "params.yaml", sample.params([], ["jiang2020"]))
    page = sample.report_of(root / "page").html.read_text(encoding="utf-8")
    page = re.sub(r"<(style|script)>.*?</\1>|sha256-[^&]*", "", page, flags=re.DOTALL)
    return {
        "trained.md": as_text(tables_of(sample.run_of(root / "trained"))),
        "released.md": as_text(tables_of(sample.run_of(root / "released"))),
        "page.html": page,
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name, text in snapshots(Path(folder)).items():
            sample.write(FOLDER / name, text)
