"""Invented ratings in SimpEval's files, and an ASSET that has their originals."""

import csv
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from textsimp.sources.parallel import write_asset

SENTENCES = 12
SHARES = {"a": 0.95, "b": 0.8, "c": 0.6, "d": 0.4, "e": 0.2, "f": 0.0}
"""How many words of a system's output are a reference's; its ratings follow from it."""
PEOPLE = {"past": ["person"], "newer": ["one", "two"]}
_WORDS = "river town council vote plan old boat harbour winter storm bridge market school garden".split()


def write_simpeval(root: Path, people: Mapping[str, Sequence[str]] = PEOPLE) -> Path:
    """The folder of the releases: `simpeval/` and `asset/`, with these people."""
    draw = random.Random(7)
    originals = [f"{' '.join(['The', *draw.choices(_WORDS, k=10)])}." for _ in range(SENTENCES)]
    goals = [[" ".join(line.split()[: 5 + number % 3]) + "." for number in range(10)] for line in originals]
    write_asset(root / "asset", "test", [(line, tuple(of)) for line, of in zip(originals, goals, strict=True)])
    rows = [
        (str(number), originals[number], _noisy(goals[number][0], share, draw), system, share)
        for system, share in {**SHARES, **dict.fromkeys(people["past"], 1.0)}.items()
        for number in range(SENTENCES)
    ]
    _write(root / "simpeval" / "simpeval_past.csv", "processed_generation", rows, 5, draw)
    names = dict(zip(SHARES, [*people["newer"], *SHARES], strict=False))  # the best ones are people
    newer = [(*row[:3], names[row[3]], row[4]) for row in rows if row[3] in names]
    _write(root / "simpeval" / "simpeval_2022.csv", "generation", newer, 3, draw)
    with (root / "simpeval" / "simpDA_2022.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        inputs = [f"Input.{name}" for name in ("id", "original", "simplified", "system")]
        writer.writerow(["WorkerId", *inputs, "Answer.adequacy", "Answer.fluency", "Answer.simplicity"])
        for *row, share in newer:
            for worker in range(3):
                writer.writerow([worker, *row, *(_rating(share, draw) for _ in range(3))])
    return root


def _write(path: Path, output: str, rows: list[tuple], raters: int, draw: random.Random) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["original_id", "original", output, "system", *(f"rating_{n + 1}" for n in range(raters))])
        writer.writerows([*row, *(_rating(share, draw) for _ in range(raters))] for *row, share in rows)


def _rating(share: float, draw: random.Random) -> int:
    return min(100, max(0, round(100 * share + draw.gauss(0, 12))))


def _noisy(line: str, share: float, draw: random.Random) -> str:
    return " ".join(word if draw.random() < share else "noise" for word in line.split())
