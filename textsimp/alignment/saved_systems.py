"""A fitted alignment system on disk: parts, thresholds, chosen options (JSON), and what its similarity learned (F2).

A similarity that only counts words is fitted again on the documents at hand. Word vectors are not stored either:
their name is, and other vectors are refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from omegaconf.errors import OmegaConfBaseException

from textsimp.alignment.shared import SharedSimilarities
from textsimp.alignment.similarity import needs_of
from textsimp.alignment.similarity.base import Trained
from textsimp.alignment.system_config import SystemConfig
from textsimp.alignment.systems import ComposedSystem, System
from textsimp.errors import InputError
from textsimp.metrics.alignment import TASKS
from textsimp.params import structured
from textsimp.textfiles import atomic_folder, atomic_write, read_json, write_json

_FILE, _SIMILARITY = "system.json", "similarity"


def is_saved_system(folder: Path) -> bool:
    """Whether a folder holds a system that `save_system` wrote."""
    return (folder / _FILE).is_file()


def save_system(system: System, folder: Path) -> None:
    """Write a fitted system as a folder that replaces an older one only when it is complete."""
    if not isinstance(system, ComposedSystem):
        raise InputError(f"{system.config.label} is saved as a trained aligner, not as a system")
    with atomic_folder(folder) as target:
        write_json(target / _FILE, _state(system))
        for number, similarity in enumerate(_trained(system)):
            (target / f"{_SIMILARITY}.{number}").mkdir()
            similarity.save(target / f"{_SIMILARITY}.{number}")


def load_system(folder: Path, shared: SharedSimilarities, config: SystemConfig | None = None) -> ComposedSystem:
    """Read what `save_system` wrote.

    Args:
        config: what the system has to be, where that is known.

    Raises:
        InputError: the folder holds no system, another one, a damaged one, or one with other word vectors.
    """
    path = folder / _FILE
    if not path.is_file():
        raise InputError(f"{folder}: no {_FILE}; give the folder of a saved system, or fit one with --train and --dev")
    stored = read_json(path)
    system = _system(stored, shared, path)
    if config is not None and config != system.config:
        raise InputError(f"{path}: holds {system.config.label} with other parts than the configuration; fit it again")
    if stored["word_vectors"] != _vectors(system):
        raise InputError(
            f"{path}: was fitted with other word vectors ({stored['word_vectors']}, not {_vectors(system)}); "
            "give those, or fit it again"
        )
    for number, (known, similarity) in enumerate(zip(_known(system), _trained(system), strict=True)):
        similarity.load(folder / f"{_SIMILARITY}.{number}")
        known.is_trained = True
    return system


def _state(system: ComposedSystem) -> dict[str, Any]:
    chosen = {
        task: {"variant": system.variants.index(variant), "threshold": threshold}
        for task, (variant, threshold) in system.chosen.items()
    }
    return {"config": asdict(system.config), "chosen": chosen, "word_vectors": _vectors(system)}


def _system(stored: Any, shared: SharedSimilarities, path: Path) -> ComposedSystem:
    try:
        system = ComposedSystem(structured(stored["config"], SystemConfig), shared)
        for task in TASKS:
            row: Mapping[str, Any] = stored["chosen"][task]
            system.chosen[task] = system.variants[int(row["variant"])], float(row["threshold"])
        stored["word_vectors"]
    except (OmegaConfBaseException, LookupError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{path}: not a saved alignment system of this version ({reason}); fit it again") from None
    return system


def _vectors(system: ComposedSystem) -> str | None:
    needs = {needs_of(variant.config.similarity.name) for variant in system.variants}
    return system.shared.resources.vectors.name if "vectors" in needs else None


def _known(system: ComposedSystem) -> list[Any]:
    """The distinct similarities of a system that have weights."""
    known = {id(variant.similarity): variant.similarity for variant in system.variants}
    return [item for item in known.values() if isinstance(item.similarity, Trained)]


def _trained(system: ComposedSystem) -> list[Trained]:
    return [item.similarity for item in _known(system)]


def write_curve(path: Path, curve: Sequence[Mapping[str, float]]) -> None:
    """Write a training curve as CSV: step, loss, dev_f1."""
    with atomic_write(path) as file:
        file.write("step,loss,dev_f1\n")
        file.writelines(f"{row['step']},{row['loss']:.6f},{row['dev_f1']:.4f}\n" for row in curve)
