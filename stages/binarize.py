"""Stage: a corpus as a simplifier reads it: tokens, dictionaries, binary files, and what turns outputs into text."""

import logging
from pathlib import Path

from stages import stage
from textsimp.simplification.simplifiers import binarize, corpus_files, load_simplifier

logger = logging.getLogger("binarize")


@stage()
def main(corpus: str, training_set: str, simplifier: str, *, corpus_folder: Path, bin: Path) -> None:
    """Binarize a training set, a folder of the corpus."""
    kind, config = load_simplifier(simplifier)
    logger.info("%s, training set %s, for %s", corpus, training_set, simplifier)
    binarize(kind, config, corpus_files(corpus_folder, training_set), bin)
