"""Stage train_encoder: a sentence-pair encoder, fine-tuned on the manual annotation of one or several corpora."""

import argparse
import logging
from pathlib import Path

from textsimp.alignment.neural.aligner_settings import AlignerConfig, Device
from textsimp.alignment.neural.training import train_encoder
from textsimp.core.checkpoint import PAIR_ENCODER
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params, select_list
from textsimp.core.records import read_pairs
from textsimp.core.resumable import write_curve
from textsimp.core.writing import partial_place, remove


@exit_on_bad_input
def main() -> None:
    """Train the encoder that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.train_encoder", description=__doc__)
    parser.add_argument("encoder", help="a key of `encoder_corpora` in params.yaml")
    parser.add_argument("--splits", type=Path, required=True, help="folder of the splits of all corpora")
    parser.add_argument("--model", type=Path, required=True, help="folder to write")
    parser.add_argument("--curve", type=Path, required=True, help="CSV file to write: part,step,loss,dev_f1")
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    config, device = load_params("aligner", AlignerConfig), load_params("runtime", Device)
    folders = [args.splits / corpus for corpus in select_list(f"encoder_corpora.{args.encoder}")]
    train, dev = ([p for folder in folders for p in read_pairs(folder / f"{s}.jsonl")] for s in ("train", "dev"))
    state = partial_place(args.model)
    encoder, curve = train_encoder(train, dev, config, device, state)
    with PAIR_ENCODER.written(args.model) as folder:
        encoder.save(folder)
    write_curve(args.curve, curve)
    remove(state)


if __name__ == "__main__":
    main()
