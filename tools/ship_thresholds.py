"""Fits the thresholds of aligners that learn nothing else, for texts of a user who has no labelled ones.

    python tools/ship_thresholds.py

As the pipeline does, on the dev splits of the annotated sample corpora, here both together; words are counted in all
their splits. Word vectors and the encoder are those of the package. Some minutes.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from textsimp.alignment.cache import Cache  # noqa: E402
from textsimp.alignment.fitted import THRESHOLDS  # noqa: E402
from textsimp.alignment.neural.aligner_settings import AlignerConfig, Device  # noqa: E402
from textsimp.alignment.parts import FROZEN, SystemConfig  # noqa: E402
from textsimp.alignment.similarity.similarity import TrainedSimilarity  # noqa: E402
from textsimp.alignment.spec import load_system_config, system_names  # noqa: E402
from textsimp.alignment.systems import ComposedSystem  # noqa: E402
from textsimp.core.errors import exit_on_bad_input  # noqa: E402
from textsimp.core.params import from_conf  # noqa: E402
from textsimp.core.records import DocumentPair, read_splits, unlabelled  # noqa: E402
from textsimp.core.word_vectors import WordVectorConfig  # noqa: E402
from textsimp.core.writing import write_json  # noqa: E402
from textsimp.sources.acquisition import acquire, load_splits  # noqa: E402
from textsimp.sources.config import SourceConfig, SourcesConfig  # noqa: E402

CORPORA = ("sample_news", "sample_wiki")
SOURCE = "dev splits of data/sample (sample_news and sample_wiki), invented English; tools/ship_thresholds.py"


def sample_splits() -> dict[str, list[DocumentPair]]:
    """Return the annotated document pairs of both corpora by split, as the pipeline divides them."""
    splits: dict[str, list[DocumentPair]] = {"train": [], "dev": [], "test": []}
    for corpus in CORPORA:
        with TemporaryDirectory() as name:
            config, folder = from_conf(f"corpus.{corpus}.source", SourceConfig), Path(name)
            sources = from_conf("sources", SourcesConfig)
            acquire(config, sources, str(ROOT / "data" / "sample"), folder / "raw", folder / "audit.jsonl")
            load_splits(folder / "raw", folder / "splits", config)
            for split, pairs in read_splits(folder / "splits", splits).items():
                splits[split] += pairs
    return splits


def fits_alone(config: SystemConfig) -> bool:
    """Return whether a system has a threshold to fit, and needs no training and no trained aligner."""
    has_threshold = config.threshold is None or bool(config.tuned)
    return has_threshold and config.strategy.name != FROZEN and not config.needs_aligner


@exit_on_bad_input
def main() -> None:
    """Fit and write."""
    splits = sample_splits()
    labelled = [pair for pairs in splits.values() for pair in pairs]
    settings = from_conf("word_vectors", WordVectorConfig), from_conf("aligner", AlignerConfig).encoder
    cache, chosen = Cache(unlabelled(labelled), *settings, Device.of_command()), {}
    for name in system_names():
        if not fits_alone(config := load_system_config(name)):
            continue
        system = ComposedSystem(config, cache)
        if any(isinstance(variant.similarity, TrainedSimilarity) for variant in system.variants):
            continue
        system.fit([], splits["dev"])
        chosen[name] = system.state()
        print(name, chosen[name], flush=True)
    write_json(THRESHOLDS, {"source": SOURCE, "chosen": chosen})


if __name__ == "__main__":
    main()
