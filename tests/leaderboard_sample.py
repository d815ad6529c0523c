"""An invented leaderboard: a small test set in TURK's form and in ASSET's, and systems of known quality."""

import random
from pathlib import Path

from textsimp.core.results import Resampling
from textsimp.core.writing import write_lines
from textsimp.evaluation.leaderboard import LeaderboardConfig, LeaderboardSystem, LeaderboardTestSet

LINES = 24
RESAMPLING = Resampling(1000, 1)
KEPT = {"best": 0.95, "middle": 0.75, "worst": 0.25}
"""Share of the words of a system's output that are a reference's; the others are noise."""
BOARD = LeaderboardConfig(
    0.05,
    {
        "turk": LeaderboardTestSet("TURK", "sets/t.complex", "sets/t.reference.", 3, "released", None),
        "asset": LeaderboardTestSet("ASSET", "sets/a.complex", "sets/a.reference.", 3, "treebank", None),
    },
    {
        name: LeaderboardSystem(name.title(), "A 2020", "B 2021", None, f"outputs/{name}.txt", ["turk", "asset"])
        for name in KEPT
    },
)
_WORDS = [
    *("river", "town", "council", "vote", "plan", "old", "boat", "harbour"),
    *("winter", "storm", "bridge", "market", "school", "garden", "road", "night"),
]


def write_releases(root: Path) -> Path:
    """The folder of the releases."""
    draw = random.Random(5)
    complex_ = [" ".join(["the", *draw.choices(_WORDS, k=12), "."]) for _ in range(LINES)]
    references = [[_shortened(line, draw) for line in complex_] for _ in range(3)]
    folder = root / "sets"
    for prefix, change in (("t", str), ("a", _as_asset)):
        write_lines(folder / f"{prefix}.complex", map(change, complex_))
        for number, lines in enumerate(references):
            write_lines(folder / f"{prefix}.reference.{number}", map(change, lines))
    for name, share in KEPT.items():
        write_lines(root / "outputs" / f"{name}.txt", [_noisy(line, share, draw) for line in references[0]])
    return root


def _shortened(line: str, draw: random.Random) -> str:
    words = line.split()[:-1]
    return " ".join([word if draw.random() < 0.7 else "small" for word in words[:9]]) + " ."


def _noisy(line: str, share: float, draw: random.Random) -> str:
    return " ".join(word if draw.random() < share else "noise" for word in line.split())


def _as_asset(line: str) -> str:
    """Cased and untokenised."""
    return line.removesuffix(" .").capitalize() + "."
