"""Stage: simplify every test set of a corpus with a trained simplifier."""

import logging
from pathlib import Path

from stages import stage
from textsimp.simplification.interface import load_runtime
from textsimp.simplification.simplifiers import generate

logger = logging.getLogger("simplify")


@stage()
def main(corpus: str, training_set: str, simplifier: str, *, bin: Path, model: Path, output: Path) -> None:
    """Write X.txt for each test set X."""
    logger.info("%s trained on %s, training set %s", simplifier, corpus, training_set)
    generate(bin, model, output, load_runtime())
