"""Stage: a simplifier trained with another seed on links of one quality, and the test sets that it simplifies."""

import argparse
import logging
from dataclasses import replace
from pathlib import Path

from textsimp.core.errors import exit_on_bad_input
from textsimp.simplification.interface import load_runtime
from textsimp.simplification.simplifiers import binarize, corpus_files, generate, load_simplifier, train

logger = logging.getLogger("train_thesis")


@exit_on_bad_input
def main() -> None:
    """Binarize, train and simplify."""
    parser = argparse.ArgumentParser(prog="python -m stages.train_thesis", description=__doc__)
    parser.add_argument("corpus", help="the corpus's name")
    parser.add_argument("training_set", help="the training set's name, without its seed")
    parser.add_argument("simplifier", help="the simplifier's name")
    parser.add_argument("seed", type=int, help="the seed of the training set, and of training")
    parser.add_argument("--corpus-folder", type=Path, required=True, help="the corpus's folder")
    parser.add_argument("--bin", type=Path, required=True, help="folder to write: the corpus as it is read")
    parser.add_argument("--model", type=Path, required=True, help="folder to write: the model")
    parser.add_argument("--curve", type=Path, required=True, help="CSV file to write: epoch,train_loss,valid_loss")
    parser.add_argument("--output", type=Path, required=True, help="folder to write: X.txt for each test set X")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    simplifier, config = load_simplifier(args.simplifier)
    logger.info("%s on %s, training set %s, seed %d", args.simplifier, args.corpus, args.training_set, args.seed)
    config, runtime = replace(config, seed=args.seed), load_runtime()
    binarize(simplifier, config, corpus_files(args.corpus_folder, f"{args.training_set}.{args.seed}"), args.bin)
    train(simplifier, config, args.bin, args.model, args.curve, runtime)
    generate(args.bin, args.model, args.output, runtime)


if __name__ == "__main__":
    main()
