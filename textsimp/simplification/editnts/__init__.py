"""EditNTS (Dong et al. 2019): a neural programmer-interpreter that simplifies by explicit edits, in our own code.

Offers what `textsimp.simplification.interface` asks of a simplifier. torch is imported when training or generation
begins, not before.
"""

from pathlib import Path

from textsimp.simplification.editnts.config import EditNtsConfig
from textsimp.simplification.interface import CorpusFiles, Epoch, Runtime

__all__ = ["EditNtsConfig", "binarize", "generate", "train"]


def binarize(corpus: CorpusFiles, folder: Path, config: EditNtsConfig) -> None:
    """Write vocabulary, edit programs and test sentences into an empty folder."""
    from textsimp.simplification.editnts import examples

    examples.binarize(corpus, folder, config)


def train(binary: Path, model: Path, partial: Path, config: EditNtsConfig, runtime: Runtime) -> list[Epoch]:
    """Train on a binarized corpus, write the best model, return the curve; `partial` lets a killed run continue."""
    from textsimp.simplification.editnts import training

    return training.train(binary, model, partial, config, runtime)


def generate(binary: Path, model: Path, config: EditNtsConfig, runtime: Runtime) -> dict[str, list[str]]:
    """The simplified sentences of every test set of the binarized corpus, in order."""
    from textsimp.simplification.editnts import generation

    return generation.generate(binary, model, config, runtime)
