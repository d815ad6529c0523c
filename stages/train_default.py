"""Stage train_default: the aligners that travel with the package, trained on the annotation of several corpora."""

import argparse
from dataclasses import replace
from pathlib import Path

from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import SystemConfig
from textsimp.alignment.systems import make_system
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params, select_list
from textsimp.core.records import read_pairs
from textsimp.core.resumable import write_curve
from textsimp.core.word_vectors import WordVectorConfig


@exit_on_bad_input
def main() -> None:
    """Train the system of `alignment_system` that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.train_default", description=__doc__)
    parser.add_argument("system", help="a name under `alignment_system` in params.yaml")
    parser.add_argument("--splits", type=Path, required=True, help="folder of the splits of all corpora")
    parser.add_argument("--model", type=Path, required=True, help="folder to write")
    parser.add_argument("--curve", type=Path, required=True, help="CSV file to write: step,loss,dev_f1")
    args = parser.parse_args()
    config = load_params(f"alignment_system.{args.system}", SystemConfig)
    common = load_params("word_vectors", WordVectorConfig), load_params("aligner.encoder", EncoderConfig)
    folders = [args.splits / corpus for corpus in select_list("annotated_corpora")]
    train, dev = (
        [pair for folder in folders for pair in read_pairs(folder / f"{split}.jsonl")] for split in ("train", "dev")
    )
    device = load_params("runtime", Device)
    system = make_system(config, Cache([], *common, replace(device, threads=1, passes=device.threads)))
    write_curve(args.curve, system.fit(train, dev))
    system.save(args.model)


if __name__ == "__main__":
    main()
