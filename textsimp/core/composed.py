"""What `conf/` composes to, kept beside it: composing takes Hydra a second, which no command should wait for.

`conf/` stays the one source: the kept values count for the very files that they were composed from, whose digest they
carry. `make params` writes them again.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError
from textsimp.core.reading import files_below, read_bytes, read_json
from textsimp.core.writing import atomic_write

NAME = "composed.json"
KEPT: tuple[tuple[str, ...], ...] = ((), ("experiment=published",))
"""The overrides of the compositions that commands ask for."""


def kept(conf: Path, overrides: tuple[str, ...]) -> Any:
    """The kept values of a composition; None where there are none of the files as they are."""
    if overrides not in KEPT or not (conf / NAME).is_file():
        return None
    try:
        stored = read_json(conf / NAME)
        return stored[_key(overrides)] if stored["conf"] == digest(conf) else None
    except (InputError, LookupError, TypeError):
        return None


def keep(conf: Path, compositions: Mapping[tuple[str, ...], Any]) -> None:
    """Write the values of the compositions `KEPT`, each on a line: nobody reads them."""
    values = {"conf": digest(conf), **{_key(overrides): value for overrides, value in compositions.items()}}
    lines = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in values.items())
    with atomic_write(conf / NAME) as file:
        file.write("{" + ",\n".join(lines) + "}\n")


def digest(conf: Path) -> str:
    """SHA-256 over the names and contents of the YAML files of `conf/`."""
    state = hashlib.sha256()
    for path in files_below(conf, "*.yaml"):
        data = read_bytes(path)
        state.update(f"{path.relative_to(conf).as_posix()} {len(data)}\n".encode() + data)
    return state.hexdigest()


def _key(overrides: tuple[str, ...]) -> str:
    return " ".join(overrides) or "default"
