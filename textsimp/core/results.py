"""Findings of the evaluating stages in one form: numbers by scope, system and measure, differences of two systems.

One schema for every comparison of the project (aligners, audits, paragraphs, simplifiers, kinds of rewriting, released
outputs). The class that writes a file is the one that reads it.

A *scope* is a test set or split, or a slice of one, written as a path: `test`, `test/level_gap=1`, `auto/length=0-10`.
A *measure* names a number and, after dots, its part: `task1.f1`, `sari`, `sari.add`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from textsimp.core.errors import bad_input
from textsimp.core.reading import read_json
from textsimp.core.settings import Samples, Seed, structured
from textsimp.core.writing import write_json

SCHEMA = 1
"""Grows when the files change their form."""


@dataclass(frozen=True)
class Resampling:
    """The number of times that a test set is drawn again, and the seed of the draw (section `resampling`)."""

    samples: Samples
    seed: Seed


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 percent interval; None where nothing was resampled."""

    value: float
    low: float | None = None
    high: float | None = None

    def leaf(self) -> float | list[float | None]:
        """Return the number, or a list of the number and its bounds, as a file has it."""
        return self.value if self.low is None else [self.value, self.low, self.high]


@dataclass(frozen=True)
class Comparison:
    """The difference of a system to another one, with the 95 percent interval over the resamples (percentiles).

    Attributes:
        p_bootstrap: of the paired bootstrap, two-sided.
        p_randomisation: of approximate randomisation.
        p_holm: the larger of the two, corrected for all pairs that were tested (Holm 1979); None where one was.
    """

    difference: float
    low: float | None = None
    high: float | None = None
    p_bootstrap: float | None = None
    p_randomisation: float | None = None
    p_holm: float | None = None

    def reversed(self) -> "Comparison":
        """Return the same two systems the other way round."""
        low, high = (None if bound is None else -bound for bound in (self.high, self.low))
        return replace(self, difference=-self.difference, low=low, high=high)


class Cell(NamedTuple):
    """The subject of a number."""

    scope: str
    system: str
    measure: str


class Contrast(NamedTuple):
    """The subject of a difference: `system` minus `base`."""

    scope: str
    measure: str
    system: str
    base: str


@dataclass
class Results:
    """The numbers of one stage about one corpus, in the order in which they were found.

    `signatures` are the recipes of measures that have one; `resampling` is that of the intervals and tests, if any;
    `notes` are short texts that stand beside the numbers, such as the name of the word vectors.
    """

    estimates: dict[Cell, Estimate] = field(default_factory=dict)
    comparisons: dict[Contrast, Comparison] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)
    resampling: Resampling | None = None
    notes: dict[str, str] = field(default_factory=dict)

    def put(self, scope: str, system: str, numbers: Mapping[str, Estimate | float]) -> None:
        """Write numbers of a system by measure."""
        for measure, number in numbers.items():
            self.estimates[Cell(scope, system, measure)] = number if isinstance(number, Estimate) else Estimate(number)

    def get(self, scope: str, system: str, measure: str) -> Estimate | None:
        """One number, or None."""
        return self.estimates.get(Cell(scope, system, measure))

    def value(self, scope: str, system: str, measure: str) -> float | None:
        """One number without its interval, or None."""
        estimate = self.get(scope, system, measure)
        return None if estimate is None else estimate.value

    def compared(self, scope: str, measure: str, system: str, base: str) -> Comparison | None:
        """`system` minus `base`, also where the file has the pair the other way round; None where it has neither."""
        turned = self.comparisons.get(Contrast(scope, measure, base, system))
        return self.comparisons.get(Contrast(scope, measure, system, base)) or (turned and turned.reversed())

    def scopes(self, below: str | None = None) -> list[str]:
        """The scopes in their order: those without a slash, or the slices of `below`."""
        names = dict.fromkeys(cell.scope for cell in self.estimates)
        return [name for name in names if (name.startswith(f"{below}/") if below else "/" not in name)]

    def systems(self, scope: str) -> list[str]:
        """The systems of a scope in their order."""
        return list(dict.fromkeys(cell.system for cell in self.estimates if cell.scope == scope))

    def measures(self, scope: str, system: str) -> dict[str, Estimate]:
        """All numbers of a system in a scope."""
        return {cell.measure: e for cell, e in self.estimates.items() if cell[:2] == (scope, system)}

    def values(self, measures: Iterable[str] | None = None) -> dict[str, dict[str, dict[str, float]]]:
        """Scope -> system -> measure -> value of all scopes that are no slices, for `dvc metrics`."""
        wanted = None if measures is None else set(measures)
        return _nested(
            (cell, estimate.value)
            for cell, estimate in self.estimates.items()
            if "/" not in cell.scope and (wanted is None or cell.measure in wanted)
        )

    def write(self, path: str | Path, headline: Path | None = None, measures: Iterable[str] | None = None) -> None:
        """Write one JSON file, whole or not at all; where `headline` is given, a second one with `values(measures)`."""
        write_json(path, self._tree(), sort_keys=False)
        if headline is not None:
            write_json(headline, self.values(measures))

    def to_json(self) -> str:
        """Return the text that `write` writes, for a command that prints it."""
        return json.dumps(self._tree(), ensure_ascii=False, indent=2)

    def _tree(self) -> dict[str, Any]:
        tree: dict[str, Any] = {
            "schema": SCHEMA,
            "estimates": _nested((cell, estimate.leaf()) for cell, estimate in self.estimates.items()),
            "comparisons": _nested(
                (pair, {name: number for name, number in asdict(tests).items() if number is not None})
                for pair, tests in self.comparisons.items()
            ),
            "signatures": self.signatures,
            "notes": self.notes,
        }
        return tree | ({"resampling": asdict(self.resampling)} if self.resampling else {})

    @classmethod
    def read(cls, path: str | Path) -> "Results":
        """Read what `write` wrote; raise `InputError` where the file is absent or has another form."""
        value = read_json(path)
        if not isinstance(value, dict) or value.get("schema") != SCHEMA:
            raise bad_input(path, None, f"no results of schema {SCHEMA}", "run the stage that writes it again")
        try:
            return cls(
                {
                    Cell(*key): Estimate(*map(_number, leaf if isinstance(leaf, list) else [leaf]))
                    for key, leaf in _leaves(value["estimates"], 3)
                },
                {Contrast(*key): Comparison(**leaf) for key, leaf in _leaves(value["comparisons"], 4)},
                dict(value["signatures"]),
                structured(value["resampling"], Resampling) if "resampling" in value else None,
                dict(value["notes"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise bad_input(path, None, f"not as written ({error})", "run the stage that writes it again") from None


def as_printed(value: float, printed: str) -> str:
    """Our number in the form of a printed one: with as many digits after the point, `35.1` or `11`."""
    return f"{value:.{len(printed.partition('.')[2])}f}"


def _nested(leaves: Iterable[tuple[tuple[str, ...], Any]]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for key, leaf in leaves:
        node = tree
        for part in key[:-1]:
            node = node.setdefault(part, {})
        node[key[-1]] = leaf
    return tree


def _leaves(tree: Mapping[str, Any], depth: int, key: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, node in tree.items():
        if depth == 1:
            yield (*key, name), node
        else:
            yield from _leaves(node, depth - 1, (*key, name))


def _number(leaf: Any) -> float:
    if isinstance(leaf, bool) or not isinstance(leaf, int | float):
        raise ValueError(f"{leaf!r} is no number")
    return leaf
