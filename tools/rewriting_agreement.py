"""Agreement of the rewriting classes with the labelled units, and the choice of their thresholds.

`python -m tools.rewriting_agreement` writes the tables of docs/rewriting.md: the thresholds that fit the units for
development best, and accuracy, kappa and confusions on those and on the test units, which choose nothing.
"""

import functools
import itertools
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import from_conf
from textsimp.core.reading import read_text
from textsimp.core.results import Resampling
from textsimp.core.writing import atomic_write
from textsimp.metrics.kappa import cohen_kappa
from textsimp.metrics.resampling import resample
from textsimp.metrics.rewriting.kinds import Features, Rewriting, RewritingConfig, decide, features
from textsimp.metrics.rewriting.labelled import LabelledUnit, agreement, confusion, read_labelled
from textsimp.metrics.rewriting.units import align_unit
from tools.pages import between

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "data" / "sample" / "rewriting"
PAGE = ROOT / "docs" / "rewriting.md"
START, END = "<!-- agreement: written by `python -m tools.rewriting_agreement` -->", "<!-- agreement: end -->"
FILES = ("labelled.tsv", "drawn.tsv")
DEVELOPMENT, TEST = ("dev", "drawn-dev"), ("test", "drawn-test")
GRID: dict[str, tuple[float, ...]] = {
    "min_coverage": (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45),
    "name_weight": (0.0, 0.5, 1.0),
    "max_conflicts": (1, 2, 3),
    "min_moved": (0.05, 0.1, 0.2, 0.3),
    "words_per_new": (0.5, 1.0, 1.5, 2.0),
    "min_deleted": (0.1, 0.15, 0.2, 0.25, 0.3),
}


def read_halves(folder: Path) -> dict[str, list[LabelledUnit]]:
    """The labelled units by half: dev and test of those written for it, drawn-dev and drawn-test."""
    halves: dict[str, list[LabelledUnit]] = {}
    for name in FILES:
        for unit in read_labelled(folder / name):
            halves.setdefault(unit.half, []).append(unit)
    return halves


def features_of(units: Sequence[LabelledUnit]) -> list[Features]:
    """What the decisions look at, for each unit."""
    return [features(align_unit(unit.unit)) for unit in units]


def choose(units: Sequence[LabelledUnit], unit_features: Sequence[Features]) -> RewritingConfig:
    """The thresholds of the grid with the best kappa on the units.

    Many settings are equally good on few units. Of those the one with the best neighbourhood is taken (mean kappa of
    the settings one step away in every threshold), then the first.
    """
    kappas = _kappas(units, unit_features)
    best = np.argwhere(kappas >= kappas.max() - 1e-12)
    around = [_neighbourhood(kappas, setting) for setting in best]
    chosen = best[int(np.argmax(np.round(around, 12)))]
    values = {name: GRID[name][int(k)] for name, k in zip(GRID, chosen, strict=True)}
    return RewritingConfig(**values)  # type: ignore[arg-type]


def _kappas(units: Sequence[LabelledUnit], unit_features: Sequence[Features]) -> NDArray[np.float64]:
    """Kappa of each setting of the grid. Shape: the lengths of its rows."""
    labels = [unit.label for unit in units]
    kappa = functools.cache(lambda classes: cohen_kappa(confusion(labels, classes)))  # few settings differ on few units
    values = []
    for setting in itertools.product(*GRID.values()):
        config = RewritingConfig(**dict(zip(GRID, setting, strict=True)))  # type: ignore[arg-type]
        values.append(kappa(tuple(decide(item, config) for item in unit_features)))
    return np.array(values).reshape([len(row) for row in GRID.values()])


def _neighbourhood(kappas: NDArray[np.float64], setting: NDArray[np.int64]) -> float:
    around = tuple(slice(max(0, int(k) - 1), int(k) + 2) for k in setting)
    return float(kappas[around].mean())


def report(folder: Path = FOLDER) -> dict[str, Any]:
    """Thresholds, agreement by half, and what it is compared with."""
    halves = read_halves(folder)
    by_half = {half: features_of(units) for half, units in halves.items()}
    config = choose(
        [unit for half in DEVELOPMENT for unit in halves[half]],
        [item for half in DEVELOPMENT for item in by_half[half]],
    )
    return {
        "thresholds": asdict(config),
        "agreement": {half: _agreement(halves[half], by_half[half], config) for half in (*DEVELOPMENT, *TEST)},
        "always_the_most_frequent_class": {half: _most_frequent(halves[half]) for half in TEST},
    }


def _agreement(
    units: Sequence[LabelledUnit], unit_features: Sequence[Features], config: RewritingConfig
) -> dict[str, Any]:
    classes = [decide(item, config) for item in unit_features]
    statistics, kappa = agreement(units, classes)
    accuracy = resample([{"": statistics}], from_conf("resampling", Resampling))[0][""].estimates()[0]
    table = confusion([unit.label for unit in units], classes)
    return {"units": len(units), "accuracy": accuracy, "kappa": kappa, "confusion": table.tolist()}


def _most_frequent(units: Sequence[LabelledUnit]) -> float:
    """Accuracy of always giving the most frequent label."""
    counts = [sum(unit.label == kind for unit in units) for kind in Rewriting]
    return max(counts) / len(units)


def tables(results: dict[str, Any]) -> str:
    """The agreement as Markdown."""
    lines = ["", "| units | number | accuracy [95 percent] | Cohen's kappa |", "| --- | ---: | ---: | ---: |"]
    for half, found in results["agreement"].items():
        accuracy = "{0.value:.3f} [{0.low:.3f}, {0.high:.3f}]".format(found["accuracy"])
        lines.append(f"| {half} | {found['units']} | {accuracy} | {found['kappa']:.3f} |")
    for half, share in results["always_the_most_frequent_class"].items():
        lines.append(f"| {half}, always its most frequent class | | {share:.3f} | 0.000 |")
    chosen = ", ".join(f"`{name}` {value:g}" for name, value in results["thresholds"].items())
    lines += ["", f"Thresholds chosen on {' and '.join(DEVELOPMENT)}: {chosen}."]
    lines += ["", f"Confusions on {TEST[-1]} (rows: label, columns: found):", ""]
    names = [kind.value for kind in Rewriting]
    lines += [f"| | {' | '.join(names)} |", "| --- |" + " ---: |" * len(names)]
    for label, row in zip(names, results["agreement"][TEST[-1]]["confusion"], strict=True):
        if any(row):
            lines.append(f"| {label} | {' | '.join(str(count or '') for count in row)} |")
    return "\n".join([*lines, "", ""])


def page(text: str, results: dict[str, Any]) -> str:
    """The text of docs/rewriting.md with these tables."""
    return between(text, START, END, tables(results))


@exit_on_bad_input
def main() -> None:
    """Write the page with the tables."""
    text = page(read_text(PAGE), report())
    with atomic_write(PAGE) as file:
        file.write(text)


if __name__ == "__main__":
    main()
