"""What is here of one source: looked for in the mirror, in data/raw and in the user's folders, and checked (F1).

Nothing is fetched and nothing is written. Digests are compared where reading costs no transfer. The size of a release
and how to obtain it are said in the note that its file of conf/sources begins with.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

from huggingface_hub import try_to_load_from_cache

from textsimp.encoders import encoder_folder
from textsimp.errors import InputError
from textsimp.params import CONF
from textsimp.sources.config import Release, ReleaseFile
from textsimp.sources.fetch import digest_of
from textsimp.sources.layout import NEWSELA_MANUAL, SPLITS
from textsimp.sources.licensed import LICENCE, TITLE, URL
from textsimp.sources.mirror import MirrorFile, open_mirror
from textsimp.sources.newsela import ARTICLES, METADATA, read_metadata

PRESENT, MISSING, DAMAGED = "present", "missing", "damaged"
SAMPLE = Path("data", "sample")
_SHOWN = 3


@dataclass(frozen=True)
class Places:
    """Where sources may be: the mirror (a folder or an address) and the licensed Newsela folder (None: not set), and
    data/raw.
    """

    mirror: str | Path | None
    newsela: Path | None
    raw: Path = Path("data", "raw")


@dataclass(frozen=True)
class Holding:
    """What is known of one source.

    Attributes:
        title: what it is and whose.
        licence: as stated by its authors; `-` where that is not known.
        size: of the whole source, from its files where they are here, else as its note says.
        state: present, damaged or missing.
        detail: what was found, and where.
        obtain: how to get it.
    """

    title: str
    licence: str
    size: str
    state: str
    detail: str
    obtain: str


def find_release(name: str, release: Release, places: Places, raws: Iterable[Path]) -> Holding:
    """A published release in the mirror, or in one of the folders `raws` where `acquire` puts it.

    Raises:
        InputError: the mirror is no folder or does not answer.
    """
    mirror = open_mirror(places.mirror)
    raws = [raw / release.folder for raw in raws]
    states = {}
    for file in release.files:
        states[file.name] = _file(file, mirror.file(name, file.name) if mirror else None, raws)
    by_state = {state: [n for n, found in states.items() if found == state] for state in (PRESENT, MISSING, DAMAGED)}
    size, obtain = note(name)
    found = f"{len(by_state[PRESENT])} of {len(states)} files"
    if by_state[DAMAGED]:
        first = by_state[DAMAGED][0]
        state, found = DAMAGED, f"{found}; {first} in the mirror is corrupt, cut short or changed"
        obtain = f"put the released file there. {obtain}"
    elif by_state[MISSING]:
        places_looked = [f"MIRROR/{name}" if mirror else "a mirror (none is set)", *map(str, raws)]
        state, first = MISSING, by_state[MISSING][0]
        found = f"{found}; no {first} in {' or '.join(places_looked)}"
        obtain = f"{obtain} {_urls(release, by_state[MISSING])}"
    else:
        state = PRESENT
        unchecked = mirror is not None and not mirror.is_local
        found += "; digests not compared, the mirror is not on this machine" if unchecked else ""
    return Holding(release.title, release.licence, size, state, found, obtain)


def _urls(release: Release, names: list[str]) -> str:
    """The addresses of the files that are absent; of many, the first."""
    urls = [file.url for file in release.files if file.name in names]
    shown = urls[:_SHOWN]
    return " ".join(shown) + (f" and {len(urls) - len(shown)} more" if len(urls) > len(shown) else "")


def _file(file: ReleaseFile, mirrored: MirrorFile | None, raws: list[Path]) -> str:
    """The state of one file: `acquire` leaves a good one in data/raw, else takes that of the mirror, good or bad."""
    if file.digest and any(_is(raw / file.name, file.digest) for raw in raws):
        return PRESENT
    if mirrored is None or not mirrored.exists():
        return PRESENT if file.digest is None and any((raw / file.name).is_file() for raw in raws) else MISSING
    if file.digest is None or not mirrored.mirror.is_local:
        return PRESENT
    return PRESENT if _is(Path(mirrored.path), file.digest) else DAMAGED


def _is(path: Path, digest: str) -> bool:
    return path.is_file() and _digest(path, digest.partition(":")[0], path.stat().st_mtime_ns) == digest


@lru_cache(maxsize=4096)
def _digest(path: Path, kind: str, _changed: int) -> str:
    """Once for each file, though several experiments need it; SHA-256 and Git's blob ids are both digests."""
    return digest_of(path, f"{kind}:")


