"""Stage align: labels the articles of one corpus by the paper's aligner (auto) and by earlier ones (old, own)."""

import argparse
from pathlib import Path

from textsimp.alignment.documents import AutoAlignConfig, Execution, align_files
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import SystemConfig
from textsimp.alignment.spec import SystemSpec, tuning_file
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params, select
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.extras.ray_executor import executor


@exit_on_bad_input
def main() -> None:
    """Align the corpus that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.align", description=__doc__)
    parser.add_argument("corpus", help="a name under `corpus` in params.yaml")
    parser.add_argument("--splits", type=Path, required=True, help="folder of the corpus's splits")
    parser.add_argument("--all-splits", type=Path, help="folder of all corpora's splits; that above --splits if absent")
    parser.add_argument("--models", type=Path, help="folder of the trained aligners and their variants, if one is used")
    parser.add_argument("--alignments", type=Path, required=True, help="folder of auto.jsonl, old.jsonl, own.jsonl")
    args = parser.parse_args()
    config = load_params(f"corpus.{args.corpus}.align", AutoAlignConfig)
    device, execution = load_params("runtime", Device), load_params("execution", Execution)
    dev = tuning_file(args.splits, (args.all_splits or args.splits.parent) / config.aligner)
    common = load_params("word_vectors", WordVectorConfig), load_params("aligner.encoder", EncoderConfig)
    old = str(select("old_system"))
    configs = {name: load_params(f"alignment_system.{name}", SystemConfig) for name in (old, *config.systems.values())}
    specs = {kind: config.spec(name, configs[name], *common, args.models) for kind, name in config.systems.items()}
    files = [args.splits / f"{split}.jsonl" for split in config.splits]
    run = executor(execution.executor, execution.workers, device.device != "cpu")
    for kind, spec in {"old": SystemSpec(old, configs[old], *common, dev=dev), **specs}.items():
        align_files(spec, files, args.alignments / f"{kind}.jsonl", device, execution, run)


if __name__ == "__main__":
    main()
