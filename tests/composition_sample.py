"""What conf/ composes, once in each run of the tests: Hydra takes seconds."""

import hashlib
import pickle
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from omegaconf import DictConfig, OmegaConf

from textsimp.core.params import compose_values

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
shared: Path | None = None
"""The folder that the processes of a run share what they composed in; conftest.py names it."""


@cache
def _values(*overrides: str) -> bytes:
    overrides = overrides or ("experiment=sample",)
    folder = shared or Path(tempfile.mkdtemp())
    path = folder / f"composed-{hashlib.sha256(repr(overrides).encode()).hexdigest()}"
    if not path.is_file():
        unfinished = Path(tempfile.mkdtemp(dir=folder), "values")
        unfinished.write_bytes(pickle.dumps(compose_values([*overrides])))
        unfinished.replace(path)
    return path.read_bytes()


def composed(*overrides: str) -> str:
    """A text that says what params.yaml says for Hydra's overrides, in another form."""
    return yaml.dump(plain_values(*overrides), Dumper=_DUMPER, sort_keys=False)


def composed_values(*overrides: str) -> DictConfig:
    """The same as values that may be changed."""
    return OmegaConf.create(plain_values(*overrides))


def plain_values(*overrides: str) -> dict[str, Any]:
    """The same as dictionaries and lists that may be changed."""
    return pickle.loads(_values(*overrides))
