"""Documents and a tiny aligner for the tests of the loop over document pairs."""

from dataclasses import replace
from pathlib import Path

from alignment_sample import RUNTIME, aligner_config, document_pair, write_bert

from textsimp.alignment.neural.training import train_aligner, train_encoder

TRAIN, DEV = ([document_pair(number) for number in numbers] for numbers in (range(6), range(6, 8)))
PAIRS = [*TRAIN, DEV[0]]
BARE = [replace(pair, alignments=None) for pair in PAIRS]


def train_model(root: Path) -> Path:
    """A tiny trained aligner, beside its encoder and the BERT that this was; six pairs train it, two choose."""
    config = aligner_config(write_bert(root / "bert"))
    encoder, _ = train_encoder(TRAIN, DEV, config, RUNTIME, root / "work")
    encoder.save(root / "encoder")
    aligner, _ = train_aligner(TRAIN, DEV, "newsela", root / "encoder", config, RUNTIME)
    aligner.save(root / "model")
    return root / "model"
