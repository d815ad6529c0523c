"""Stage report: every table beside the published numbers, as Markdown and as one HTML page."""

import argparse
import logging
from pathlib import Path

from textsimp.errors import exit_on_bad_input
from textsimp.reporting.config import load_plan
from textsimp.reporting.inputs import Folders
from textsimp.reporting.report import write_report

logger = logging.getLogger("report")


@exit_on_bad_input
def main() -> None:
    """Write the report of everything that params.yaml names."""
    parser = argparse.ArgumentParser(prog="python -m stages.report", description=__doc__)
    parser.add_argument("--reports", type=Path, required=True, help="folder of the metrics")
    parser.add_argument("--published", type=Path, required=True, help="folder of the published tables")
    parser.add_argument("--corpora", type=Path, required=True, help="folder of the corpora, for their test sets")
    parser.add_argument("--outputs", type=Path, required=True, help="folder of the simplifiers' outputs")
    parser.add_argument("--results", type=Path, required=True, help="Markdown file to write")
    parser.add_argument("--html", type=Path, required=True, help="HTML file to write")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    folders = Folders(args.reports, args.published, args.corpora, args.outputs)
    write_report(load_plan(), folders, args.results, args.html)
    logger.info("wrote %s and %s", args.results, args.html)


if __name__ == "__main__":
    main()
