"""Good input of every kind for tests/test_bad_input.py, the commands that take it, and ways to damage it."""

import bz2
import hashlib
import io
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from dumps_sample import TITLES, article, multistream, sql, write_dumps
from newsela_sample import params, run, write_newsela, write_params

from textsimp.core.errors import exit_on_bad_input
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.sources.manual import write_manual
from textsimp.sources.parallel import WIKILARGE, read_wikilarge
from textsimp.sources.wiki_auto import ArticlePair, write_wiki_auto

Damage = Callable[[Path], None]
MANUAL_TSV = "newsela/newsela-auto/newsela-manual/all/{}.tsv"
METADATA = "newsela/article_corpus/articles_metadata.csv"
LEVEL = "newsela/article_corpus/articles/glacier.en.1.txt"
RAW_TSV = "raw-newsela/newsela-manual/all/train.tsv"
WIKI_TSV, WIKI_JSON = "raw-wiki/wiki-manual/dev.tsv", "raw-wiki/wiki-auto/part-1.json"
MIRRORED = "mirror/turk/test.8turkers.tok.norm"
ENGLISH, SIMPLE, ITEMS = "dumps/enwiki.xml.bz2", "dumps/simplewiki.xml", "dumps/items.sql"

EXTRACT = f"textsimp corpus wikipedia out --complex {ENGLISH} --simple {SIMPLE} --items {ITEMS} --workers 1"
SWAPPED = f"textsimp corpus wikipedia out --complex {SIMPLE} --simple {ENGLISH} --items {ITEMS} --workers 1"
ACQUIRE = "stages.acquire newsela --raw data/raw/newsela --audit data/audit.jsonl"
RELEASED = "stages.acquire jiang2020 --raw data/raw/jiang2020"
SPLIT = "stages.load_splits newsela --raw raw-newsela --out data/splits"
SPLIT_WIKI = "stages.load_splits wiki --raw raw-wiki --out data/splits"
UNPACK = "wikilarge"


def cut(name: str, share: float = 0.5) -> Damage:
    """Keep the first part of a file."""

    def damage(folder: Path) -> None:
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: int(len(data) * share)])

    return damage


def put(name: str, data: Callable[[], str | bytes]) -> Damage:
    """Another file in the place of one."""

    def damage(folder: Path) -> None:
        value = data()
        (folder / name).write_bytes(value if isinstance(value, bytes) else value.encode())

    return damage


def edit(name: str, line: int, old: str, new: str, encoding: str = "utf-8") -> Damage:
    """Replace text in one line, from 1, of a file."""

    def damage(folder: Path) -> None:
        lines = (folder / name).read_text(encoding="utf-8").split("\n")
        assert old in lines[line - 1], lines[line - 1]
        lines[line - 1] = lines[line - 1].replace(old, new)
        (folder / name).write_bytes("\n".join(lines).encode(encoding))

    return damage


def remove(name: str) -> Damage:
    return lambda folder: (folder / name).unlink()


def setting(**sources: object) -> Damage:
    """Other values of `sources` in params.yaml."""
    return lambda folder: write_params(folder, params(**{**SOURCES, **sources}))


def pages(site: str) -> list[str]:
    return [article(number, title) for number, title in enumerate(TITLES, 10)]


def at_a_boundary() -> bytes:
    """A multistream dump that ends after a whole stream, as a download that was broken off at a lucky place."""
    whole = multistream("enwiki", pages("enwiki"))
    return whole[: whole.rindex(b"BZh91AY&SY")]


def columns(count: int) -> Damage:
    """The first columns alone of the training rows."""

    def damage(folder: Path) -> None:
        path = folder / RAW_TSV
        rows = [line.split("\t")[:count] for line in path.read_text(encoding="utf-8").splitlines()]
        path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")

    return damage


def member(name: str, kind: bytes = tarfile.REGTYPE) -> Callable[[], bytes]:
    """An archive with the training part of WikiLarge and one more member."""

    def build() -> bytes:
        data = io.BytesIO()
        with tarfile.open(fileobj=data, mode="w") as tar:
            for side in ("src", "dst"):
                info = tarfile.TarInfo(f"data-simplification/wikilarge/wiki.full.aner.ori.train.{side}")
                info.size = len(b"Owls fly .\n" * 2000)
                tar.addfile(info, io.BytesIO(b"Owls fly .\n" * 2000))
            extra = tarfile.TarInfo(name)
            extra.type, extra.linkname = kind, "/etc/hostname"
            tar.addfile(extra)
        return bz2.compress(data.getvalue())

    return build


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
    write_dumps(folder / "dumps")
    names = [(number, title) for number, title in enumerate(TITLES, 1)]
    sites = {"enwiki": "{} of English", "simplewiki": "{}"}
    rows = [(0, item, site, form.format(title)) for item, title in names for site, form in sites.items()]
    (folder / ITEMS).write_text(sql("wb_items_per_site", rows, per_line=1), encoding="utf-8")
    (folder / WIKILARGE).write_bytes(member("data-simplification/README")())


def execute(patch: pytest.MonkeyPatch, folder: Path, command: str) -> int:
    """The exit status of a command of the table."""
    if command != UNPACK:
        return run(patch, folder, *command.split())
    patch.chdir(folder)
    try:
        exit_on_bad_input(lambda: print(len(read_wikilarge(WIKILARGE, "train", "wikilarge").pairs)))()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, hidden ones too."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
