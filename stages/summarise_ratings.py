"""Stage: what people's ratings of a study say, from the table that `textsimp human import` wrote."""

import logging
from pathlib import Path

from stages import stage
from textsimp.core.params import load_params
from textsimp.core.results import Resampling
from textsimp.extras.human.ratings import read_ratings
from textsimp.extras.human.summary import summarise

logger = logging.getLogger("summarise_ratings")


@stage()
def main(ratings: Path, *, results: Path, metrics: Path) -> None:
    """Summarise a CSV file of ratings, one a row."""
    found = summarise(read_ratings(ratings), None, load_params("resampling", Resampling))
    logger.info("%s: %s raters, %s sentences", ratings, found.notes["raters"], found.notes["sentences"])
    found.write(results, metrics)
