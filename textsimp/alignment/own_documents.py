"""Aligners on a user's own documents, outside the pipeline (F2)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from textsimp.alignment.aligner import Aligner
from textsimp.alignment.checkpoint import load_aligner
from textsimp.alignment.config import RuntimeConfig
from textsimp.alignment.systems import System, SystemConfig, make_system
from textsimp.errors import InputError
from textsimp.metrics.alignment import alignment_scores
from textsimp.params import CONF, structured
from textsimp.records import DocumentPair, read_pairs
from textsimp.textfiles import read_text

_SYSTEMS = CONF / "alignment_system"
_RUNTIME = CONF / "runtime" / "default.yaml"


def system_names() -> list[str]:
    """The alignment systems of conf/alignment_system."""
    return sorted(path.stem for path in _SYSTEMS.glob("*.yaml"))


def load_system_config(name: str) -> SystemConfig:
    """The parts of a named system; `InputError` lists the names where there is none."""
    if name not in system_names():
        raise InputError(f"--system: no alignment system {name!r}; known: {', '.join(system_names())}")
    return _load(_SYSTEMS / f"{name}.yaml", SystemConfig)


def load_runtime() -> RuntimeConfig:
    """Device, threads and batch sizes as conf/runtime gives them."""
    return _load(_RUNTIME, RuntimeConfig)


def labelled_pairs(path: Path) -> list[DocumentPair]:
    """Document pairs that all have gold alignments; `InputError` names the first that has none."""
    pairs = list(read_pairs(path))
    for pair in pairs:
        if pair.alignments is None:
            raise InputError(f"{path}: document pair {pair.id!r} has no 'alignments'; give a labelled file")
    if not pairs:
        raise InputError(f"{path}: holds no document pairs; see docs/formats.md")
    return pairs


def ready_system(name: str, model: Path | None, dev: Path | None, pairs: Sequence[DocumentPair]) -> System:
    """A system with everything it needs to align `pairs`.

    Args:
        model: folder of a trained aligner, for the neural systems.
        dev: labelled document pairs on which the thresholds of the others are tuned.

    Raises:
        InputError: the system is unknown, or needs a model or dev pairs that are not given.
    """
    config = load_system_config(name)
    if config.needs_aligner and model is None:
        raise InputError(f"--model: {name} needs a trained aligner; give its folder, such as models/aligner/CORPUS")
    aligner: Aligner | None = load_aligner(model, load_runtime()) if config.needs_aligner else None
    system = make_system(config, pairs, aligner)
    if config.strategy != "crf":
        if dev is None:
            raise InputError(f"--dev: {name} needs labelled document pairs to tune its thresholds; give a file of them")
        system.fit(labelled_pairs(dev))
    return system


def evaluate_file(gold: Path, system: str, model: Path | None, dev: Path | None) -> dict[str, Any]:
    """What `textsimp evaluate-alignment` prints: `alignment_scores` with the system's name."""
    pairs = labelled_pairs(gold)
    ready = ready_system(system, model, dev, pairs)
    return {"system": system, **alignment_scores((pair, ready.align(pair)) for pair in pairs)}


def _load(path: Path, kind: type) -> Any:
    try:
        return structured(OmegaConf.create(read_text(path)), kind)
    except OmegaConfBaseException as error:
        raise InputError(f"{path}: {' '.join(str(error).split())}; restore the file") from None
