"""Stage report: every table beside the published numbers, as Markdown, JSON and one HTML page."""

import argparse
import logging
from pathlib import Path

from textsimp.core.errors import exit_on_bad_input
from textsimp.reporting.inputs import Folders
from textsimp.reporting.plan import load_plan
from textsimp.reporting.report import ReportFiles, write_report

logger = logging.getLogger("report")


@exit_on_bad_input
def main() -> None:
    """Write the report of everything that params.yaml names."""
    parser = argparse.ArgumentParser(prog="python -m stages.report", description=__doc__)
    parser.add_argument("--reports", type=Path, required=True, help="folder of the metrics")
    parser.add_argument("--published", type=Path, required=True, help="folder of the published tables")
    parser.add_argument("--corpora", type=Path, required=True, help="folder of the corpora, for their test sets")
    parser.add_argument("--outputs", type=Path, required=True, help="folder of the simplifiers' outputs")
    for name in ("markdown", "html", "json"):
        parser.add_argument(f"--{name}", type=Path, required=True, help=f"{name} file to write")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    folders = Folders(args.reports, args.published, args.corpora, args.outputs)
    files = ReportFiles(args.markdown, args.html, args.json)
    write_report(load_plan(), folders, files)
    logger.info("wrote %s, %s and %s", files.markdown, files.html, files.json)


if __name__ == "__main__":
    main()