def note(name: str) -> tuple[str, str]:
    """Size, and how to obtain it: the comment that `conf/sources/NAME.yaml` begins with, up to its first stop and on."""
    lines = (CONF / "sources" / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    text = " ".join(line.lstrip("# ") for line in takewhile(lambda line: line.startswith("#"), lines))
    size, _, obtain = text.partition(". ")
    return size, obtain or "Public; `acquire` downloads it."


def find_newsela(folder: Path | None) -> Holding:
    """Whether the licensed release is whole, as `acquire` will want it; its text is not read."""
    state, detail = _newsela(folder)
    obtain = f"Licensed: ask for it at {URL}, then set sources.newsela=FOLDER (here: --newsela FOLDER)."
    return Holding(TITLE, LICENCE, "size not published", state, detail, obtain)


def _newsela(folder: Path | None) -> tuple[str, str]:
    if folder is None:
        return MISSING, "sources.newsela is not set"
    metadata = sorted(folder.glob(f"**/{METADATA}"))
    manual = sorted(folder.glob(f"**/{NEWSELA_MANUAL}/train.tsv"))
    if len(metadata) != 1 or len(manual) != 1:
        what = f"{len(metadata)} files {METADATA} and {len(manual)} {NEWSELA_MANUAL}/train.tsv below {folder}, not one"
        return MISSING, what
    try:
        paths = [metadata[0].parent / ARTICLES / row.filename for row in read_metadata(metadata[0])]
    except InputError as error:
        return DAMAGED, str(error)
    paths += (manual[0].with_name(f"{split}.tsv") for split in SPLITS)
    if absent := [path for path in paths if not path.is_file()]:
        return DAMAGED, f"{len(absent)} of {len(paths)} files are absent; first {absent[0]}; unpack the release again"
    return PRESENT, f"{len(paths)} files below {folder}"


def find_sample() -> Holding:
    """The sample corpus, which the repository has."""
    here = SAMPLE.is_dir()
    detail = str(SAMPLE) if here else f"no folder {SAMPLE}"
    obtain = "Committed: run it in the repository."
    size = megabytes(path.stat().st_size for path in SAMPLE.rglob("*") if path.is_file()) if here else "-"
    state = PRESENT if here else MISSING
    return Holding("The sample corpus of this project", "see FORMAT.md there", size, state, detail, obtain)


def find_encoder(name: str) -> Holding:
    """A packaged encoder, a folder, or one in the cache of the Hugging Face hub, which is not asked."""
    title, licence = "A pre-trained encoder", "-"
    try:
        folder = encoder_folder(name)
    except InputError as error:
        return Holding(title, licence, "-", MISSING, str(error), "See the message.")
    if Path(folder).is_dir():
        size = megabytes(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        detail, obtain = (folder, "A folder of yours.") if folder == name else ("installed", "Comes with `make setup`.")
        return Holding(title, licence, size, PRESENT, detail, obtain)
    obtain = "Downloaded at first use where the Hugging Face hub is reachable; else name the folder of a copy."
    cached = isinstance(try_to_load_from_cache(name, "config.json"), str)
    state, detail = (PRESENT, "in the cache") if cached else (MISSING, "not in the cache")
    return Holding(title, licence, "-", state, f"{detail} of the Hugging Face hub", obtain)


def megabytes(sizes: Iterable[int]) -> str:
    """A number of bytes as people read it."""
    return f"{sum(sizes) / 1e6:.1f} MB"
