"""ASSET: `asset.{valid,test}.orig` and `.simp.N`, cased and untokenised, line-aligned (F1)."""

from collections.abc import Iterable
from pathlib import Path

from textsimp.sources.references import MultiReference, read_references
from textsimp.textfiles import write_lines

SPLITS = ("valid", "test")


def read_asset(folder: str | Path, split: str) -> list[MultiReference]:
    """The sentences of one split (`valid` or `test`) with all their references, in the order of the files.

    Raises:
        InputError: a file is absent, damaged, or has another number of lines than the sentences.
    """
    stem = Path(folder) / f"asset.{split}"
    return read_references(Path(f"{stem}.orig"), f"{stem.name}.simp.")


def write_asset(folder: str | Path, split: str, rows: Iterable[MultiReference]) -> None:
    """Write sentences and references in ASSET's layout."""
    sentences, references = zip(*rows, strict=True)
    write_lines(Path(folder) / f"asset.{split}.orig", sentences)
    for number, column in enumerate(zip(*references, strict=True)):
        write_lines(Path(folder) / f"asset.{split}.simp.{number}", column)
