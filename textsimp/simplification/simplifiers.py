"""The simplifiers by name: what the stages binarize, train_simplifier and simplify do (section 5.2).

A simplifier is a section `simplifier.NAME` of params.yaml; its key `kind` picks the code. Folders appear whole or
not at all.
"""

import importlib
import logging
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input, check_choice
from textsimp.core.model_folder import ModelKind
from textsimp.core.params import PARAMS, load_params, select
from textsimp.core.reading import folder_digest, folder_files, is_written, read_json, read_lines
from textsimp.core.records import SIDES
from textsimp.core.writing import atomic_folder, atomic_write, partial_place, remove, write_json, write_lines
from textsimp.simplification.interface import (
    RECORD,
    CorpusFiles,
    Hypothesis,
    ParallelFiles,
    Runtime,
    Simplifier,
    TrainedSimplifier,
)

logger = logging.getLogger(__name__)
# Kind -> its module and the dataclass of its configuration.
KINDS = {
    "transformer": ("textsimp.simplification.transformer", "TransformerConfig"),
    "lstm": ("textsimp.simplification.lstm", "LstmConfig"),
    "rerank": ("textsimp.simplification.rerank", "RerankConfig"),
    "editnts": ("textsimp.simplification.editnts", "EditNtsConfig"),
    "phrase_based": ("textsimp.simplification.phrase_based", "PhraseBasedConfig"),
    "paraphrase": ("textsimp.simplification.paraphrase", "ParaphraseConfig"),
    "light_ls": ("textsimp.simplification.light_ls", "LightLsConfig"),
    "causal_lm": ("textsimp.simplification.language_model", "CausalLmConfig"),
    "prompted": ("textsimp.simplification.prompted", "PromptedConfig"),
}
MODEL = ModelKind("simplifier", RECORD)
# Of a binarized corpus: a file with its first so many different dev sentences, and the folder with the complex
# sentences of each test set X as X.txt.
DEV_SAMPLE, LOOKED_AT, TESTS = "dev.sample.txt", 50, "tests"
COLLAPSED = 50  # fewer percent of distinct outputs than this are of a model that has learnt to say one thing


def load_simplifier(name: str, path: str | Path = PARAMS) -> tuple[Simplifier, Any]:
    """Return the code and the checked configuration of the simplifier `name` in params.yaml."""
    kind = str(select(f"simplifier.{name}.kind", path))
    check_choice(f"{path}: simplifier.{name}.kind:", kind, KINDS)
    simplifier = simplifier_of(kind)
    return simplifier, load_params(f"simplifier.{name}", simplifier.config, path)


def simplifier_of(kind: str) -> Simplifier:
    """Return the code of one of `KINDS`."""
    module_name, config_name = KINDS[kind]
    module = importlib.import_module(module_name)
    return Simplifier(getattr(module, config_name), module.binarize, module.train, module.load)


def corpus_files(folder: Path, training_set: str) -> CorpusFiles:
    """Return the files of a corpus folder: TRAINING_SET/{train,dev}.{complex,simple} and test/X.complex."""
    files = folder_files(folder / "test", "*.complex", "build the corpus first")
    tests = {path.name.removesuffix(".complex"): path for path in files}
    if not tests:
        raise bad_input(folder / "test", None, "no test set (X.complex)", "build the corpus first")
    train, dev = (
        ParallelFiles(*(folder / training_set / f"{split}.{side}" for side in SIDES)) for split in ("train", "dev")
    )
    return CorpusFiles(train, dev, tests)


def binarize(simplifier: Simplifier, config: Any, corpus: CorpusFiles, binary: Path) -> None:
    """Make the folder `binary`, from which the simplifier is trained, with the test sets that it will simplify."""
    with atomic_folder(binary, f"{TESTS}/*.txt") as folder:
        simplifier.binarize(corpus, folder, config)
        for name, path in corpus.tests.items():
            write_lines(folder / TESTS / f"{name}.txt", read_lines(path))
        sentences = dict.fromkeys(filter(str.split, read_lines(corpus.dev.complex)))
        write_lines(folder / DEV_SAMPLE, islice(sentences, LOOKED_AT))


