"""Stage align: labels the articles of one corpus by the trained aligner (auto) and by the earlier one (old)."""

import argparse
from pathlib import Path

from textsimp.alignment.auto import AutoAlignConfig, align_auto, align_old, unlabelled
from textsimp.alignment.neural.checkpoint import load_aligner
from textsimp.alignment.neural.config import EncoderConfig, RuntimeConfig
from textsimp.alignment.resources import Resources
from textsimp.alignment.system_config import SystemConfig
from textsimp.alignment.vectors import WordVectorConfig
from textsimp.errors import exit_on_bad_input
from textsimp.params import load_params
from textsimp.records import read_pairs


@exit_on_bad_input
def main() -> None:
    """Align the corpus that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.align", description=__doc__)
    parser.add_argument("corpus", help="a name under `corpus` in params.yaml")
    parser.add_argument("--splits", type=Path, required=True, help="folder of the splits")
    parser.add_argument("--model", type=Path, required=True, help="folder of the trained aligner")
    parser.add_argument("--alignments", type=Path, required=True, help="folder to write auto.jsonl and old.jsonl into")
    args = parser.parse_args()
    config, runtime = load_params(f"corpus.{args.corpus}.align", AutoAlignConfig), load_params("runtime", RuntimeConfig)
    old = load_params(f"alignment_system.{config.old_system}", SystemConfig)
    pairs = unlabelled(pair for split in config.splits for pair in read_pairs(args.splits / f"{split}.jsonl"))
    encoder, vectors = load_params("aligner.encoder", EncoderConfig), load_params("word_vectors", WordVectorConfig)
    resources, dev = Resources(pairs, vectors, encoder, runtime), list(read_pairs(args.splits / "dev.jsonl"))
    align_old(dev, old, resources, args.alignments / "old.jsonl")
    align_auto(pairs, load_aligner(args.model, runtime), args.alignments / "auto.jsonl", runtime)


if __name__ == "__main__":
    main()
