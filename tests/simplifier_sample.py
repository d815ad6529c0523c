"""A tiny trained simplifier in a folder, and one that answers as it is told."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textsimp.core.params import from_conf
from textsimp.core.writing import write_lines
from textsimp.simplification import simplifiers
from textsimp.simplification.editnts import EditNtsConfig
from textsimp.simplification.interface import CorpusFiles, Hypothesis, ParallelFiles, Runtime, Simplifier

Pairs = Sequence[tuple[str, str]]
CPU = Runtime("cpu", 1)
PAIRS = [
    ("The otter, which Dr. Brown saw, often swims near the river.", "The otter swims near the river."),
    ("Many badgers live in the old forest.", "Badgers live in the forest."),
    ("It hunts at night and sleeps by day!", "It hunts at night."),
]


def editnts_config(**changes: Any) -> EditNtsConfig:
    """A small EditNTS that learns pairs by heart."""
    sizes: dict[str, Any] = {"embedding_size": 24, "tag_size": 4, "hidden_size": 24, "seed": 3}
    words = {"min_frequency": 1, "min_add_frequency": 1, "max_words": 1000, "max_length": 40, "max_added_run": 4}
    training = {"dropout": 0.1, "learning_rate": 0.01, "weight_decay": 0.0, "add_weight": 1.0}
    training |= {"batch_size": 4, "max_updates": 1000, "max_epochs": 3}
    return replace(from_conf("simplifier.editnts", EditNtsConfig), **(sizes | words | training | changes))


def write_simplifier(folder: Path) -> None:
    """Train EditNTS for two updates into `folder / "simplifier"`."""
    config = editnts_config(max_updates=2, max_epochs=2, selection="loss")
    learnt("editnts", folder / "work", PAIRS, PAIRS, config).rename(folder / "simplifier")


def write_corpus(folder: Path, train: Pairs, dev: Pairs) -> CorpusFiles:
    """Pairs to train on and for dev, whose complex side is the test set."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for split, pairs in (("train", train), ("dev", dev)):
        files.append(ParallelFiles(folder / f"{split}.complex", folder / f"{split}.simple"))
        write_lines(files[-1].complex, [complex_text for complex_text, _ in pairs])
        write_lines(files[-1].simple, [simple_text for _, simple_text in pairs])
    return CorpusFiles(*files, {"test": files[1].complex})


def small_corpus(folder: Path) -> CorpusFiles:
    """Twelve pairs to train on, the same for dev, and a test set of two sentences."""
    corpus = write_corpus(folder, 4 * PAIRS, 4 * PAIRS)
    write_lines(folder / "test.complex", [PAIRS[0][0], "An otter's hat."])
    return replace(corpus, tests={"test": folder / "test.complex"})


def trained(simplifier: Simplifier, corpus: CorpusFiles, folder: Path, config: Any) -> Path:
    """The model that the simplifier trains; beside it, `binary` and `curve.csv`."""
    simplifiers.binarize(simplifier, config, corpus, folder / "binary")
    simplifiers.train(simplifier, config, folder / "binary", folder / "model", folder / "curve.csv", CPU)
    return folder / "model"


def learnt(kind: str, folder: Path, train: Pairs, dev: Pairs, config: Any) -> Path:
    """The model of a kind that is trained on pairs; see `trained`."""
    return trained(simplifiers.simplifier_of(kind), write_corpus(folder, train, dev), folder, config)


def contents(folder: Path) -> dict[str, bytes]:
    """The files below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@dataclass(frozen=True)
class Told:
    """A simplifier that gives for each sentence what a function says, the best first."""

    say: Callable[[str], Sequence[str]]

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """See `TrainedSimplifier`; scores go down by one."""
        return [
            [Hypothesis(text, -float(rank)) for rank, text in enumerate(self.say(sentence)[:n_best])]
            for sentence in sentences
        ]
