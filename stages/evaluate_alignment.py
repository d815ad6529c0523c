"""Stage evaluate_alignment: all alignment systems on dev and test, with curves, intervals and examples."""

import argparse
from pathlib import Path

from stages import parse_with_results
from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner import load_aligner
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import SystemConfig
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params, select_list
from textsimp.core.records import read_splits
from textsimp.core.results import Resampling
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.evaluation.aligners import AlignmentOutputs, compare_systems


@exit_on_bad_input
def main() -> None:
    """Evaluate the systems of `alignment_systems` on the splits that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.evaluate_alignment", description=__doc__)
    parser.add_argument("--splits", type=Path, required=True, help="folder of the manual splits")
    for name in ("model", "variants", "encoders", "headline", "curves", "articles", "examples"):
        parser.add_argument(f"--{name}", type=Path, required=True, help="folder to read, or file to write")
    parser.add_argument("--systems", type=Path, nargs="+", required=True, help="folders of the trained systems")
    args = parse_with_results(parser)
    configs = {name: load_params(f"alignment_system.{name}", SystemConfig) for name in select_list("alignment_systems")}
    splits = read_splits(args.splits, ("train", "dev", "test"))
    aligner = load_aligner(args.model, device := load_params("runtime", Device))
    common = load_params("word_vectors", WordVectorConfig), load_params("aligner.encoder", EncoderConfig)
    cache = Cache(sum(splits.values(), []), *common, device, aligner, args.variants, encoders=args.encoders)
    chosen = select_list("baseline_systems"), select_list("shown_systems"), load_params("resampling", Resampling)
    files = AlignmentOutputs(args.results, args.metrics, args.headline, args.curves, args.articles, args.examples)
    compare_systems(configs, splits, cache, args.systems, *chosen, files)


if __name__ == "__main__":
    main()
