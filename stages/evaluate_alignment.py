"""Stage evaluate_alignment: all alignment systems on dev and test, with curves, intervals and examples."""

import argparse
from pathlib import Path

from textsimp.alignment.comparison import Outputs, compare_systems
from textsimp.alignment.neural.checkpoint import load_aligner
from textsimp.alignment.neural.config import EncoderConfig, RuntimeConfig
from textsimp.alignment.resources import Resources
from textsimp.alignment.system_config import SystemConfig
from textsimp.alignment.vectors import WordVectorConfig
from textsimp.errors import exit_on_bad_input
from textsimp.metrics.alignment_significance import SignificanceConfig
from textsimp.params import load_params, select_list
from textsimp.records import read_pairs


@exit_on_bad_input
def main() -> None:
    """Evaluate the systems of `alignment_systems` on the splits that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.evaluate_alignment", description=__doc__)
    parser.add_argument("--splits", type=Path, required=True, help="folder of the manual splits")
    for name, what in {"model": "aligner", "variants": "aligner's variants", "systems": "trained systems"}.items():
        parser.add_argument(f"--{name}", type=Path, required=True, help=f"folder of the {what}")
    for name in ("metrics", "details", "curves", "examples"):
        parser.add_argument(f"--{name}", type=Path, required=True, help=f"file of {name} to write")
    args = parser.parse_args()
    configs = {name: load_params(f"alignment_system.{name}", SystemConfig) for name in select_list("alignment_systems")}
    splits = {split: list(read_pairs(args.splits / f"{split}.jsonl")) for split in ("train", "dev", "test")}
    aligner = load_aligner(args.model, runtime := load_params("runtime", RuntimeConfig))
    aligner.scorer.prepare([*splits["dev"], *splits["test"]], "score sentence pairs")
    vectors, encoder = load_params("word_vectors", WordVectorConfig), load_params("aligner.encoder", EncoderConfig)
    outputs = Outputs(args.metrics, args.details, args.curves, args.examples)
    resources = Resources(sum(splits.values(), []), vectors, encoder, runtime, aligner, args.variants)
    shown, significance = select_list("shown_systems"), load_params("significance", SignificanceConfig)
    compare_systems(configs, splits, resources, args.systems, significance, shown, outputs)


if __name__ == "__main__":
    main()
