"""Stage align: labels the articles of one corpus by a trained aligner (auto) and by the earlier one (old)."""

import argparse
from pathlib import Path

from textsimp.alignment import auto
from textsimp.alignment.neural.config import EncoderConfig, RuntimeConfig
from textsimp.alignment.system_config import SystemConfig
from textsimp.alignment.vectors import WordVectorConfig
from textsimp.errors import exit_on_bad_input
from textsimp.params import load_params


@exit_on_bad_input
def main() -> None:
    """Align the corpus that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.align", description=__doc__)
    parser.add_argument("corpus", help="a name under `corpus` in params.yaml")
    parser.add_argument("--splits", type=Path, required=True, help="folder of the corpus's splits")
    parser.add_argument("--all-splits", type=Path, help="folder of all corpora's splits; that above --splits if absent")
    parser.add_argument("--aligners", type=Path, required=True, help="folder of the trained aligners, by corpus")
    parser.add_argument("--alignments", type=Path, required=True, help="folder to write auto.jsonl and old.jsonl into")
    args = parser.parse_args()
    config = load_params(f"corpus.{args.corpus}.align", auto.AutoAlignConfig)
    encoder, vectors = load_params("aligner.encoder", EncoderConfig), load_params("word_vectors", WordVectorConfig)
    parts = auto.Parts(vectors, encoder, load_params("runtime", RuntimeConfig))
    old, new = (load_params(f"alignment_system.{name}", SystemConfig) for name in (config.old_system, auto.NEW_SYSTEM))
    dev = auto.tuning_pairs(args.splits, (args.all_splits or args.splits.parent) / config.aligner)
    aligner = auto.TrainedAligner(new, parts, args.aligners / config.aligner)
    files = [args.splits / f"{split}.jsonl" for split in config.splits]
    auto.align_corpus(auto.LexicalSystem(old, parts, dev), files, args.alignments / "old.jsonl")
    auto.align_corpus(aligner, files, args.alignments / "auto.jsonl")


if __name__ == "__main__":
    main()
