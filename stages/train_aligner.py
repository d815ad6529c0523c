"""Stage train_aligner: the neural CRF aligner of one corpus, trained on its manual annotation, or a variant of it."""

from pathlib import Path

from stages import stage
from textsimp.alignment.neural.aligner import load_aligner
from textsimp.alignment.neural.aligner_settings import AlignerConfig, Device
from textsimp.alignment.neural.training import train_aligner
from textsimp.core.params import load_params, select
from textsimp.core.records import read_pairs
from textsimp.core.resumable import write_curve


@stage(log="")
def main(
    corpus: str, *, splits: Path, encoders: Path, variant: str = "", scored: Path | None = None, model: Path,
    curve: Path,
) -> None:  # fmt: skip
    """Train the aligner of a corpus."""
    algorithm, encoder = (select(f"corpus.{corpus}.{key}") for key in ("paragraph_algorithm", "align.encoder"))
    changes = f"aligner_variant.{variant}" if variant else None
    config, device = load_params("aligner", AlignerConfig, changes=changes), load_params("runtime", Device)
    train, dev = (list(read_pairs(splits / f"{split}.jsonl")) for split in ("train", "dev"))
    scorer = load_aligner(scored, device).scorer if scored else None
    aligner, trained = train_aligner(train, dev, algorithm, encoders / encoder, config, device, scorer)
    aligner.save(model)
    write_curve(curve, trained)
