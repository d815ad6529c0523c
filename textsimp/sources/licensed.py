"""The licensed Newsela release and NEWSELA-MANUAL: found below the user's folder, checked, copied (F1).

Nothing of it enters Git: data/raw is an output of DVC and ignored, and no message quotes its text.
"""

import shutil
from pathlib import Path

from textsimp.errors import InputError, bad_input
from textsimp.sources.config import SourceConfig, SourcesConfig
from textsimp.sources.layout import NEWSELA_MANUAL, SPLITS
from textsimp.sources.newsela import ARTICLES, METADATA, Article, read_metadata
from textsimp.sources.newsela_aligned import NEWSELA_AUTO, NEWSELA_OLD, XU2015, find_newsela_aligned
from textsimp.sources.newsela_manual import LEVELS
from textsimp.sources.provenance import Origin, write_provenance
from textsimp.textfiles import atomic_folder

TITLE = "Newsela articles and NEWSELA-MANUAL (Xu et al. 2015; Jiang et al. 2020)"
LICENCE = "Newsela's research licence; the text may not be passed on"
URL = "https://newsela.com/data"


def acquire_licensed(sources: SourcesConfig, raw: str | Path, config: SourceConfig) -> int:
    """Copy the article versions of the corpus's language, the metadata and the manual TSVs to `raw`, byte by byte.

    Sentence pairs of Xu et al. 2015 and NEWSELA-AUTO come along where the folder has them.

    Returns:
        The number of articles.

    Raises:
        InputError: `sources.newsela` is not set, or the release below it is not complete.
    """
    if sources.newsela is None:
        what = "the Newsela release is licensed and its folder is not set"
        raise InputError(f"sources.newsela: {what}; ask for it at newsela.com/data, then set sources.newsela=FOLDER")
    folder = Path(sources.newsela)
    if not folder.is_dir():
        raise InputError(f"sources.newsela: {folder}: no such folder; set it to the folder of the release")
    metadata = _only(folder, f"**/{METADATA}")
    manual = _only(folder, f"**/{NEWSELA_MANUAL}/train.tsv").parent
    articles = [row for row in read_metadata(metadata) if row.language == config.language and row.version in LEVELS]
    if not articles:
        what = f"names no article in {config.language!r} at levels {LEVELS[0]} to {LEVELS[-1]}"
        raise bad_input(metadata, None, what, f"correct corpus.{config.name}.source.language, or give another release")
    files = _files(metadata, articles, manual) | _optional(folder)
    with atomic_folder(raw) as copy:
        for name, path in files.items():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy / name)
        write_provenance(copy, "newsela", TITLE, LICENCE, (Origin(name, copy / name, URL, None) for name in files))
    return len(articles)


def _files(metadata: Path, articles: list[Article], manual: Path) -> dict[str, Path]:
    """What is copied: its name below data/raw/CORPUS and its place; `InputError` where one is absent."""
    files = {METADATA: metadata}
    for row in articles:
        name = f"{ARTICLES}/{row.filename}"
        files[name] = metadata.parent / name
        if not files[name].is_file():
            what = f"{name}: named by the release, but not there"
            raise bad_input(metadata, row.line, what, "unpack the release again, or drop the row")
    for split in SPLITS:
        path = manual / f"{split}.tsv"
        if not path.is_file():
            raise bad_input(path, None, "not there, though train.tsv is", "unpack the release again")
        files[(NEWSELA_MANUAL / path.name).as_posix()] = path
    return files


def _optional(folder: Path) -> dict[str, Path]:
    """Sentence pairs that others aligned, where the user has them: those of Xu et al. 2015, and NEWSELA-AUTO."""
    files = {}
    if any(folder.glob(f"**/{XU2015}")):
        files[NEWSELA_OLD.as_posix()] = find_newsela_aligned(folder)
    for path in sorted(folder.glob(f"**/{NEWSELA_AUTO}/*")):
        if path.suffix in (".src", ".dst"):
            files[(NEWSELA_AUTO / path.name).as_posix()] = path
    return files


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        what = f"{len(found)} files {pattern.removeprefix('**/')} below it, not one"
        raise bad_input(folder, None, what, "set sources.newsela to the folder of the release")
    return found[0]
