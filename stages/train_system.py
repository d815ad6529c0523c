"""Stage train_system: an alignment system that learns from the manual annotation, fitted and kept in a folder."""

import argparse
from pathlib import Path

from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import SystemConfig
from textsimp.alignment.systems import make_system
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params
from textsimp.core.records import read_pairs, unlabelled
from textsimp.core.resumable import write_curve
from textsimp.core.word_vectors import WordVectorConfig


@exit_on_bad_input
def main() -> None:
    """Fit the system of `alignment_system` that the command line names on a corpus."""
    parser = argparse.ArgumentParser(prog="python -m stages.train_system", description=__doc__)
    parser.add_argument("system", help="a name under `alignment_system` in params.yaml")
    parser.add_argument("--splits", type=Path, required=True, help="folder of the manual splits")
    parser.add_argument("--model", type=Path, required=True, help="folder to write")
    parser.add_argument("--curve", type=Path, required=True, help="CSV file to write: step,loss,dev_f1")
    args = parser.parse_args()
    config = load_params(f"alignment_system.{args.system}", SystemConfig)
    encoder, device = load_params("aligner.encoder", EncoderConfig), load_params("runtime", Device)
    vectors = load_params("word_vectors", WordVectorConfig)
    train, dev, test = (list(read_pairs(args.splits / f"{split}.jsonl")) for split in ("train", "dev", "test"))
    # word counts and vectors may come from all sentences; labels of the test split are read by nobody
    system = make_system(config, Cache(unlabelled([*train, *dev, *test]), vectors, encoder, device))
    write_curve(args.curve, system.fit(train, dev))
    system.save(args.model)


if __name__ == "__main__":
    main()
