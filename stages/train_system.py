"""Stage train_system: an alignment system that learns from the manual annotation, fitted and kept in a folder."""

from pathlib import Path

from stages import stage
from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import SystemConfig
from textsimp.alignment.systems import make_system
from textsimp.core.params import load_params
from textsimp.core.records import read_pairs, unlabelled
from textsimp.core.resumable import write_curve
from textsimp.core.word_vectors import WordVectorConfig


@stage(log="")
def main(system: str, *, splits: Path, model: Path, curve: Path) -> None:
    """Fit a system of `alignment_system` in params.yaml on a corpus."""
    config = load_params(f"alignment_system.{system}", SystemConfig)
    encoder, device = load_params("aligner.encoder", EncoderConfig), load_params("runtime", Device)
    vectors = load_params("word_vectors", WordVectorConfig)
    train, dev, test = (list(read_pairs(splits / f"{split}.jsonl")) for split in ("train", "dev", "test"))
    # word counts and vectors may come from all sentences; labels of the test split are read by nobody
    made = make_system(config, Cache(unlabelled([*train, *dev, *test]), vectors, encoder, device))
    write_curve(curve, made.fit(train, dev))
    made.save(model)
