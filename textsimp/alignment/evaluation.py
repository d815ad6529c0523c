"""All alignment systems on labelled document pairs: P, R, F1 of both tasks, precision-recall curves (section 4) (F2)."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.alignment.aligner import Aligner
from textsimp.alignment.systems import System, SystemConfig, evaluated, make_system
from textsimp.metrics.alignment import TASKS, alignment_scores
from textsimp.metrics.curves import precision_recall_curve
from textsimp.records import DocumentPair, Link, pair_to_json
from textsimp.textfiles import atomic_write

Splits = Mapping[str, Sequence[DocumentPair]]

_POINTS = 200
"""Points of a curve that are written."""


def fit_systems(
    configs: Mapping[str, SystemConfig], dev: Sequence[DocumentPair], corpus: Sequence[DocumentPair], aligner: Aligner | None
) -> dict[str, System]:
    """The systems with thresholds from dev; word counts come from all documents at hand."""
    systems = {name: make_system(config, corpus, aligner) for name, config in configs.items()}
    for system in systems.values():
        system.fit(dev)
    return systems


def evaluate(systems: Mapping[str, System], splits: Splits) -> dict[str, dict[str, Any]]:
    """`{split: {system: {"task1": {...}, "task2": {...}}}}` in percent, as `alignment_scores` gives them."""
    return {
        split: {
            name: {
                task: scores[task]
                for scores in [alignment_scores((pair, system.align(pair)) for pair in pairs)]
                for task in TASKS
            }
            for name, system in systems.items()
        }
        for split, pairs in splits.items()
    }


def write_curves(path: str | Path, systems: Mapping[str, System], splits: Splits) -> None:
    """Precision-recall curves as CSV: system, split, task, threshold, precision, recall (percent)."""
    with atomic_write(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["system", "split", "task", "threshold", "precision", "recall"])
        for split, pairs in splits.items():
            for name, system in systems.items():
                for task in TASKS:
                    writer.writerows([name, split, task, *point] for point in _curve(system, pairs, task))


def _curve(system: System, pairs: Sequence[DocumentPair], task: Any) -> list[tuple[str, str, str]]:
    scores, gold = evaluated(system, pairs, task)
    curve = precision_recall_curve(scores, gold, int(gold.sum()))
    chosen = np.unique(np.linspace(0, len(curve.threshold) - 1, min(_POINTS, len(curve.threshold))).astype(int))
    columns = (curve.threshold[chosen], curve.precision[chosen], curve.recall[chosen])
    return [tuple(f"{value:.4f}" for value in point) for point in zip(*columns, strict=True)]


def write_examples(path: str | Path, pairs: Sequence[DocumentPair], system: System) -> None:
    """Document pairs with gold `alignments` and a further key `predicted`, as JSON Lines."""
    with atomic_write(path) as file:
        for pair in pairs:
            file.write(example_line(pair, system.align(pair)))


def example_line(pair: DocumentPair, predicted: Sequence[Link]) -> str:
    """One line of `write_examples`."""
    links = [[link.simple, link.complex, link.label.value] for link in predicted]
    return json.dumps({**pair_to_json(pair), "predicted": links}, ensure_ascii=False) + "\n"
