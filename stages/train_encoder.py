"""Stage train_encoder: a sentence-pair encoder, fine-tuned on the manual annotation of one or several corpora."""

from pathlib import Path

from stages import stage
from textsimp.alignment.neural.aligner_settings import AlignerConfig, Device
from textsimp.alignment.neural.training import train_encoder
from textsimp.core.checkpoint import PAIR_ENCODER
from textsimp.core.params import load_params, select_list
from textsimp.core.records import read_pairs
from textsimp.core.resumable import write_curve
from textsimp.core.writing import partial_place, remove


@stage(log="%(message)s")
def main(encoder: str, *, splits: Path, model: Path, curve: Path) -> None:
    """Train an encoder, a key of `encoder_corpora` in params.yaml."""
    config, device = load_params("aligner", AlignerConfig), load_params("runtime", Device)
    folders = [splits / corpus for corpus in select_list(f"encoder_corpora.{encoder}")]
    train, dev = ([p for folder in folders for p in read_pairs(folder / f"{s}.jsonl")] for s in ("train", "dev"))
    state = partial_place(model)
    trained, points = train_encoder(train, dev, config, device, state)
    with PAIR_ENCODER.written(model) as folder:
        trained.save(folder)
    write_curve(curve, points)
    remove(state)
