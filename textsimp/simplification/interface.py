"""What every kind of simplifier offers to the stages: binarize, train, generate.

A kind is a module (or package) with a frozen dataclass of its configuration and three functions:

    binarize(corpus: CorpusFiles, folder: Path, config) -> None
        Write into `folder` (it exists and is empty) all that training and generation need: nobody reads the
        corpus again. The same corpus and configuration give the same bytes.
    train(binary: Path, model: Path, partial: Path, config, runtime: Runtime) -> list[Epoch]
        Train on `binary` and write the model that is best on dev into `model` (it exists and is empty).
        Checkpoints from which a killed run continues go to `partial`, which the caller removes at the end.
    generate(binary: Path, model: Path, config, runtime: Runtime) -> dict[str, list[str]]
        Simplify every test set of `binary`: plain text, one output per complex sentence, in order.

The caller (`textsimp.simplification.simplifiers`) makes folders appear whole or not at all, writes the training
curve, and checks the number of outputs. A kind imports torch inside its functions or in a subprocess only, so
that the stages start fast.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core.devices import resolve_device
from textsimp.core.params import PARAMS, select

TESTS = "tests.json"
"""File of a binarized corpus, written by the caller of `binarize`: test set -> number of its sentences."""


@dataclass(frozen=True)
class ParallelFiles:
    """Two line-aligned files of plain text, one sentence per line."""

    complex: Path
    simple: Path


@dataclass(frozen=True)
class CorpusFiles:
    """The text that a simplifier is trained on and simplifies.

    `tests` maps the name of a test set to its file of complex sentences, in the order of the names.
    """

    train: ParallelFiles
    dev: ParallelFiles
    tests: Mapping[str, Path]


@dataclass(frozen=True)
class Epoch:
    """One row of a training curve; losses as the kind's training minimises them (per token, its own base)."""

    epoch: int
    train_loss: float
    valid_loss: float


@dataclass(frozen=True)
class Runtime:
    """What changes only speed: the device (`cpu`, `cuda` or `cuda:N`) and the number of torch threads."""

    device: str
    threads: int


@dataclass(frozen=True)
class Simplifier:
    """One kind of simplifier: its configuration's dataclass and the three functions described above."""

    config: type[Any]
    binarize: Callable[[CorpusFiles, Path, Any], None]
    train: Callable[[Path, Path, Path, Any, Runtime], list[Epoch]]
    generate: Callable[[Path, Path, Any, Runtime], dict[str, list[str]]]


def load_runtime(path: str | Path = PARAMS) -> Runtime:
    """The runtime section of params.yaml, as far as simplifiers need it."""
    device = resolve_device(str(select("runtime.device", path)))
    return Runtime(device, int(select("runtime.threads", path)))
