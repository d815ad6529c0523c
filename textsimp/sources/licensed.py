"""The licensed Newsela release and NEWSELA-MANUAL: found below the user's folder, checked, copied (F1).

Nothing of it enters Git: data/raw is an output of DVC and ignored.
"""

import shutil
from pathlib import Path

from textsimp.errors import InputError, bad_input
from textsimp.sources.config import SourceConfig, SourcesConfig
from textsimp.sources.newsela import ARTICLES, METADATA, read_metadata
from textsimp.sources.newsela_manual import LEVELS
from textsimp.sources.splits import NEWSELA_MANUAL, SPLITS
from textsimp.textfiles import atomic_folder


def acquire_licensed(sources: SourcesConfig, raw: str | Path, config: SourceConfig) -> int:
    """Copy the article versions of the corpus's language, the metadata and the manual TSVs to `raw`, byte by byte.

    Returns:
        The number of articles.

    Raises:
        InputError: `sources.newsela` is not set, or the release below it is not complete.
    """
    if sources.newsela is None:
        what = "the Newsela release is licensed and its folder is not set"
        raise InputError(f"sources.newsela: {what}; ask for it at newsela.com/data, then set sources.newsela=FOLDER")
    metadata = _only(Path(sources.newsela), f"**/{METADATA}")
    manual = _only(Path(sources.newsela), f"**/{NEWSELA_MANUAL}/train.tsv").parent
    articles = [
        row for row in read_metadata(metadata) if row.language == config.language and row.version in LEVELS
    ]
    with atomic_folder(raw) as folder:
        shutil.copyfile(metadata, folder / METADATA)
        _copy_all([metadata.parent / ARTICLES / row.filename for row in articles], folder / ARTICLES)
        _copy_all([manual / f"{split}.tsv" for split in SPLITS], folder / NEWSELA_MANUAL)
    return len(articles)


def _copy_all(paths: list[Path], folder: Path) -> None:
    folder.mkdir(parents=True)
    for path in paths:
        if not path.is_file():
            raise bad_input(path, None, "named by the release, but not there", "unpack the release again")
        shutil.copyfile(path, folder / path.name)


def _only(folder: Path, pattern: str) -> Path:
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        what = f"{len(found)} files {pattern.removeprefix('**/')} below it, not one"
        raise bad_input(folder, None, what, "set sources.newsela to the folder of the release")
    return found[0]
