"""File-system events of a process, counted across its children, and the end of the process at one of them.

A file has one entry of `_SIZE` bytes per event; its length after an entry is written is the event's number, whichever
process it is in. Python reports an event before it does it.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

FOLDER, LOG, NUMBER = "FUZZ_FOLDER", "FUZZ_LOG", "FUZZ_NUMBER"
"""Environment variables: the folder whose events count, the file of entries, and the event to end at (0 for none)."""
_SIZE = 200
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod", "os.link", "os.symlink"}
_CHANGES |= {"shutil.rmtree", "shutil.move", "sqlite3.connect"}
_ON_HANDLES = {"fcntl.flock", "fcntl.lockf", "ctypes.dlsym"}


def install() -> None:
    """Count the events of this process from now on, as the environment says; Python cannot take this back."""
    folder, number = os.environ[FOLDER], int(os.environ[NUMBER])
    log = os.open(os.environ[LOG], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    is_busy = False

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal is_busy
        if is_busy or not (event == "open" or event in _CHANGES or event in _ON_HANDLES):
            return
        is_busy = True
        try:
            if _counts(event, arguments, folder):
                what = f"{event} {arguments[0]!s}".replace(folder, "").replace("\n", " ")
                os.write(log, what.encode("utf-8", "replace")[: _SIZE - 1].ljust(_SIZE - 1) + b"\n")
                if os.lseek(log, 0, os.SEEK_CUR) // _SIZE == number:
                    os.kill(os.getpid(), signal.SIGKILL)
        finally:
            is_busy = False

    sys.addaudithook(hook)


def _counts(event: str, arguments: tuple[Any, ...], folder: str) -> bool:
    if event == "ctypes.dlsym":
        return arguments[1] == "renameat2"
    if event in _ON_HANDLES:
        return True
    path = arguments[0]
    if isinstance(path, int) or (event == "open" and not (arguments[2] or 0) & _WRITING):
        return False
    return os.path.abspath(os.fsdecode(path)).startswith(folder)


def entries(log: Path) -> list[str]:
    """The events that a log holds."""
    return [line.rstrip() for line in log.read_text("utf-8", "replace").splitlines()] if log.exists() else []
