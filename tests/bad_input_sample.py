"""Good input for the stages that read releases, and the commands that take it."""

import bz2
import hashlib
import io
import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from newsela_sample import params, run, write_newsela, write_params

from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.sources.manual import write_manual
from textsimp.sources.wiki_auto import ArticlePair, write_wiki_auto

METADATA = "newsela/article_corpus/articles_metadata.csv"
RAW_TSV = "raw-newsela/newsela-manual/all/train.tsv"
WIKI_TSV, WIKI_JSON = "raw-wiki/wiki-manual/dev.tsv", "raw-wiki/wiki-auto/part-1.json"
MIRRORED = "mirror/turk/test.8turkers.tok.norm"

ACQUIRE = "stages.acquire newsela --raw data/raw/newsela --audit data/audit.jsonl"
RELEASED = "stages.acquire jiang2020 --raw data/raw/jiang2020"
SPLIT = "stages.load_splits newsela --raw raw-newsela --out data/splits"
SPLIT_WIKI = "stages.load_splits wiki --raw raw-wiki --out data/splits"


def wikilarge(src: Sequence[str], dst: Sequence[str]) -> bytes:
    """An archive with these lines as the training part of WikiLarge."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for side, lines in (("src", src), ("dst", dst)):
            text = "".join(f"{line}\n" for line in lines).encode()
            info = tarfile.TarInfo(f"data-simplification/wikilarge/wiki.full.aner.ori.train.{side}")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    return bz2.compress(data.getvalue())


RELEASE = b"Owls fly .\n" * 3
FILE = {
    "name": Path(MIRRORED).name,
    "digest": "sha256:" + hashlib.sha256(RELEASE).hexdigest(),
    "url": "https://example.invalid/norm",
}
RELEASES = {
    name: {"title": name, "licence": "none", "folder": name, "files": [FILE]} for name in ("turk", "jiang2020_outputs")
}
SOURCES = {"newsela": "newsela", "mirror": "mirror", "timeout": 1.0, "releases": RELEASES}


def wiki_pair(number: int) -> DocumentPair:
    """An article pair of WIKI-MANUAL with two sentences a side."""
    sides = [
        Document(f"{number}_{number}-{level}", level, ((f"Owl {number} flies {how}.", f"Owl {number} rests {how}."),))
        for level, how in ((1, "remarkably swiftly"), (0, "fast"))
    ]
    links = (Link(0, 0, AlignmentLabel.ALIGNED), Link(1, 1, AlignmentLabel.ALIGNED))
    return DocumentPair(f"{number}_{number}", "wiki", str(number), *sides, links)


def write_wiki(folder: Path) -> None:
    for number, split in enumerate(("train", "dev", "test")):
        write_manual(folder / "wiki-manual" / f"{split}.tsv", [wiki_pair(number)], with_gleu=True)
    sides = [
        Document(f"{side}-9", level, wiki_pair(9).complex.paragraphs) for level, side in ((1, "normal"), (0, "simple"))
    ]
    write_wiki_auto(folder / "wiki-auto" / "part-1.json", [ArticlePair("9", "9", ("Owl", "Owl"), *sides)])


def write_good(folder: Path) -> None:
    """Good input for every command."""
    write_params(folder, params(**SOURCES))
    write_newsela(folder / "newsela")
    with pytest.MonkeyPatch.context() as patch:
        assert run(patch, folder, *ACQUIRE.split()) == 0
    shutil.move(folder / "data" / "raw" / "newsela", folder / "raw-newsela")
    shutil.rmtree(folder / "data")
    write_wiki(folder / "raw-wiki")
    for name in RELEASES:
        (folder / "mirror" / name).mkdir(parents=True)
        (folder / "mirror" / name / FILE["name"]).write_bytes(RELEASE)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
