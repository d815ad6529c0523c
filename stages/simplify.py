"""Stage: simplify every test set of a corpus with a trained simplifier."""

import argparse
import logging
from pathlib import Path

from textsimp.core.errors import exit_on_bad_input
from textsimp.simplification.interface import load_runtime
from textsimp.simplification.simplifiers import generate

logger = logging.getLogger("simplify")


@exit_on_bad_input
def main() -> None:
    """Write X.txt for each test set X."""
    parser = argparse.ArgumentParser(prog="python -m stages.simplify", description=__doc__)
    parser.add_argument("corpus", help="the corpus's name")
    parser.add_argument("training_set", help="the name of the set that the simplifier was trained on")
    parser.add_argument("simplifier", help="the simplifier's name")
    parser.add_argument("--bin", type=Path, required=True, help="folder that the stage binarize wrote")
    parser.add_argument("--model", type=Path, required=True, help="folder that the stage train_simplifier wrote")
    parser.add_argument("--output", type=Path, required=True, help="folder to write")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    logger.info("%s trained on %s, training set %s", args.simplifier, args.corpus, args.training_set)
    generate(args.bin, args.model, args.output, load_runtime())


if __name__ == "__main__":
    main()
