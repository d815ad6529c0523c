"""Counts the file-system events of a process, and of those that it starts, and ends it before one of them.

On PYTHONPATH, Python runs it at the beginning. A file has one line of `SIZE` bytes per event: its length after a line
is written is the event's number, whichever process it is in.
"""

import os
import signal
import sys
from typing import Any

FOLDER, LOG, NUMBER = "FUZZ_FOLDER", "FUZZ_LOG", "FUZZ_NUMBER"
"""Environment variables: the folder whose events count, the file of events, and the event to end at (0 for none)."""
SIZE = 200
CHANGES = {f"os.{name}" for name in ("rename", "remove", "mkdir", "rmdir", "truncate", "chmod", "link", "symlink")}
CHANGES |= {"shutil.rmtree", "shutil.move", "sqlite3.connect", "fcntl.flock", "fcntl.lockf", "ctypes.dlsym", "open"}


def _counts(event: str, arguments: tuple[Any, ...], folder: str) -> bool:
    if event == "ctypes.dlsym":
        return bool(arguments[1] == "renameat2")
    if event.startswith("fcntl."):
        return True
    is_read = event == "open" and not (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    path = arguments[0]
    return not (isinstance(path, int) or is_read) and os.path.abspath(os.fsdecode(path)).startswith(folder)


def _install() -> None:
    folder, number = os.environ[FOLDER], int(os.environ[NUMBER])
    log = os.open(os.environ[LOG], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    busy: list[bool] = []

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in CHANGES and not busy:
            busy.append(True)  # what follows has events of its own
            if _counts(event, arguments, folder):
                what = f"{event} {arguments[0]!s}".replace(folder, "").replace("\n", " ")
                os.write(log, what.encode("utf-8", "replace")[: SIZE - 1].ljust(SIZE - 1) + b"\n")
                if os.lseek(log, 0, os.SEEK_CUR) // SIZE == number:
                    os.kill(os.getpid(), signal.SIGKILL)
            busy.clear()

    sys.addaudithook(hook)


if LOG in os.environ:
    _install()
