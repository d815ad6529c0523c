"""Stage evaluate_alignment: all alignment systems on dev and test, with curves, intervals and examples."""

from pathlib import Path

from stages import stage
from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner import load_aligner
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import SystemConfig
from textsimp.core.params import load_params, select_list
from textsimp.core.records import read_splits
from textsimp.core.results import Resampling
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.evaluation.aligners import AlignmentOutputs, compare_systems


@stage(log="")
def main(
    *, splits: Path, model: Path, variants: Path, encoders: Path, systems: list[Path], results: Path, metrics: Path,
    headline: Path, curves: Path, articles: Path, examples: Path,
) -> None:  # fmt: skip
    """Evaluate the systems of `alignment_systems` on the splits."""
    configs = {name: load_params(f"alignment_system.{name}", SystemConfig) for name in select_list("alignment_systems")}
    pairs = read_splits(splits, ("train", "dev", "test"))
    aligner = load_aligner(model, device := load_params("runtime", Device))
    common = load_params("word_vectors", WordVectorConfig), load_params("aligner.encoder", EncoderConfig)
    cache = Cache(sum(pairs.values(), []), *common, device, aligner, variants, encoders=encoders)
    chosen = select_list("baseline_systems"), select_list("shown_systems"), load_params("resampling", Resampling)
    files = AlignmentOutputs(results, metrics, headline, curves, articles, examples)
    compare_systems(configs, pairs, cache, systems, *chosen, files)
