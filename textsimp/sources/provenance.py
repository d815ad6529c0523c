"""The record of where raw data is from: data/raw/CORPUS/provenance/RELEASE.json (F1).

It has no date and no place of this machine, so that the same release gives the same bytes everywhere: whether a file
came from a mirror or from its address makes no difference to a file whose digest is verified.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from textsimp.textfiles import sha256, write_json

# a folder of its own, for some readers take every file of a release's folder
PROVENANCE = "provenance"


@dataclass(frozen=True)
class Origin:
    """One file of a release.

    name: its name in the release. path: where it lies now.
    url: its address; None where it has none. digest: the published one, which was verified; None where none is.
    """

    name: str
    path: Path
    url: str | None
    digest: str | None


def write_provenance(raw: Path, release: str, title: str, licence: str, files: Iterable[Origin]) -> None:
    """Write the record of one release below `raw`, with the size and the SHA-256 of each file as it lies there."""
    rows = [
        {
            "name": file.name,
            "bytes": file.path.stat().st_size,
            "sha256": sha256(file.path),
            "published_digest": file.digest,
            "url": file.url,
        }
        for file in files
    ]
    record = {"release": release, "title": title, "licence": licence, "files": rows}
    write_json(raw / PROVENANCE / f"{release}.json", record)
