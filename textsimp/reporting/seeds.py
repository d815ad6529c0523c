"""Claims over seeds: how often each holds where everything that learns is trained again with other seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from textsimp.core.errors import bad_input
from textsimp.core.reading import read_json
from textsimp.core.writing import write_json

_REMEDY = "run `python tools/seeds.py` again, or restore the file from Git"


class ClaimKey(NamedTuple):
    """A claim by the key of its table, its corpus and its words."""

    table: str
    group: str
    text: str


@dataclass(frozen=True)
class OtherSeeds:
    """Runs of an experiment that differ from the kept one in the seeds of training.

    Attributes:
        seeds: of the runs.
        margins: of each claim, by run: how far a number is above the next one, at the closest place; None where the run
            decides nothing.
    """

    seeds: tuple[int, ...] = ()
    margins: Mapping[ClaimKey, tuple[float | None, ...]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "OtherSeeds":
        """What `write` wrote; of no run where there is no such file. `InputError` where it has another form."""
        if not path.is_file():
            return cls()
        value = read_json(path)
        try:
            margins = {
                ClaimKey(*row["claim"]): (tuple(None if value is None else float(value) for value in (row["margins"])))
                for row in value["claims"]
            }
            other_seeds = cls(tuple(map(int, value["seeds"])), margins)
        except (KeyError, TypeError, ValueError):
            raise bad_input(path, None, "not as written", _REMEDY) from None
        if lacking := [key for key, row in margins.items() if len(row) != len(other_seeds.seeds)]:
            raise bad_input(path, None, f"claim {lacking[0].text!r}: not a margin for each seed", _REMEDY)
        return other_seeds

    def write(self, path: Path) -> None:
        """One JSON file, whole or not at all."""
        rows = [{"claim": list(key), "margins": list(margins)} for key, margins in self.margins.items()]
        write_json(path, {"seeds": list(self.seeds), "claims": rows})


def over_runs(margin: float | None, others: Sequence[float | None]) -> str:
    """Such as `4 of 5 (-0.3 to +3.1)`: in how many runs a claim holds, and the smallest and the largest margin.

    Args:
        margin: that of the run that is shown; it is one of those that are counted.
        others: of the other runs, None where one decides nothing.

    Returns:
        Empty where this run or all others decide nothing.
    """
    decided = [value for value in others if value is not None]
    if not decided or margin is None:
        return ""
    margins = [round(value, 1) for value in (margin, *decided)]
    spread = " to ".join(f"{value + 0.0:+.1f}" for value in (min(margins), max(margins)))
    return f"{sum(value > 0 for value in margins)} of {len(margins)} ({spread})"
