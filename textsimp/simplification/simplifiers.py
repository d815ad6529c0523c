"""The simplifiers by name: what the stages binarize, train_simplifier and simplify do (section 5.2).

A simplifier is a section `simplifier.NAME` of params.yaml; its key `kind` picks the code. Folders appear whole or
not at all.
"""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input
from textsimp.core.model_folder import ModelKind
from textsimp.core.params import PARAMS, load_params, select
from textsimp.core.reading import folder_digest, folder_files, is_written, read_json, read_lines
from textsimp.core.writing import atomic_folder, atomic_write, partial_folder, remove, write_json, write_lines
from textsimp.simplification.interface import TESTS, CorpusFiles, ParallelFiles, Runtime, Simplifier

KINDS = {
    "transformer": ("textsimp.simplification.transformer", "TransformerConfig"),
    "lstm": ("textsimp.simplification.lstm", "LstmConfig"),
    "editnts": ("textsimp.simplification.editnts", "EditNtsConfig"),
}
"""Kind -> its module and the dataclass of its configuration."""
RECORD = "model.json"
MODEL = ModelKind("simplifier", RECORD)


def load_simplifier(name: str, path: str | Path = PARAMS) -> tuple[Simplifier, Any]:
    """The code and the checked configuration of the simplifier `name` in params.yaml."""
    kind = str(select(f"simplifier.{name}.kind", path))
    if kind not in KINDS:
        raise InputError(f"{path}: simplifier.{name}.kind: {kind!r} is none of {', '.join(KINDS)}")
    module_name, config_name = KINDS[kind]
    module = importlib.import_module(module_name)
    config = getattr(module, config_name)
    simplifier = Simplifier(config, module.binarize, module.train, module.generate)
    return simplifier, load_params(f"simplifier.{name}", config, path)


def corpus_files(folder: Path, training_set: str) -> CorpusFiles:
    """The files of a corpus folder: TRAINING_SET/{train,dev}.{complex,simple} and test/X.complex."""
    files = folder_files(folder / "test", "*.complex", "build the corpus first")
    tests = {path.name.removesuffix(".complex"): path for path in files}
    if not tests:
        raise bad_input(folder / "test", None, "no test set (X.complex)", "build the corpus first")
    splits = {
        split: ParallelFiles(folder / training_set / f"{split}.complex", folder / training_set / f"{split}.simple")
        for split in ("train", "dev")
    }
    return CorpusFiles(splits["train"], splits["dev"], tests)


def binarize(simplifier: Simplifier, config: Any, corpus: CorpusFiles, binary: Path) -> None:
    """Make the folder `binary`, from which the simplifier is trained and generates."""
    with atomic_folder(binary, TESTS) as folder:
        simplifier.binarize(corpus, folder, config)
        write_json(folder / TESTS, {name: len(read_lines(path)) for name, path in corpus.tests.items()})


def train(simplifier: Simplifier, config: Any, binary: Path, model: Path, curve: Path, runtime: Runtime) -> None:
    """Make the folder `model` and the training curve (CSV: epoch,train_loss,valid_loss).

    A killed run leaves its checkpoints in the hidden folder `.NAME.partial` beside `model`: DVC deletes outputs
    before it runs a stage, so they cannot lie inside. They are used again only for the same data and configuration,
    and removed at the end.
    """
    record = {"binary": folder_digest(binary, "run the stage binarize first"), "config": asdict(config)}
    partial = partial_folder(model)
    _prepare_partial(partial, record)
    with MODEL.written(model) as folder:
        epochs = simplifier.train(binary, folder, partial, config, runtime)
        write_json(folder / RECORD, record)
    with atomic_write(curve) as file:
        file.write("epoch,train_loss,valid_loss\n")
        file.writelines(f"{row.epoch},{row.train_loss!r},{row.valid_loss!r}\n" for row in epochs)
    remove(partial)


def generate(simplifier: Simplifier, config: Any, binary: Path, model: Path, output: Path, runtime: Runtime) -> None:
    """Make the folder `output` with X.txt for each test set X.

    Raises:
        InputError: the model was trained on other data than `binary`, or the outputs are too many or too few.
    """
    MODEL.check(model)
    if read_json(model / RECORD)["binary"] != folder_digest(binary, "run the stage binarize first"):
        raise bad_input(model / RECORD, None, f"trained on other data than {binary}", "train the simplifier again")
    outputs = simplifier.generate(binary, model, config, runtime)
    _check_outputs(outputs, binary)
    with atomic_folder(output, "*.txt") as folder:
        for name, sentences in outputs.items():
            write_lines(folder / f"{name}.txt", [" ".join(sentence.split()) for sentence in sentences])


def _check_outputs(outputs: Mapping[str, Sequence[str]], binary: Path) -> None:
    for name, size in read_json(binary / TESTS).items():
        if len(outputs.get(name, ())) != size:
            what = f"{len(outputs.get(name, ()))} outputs for the {size} sentences of test set {name!r}"
            raise bad_input(binary / TESTS, None, what, "run the stage simplify again")


def _prepare_partial(partial: Path, record: dict[str, Any]) -> None:
    """Keep what a killed run of the same training left, discard anything else."""
    path = partial / "key.json"
    if is_written(path, record):
        return
    remove(partial)
    write_json(path, record)
