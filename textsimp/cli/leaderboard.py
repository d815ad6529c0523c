"""The command `textsimp leaderboard`: one's own outputs among the released ones, under every variant of SARI (F3)."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from textsimp.errors import InputError, exit_on_bad_input
from textsimp.metrics.leaderboard_config import LeaderboardConfig
from textsimp.metrics.leaderboard_files import one_leaderboard, released_folders
from textsimp.metrics.leaderboard_text import leaderboard_text
from textsimp.metrics.simplification import EvaluationConfig
from textsimp.metrics.text_form import RELEASED, checked_form, lines_of_other_form
from textsimp.params import from_conf
from textsimp.sources.config import SourcesConfig
from textsimp.sources.fetch import fetch_release
from textsimp.textfiles import read_lines

EXPERIMENT = "published"
RAW = Path("data", "raw", "leaderboard")
_FEW = 0.05
"""Share of lines that may differ from Treebank tokens without a word about it."""


@exit_on_bad_input
def leaderboard(
    output: Annotated[list[Path], typer.Option("--output", help="Outputs for the test set, line by line.")],
    name: Annotated[list[str] | None, typer.Option("--name", help="Their names, in order; else the files'.")] = None,
    test_set: Annotated[str, typer.Option("--test-set", help="turk or asset.")] = "turk",
    form: Annotated[
        str | None, typer.Option(help="released or treebank: how all texts are brought to one form.")
    ] = None,
    mirror: Annotated[str | None, typer.Option("--mirror", help="Folder with RELEASE/FILE, tried first.")] = None,
    raw: Annotated[Path | None, typer.Option("--raw", help="Folder that has the releases already.")] = None,
    samples: Annotated[int | None, typer.Option(help="Resamples for intervals and tests.")] = None,
    seed: Annotated[int | None, typer.Option(help="Of the resampling.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Rank outputs of one's own among all released ones: every variant of SARI, with intervals and what they beat."""
    board = from_conf("leaderboard", LeaderboardConfig)
    config = from_conf("evaluation", EvaluationConfig)
    chosen = {"samples": config.samples if samples is None else samples, "seed": config.seed if seed is None else seed}
    if chosen["samples"] < 1 or chosen["seed"] < 0:
        what = "expected one sample at least and no negative seed"
        raise InputError(f"--samples {chosen['samples']} --seed {chosen['seed']}: {what}")
    mine = _named(output, name)
    form = checked_form(form or board.test_set(test_set).form)
    folder = _fetched(board, test_set, mirror) if raw is None else raw
    found = one_leaderboard(folder, test_set, mine, board, replace(config, **chosen), form)
    result = {**found, "alpha": board.alpha, "resampling": {**chosen, "confidence": 95}}
    if form == RELEASED:
        _warn_of_form(mine)
    typer.echo(json.dumps(result, ensure_ascii=False, indent=2) if as_json else "\n".join(leaderboard_text(result)))


def _named(outputs: Sequence[Path], names: Sequence[str] | None) -> dict[str, Path]:
    names = names or [path.stem for path in outputs]
    if len(names) != len(outputs):
        raise InputError(f"--name: {len(names)} names for {len(outputs)} outputs; give one for each, or none")
    for name, number in Counter(names).items():
        if number > 1 or not name.strip():
            raise InputError(f"--name {name!r}: names of rows are distinct and not empty; give --name for each output")
    return dict(zip(names, outputs, strict=True))


def _fetched(board: LeaderboardConfig, test_set: str, mirror: str | None) -> Path:
    """The folder of the releases, each fetched where it is not there yet."""
    sources = from_conf("sources", SourcesConfig, f"experiment={EXPERIMENT}")
    sources = replace(sources, mirror=mirror or sources.mirror)
    for folder in released_folders(board, test_set):
        for name, release in sources.releases.items():
            if release.folder == folder:
                fetch_release(name, sources, RAW)
    return RAW


def _warn_of_form(outputs: dict[str, Path]) -> None:
    """Say where an output is not the lower-case tokens that the released files are."""
    for name, path in outputs.items():
        lines = read_lines(path)
        other = lines_of_other_form(lines)
        if other > _FEW * len(lines):
            typer.echo(
                f"note: {name}: {other} of {len(lines)} lines are not lower-case Treebank tokens as the released "
                "files; SARI per sentence splits at spaces. --form treebank brings all texts to that form",
                err=True,
            )
