"""Stage: a corpus as a simplifier reads it: tokens, dictionaries, binary files, and what turns outputs into text."""

import argparse
import logging
from pathlib import Path

from textsimp.core.errors import exit_on_bad_input
from textsimp.simplification.simplifiers import binarize, corpus_files, load_simplifier

logger = logging.getLogger("binarize")


@exit_on_bad_input
def main() -> None:
    """Binarize the corpus and training set that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.binarize", description=__doc__)
    parser.add_argument("corpus", help="the corpus's name")
    parser.add_argument("training_set", help="the training set's name, a folder of the corpus")
    parser.add_argument("simplifier", help="the simplifier's name")
    parser.add_argument("--corpus-folder", type=Path, required=True, help="the corpus's folder")
    parser.add_argument("--bin", type=Path, required=True, help="folder to write")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    simplifier, config = load_simplifier(args.simplifier)
    logger.info("%s, training set %s, for %s", args.corpus, args.training_set, args.simplifier)
    binarize(simplifier, config, corpus_files(args.corpus_folder, args.training_set), args.bin)


if __name__ == "__main__":
    main()
