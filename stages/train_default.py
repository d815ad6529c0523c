"""Stage train_default: the aligners that travel with the package, trained on the annotation of several corpora."""

from dataclasses import replace
from pathlib import Path

from stages import stage
from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import SystemConfig
from textsimp.alignment.systems import make_system
from textsimp.core.params import load_params, select_list
from textsimp.core.records import read_pairs
from textsimp.core.resumable import write_curve
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.sources.sample import sample_pairs


@stage(log="")
def main(system: str, *, splits: Path, model: Path, curve: Path) -> None:
    """Train a system of `alignment_system` in params.yaml on train and dev of all corpora, and on `default_texts`."""
    config = load_params(f"alignment_system.{system}", SystemConfig)
    common = load_params("word_vectors", WordVectorConfig), load_params("aligner.encoder", EncoderConfig)
    folders = [splits / corpus for corpus in select_list("annotated_corpora")]
    train, dev = (
        [pair for folder in folders for pair in read_pairs(folder / f"{split}.jsonl")] for split in ("train", "dev")
    )
    train += [pair for folder in select_list("default_texts") for pair in sample_pairs(folder)]
    device = load_params("runtime", Device)
    made = make_system(config, Cache([], *common, replace(device, threads=1, passes=device.threads)))
    write_curve(curve, made.fit(train, dev))
    made.save(model)
