"""What every kind of simplifier offers to the stages and commands: binarize, train, load.

A kind is a module with a frozen dataclass of its configuration and three functions:

    binarize(corpus: CorpusFiles, folder: Path, config) -> None
        Write into `folder` (it exists and is empty) all that training needs: nobody reads the corpus again. The same
        corpus and configuration give the same bytes.
    train(binary: Path, model: Path, partial: Path, config, runtime: Runtime) -> list[Epoch]
        Train on `binary` and write the model that is best on dev into `model` (it exists and is empty), with all that
        `load` needs beside the weights: dictionaries, tokenizer, spacing.
        Checkpoints from which a killed run continues go to `partial`, which the caller removes at the end.
    load(model: Path, runtime: Runtime) -> TrainedSimplifier
        What `train` made, from its folder alone; `stored_config(model, Config)` is the configuration that it was
        trained with, which the caller of `train` has written beside it. `InputError` where a file is damaged.

The caller (`textsimp.simplification.simplifiers`) makes folders appear whole or not at all, writes the training
curve, keeps the test sets, and sends every sentence through `load(...).simplify`. A kind imports torch inside its
functions, in a subprocess or in modules of its own (`function_of`), so that the stages start fast.
"""

import contextlib
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from textsimp.core.devices import resolve_device
from textsimp.core.errors import InputError, bad_input
from textsimp.core.params import PARAMS, select
from textsimp.core.settings import read_as, structured

# File of a model folder, written by the caller of `train`. Its keys: `binary` (digest of the binarized corpus),
# `config`, and `dev` (see `simplifiers.look_at_dev`).
RECORD = "model.json"
LLM = "llm:"  # what the name of a model that is asked begins with where a folder could stand, too
SHIPPED = Path(__file__).resolve().parent / "fitted"
REMEDY = "restore the folder, or train again"  # of a model folder with a damaged file
OUT_OF_MEMORY = "out of memory"  # what torch's message says of a GPU
Config = TypeVar("Config")


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
    """Settings that change only speed: the device (`cpu`, `cuda` or `cuda:N`) and the number of torch threads."""

    device: str
    threads: int


@dataclass(frozen=True)
class Hypothesis:
    """One simplification of a sentence: plain text, and its log probability per token of the model (natural, <= 0)."""

    text: str
    score: float


class TrainedSimplifier(Protocol):
    """A trained model in memory."""

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """Simplify plain sentences; the same sentences give the same answers, whatever stands beside them.

        Args:
            sentences: one line each, with at least one word.
            n_best: how many different simplifications at most.

        Returns:
            For each sentence, in order, 1 to `n_best` hypotheses, the best first.
        """


@dataclass(frozen=True)
class Simplifier:
    """One kind of simplifier: its configuration's dataclass and the three functions described above."""

    config: type[Any]
    binarize: Callable[[CorpusFiles, Path, Any], None]
    train: Callable[[Path, Path, Path, Any, Runtime], list[Epoch]]
    load: Callable[[Path, Runtime], TrainedSimplifier]


def function_of(module: str, name: str) -> Callable[..., Any]:
    """Return a function of a module that is imported when the function is first called."""
    return lambda *arguments: getattr(importlib.import_module(module), name)(*arguments)


def stored_config(model: Path, kind: type[Config]) -> Config:
    """Return the configuration in a model folder's record; `InputError` where there is none, or of another kind."""
    path, remedy = model / RECORD, "give the folder of a trained simplifier, or train it again"
    record = read_as(path, dict[str, Any], remedy)
    try:
        return structured(record.get("config"), kind)
    except InputError as error:
        raise bad_input(path, None, f"not the record of a simplifier of this version: {error}", remedy) from None


def shipped_folder() -> Path | None:
    """Return the folder of the simplifier that the package brings (tools/ship_simplifier.py); None without one."""
    folders = sorted(SHIPPED.iterdir()) if SHIPPED.is_dir() else ()
    return next((path for path in folders if (path / RECORD).is_file()), None)


def load_runtime(path: str | Path = PARAMS) -> Runtime:
    """Return the runtime section of params.yaml, as far as simplifiers need it."""
    device = resolve_device(str(select("runtime.device", path)))
    return Runtime(device, int(select("runtime.threads", path)))


@contextlib.contextmanager
def out_of_memory(key: str, size: int) -> Iterator[None]:
    """Say which setting to lower, and to what, where what the block computes does not fit into a GPU's memory."""
    try:
        yield
    except RuntimeError as error:
        if OUT_OF_MEMORY not in str(error):
            raise
        raise memory_fault(key, size) from None


def memory_fault(key: str, size: int) -> InputError:
    """Return the error for a batch of `size`, set by `key`, that a GPU's memory does not hold."""
    what = "the GPU's memory does not hold this model with such batches"
    return InputError(f"{what}; set {key} to {max(1, size // 2)} (it is {size})")
