"""What the folder of a trained aligner is known by. Apart from the aligner itself, so that asking imports no torch."""

from pathlib import Path

from textsimp.core.errors import InputError
from textsimp.core.model_folder import ModelKind

SETTINGS = "aligner.json"
ALIGNER = ModelKind("trained aligner", SETTINGS)


def check_is_aligner(folder: str | Path) -> Path:
    """The folder, where it holds an aligner; else `InputError`."""
    if not (Path(folder) / SETTINGS).is_file():
        raise InputError(
            f"{folder}: no {SETTINGS}; give the folder of a trained aligner, such as models/aligner/CORPUS"
        )
    return Path(folder)
