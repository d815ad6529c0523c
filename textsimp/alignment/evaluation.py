"""All alignment systems on labelled document pairs, on equal terms: the same sentences and paragraphs for each (F2).

P, R, F1 of both tasks (section 4.2), precision-recall curves with their best F1 and area (Kajiwara and Komachi 2016,
section 4.1), and what the systems find by kind of link.
"""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from tqdm import tqdm

from textsimp.alignment.systems import System, evaluated
from textsimp.metrics.alignment import TASKS, Task, alignment_scores
from textsimp.metrics.alignment_breakdown import breakdown
from textsimp.metrics.alignment_significance import Predictions
from textsimp.metrics.curves import Curve, precision_recall_curve
from textsimp.records import DocumentPair, Link, pair_to_json
from textsimp.textfiles import atomic_write

Splits: TypeAlias = Mapping[str, Sequence[DocumentPair]]

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


def write_examples(path: str | Path, pairs: Sequence[DocumentPair], links: Mapping[str, Predictions]) -> None:
    """Document pairs with gold `alignments` and a further key `predicted`: links by system, as JSON Lines."""
    with atomic_write(path) as file:
        for place, pair in enumerate(pairs):
            predicted = {
                name: [[link.simple, link.complex, link.label.value] for link in found[place]]
                for name, found in links.items()
            }
            file.write(json.dumps({**pair_to_json(pair), "predicted": predicted}, ensure_ascii=False) + "\n")
