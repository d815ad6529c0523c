"""Stage: raw data in the formats of the real distributions, under data/raw."""

import argparse
import logging

from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params, select_list
from textsimp.sources.acquisition import acquire, acquire_published
from textsimp.sources.config import SourceConfig, SourcesConfig

logger = logging.getLogger("acquire")


@exit_on_bad_input
def main() -> None:
    """Acquire a corpus, or the releases of a zero-training experiment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="a corpus of params.yaml, or one of its `published` experiments")
    parser.add_argument("--sample", help="the folder of the sample corpus")
    parser.add_argument("--raw", required=True, help="the folder to write")
    parser.add_argument("--audit", help="the file to write the gold of the unlabelled article sets to")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    sources = load_params("sources", SourcesConfig)
    if args.name in select_list("published"):
        counts = acquire_published(args.name, sources, args.raw)
    else:
        config = load_params(f"corpus.{args.name}.source", SourceConfig)
        counts = acquire(config, sources, args.sample, args.raw, args.audit)
    logger.info("%s: %s", args.name, counts)


if __name__ == "__main__":
    main()
