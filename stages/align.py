"""Stage align: labels the articles of one corpus by the paper's aligner (auto) and by earlier ones (old, own)."""

from pathlib import Path

from stages import stage
from textsimp.alignment.documents import AutoAlignConfig, Execution, align_files
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import SystemConfig
from textsimp.alignment.spec import SystemSpec, tuning_file
from textsimp.core.params import load_params, select
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.extras.ray_executor import executor


@stage(log="")
def main(
    corpus: str, *, splits: Path, all_splits: Path | None = None, models: Path | None = None, alignments: Path
) -> None:
    """Align the corpus; the splits of all corpora are those beside its own unless they are given."""
    config = load_params(f"corpus.{corpus}.align", AutoAlignConfig)
    device, execution = load_params("runtime", Device), load_params("execution", Execution)
    dev = tuning_file(splits, (all_splits or splits.parent) / config.aligner)
    common = load_params("word_vectors", WordVectorConfig), load_params("aligner.encoder", EncoderConfig)
    old = str(select("old_system"))
    configs = {name: load_params(f"alignment_system.{name}", SystemConfig) for name in (old, *config.systems.values())}
    specs = {kind: config.spec(name, configs[name], *common, models) for kind, name in config.systems.items()}
    files = [splits / f"{split}.jsonl" for split in config.splits]
    run = executor(execution.executor, execution.workers, device.device != "cpu")
    for kind, spec in {"old": SystemSpec(old, configs[old], *common, dev=dev), **specs}.items():
        align_files(spec, files, alignments / f"{kind}.jsonl", device, execution, run)
