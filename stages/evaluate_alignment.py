"""Stage evaluate_alignment: P, R, F1 of every alignment system on dev and test, curves, and examples for the report."""

import argparse
from pathlib import Path

from textsimp.alignment.checkpoint import load_aligner
from textsimp.alignment.config import RuntimeConfig
from textsimp.alignment.evaluation import evaluate, fit_systems, write_curves, write_examples
from textsimp.alignment.systems import SystemConfig
from textsimp.errors import exit_on_bad_input
from textsimp.params import load_params, select_list
from textsimp.records import read_pairs
from textsimp.textfiles import write_json


@exit_on_bad_input
def main() -> None:
    """Evaluate the systems of `alignment_systems` on the corpus that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.evaluate_alignment", description=__doc__)
    parser.add_argument("corpus", help="a name under `corpus` in params.yaml")
    parser.add_argument("--splits", type=Path, required=True, help="folder of the manual splits")
    parser.add_argument("--model", type=Path, required=True, help="folder of the trained aligner")
    parser.add_argument("--metrics", type=Path, required=True, help="JSON file to write")
    parser.add_argument("--curves", type=Path, required=True, help="CSV file of precision-recall curves to write")
    parser.add_argument("--examples", type=Path, required=True, help="JSON Lines file of predicted test pairs to write")
    args = parser.parse_args()
    configs = {name: load_params(f"alignment_system.{name}", SystemConfig) for name in select_list("alignment_systems")}
    aligner = load_aligner(args.model, load_params("runtime", RuntimeConfig))
    splits = {split: list(read_pairs(args.splits / f"{split}.jsonl")) for split in ("dev", "test")}
    everything = [pair for pairs in splits.values() for pair in pairs]
    aligner.scorer.prepare(everything, "score sentence pairs")
    systems = fit_systems(configs, splits["dev"], everything, aligner)
    write_json(args.metrics, evaluate(systems, splits))
    write_curves(args.curves, systems, splits)
    shown = [name for name, config in configs.items() if config.paragraphs != "gold"][-1]
    write_examples(args.examples, splits["test"], systems[shown])


if __name__ == "__main__":
    main()
