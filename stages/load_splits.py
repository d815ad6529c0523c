"""Stage: document pairs for train, dev, test and the unlabelled articles, under data/splits."""

import argparse
import logging

from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params
from textsimp.sources.config import SourceConfig
from textsimp.sources.splits import load_splits

logger = logging.getLogger("load_splits")


@exit_on_bad_input
def main() -> None:
    """Split one corpus by article set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", help="a corpus of params.yaml")
    parser.add_argument("--raw", required=True, help="the folder that the stage acquire wrote")
    parser.add_argument("--out", required=True, help="the folder to write")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    config = load_params(f"corpus.{args.corpus}.source", SourceConfig)
    logger.info("%s: %s", args.corpus, load_splits(args.raw, args.out, config))


if __name__ == "__main__":
    main()
