"""Aligners on a user's own documents, outside the pipeline (F2)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from textsimp.alignment.neural.checkpoint import load_aligner, save_aligner
from textsimp.alignment.neural.config import AlignerConfig, RuntimeConfig
from textsimp.alignment.neural.training import train_aligner, train_encoder
from textsimp.alignment.resources import Resources
from textsimp.alignment.saved_systems import is_saved_system, load_system, save_system
from textsimp.alignment.shared import SharedSimilarities
from textsimp.alignment.similarity.base import Trained
from textsimp.alignment.system_config import CRF, SystemConfig
from textsimp.alignment.systems import System, make_system
from textsimp.alignment.vectors import WordVectorConfig
from textsimp.errors import InputError
from textsimp.params import from_conf, names_from_conf
from textsimp.records import DocumentPair, read_pairs
from textsimp.textfiles import partial_folder


@dataclass(frozen=True)
class Given:
    """What a user gives to make a system ready.

    model: folder of a trained aligner or of a saved system.
    train, dev: labelled document pairs to learn from, and to tune thresholds on.
    vectors: a file of word vectors.
    save: folder to keep the fitted system in.
    kind: `newsela` or `wiki`: which paragraph algorithm an aligner that is trained here gets.
    """

    model: Path | None = None
    train: Path | None = None
    dev: Path | None = None
    vectors: Path | None = None
    save: Path | None = None
    kind: str = "newsela"


def system_names() -> list[str]:
    """The alignment systems of conf/alignment_system."""
    return names_from_conf("alignment_system")


def load_system_config(name: str) -> SystemConfig:
    """The parts of a named system; `InputError` lists the names where there is none."""
    if name not in system_names():
        raise InputError(f"--system: no alignment system {name!r}; known: {', '.join(system_names())}")
    return from_conf(f"alignment_system.{name}", SystemConfig)


def labelled_pairs(path: Path) -> list[DocumentPair]:
    """Document pairs that all have gold alignments; `InputError` names the first that has none."""
    pairs = list(read_pairs(path))
    for pair in pairs:
        if pair.alignments is None:
            raise InputError(f"{path}: document pair {pair.id!r} has no 'alignments'; give a labelled file")
    if not pairs:
        raise InputError(f"{path}: holds no document pairs; see docs/formats.md")
    return pairs


def ready_system(name: str, given: Given, pairs: Sequence[DocumentPair]) -> System:
    """A system with everything it needs to align `pairs`.

    Raises:
        InputError: the system is unknown, or needs a model, train or dev pairs that are not given.
    """
    config = load_system_config(name)
    train, dev = (labelled_pairs(path) if path else [] for path in (given.train, given.dev))
    resources = _resources([*train, *dev, *pairs], given)
    if config.needs_aligner:
        resources = replace(resources, aligner=_aligner(name, given, train, dev))
    shared = SharedSimilarities(resources)
    if given.model and is_saved_system(given.model):
        return load_system(given.model, shared, config)
    system = make_system(config, shared)
    _check_fit(name, config, shared, given)
    system.fit(train, dev)
    if given.save and config.strategy.name != CRF:
        save_system(system, given.save)
    return system


def _check_fit(name: str, config: SystemConfig, shared: SharedSimilarities, given: Given) -> None:
    tunes = "as_precise_as" in config.strategy.options if config.strategy.name == CRF else config.threshold is None
    if tunes and given.dev is None:
        raise InputError(
            f"--dev: {name} needs labelled document pairs to tune its thresholds; give a file of them, or a saved "
            "system with --model"
        )
    if (
        config.strategy.name != CRF
        and isinstance(shared.get(config.similarity).similarity, Trained)
        and given.train is None
    ):
        raise InputError(
            f"--train: {name} learns from labelled document pairs; give a file of them, or a saved system with --model"
        )


def _resources(pairs: Sequence[DocumentPair], given: Given) -> Resources:
    vectors = from_conf("word_vectors", WordVectorConfig)
    if given.vectors:
        vectors = replace(vectors, file=str(given.vectors))
    encoder = from_conf("aligner", AlignerConfig).encoder
    return Resources(pairs, vectors, encoder, from_conf("runtime", RuntimeConfig))


def _aligner(name: str, given: Given, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]):
    runtime = from_conf("runtime", RuntimeConfig)
    if given.model is not None and not is_saved_system(given.model):
        return load_aligner(given.model, runtime)
    if not (train and dev and given.save):
        raise InputError(
            f"--model: {name} needs a trained aligner; give its folder, such as models/aligner/CORPUS, or train one "
            "with --train, --dev and --save"
        )
    config = from_conf("aligner", AlignerConfig)
    encoder_folder = given.save.with_name(f"{given.save.name}.encoder")
    encoder, _ = train_encoder(train, dev, config, runtime, partial_folder(encoder_folder))
    encoder.save(encoder_folder)
    aligner, _ = train_aligner(train, dev, given.kind, encoder_folder, config, runtime)
    save_aligner(aligner, given.save)
    return load_aligner(given.save, runtime)
