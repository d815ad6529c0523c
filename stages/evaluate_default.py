"""Stage evaluate_default: the aligners that travel with the package, on test splits, on gold set aside, in German."""

import argparse
from pathlib import Path

from stages import parse_with_results
from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.systems import load_system, saved_config
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params, select_list
from textsimp.core.results import Resampling
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.evaluation.default_aligner import HEADLINE, evaluate_default, gold_sets
from textsimp.sources.sample import sample_pairs


@exit_on_bad_input
def main() -> None:
    """Evaluate `default_systems` on the annotated corpora of the experiment, and on German article pairs."""
    parser = argparse.ArgumentParser(prog="python -m stages.evaluate_default", description=__doc__)
    folders = {"splits": "the splits of all corpora", "audit": "what the stage acquire set aside"}
    folders |= {"german": "German article pairs", "models": "the trained systems"}
    for name, what in folders.items():
        parser.add_argument(f"--{name}", type=Path, required=True, help=f"folder of {what}")
    args = parse_with_results(parser)
    gold = gold_sets(select_list("annotated_corpora"), args.splits, args.audit, sample_pairs(args.german))
    common = load_params("word_vectors", WordVectorConfig), load_params("aligner.encoder", EncoderConfig)
    cache = Cache([], *common, load_params("runtime", Device))
    saved = {name: args.models / name for name in select_list("default_systems")}
    systems = {name: load_system(folder, cache, saved_config(folder)) for name, folder in saved.items()}
    results = evaluate_default(systems, gold, load_params("resampling", Resampling))
    results.write(args.results, args.metrics, HEADLINE)


if __name__ == "__main__":
    main()
