"""Stage train_aligner: the neural CRF aligner of one corpus, trained on its manual annotation and chosen on dev."""

import argparse
from pathlib import Path

from textsimp.alignment.checkpoint import save_aligner
from textsimp.alignment.config import AlignerConfig, RuntimeConfig
from textsimp.alignment.training import train_aligner, write_curve
from textsimp.errors import exit_on_bad_input
from textsimp.params import load_params, select
from textsimp.records import read_pairs


@exit_on_bad_input
def main() -> None:
    """Train the aligner of the corpus that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.train_aligner", description=__doc__)
    parser.add_argument("corpus", help="a name under `corpus` in params.yaml")
    parser.add_argument("--splits", type=Path, required=True, help="folder of the manual splits")
    parser.add_argument("--encoders", type=Path, required=True, help="folder of the trained pair encoders")
    parser.add_argument("--model", type=Path, required=True, help="folder to write")
    parser.add_argument("--curve", type=Path, required=True, help="CSV file to write: part,step,loss,dev_f1")
    args = parser.parse_args()
    kind, encoder = (select(f"corpus.{args.corpus}.{key}") for key in ("source.kind", "align.encoder"))
    config, runtime = load_params("aligner", AlignerConfig), load_params("runtime", RuntimeConfig)
    train, dev = (list(read_pairs(args.splits / f"{split}.jsonl")) for split in ("train", "dev"))
    aligner, curve = train_aligner(train, dev, kind, args.encoders / encoder, config, runtime)
    save_aligner(aligner, args.model)
    write_curve(args.curve, curve)


if __name__ == "__main__":
    main()
