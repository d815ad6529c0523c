"""Stage evaluate_paragraphs: paragraph aligners against the gold paragraphs of one corpus."""

import argparse
from pathlib import Path

from stages import parse_with_results
from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner import load_aligner
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import SystemConfig
from textsimp.alignment.spec import labelled_pairs, tuning_file
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params, select, select_list
from textsimp.core.results import Resampling
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.evaluation.paragraph_aligners import documents_of, evaluate_paragraphs, fitted_systems
from textsimp.sources.onestop import ParagraphGoldConfig, read_paragraph_gold


@exit_on_bad_input
def main() -> None:
    """Evaluate the paragraph aligners on the corpus that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.evaluate_paragraphs", description=__doc__)
    parser.add_argument("corpus", help="a name under `corpus` in params.yaml")
    for name, what in (("raw", "acquired files"), ("all-splits", "splits"), ("aligners", "trained aligners")):
        parser.add_argument(f"--{name}", type=Path, required=True, help=f"folder of {what}")
    args = parse_with_results(parser)
    corpus, resampling = f"corpus.{args.corpus}", load_params("resampling", Resampling)
    gold = read_paragraph_gold(args.raw, args.corpus, load_params(f"{corpus}.paragraphs", ParagraphGoldConfig))
    used = select(f"{corpus}.align.aligner")
    encoder, device = load_params("aligner.encoder", EncoderConfig), load_params("runtime", Device)
    configs = {name: load_params(f"alignment_system.{name}", SystemConfig) for name in select_list("paragraph_systems")}
    cache = Cache(documents_of(gold), load_params("word_vectors", WordVectorConfig), encoder, device)
    systems = fitted_systems(configs, cache, labelled_pairs(tuning_file(args.all_splits / used)))
    aligner = load_aligner(args.aligners / used, device)
    evaluate_paragraphs(gold, aligner, systems, resampling).write(args.results, args.metrics, ["f1"])


if __name__ == "__main__":
    main()