def train(simplifier: Simplifier, config: Any, binary: Path, model: Path, curve: Path, runtime: Runtime) -> None:
    """Make the folder `model` and the training curve (CSV: epoch,train_loss,valid_loss).

    A killed run leaves its checkpoints in the hidden folder `.NAME.partial` beside `model`: DVC deletes outputs
    before it runs a stage, so they cannot lie inside. They are used again only for the same data and configuration,
    and removed at the end.
    """
    _wait_quietly()
    record = {"binary": folder_digest(binary, "run the stage binarize first"), "config": asdict(config)}
    partial = partial_place(model)
    if not is_written(partial / "key.json", record):
        remove(partial)
        write_json(partial / "key.json", record)
    with MODEL.written(model) as folder:
        epochs = simplifier.train(binary, folder, partial, config, runtime)
        write_json(folder / RECORD, record)  # which loading needs
        record["dev"] = look_at_dev(_OfLines(simplifier.load(folder, runtime)), read_lines(binary / DEV_SAMPLE))
        write_json(folder / RECORD, record)
    with atomic_write(curve) as file:
        file.write("epoch,train_loss,valid_loss\n")
        file.writelines(f"{row.epoch},{row.train_loss!r},{row.valid_loss!r}\n" for row in epochs)
    remove(partial)


def look_at_dev(simplifier: TrainedSimplifier, sentences: Sequence[str]) -> dict[str, float]:
    """Return the number of dev `sentences`, which are distinct, and how many percent of the outputs are `distinct`.

    Warns where the model has learnt to say one thing.
    """
    share = 100 * len({row[0].text for row in simplifier.simplify(sentences)}) / len(sentences)
    if share < COLLAPSED:
        what = "the simplifier has collapsed: %.0f%% distinct outputs for %d dev sentences; %s"
        logger.warning(what, share, len(sentences), "train it longer or on more data")
    return {"sentences": len(sentences), "distinct": share}


def load_simplifier_folder(
    model: Path, runtime: Runtime, strength: str | None = None, caution: float | None = None
) -> TrainedSimplifier:
    """Return the trained simplifier of a folder, of whatever kind; it takes empty and repeated lines too.

    Args:
        strength: how far it goes, by a name of its configuration; caution: how sure it has to be, from 0 to 1. Both
            are for kinds that have them.

    Raises:
        InputError: no folder of a simplifier, a file that was changed or cut short, a kind that is not known, or one
            without strength and caution where they are given.
    """
    _wait_quietly()
    MODEL.check(model)
    record = read_json(model / RECORD)
    kind = record.get("config", {}).get("kind") if isinstance(record, dict) else None
    if kind not in KINDS:
        raise bad_input(model / RECORD, None, f"a simplifier of no known kind ({kind!r})", MODEL.remedy)
    try:
        loaded: Any = simplifier_of(kind).load(model, runtime)
    except InputError:
        raise
    except (AttributeError, LookupError, RuntimeError, TypeError, ValueError) as error:
        what = f"its files do not fit each other ({type(error).__name__}: {error})"
        raise bad_input(model, None, what, MODEL.remedy) from error
    if (strength, caution) != (None, None):
        if not hasattr(loaded, "controlled"):
            raise InputError(f"{model}: a simplifier of kind {kind} has no strength and no caution; leave them out")
        loaded = loaded.controlled(strength, caution)
    return _OfLines(loaded)


@dataclass(frozen=True)
class _OfLines:
    """A simplifier for lines as files have them: empty ones stay empty, equal ones are simplified once."""

    inner: TrainedSimplifier

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        if n_best < 1:
            raise InputError(f"n_best: {n_best} is below 1")
        texts = [" ".join(sentence.split()) for sentence in sentences]
        distinct = list(dict.fromkeys(filter(None, texts)))
        answers = dict(zip(distinct, self.inner.simplify(distinct, n_best), strict=True)) if distinct else {}
        return [answers.get(text, [Hypothesis("", 0.0)]) for text in texts]


def generate(binary: Path, model: Path, output: Path, runtime: Runtime) -> None:
    """Make the folder `output` with X.txt for each test set X.

    Raises:
        InputError: the model was trained on other data than `binary`, or its folder is damaged.
    """
    MODEL.check(model)
    if read_json(model / RECORD)["binary"] != folder_digest(binary, "run the stage binarize first"):
        raise bad_input(model / RECORD, None, f"trained on other data than {binary}", "train the simplifier again")
    simplifier = load_simplifier_folder(model, runtime)
    files = folder_files(binary / TESTS, "*.txt", "run the stage binarize again")
    texts = {path.name: read_lines(path) for path in files}
    answers = iter(simplifier.simplify([sentence for lines in texts.values() for sentence in lines]))
    with atomic_folder(output, "*.txt") as folder:
        for name, lines in texts.items():
            write_lines(folder / name, [next(answers)[0].text for _ in lines])


def _wait_quietly() -> None:
    """Threads that spin while they wait slow a busy machine down many times; torch asks when it is imported."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
