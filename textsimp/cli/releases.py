"""Where commands find the public releases: a folder, a mirror of them, or the user's cache of what was fetched."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from textsimp.cli.command import Reads
from textsimp.core.errors import InputError
from textsimp.core.params import from_conf

if TYPE_CHECKING:
    from textsimp.evaluation.leaderboard import LeaderboardConfig

EXPERIMENT = "published"
"""The experiment of conf/ that names the releases."""
_CACHE = "XDG_CACHE_HOME"

Mirror = Annotated[
    str | None,
    typer.Option("--mirror", envvar="TEXTSIMP_MIRROR", help="Mirror of the releases, tried before the network."),
]
Releases = Annotated[
    Path | None,
    typer.Option("--releases", help="Folder that has the releases already; nothing is fetched."),
    Reads(),
]


def release_folder(folders: Sequence[str], mirror: str | None, raw: Path | None) -> Path:
    """The folder that holds the folders of some releases: `raw`, or the user's cache, after fetching what it lacks.

    Raises:
        InputError: neither the mirror nor the network has a file.
    """
    if raw is not None:
        return raw
    from textsimp.sources.config import SourcesConfig
    from textsimp.sources.fetch import fetch_release

    sources = from_conf("sources", SourcesConfig, f"experiment={EXPERIMENT}")
    sources, cache = replace(sources, mirror=mirror or sources.mirror), release_cache()
    for name, release in sources.releases.items():
        if release.folder in folders:
            try:
                fetch_release(name, sources, cache)
            except InputError as error:  # it names the setting of the pipeline, where a command has an option
                message = str(error).replace("set sources.mirror to", "give --mirror")
                raise InputError(message.replace("sources.mirror:", "--mirror:")) from None
    return cache


def files_of_test_set(
    board: "LeaderboardConfig", test_set: str, mirror: str | None, raw: Path | None
) -> tuple[Path, list[Path]]:
    """The sentences and the references of a test set of the leaderboard.

    Raises:
        InputError: no such test set, or as of `release_folder`.
    """
    described = board.test_set(test_set)
    folders = [Path(file).parts[0] for file in (described.complex, described.references)]
    return described.files(release_folder(folders, mirror, raw))


def release_cache() -> Path:
    """Where fetched releases are kept for the next time, in the user's cache folder."""
    return Path(os.environ.get(_CACHE) or Path.home() / ".cache", "textsimp", "releases")
