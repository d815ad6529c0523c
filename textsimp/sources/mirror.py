"""The mirror of released files: a folder, or any address that fsspec opens, with RELEASE/FILE for each file (F1)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from textsimp.errors import InputError, bad_input

_REMEDY = "give a folder, or an address that fsspec opens, with RELEASE/FILE in it"


@dataclass(frozen=True)
class Mirror:
    """A mirror that was found.

    name: the path or address, as the user gave it.
    system: fsspec's file system; it has no common type that says more.
    root: the mirror's place in it.
    """

    name: str
    system: Any
    root: str

    @property
    def is_local(self) -> bool:
        """Whether reading a file costs no transfer."""
        return isinstance(self.system, LocalFileSystem)

    def file(self, release: str, name: str) -> "MirrorFile":
        """The place of a file, whether it is there or not."""
        return MirrorFile(self, f"{release}/{name}")


@dataclass(frozen=True)
class MirrorFile:
    """The place RELEASE/FILE of a mirror; as text, its path or address.

    Each kind of file system raises errors of its own, with no common type: all of them become one line.
    """

    mirror: Mirror
    name: str

    def __str__(self) -> str:
        return f"{self.mirror.name.rstrip('/')}/{self.name}"

    @property
    def path(self) -> str:
        """Its path in the file system of the mirror."""
        return f"{self.mirror.root.rstrip('/')}/{self.name}".removeprefix("" if self.mirror.root else "/")

    def exists(self) -> bool:
        """Whether the file is there; `InputError` where the mirror does not answer."""
        try:
            return bool(self.mirror.system.isfile(self.path))
        except Exception as error:
            raise _unreadable(str(self), error) from None

    def copy_to(self, target: Path) -> bool:
        """Copy the file; False where it is absent, `InputError` where it cannot be read."""
        try:
            self.mirror.system.get_file(self.path, str(target))
        except FileNotFoundError:
            return False
        except Exception as error:
            raise _unreadable(str(self), error) from None
        return True


def open_mirror(where: str | Path | None) -> Mirror | None:
    """The mirror at a path or address; None where none is configured.

    Raises:
        InputError: it is no folder (a web server, which lists no folders, is not asked), or fsspec does not open it.
    """
    if where is None:
        return None
    try:
        system, root = url_to_fs(str(where))
        web = "http" in system.protocol
        found = web or system.isdir(root)
    except Exception as error:
        # no such protocol, its library is not installed, no credentials, ...
        raise _unreadable(str(where), error) from None
    if not found:
        raise bad_input(where, None, "the mirror is no folder", _REMEDY)
    return Mirror(str(where), system, root)


def _unreadable(where: str, error: Exception) -> InputError:
    reason = " ".join(str(error).split()) or type(error).__name__
    return bad_input(where, None, f"the mirror cannot be read ({reason})", _REMEDY)
