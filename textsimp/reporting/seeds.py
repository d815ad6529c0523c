"""Claims over seeds: how often each holds where everything that learns is trained again with other seeds."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from textsimp.core.errors import bad_input
from textsimp.core.params import PARAMS, select, select_list
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


SETTINGS = "settings"
"""The note of such results that says with which settings they were made."""
_SECTIONS = ("aligner", "aligner_variant", "encoder_corpora")


def seeds_file(reports: Path, experiment: str, corpus: str) -> Path:
    """The results of a corpus: mean scores over the seeds in the scope of each split, those of one in slices."""
    return reports / "seeds" / f"{experiment}.{corpus}.json"


def seed_scope(split: str, seed: int | str) -> str:
    """The scope of one seed."""
    return f"{split}/seed={seed}"


def alignment_settings(params: str | Path = PARAMS) -> str:
    """A digest of what decides the results but the seeds: results of other settings are not those of this run."""
    systems = [f"alignment_system.{name}" for name in select_list("trained_systems", params)]
    corpora = [f"corpus.{name}.source" for name in select_list("annotated_corpora", params)]
    values = {key: _without_seeds(select(key, params)) for key in (*_SECTIONS, *systems, *corpora)}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


def _without_seeds(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_seeds(item) for key, item in value.items() if key != "seed"}
    return value
