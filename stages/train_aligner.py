"""Stage train_aligner: the neural CRF aligner of one corpus, trained on its manual annotation, or a variant of it."""

import argparse
from pathlib import Path

from textsimp.alignment.neural.aligner import load_aligner
from textsimp.alignment.neural.aligner_settings import AlignerConfig, Device
from textsimp.alignment.neural.training import train_aligner
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import load_params, select
from textsimp.core.records import read_pairs
from textsimp.core.resumable import write_curve


@exit_on_bad_input
def main() -> None:
    """Train the aligner of the corpus that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m stages.train_aligner", description=__doc__)
    parser.add_argument("corpus", help="a name under `corpus` in params.yaml")
    parser.add_argument("--splits", type=Path, required=True, help="folder of the manual splits")
    parser.add_argument("--encoders", type=Path, required=True, help="folder of the trained pair encoders")
    parser.add_argument("--variant", help="a name under `aligner_variant` in params.yaml, whose values count first")
    parser.add_argument("--scored", type=Path, help="folder of a trained aligner with the same encoder")
    parser.add_argument("--model", type=Path, required=True, help="folder to write")
    parser.add_argument("--curve", type=Path, required=True, help="CSV file to write: part,step,loss,dev_f1")
    args = parser.parse_args()
    algorithm, encoder = (select(f"corpus.{args.corpus}.{key}") for key in ("paragraph_algorithm", "align.encoder"))
    changes = f"aligner_variant.{args.variant}" if args.variant else None
    config, device = load_params("aligner", AlignerConfig, changes=changes), load_params("runtime", Device)
    train, dev = (list(read_pairs(args.splits / f"{split}.jsonl")) for split in ("train", "dev"))
    scored = load_aligner(args.scored, device).scorer if args.scored else None
    aligner, curve = train_aligner(train, dev, algorithm, args.encoders / encoder, config, device, scored)
    aligner.save(args.model)
    write_curve(args.curve, curve)


if __name__ == "__main__":
    main()
