"""Stage: document pairs for train, dev, test and the unlabelled articles, under data/splits."""

from pathlib import Path

from stages import stage
from textsimp.core.params import load_params
from textsimp.sources.acquisition import load_splits
from textsimp.sources.config import SourceConfig


@stage()
def main(corpus: str, *, raw: Path, out: Path) -> str:
    """Split one corpus by article set."""
    return f"{corpus}: {load_splits(raw, out, load_params(f'corpus.{corpus}.source', SourceConfig))}"
