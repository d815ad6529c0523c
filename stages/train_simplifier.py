"""Stage: train a simplifier; its best checkpoint on dev, and its training curve."""

import logging
from pathlib import Path

from stages import stage
from textsimp.simplification.interface import load_runtime
from textsimp.simplification.simplifiers import load_simplifier, train

logger = logging.getLogger("train_simplifier")


@stage()
def main(corpus: str, training_set: str, simplifier: str, *, bin: Path, model: Path, curve: Path) -> None:
    """Train a simplifier on a training set of a corpus."""
    kind, config = load_simplifier(simplifier)
    logger.info("%s on %s, training set %s", simplifier, corpus, training_set)
    train(kind, config, bin, model, curve, load_runtime())
