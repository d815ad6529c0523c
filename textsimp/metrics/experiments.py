"""The experiments on released outputs, in which nothing is trained (F1)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.errors import InputError
from textsimp.metrics.leaderboard_config import LeaderboardConfig
from textsimp.metrics.leaderboard_files import released_leaderboard
from textsimp.metrics.published import score_published
from textsimp.metrics.simplification import EvaluationConfig

TABLE, LEADERBOARD = "jiang2020", "leaderboard"
EXPERIMENTS = (TABLE, LEADERBOARD)


@dataclass(frozen=True)
class ExperimentFiles:
    """What the experiments read.

    Attributes:
        raw: folder of the releases.
        table: the printed table, CSV.
        submissions: folder of the user's own outputs for the leaderboard.
    """

    raw: Path
    table: Path
    submissions: Path


def run_experiment(
    name: str, files: ExperimentFiles, config: EvaluationConfig, board: LeaderboardConfig
) -> dict[str, Any]:
    """The result of one of `EXPERIMENTS`: `published.score_published` or `leaderboard_files.released_leaderboard`.

    Raises:
        InputError: an unknown name, or what these raise.
    """
    if name == TABLE:
        return score_published(files.raw, files.table, config)
    if name == LEADERBOARD:
        return released_leaderboard(files.raw, files.submissions, board, config)
    raise InputError(f"published experiment {name!r}: unknown; there is {', '.join(EXPERIMENTS)}")


def headline(result: dict[str, Any]) -> str:
    """The result in one line, for the log."""
    if "rows" in result:
        return f"{result['cells']}, different: {result['differences']}"
    sizes = (f"{len(found['systems'])} systems on {name}" for name, found in result["test_sets"].items())
    return ", ".join(sizes)
