"""What the scan of one segment leaves on disk: rows of its pages, and the compressed text of those wanted (F1)."""

import json
import os
import tempfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from textsimp.textfiles import atomic_write


class PageRow(NamedTuple):
    """A page of a part: its id and title, the filter that drops it, its text's place, its link to the other wiki.

    `title` is None where the page is not wanted, `size` is 0 where no text is kept.
    """

    id: int
    reason: str | None
    title: str | None = None
    offset: int = 0
    size: int = 0
    link: str | None = None


def write_part(path: Path, pages: Iterable[tuple[PageRow, str]]) -> None:
    """Write a part: `path`.bin with the texts and `path`.jsonl with the rows, which stands when all is complete."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(handle, "wb") as texts, atomic_write(rows_file(path)) as rows:
            for row, text in pages:
                if row.title is not None and row.reason is None:
                    data = zlib.compress(text.encode("utf-8"), 1)
                    row = row._replace(offset=texts.tell(), size=len(data))
                    texts.write(data)
                rows.write(json.dumps(row, ensure_ascii=False) + "\n")
            texts.flush()
            os.fsync(texts.fileno())
            os.replace(temporary, texts_file(path))
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def rows_file(path: Path) -> Path:
    """The rows of a part; it exists when the part is complete."""
    return path.with_name(f"{path.name}.jsonl")


def texts_file(path: Path) -> Path:
    """The texts of a part."""
    return path.with_name(f"{path.name}.bin")


def read_part(path: Path) -> Iterator[PageRow]:
    """The rows of a part, in the order of the dump."""
    with rows_file(path).open(encoding="utf-8") as file:
        for line in file:
            yield PageRow(*json.loads(line))


def read_text(path: Path, offset: int, size: int) -> str:
    """The wikitext of one page of a part."""
    with texts_file(path).open("rb") as file:
        file.seek(offset)
        return zlib.decompress(file.read(size)).decode("utf-8")
