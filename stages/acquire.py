"""Stage: raw data in the formats of the real distributions, under data/raw."""

from pathlib import Path

from stages import stage
from textsimp.core.params import load_params, select_list
from textsimp.sources.acquisition import acquire, acquire_published
from textsimp.sources.config import SourceConfig, SourcesConfig


@stage()
def main(name: str, *, sample: str | None = None, raw: Path, audit: Path | None = None) -> str:
    """Acquire a corpus, or the releases of a zero-training experiment: a name of `published`."""
    sources = load_params("sources", SourcesConfig)
    if name in select_list("published"):
        return f"{name}: {acquire_published(name, sources, raw)}"
    return f"{name}: {acquire(load_params(f'corpus.{name}.source', SourceConfig), sources, sample, raw, audit)}"
