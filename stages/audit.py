"""Stage audit: the automatic alignments of one corpus against the gold, or the other aligner's links, set aside."""

import argparse
import logging
from pathlib import Path

from stages import parse_with_results
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params
from textsimp.core.records import ALIGNMENTS
from textsimp.core.results import Resampling
from textsimp.evaluation.audit import SCOPE, audit
from textsimp.metrics.links import F1S
from textsimp.metrics.registry import REFERENCE

logger = logging.getLogger("audit")


@exit_on_bad_input
def main() -> None:
    """Compare the alignments that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.audit", description=__doc__)
    parser.add_argument("corpus", help="the corpus's name")
    parser.add_argument("--reference", type=Path, required=True, help="file that the stage acquire set aside")
    parser.add_argument("--alignments", type=Path, required=True, help="folder of the alignments, NAME.jsonl")
    args = parse_with_results(parser)
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    files = {name: path for name in ALIGNMENTS if (path := args.alignments / f"{name}.jsonl").is_file()}
    results = audit(args.reference, files, load_params("resampling", Resampling))
    results.write(args.results, args.metrics, F1S)
    logger.info("%s: %.0f document pairs", args.corpus, results.value(SCOPE, REFERENCE, "document_pairs"))


if __name__ == "__main__":
    main()
