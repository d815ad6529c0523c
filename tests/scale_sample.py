"""Documents and a tiny aligner for the tests of the loop over document pairs."""

from dataclasses import replace
from pathlib import Path

from alignment_sample import RUNTIME, aligner_config, document_pair, write_bert

from textsimp.alignment.neural.training import train_aligner, train_encoder

PAIRS = [document_pair(number) for number in range(7)]
BARE = [replace(pair, alignments=None) for pair in PAIRS]


def train_model(root: Path) -> Path:
    """A tiny trained aligner."""
    config = aligner_config(write_bert(root / "bert"))
    encoder, _ = train_encoder(PAIRS, PAIRS[:2], config, RUNTIME, root / "work")
    encoder.save(root / "encoder")
    aligner, _ = train_aligner(PAIRS, PAIRS[:2], "newsela", root / "encoder", config, RUNTIME)
    aligner.save(root / "model")
    return root / "model"
