"""Stage: what people's ratings of a study say, from the table that `textsimp human import` wrote."""

import argparse
import logging
from pathlib import Path

from stages import parse_with_results
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params
from textsimp.core.results import Resampling
from textsimp.extras.human.ratings import read_ratings
from textsimp.extras.human.summary import summarise

logger = logging.getLogger("summarise_ratings")


@exit_on_bad_input
def main() -> None:
    """Summarise the ratings that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.summarise_ratings", description=__doc__)
    parser.add_argument("ratings", type=Path, help="CSV file of ratings, one a row")
    args = parse_with_results(parser)
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    results = summarise(read_ratings(args.ratings), None, load_params("resampling", Resampling))
    logger.info("%s: %s raters, %s sentences", args.ratings, results.notes["raters"], results.notes["sentences"])
    results.write(args.results, args.metrics)


if __name__ == "__main__":
    main()
