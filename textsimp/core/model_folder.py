"""A model folder is one thing: it is written with a list of all its files, and read only as it was written.

`manifest.json` names every other file of the folder with its size and SHA-256. It is written last and checked before
any other file is parsed; each file is hashed once. It tells a changed folder from a whole one, not who made it.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field
from safetensors import SafetensorError

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import read_json, sha256
from textsimp.core.settings import structured
from textsimp.core.writing import atomic_folder, user_cache, write_json

MANIFEST = "manifest.json"
_FORMAT = 1


@dataclass(frozen=True)
class _File:
    bytes: int
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


@dataclass(frozen=True)
class _Manifest:
    format: int
    kind: str
    files: dict[str, _File]


@dataclass(frozen=True)
class ModelKind:
    """A kind of model folder, and how it is written and checked.

    Attributes:
        name: of the kind, in the manifest and in messages.
        mark: a file that every folder of the kind has.
        remedy: what brings a folder that cannot be used back.
    """

    name: str
    mark: str
    remedy: str = "restore it, or train it again"

    @contextlib.contextmanager
    def written(self, path: str | Path) -> Iterator[Path]:
        """A folder that replaces `path` when the block ends without an error, its manifest added last."""
        with atomic_folder(path, self.mark) as folder:
            yield folder
            self.seal(folder)

    def seal(self, folder: Path) -> None:
        """Write the manifest of the files that the folder has now."""
        files = {name: asdict(_row(path)) for name, path in _files(folder).items()}
        write_json(folder / MANIFEST, {"format": _FORMAT, "kind": self.name, "files": files})

    def check(self, folder: str | Path) -> str:
        """Return the SHA-256 of the manifest; `InputError` where it lacks, or a file is changed, missing or extra."""
        folder = Path(folder)
        listed, present = self._listed(folder), _files(folder)
        for name in sorted(listed.keys() | present.keys()):
            fault = "is not one of its files" if name not in listed else "is missing" if name not in present else ""
            if fault or _row(present[name]) != listed[name]:
                what = f"model was changed after it was written: {name} {fault or 'has other bytes'}"
                raise bad_input(folder, None, what, self.remedy)
        return sha256(folder / MANIFEST)

    def cached(self, name: str) -> Path | None:
        """Return the folder of a name in the user's cache; None where it is not there, or not as it was written."""
        folder = user_cache(name)
        with contextlib.suppress(InputError):
            self.check(folder)
            return folder
        return None

    def keep(self, name: str, write: Callable[[Path], object]) -> None:
        """Let `write` fill a folder of the user's cache; where there is no room, or it is in use, nothing is kept."""
        with contextlib.suppress(InputError, OSError, SafetensorError), self.written(user_cache(name)) as folder:
            write(folder)

    def _listed(self, folder: Path) -> dict[str, _File]:
        path = folder / MANIFEST
        if not os.path.isfile(path):  # a folder of somebody else has none either
            what = f"no such file: the folder is no {self.name}, or was written by an older version"
            raise bad_input(path, None, what, self.remedy)
        stored = read_json(path, self.remedy)
        if not isinstance(stored, dict) or (stored.get("format"), stored.get("kind")) != (_FORMAT, self.name):
            raise bad_input(path, None, f"not the list of files of a {self.name} of this version", self.remedy)
        try:
            return structured(stored, _Manifest).files
        except InputError as error:
            raise bad_input(path, None, f"damaged list of files ({error})", self.remedy) from None


def _files(folder: Path) -> dict[str, Path]:
    """All files of a folder but the manifest, by name; links to folders count as files, and are not followed."""
    files: dict[str, Path] = {}
    for parent, folders, names in os.walk(folder):
        links = [name for name in folders if Path(parent, name).is_symlink()]
        files |= {Path(parent, name).relative_to(folder).as_posix(): Path(parent, name) for name in [*names, *links]}
    files.pop(MANIFEST, None)
    return files


def _row(path: Path) -> _File:
    digest = sha256(path)  # says what is wrong with what is no file
    return _File(path.stat().st_size, digest)
