"""Stage audit: the automatic alignments of one corpus against the gold, or the other aligner's links, set aside."""

import argparse
import logging
from pathlib import Path

from textsimp.errors import exit_on_bad_input
from textsimp.metrics.alignment_audit import audit
from textsimp.metrics.alignment_significance import SignificanceConfig
from textsimp.params import load_params
from textsimp.textfiles import write_json

logger = logging.getLogger("audit")


@exit_on_bad_input
def main() -> None:
    """Compare the alignments that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.audit", description=__doc__)
    parser.add_argument("corpus", help="the corpus's name")
    parser.add_argument("--reference", type=Path, required=True, help="file that the stage acquire set aside")
    parser.add_argument("--alignments", type=Path, required=True, help="folder of auto.jsonl and old.jsonl")
    parser.add_argument("--metrics", type=Path, required=True, help="JSON file to write")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    files = {name: args.alignments / f"{name}.jsonl" for name in ("auto", "old")}
    result = audit(args.reference, files, load_params("significance", SignificanceConfig).resampling)
    write_json(args.metrics, result)
    logger.info("%s: %d document pairs", args.corpus, result["document_pairs"])


if __name__ == "__main__":
    main()
