"""Stage: train a simplifier; its best checkpoint on dev, and its training curve."""

import argparse
import logging
from pathlib import Path

from textsimp.core.errors import exit_on_bad_input
from textsimp.simplification.interface import load_runtime
from textsimp.simplification.simplifiers import load_simplifier, train

logger = logging.getLogger("train_simplifier")


@exit_on_bad_input
def main() -> None:
    """Train the simplifier that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.train_simplifier", description=__doc__)
    parser.add_argument("corpus", help="the corpus's name")
    parser.add_argument("training_set", help="the training set's name")
    parser.add_argument("simplifier", help="the simplifier's name")
    parser.add_argument("--bin", type=Path, required=True, help="folder that the stage binarize wrote")
    parser.add_argument("--model", type=Path, required=True, help="folder to write")
    parser.add_argument("--curve", type=Path, required=True, help="CSV file to write: epoch,train_loss,valid_loss")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    simplifier, config = load_simplifier(args.simplifier)
    logger.info("%s on %s, training set %s", args.simplifier, args.corpus, args.training_set)
    train(simplifier, config, args.bin, args.model, args.curve, load_runtime())


if __name__ == "__main__":
    main()
