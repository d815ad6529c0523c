"""Stage evaluate_paragraphs: paragraph aligners against the gold paragraphs of one corpus."""

import argparse
from pathlib import Path

from textsimp.alignment.auto import tuning_pairs
from textsimp.alignment.neural.checkpoint import load_aligner
from textsimp.alignment.neural.config import EncoderConfig, RuntimeConfig
from textsimp.alignment.paragraph_evaluation import documents_of, evaluate_paragraphs, fitted_systems, gold_sets
from textsimp.alignment.resources import Resources
from textsimp.alignment.system_config import SystemConfig
from textsimp.alignment.vectors import WordVectorConfig
from textsimp.errors import exit_on_bad_input
from textsimp.metrics.alignment_significance import SignificanceConfig
from textsimp.params import load_params, select, select_list
from textsimp.sources.paragraph_gold import ParagraphGoldConfig, read_paragraph_gold
from textsimp.textfiles import write_json


@exit_on_bad_input
def main() -> None:
    """Evaluate the paragraph aligners on the corpus that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.evaluate_paragraphs", description=__doc__)
    parser.add_argument("corpus", help="a name under `corpus` in params.yaml")
    for name, what in (("raw", "acquired files"), ("all-splits", "splits"), ("aligners", "trained aligners")):
        parser.add_argument(f"--{name}", type=Path, required=True, help=f"folder of {what}")
    parser.add_argument("--metrics", type=Path, required=True, help="JSON file to write")
    args = parser.parse_args()
    corpus, draws = f"corpus.{args.corpus}", load_params("significance", SignificanceConfig).resampling
    found = read_paragraph_gold(args.raw, args.corpus, load_params(f"{corpus}.paragraphs", ParagraphGoldConfig))
    gold, used = gold_sets(found), select(f"{corpus}.align.aligner")
    encoder, runtime = load_params("aligner.encoder", EncoderConfig), load_params("runtime", RuntimeConfig)
    configs = {name: load_params(f"alignment_system.{name}", SystemConfig) for name in select_list("paragraph_systems")}
    resources = Resources(documents_of(gold), load_params("word_vectors", WordVectorConfig), encoder, runtime)
    systems = fitted_systems(configs, resources, tuning_pairs(args.all_splits / used))
    write_json(args.metrics, evaluate_paragraphs(gold, load_aligner(args.aligners / used, runtime), systems, draws))


if __name__ == "__main__":
    main()
