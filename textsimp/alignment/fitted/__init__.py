"""The aligners that travel with the package, for texts of a user who has nothing to train on.

The stage `train_default` makes them from the annotated sample corpora; `python tools/ship.py` puts them here.
"""

from pathlib import Path

from textsimp.core.errors import InputError

_FOLDER = Path(__file__).resolve().parent
DEFAULT = _FOLDER / "frozen_crf"
"""The CRF over frozen encodings of the packaged encoder."""
WITHOUT_ENCODER = _FOLDER / "frozen_crf_words"
"""The same over words, characters and places alone."""

THRESHOLDS = _FOLDER / "thresholds.json"
"""Of aligners that learn nothing else, fitted on the sample corpora by `tools/ship_thresholds.py`."""


def shipped(name: str) -> Path:
    """The folder of an aligner that travels with the package; `InputError` for a name that none has."""
    folder = _FOLDER / name
    if folder not in (DEFAULT, WITHOUT_ENCODER):
        raise InputError(f"{name!r}: no aligner of the package; they are {DEFAULT.name} and {WITHOUT_ENCODER.name}")
    return folder
