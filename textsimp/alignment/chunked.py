"""Alignment of many document pairs in chunks on disk: killed and started again, it goes on and ends alike (F2)."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from tqdm import tqdm

from textsimp.records import DocumentPair, Link, pair_line
from textsimp.textfiles import atomic_write, read_json, write_json

Align = Callable[[Sequence[DocumentPair]], Sequence[Sequence[Link]]]
"""Gives the links of each of some document pairs."""


def align_in_chunks(
    pairs: Sequence[DocumentPair],
    align: Align,
    output: str | Path,
    chunk_folder: str | Path,
    chunk_pairs: int,
    identity: str,
    title: str,
) -> None:
    """Write the pairs with predicted alignments as JSON Lines, in their order.

    Args:
        align: gives the links of each of some document pairs.
        chunk_folder: where finished chunks wait; removed at the end. Chunks of other inputs are discarded.
        chunk_pairs: document pairs in a chunk.
        identity: says by which model and parameters the pairs are aligned.
        title: of the progress bar.
    """
    folder = Path(chunk_folder)
    _keep_only(folder, _fingerprint(pairs, identity, chunk_pairs))
    chunks = [pairs[start : start + chunk_pairs] for start in range(0, len(pairs), chunk_pairs)]
    with tqdm(total=len(pairs), desc=title, unit="article pair") as bar:
        for number, chunk in enumerate(chunks):
            path = _chunk_path(folder, number)
            if not path.is_file():
                links = align(chunk)
                with atomic_write(path) as file:
                    file.writelines(_lines(chunk, links))
            bar.update(len(chunk))
    with atomic_write(output) as file:
        for number in range(len(chunks)):
            file.write(_chunk_path(folder, number).read_text(encoding="utf-8"))
    shutil.rmtree(folder)


def _lines(pairs: Sequence[DocumentPair], links: Sequence[Sequence[Link]]) -> Iterator[str]:
    for pair, found in zip(pairs, links, strict=True):
        yield pair_line(replace(pair, alignments=tuple(sorted(found))))


def _chunk_path(folder: Path, number: int) -> Path:
    return folder / f"{number:06d}.jsonl"


def _fingerprint(pairs: Sequence[DocumentPair], identity: str, chunk_pairs: int) -> str:
    state = sha256(json.dumps([identity, chunk_pairs]).encode())
    for pair in pairs:
        state.update(pair_line(pair).encode())
    return state.hexdigest()


def _keep_only(folder: Path, fingerprint: str) -> None:
    """Empty the folder unless its chunks belong to the same work."""
    note = folder / "work.json"
    if note.is_file() and read_json(note) == fingerprint:
        return
    shutil.rmtree(folder, ignore_errors=True)
    write_json(note, fingerprint)
