"""All alignment systems on labelled document pairs, on equal terms: the same sentences and paragraphs for each (F2).

P, R, F1 of both tasks (section 4.2), precision-recall curves with their best F1 and area (Kajiwara and Komachi 2016,
section 4.1), what the systems find by kind of link, and whether differences between systems are more than chance.
"""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from textsimp.alignment.systems import System, evaluated
from textsimp.metrics.alignment import TASKS, Task, alignment_scores, pair_counts
from textsimp.metrics.alignment_breakdown import breakdown
from textsimp.metrics.curves import Curve, precision_recall_curve
from textsimp.metrics.resampling import paired_bootstrap
from textsimp.records import DocumentPair, Link, pair_to_json
from textsimp.textfiles import atomic_write

Splits: TypeAlias = Mapping[str, Sequence[DocumentPair]]
Predictions: TypeAlias = Sequence[Sequence[Link]]

_POINTS = 200
"""Points of a curve that are written."""


def fit_systems(systems: Mapping[str, System], train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> None:
    """Fit every system, with a progress bar."""
    for name in tqdm(systems, desc="fit the alignment systems", unit="system"):
        systems[name].fit(train, dev)


def predict(systems: Mapping[str, System], pairs: Sequence[DocumentPair], title: str) -> dict[str, list[list[Link]]]:
    """The links of every system for every document pair."""
    bar = tqdm(systems.items(), desc=title, unit="system")
    return {name: [system.align(pair) for pair in pairs] for name, system in bar}


def curves_of(system: System, pairs: Sequence[DocumentPair]) -> dict[Task, Curve]:
    """The precision-recall curve of each task, identical pairs left out."""
    curves = {}
    for task in TASKS:
        scores, gold = evaluated(system, pairs, task)
        curves[task] = precision_recall_curve(scores, gold, int(gold.sum()))
    return curves


def scores_of(
    pairs: Sequence[DocumentPair], links: Predictions, curves: Mapping[Task, Curve] | None
) -> dict[Task, dict[str, float | None]]:
    """`{task: {precision, recall, f1, max_f1, area}}` in percent; the last two are null without curves."""
    found = alignment_scores(zip(pairs, links, strict=True))
    return {
        task: {
            **found[task],
            "max_f1": curves[task].max_f1 if curves else None,
            "area": curves[task].area if curves else None,
        }
        for task in TASKS
    }


def details_of(pairs: Sequence[DocumentPair], links: Predictions) -> dict[str, Any]:
    """What a system finds by kind of link: see `breakdown`."""
    return breakdown(list(zip(pairs, links, strict=True)))


def difference(
    pairs: Sequence[DocumentPair], links: Predictions, others: Predictions, samples: int, seed: int
) -> dict[Task, dict[str, float]]:
    """How far the F1 of `links` is above that of `others`, in points, with a 95 percent interval for each task.

    The paired bootstrap draws article sets (`DocumentPair.group`), as the levels of one article depend on each other.

    Returns:
        `{task: {f1, low, high, p}}`.
    """
    first, second = _counts(pairs, links), _counts(pairs, others)
    found = {}
    for task in TASKS:
        result = paired_bootstrap(first[task], second[task], _f1, samples, seed)
        found[task] = {"f1": result.difference, "low": result.low, "high": result.high, "p": result.p}
    return found


def _counts(pairs: Sequence[DocumentPair], links: Predictions) -> dict[Task, NDArray[np.float64]]:
    """Correct, predicted and gold links of each article set. Shape of each: (groups, 3)."""
    places = {group: place for place, group in enumerate(sorted({pair.group for pair in pairs}))}
    counts = {task: np.zeros((len(places), 3)) for task in TASKS}
    for pair, found in zip(pairs, links, strict=True):
        for task, numbers in pair_counts(pair, found).items():
            counts[task][places[pair.group]] += numbers
    return counts


def _f1(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """F1 in percent from summed counts. Shapes: (..., 3) to (...)."""
    total = counts[..., 1] + counts[..., 2]
    return np.divide(200 * counts[..., 0], total, out=np.zeros_like(total), where=total > 0)


def write_curves(path: str | Path, curves: Mapping[tuple[str, str], Mapping[Task, Curve]]) -> None:
    """Curves by (split, system) as CSV: system, split, task, threshold, precision, recall (percent)."""
    with atomic_write(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["system", "split", "task", "threshold", "precision", "recall"])
        for (split, name), tasks in curves.items():
            for task, curve in tasks.items():
                writer.writerows([name, split, task, *point] for point in _points(curve))


def _points(curve: Curve) -> Iterable[tuple[str, ...]]:
    """At most so many points of a curve, evenly along its way: its steep parts are as fine as its flat ones."""
    steps = np.abs(np.diff(curve.recall, prepend=0.0)) + np.abs(np.diff(curve.precision, prepend=100.0))
    way = np.cumsum(steps)
    marks = np.linspace(0, way[-1], _POINTS) if len(way) else way
    chosen = np.unique(np.minimum(np.searchsorted(way, marks), len(way) - 1))
    columns = (curve.threshold[chosen], curve.precision[chosen], curve.recall[chosen])
    return (tuple(f"{value:.4f}" for value in point) for point in zip(*columns, strict=True))


def write_examples(path: str | Path, pairs: Sequence[DocumentPair], links: Predictions) -> None:
    """Document pairs with gold `alignments` and a further key `predicted`, as JSON Lines."""
    with atomic_write(path) as file:
        for pair, predicted in zip(pairs, links, strict=True):
            rows = [[link.simple, link.complex, link.label.value] for link in predicted]
            file.write(json.dumps({**pair_to_json(pair), "predicted": rows}, ensure_ascii=False) + "\n")
