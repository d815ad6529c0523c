"""Stage train_system: an alignment system that learns from the manual annotation, fitted and kept in a folder."""

import argparse
from pathlib import Path

from textsimp.alignment.neural.config import EncoderConfig, RuntimeConfig
from textsimp.alignment.resources import Resources
from textsimp.alignment.saved_systems import save_system, write_curve
from textsimp.alignment.shared import SharedSimilarities
from textsimp.alignment.system_config import SystemConfig
from textsimp.alignment.systems import make_system
from textsimp.alignment.vectors import WordVectorConfig
from textsimp.errors import exit_on_bad_input
from textsimp.params import load_params
from textsimp.records import read_pairs, unlabelled


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
    encoder, runtime = load_params("aligner.encoder", EncoderConfig), load_params("runtime", RuntimeConfig)
    vectors = load_params("word_vectors", WordVectorConfig)
    train, dev, test = (list(read_pairs(args.splits / f"{split}.jsonl")) for split in ("train", "dev", "test"))
    # word counts and vectors may come from all sentences; labels of the test split are read by nobody
    resources = Resources(unlabelled([*train, *dev, *test]), vectors, encoder, runtime)
    system = make_system(config, SharedSimilarities(resources))
    write_curve(args.curve, system.fit(train, dev))
    save_system(system, args.model)


if __name__ == "__main__":
    main()
