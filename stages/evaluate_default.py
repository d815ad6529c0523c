"""Stage evaluate_default: the aligners that travel with the package, on test splits, on gold set aside, in German."""

from pathlib import Path

from stages import stage
from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.systems import load_system, saved_config
from textsimp.core.params import load_params, select_list
from textsimp.core.results import Resampling
from textsimp.core.word_vectors import WordVectorConfig
from textsimp.evaluation.aligners import HEADLINE_OF_SHIPPED, by_difficulty, evaluate_default, gold_sets
from textsimp.sources.sample import sample_pairs


@stage(log="")
def main(*, splits: Path, audit: Path, sample: Path, models: Path, results: Path, metrics: Path) -> None:
    """Evaluate `default_systems` on the annotated corpora of the experiment, and on everyday and German texts."""
    gold = gold_sets(select_list("annotated_corpora"), splits, audit)
    for language in ("english", "german"):
        gold[f"everyday {language.title()}"] = sample_pairs(sample / f"everyday/test/{language}.txt")
    gold |= by_difficulty("German", sample_pairs(sample / "german.txt"))
    common = load_params("word_vectors", WordVectorConfig), load_params("aligner.encoder", EncoderConfig)
    cache = Cache([], *common, load_params("runtime", Device))
    saved = {name: models / name for name in select_list("default_systems")}
    systems = {name: load_system(folder, cache, saved_config(folder)) for name, folder in saved.items()}
    evaluate_default(systems, gold, load_params("resampling", Resampling)).write(results, metrics, HEADLINE_OF_SHIPPED)
