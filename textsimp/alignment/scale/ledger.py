"""What an output folder holds: finished shards, and by which work; so that a restart does the rest only (F2)."""

import contextlib
import fcntl
import hashlib
import json
import logging
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from textsimp.alignment.scale.shards import Shard
from textsimp.errors import InputError, bad_input
from textsimp.textfiles import atomic_write, read_json, write_json

RECORD = "alignment.json"
"""Written when all shards are there: what was aligned by what, and the shards in the order of the input."""
_WORK, _PLAN, _LOCK, _FITTED = ".work", "plan.json", "lock", "fitted."

_log = logging.getLogger(__name__)


class Ledger:
    """An output folder. A shard's file takes its name when it is complete, so that a file that is there is finished.

    Attributes:
        identity: JSON value that says by which system, settings and model.
        fitted: hidden folder for what the workers need, of this identity alone.
    """

    def __init__(self, folder: Path, identity: Any) -> None:
        self.folder, self._work, self.identity = folder, folder / _WORK, identity
        digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
        self.fitted = self._work / f"{_FITTED}{digest[:16]}"

    @contextlib.contextmanager
    def claimed(self) -> Iterator[None]:
        """Keep other runs away from the folder; the claim ends with the process, however that ends.

        Bad input that shows before a shard is begun leaves the folder as it was.

        Raises:
            InputError: the folder holds other things, or another run is at work on it.
        """
        is_new = not self.folder.exists()
        if not is_new and not self._work.is_dir() and (self.folder.is_file() or any(self.folder.iterdir())):
            raise bad_input(self.folder, None, "holds what no alignment wrote", "give a new or empty folder")
        self._work.mkdir(parents=True, exist_ok=True)
        with (self._work / _LOCK).open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise bad_input(self.folder, None, "another run is at work on it", "wait for its end") from None
            try:
                yield
            except InputError:
                if not (self._work / _PLAN).is_file():
                    shutil.rmtree(self.folder if is_new else self._work)
                raise

    def start(self, shards: Sequence[Shard]) -> list[Shard]:
        """Drop what other work left: everything if it had another identity, else shards of other input.

        Returns:
            The shards that are still to be aligned.
        """
        plan = self._work / _PLAN
        known = read_json(plan) if plan.is_file() else {"identity": None, "shards": {}}
        new = {"identity": self.identity, "shards": {shard.name: shard.digest for shard in shards}}
        if known != new:
            (self.folder / RECORD).unlink(missing_ok=True)
            same = known["identity"] == self.identity
            if known["shards"] and not same:
                _log.warning("%s: the system, its settings or its model changed: all is made anew", self.folder)
            for name, digest in known["shards"].items():
                if not same or new["shards"].get(name) != digest:
                    (self.folder / name).unlink(missing_ok=True)
            write_json(plan, new)
        self._clean()
        return [shard for shard in shards if not (self.folder / shard.name).is_file()]

    def finish(self, shard: Shard, text: str) -> None:
        """Write a shard's lines, atomically."""
        with atomic_write(self.folder / shard.name) as file:
            file.write(text)

    def text(self, shard: Shard) -> str:
        """The lines of a finished shard."""
        return (self.folder / shard.name).read_text(encoding="utf-8")

    def close(self, shards: Sequence[Shard]) -> None:
        """Write the record that says the folder is complete."""
        rows = [{"file": shard.name, "from": Path(shard.path).name, "document_pairs": shard.pairs} for shard in shards]
        write_json(self.folder / RECORD, {"aligned_by": self.identity, "shards": rows})

    def _clean(self) -> None:
        """Remove systems of other identities, and the temporary file of a write that was killed."""
        for path in self._work.glob(f"{_FITTED}*"):
            if path != self.fitted:
                shutil.rmtree(path)
        for path in self.folder.glob(".*.jsonl.*"):
            path.unlink()
