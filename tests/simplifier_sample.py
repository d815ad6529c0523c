"""A tiny trained simplifier in a folder, and one that answers as it is told."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from editnts_cases import CONFIG

from textsimp.core.writing import write_lines
from textsimp.simplification import simplifiers
from textsimp.simplification.editnts import EditNtsConfig
from textsimp.simplification.interface import CorpusFiles, Hypothesis, ParallelFiles, Runtime, Simplifier

PAIRS = [
    ("The otter, which Dr. Brown saw, often swims near the river.", "The otter swims near the river."),
    ("Many badgers live in the old forest.", "Badgers live in the forest."),
    ("It hunts at night and sleeps by day!", "It hunts at night."),
]


def write_simplifier(folder: Path) -> None:
    """Train EditNTS for two updates into `folder / "simplifier"`."""
    from textsimp.simplification import editnts

    work = folder / "work"
    for part in ("auto/train", "auto/dev"):
        for side, name in enumerate(("complex", "simple")):
            path = work / "corpus" / f"{part}.{name}"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_lines(path, [pair[side] for pair in PAIRS])
    (work / "corpus" / "test").mkdir()
    write_lines(work / "corpus" / "test" / "x.complex", [PAIRS[0][0]])
    kind = Simplifier(EditNtsConfig, editnts.binarize, editnts.train, editnts.load)
    config = replace(CONFIG, max_updates=2, max_epochs=2, selection="loss")
    simplifiers.binarize(kind, config, simplifiers.corpus_files(work / "corpus", "auto"), work / "binary")
    model = folder / "simplifier"
    simplifiers.train(kind, config, work / "binary", model, work / "curve.csv", Runtime("cpu", 1))


def write_corpus(folder: Path, train: Sequence[tuple[str, str]], dev: Sequence[tuple[str, str]]) -> CorpusFiles:
    """Pairs to train on and for dev, whose complex side is the test set."""
    files = []
    for split, pairs in (("train", train), ("dev", dev)):
        files.append(ParallelFiles(folder / f"{split}.complex", folder / f"{split}.simple"))
        write_lines(files[-1].complex, [complex_text for complex_text, _ in pairs])
        write_lines(files[-1].simple, [simple_text for _, simple_text in pairs])
    return CorpusFiles(*files, {"test": files[1].complex})


def small_corpus(folder: Path) -> CorpusFiles:
    """Twelve pairs to train on, the same for dev, and a test set of two sentences."""
    write_lines(folder / "test.complex", [PAIRS[0][0], "An otter's hat."])
    return replace(write_corpus(folder, 4 * PAIRS, 4 * PAIRS), tests={"test": folder / "test.complex"})


def trained(simplifier: Simplifier, corpus: CorpusFiles, folder: Path, config: Any) -> Path:
    """The model that the simplifier trains; beside it, `binary` and `curve.csv`."""
    simplifiers.binarize(simplifier, config, corpus, folder / "binary")
    simplifiers.train(simplifier, config, folder / "binary", folder / "model", folder / "curve.csv", Runtime("cpu", 1))
    return folder / "model"


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
