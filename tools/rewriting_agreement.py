"""Agreement of the rewriting classes with the labelled units, and the choice of their thresholds.

`python -m tools.rewriting_agreement` writes data/sample/rewriting/agreement.json: the thresholds that fit the units for
development best, and accuracy, kappa and confusions on those and on the test units, which choose nothing; and the
tables of docs/rewriting.md from it.
"""

import itertools
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.errors import exit_on_bad_input
from textsimp.metrics.resampling import paired_bootstrap
from textsimp.metrics.rewriting.classes import Features, Rewriting, RewritingConfig, decide, features
from textsimp.metrics.rewriting.labelled import LabelledUnit, agreement, cohen_kappa, confusion, read_labelled
from textsimp.metrics.rewriting.pairs import unit_aligner
from textsimp.textfiles import atomic_write, read_text, write_json

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "data" / "sample" / "rewriting"
AGREEMENT = FOLDER / "agreement.json"
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


def features_of(units: Sequence[LabelledUnit], language: str = "english") -> list[Features]:
    """What the decisions look at, for each unit."""
    aligner = unit_aligner(language)
    return [features(aligner.align(unit.unit)) for unit in units]


def choose(units: Sequence[LabelledUnit], found: Sequence[Features]) -> RewritingConfig:
    """The thresholds of the grid with the best kappa on the units.

    Many settings are equally good on few units. Of those the one with the best neighbourhood is taken (mean kappa of
    the settings one step away in every threshold), then the first.
    """
    kappas = _kappas(units, found)
    best = np.argwhere(kappas >= kappas.max() - 1e-12)
    around = [_neighbourhood(kappas, place) for place in best]
    chosen = best[int(np.argmax(np.round(around, 12)))]
    values = {name: GRID[name][int(k)] for name, k in zip(GRID, chosen, strict=True)}
    return RewritingConfig(**values)  # type: ignore[arg-type]


def _kappas(units: Sequence[LabelledUnit], found: Sequence[Features]) -> NDArray[np.float64]:
    """Kappa of each setting of the grid. Shape: the lengths of its rows."""
    labels = [unit.label for unit in units]
    values = []
    for setting in itertools.product(*GRID.values()):
        config = RewritingConfig(**dict(zip(GRID, setting, strict=True)))  # type: ignore[arg-type]
        values.append(cohen_kappa(confusion(labels, [decide(item, config) for item in found])))
    return np.array(values).reshape([len(row) for row in GRID.values()])


def _neighbourhood(kappas: NDArray[np.float64], place: NDArray[np.int64]) -> float:
    around = tuple(slice(max(0, int(k) - 1), int(k) + 2) for k in place)
    return float(kappas[around].mean())


def report(folder: Path = FOLDER) -> dict[str, Any]:
    """Everything that agreement.json holds."""
    halves = read_halves(folder)
    found = {half: features_of(units) for half, units in halves.items()}
    config = choose([u for half in DEVELOPMENT for u in halves[half]], [f for half in DEVELOPMENT for f in found[half]])
    without = {half: features_of(halves[half], "none") for half in TEST}
    return {
        "thresholds": asdict(config),
        "agreement": {half: _agreement(halves[half], found[half], config) for half in (*DEVELOPMENT, *TEST)},
        "without_language_rules": {half: _agreement(halves[half], without[half], config) for half in TEST},
        "always_the_most_frequent_class": {half: _most_frequent(halves[half]) for half in TEST},
    }


def _agreement(units: Sequence[LabelledUnit], found: Sequence[Features], config: RewritingConfig) -> dict[str, Any]:
    classes = [decide(item, config) for item in found]
    right = np.array([[float(unit.label == kind), 1.0] for unit, kind in zip(units, classes, strict=True)])
    # the interval is that of the difference to a classifier that is never right
    interval = paired_bootstrap(right, right * np.array([0.0, 1.0]), lambda sums: sums[..., 0] / sums[..., 1], 1000, 1)
    return {**agreement(units, classes), "accuracy_low": interval.low, "accuracy_high": interval.high}


def _most_frequent(units: Sequence[LabelledUnit]) -> float:
    """Accuracy of always giving the most frequent label."""
    counts = [sum(unit.label == kind for unit in units) for kind in Rewriting]
    return max(counts) / len(units)


def tables(found: dict[str, Any]) -> str:
    """The agreement as Markdown."""
    lines = ["", "| units | number | accuracy [95 percent] | Cohen's kappa |", "| --- | ---: | ---: | ---: |"]
    for half, result in found["agreement"].items():
        lines.append(_row(half, result))
    for half, result in found["without_language_rules"].items():
        lines.append(_row(f"{half}, `none` instead of `english`", result))
    for half, share in found["always_the_most_frequent_class"].items():
        lines.append(f"| {half}, always its most frequent class | | {share:.3f} | 0.000 |")
    chosen = ", ".join(f"`{name}` {value:g}" for name, value in found["thresholds"].items())
    lines += ["", f"Thresholds chosen on {' and '.join(DEVELOPMENT)}: {chosen}."]
    for half in TEST:
        lines += ["", f"Confusions on {half} (rows: label, columns: found):", ""]
        lines += _confusions(found["agreement"][half])
    return "\n".join([*lines, "", ""])


def page(text: str, found: dict[str, Any]) -> str:
    """The text of docs/rewriting.md with these tables."""
    before, rest = text.split(START)
    return before + START + "\n" + tables(found) + END + rest.split(END)[1]


def _row(name: str, result: dict[str, Any]) -> str:
    accuracy = f"{result['accuracy']:.3f} [{result['accuracy_low']:.3f}, {result['accuracy_high']:.3f}]"
    return f"| {name} | {result['units']} | {accuracy} | {result['kappa']:.3f} |"


def _confusions(result: dict[str, Any]) -> list[str]:
    names = [kind.value for kind in Rewriting]
    lines = [f"| | {' | '.join(names)} |", "| --- |" + " ---: |" * len(names)]
    for label, row in result["confusion"].items():
        lines.append(f"| {label} | " + " | ".join(str(row.get(name, "")) for name in names) + " |")
    return lines


@exit_on_bad_input
def main() -> None:
    """Write the agreement, then the page with its tables."""
    found = report()
    write_json(AGREEMENT, found)
    text = page(read_text(PAGE), found)
    with atomic_write(PAGE) as file:
        file.write(text)


if __name__ == "__main__":
    main()
