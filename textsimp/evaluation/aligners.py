"""Evaluation of all alignment systems on the same labelled document pairs, sentences and paragraphs.

P, R, F1 of both tasks (Jiang et al. 2020, section 4.2), precision-recall curves with their best F1 and area (Kajiwara
and Komachi 2016, section 4.1), what the systems find by kind of link, and what one chain could find at best.
"""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from tqdm import tqdm

from textsimp.alignment.cache import Cache
from textsimp.alignment.parts import SystemConfig, with_gold_paragraphs
from textsimp.alignment.systems import System, is_saved_system, load_system, make_system
from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair, pair_to_json
from textsimp.core.results import Resampling, Results
from textsimp.core.writing import atomic_write, write_json
from textsimp.metrics.curves import Curve, precision_recall_curve
from textsimp.metrics.links import (
    COUNTS,
    F1S,
    TASKS,
    Predictions,
    Task,
    article_sets,
    breakdown,
    ceilings,
    evaluated,
    link_statistics,
)
from textsimp.metrics.resampling import score_systems
from textsimp.metrics.scores import SegmentStatistics

Splits: TypeAlias = Mapping[str, Sequence[DocumentPair]]
LinkStatistics: TypeAlias = dict[str, SegmentStatistics]
"""Counts of correct, predicted and gold links of each article set, by task."""

GOLD_SUFFIX = "_gold_paragraphs"
"""Of the names of two-step systems that are given the gold paragraphs."""
_POINTS = 200
"""Points of a curve that are written."""


@dataclass(frozen=True)
class AlignmentOutputs:
    """The files that a comparison writes."""

    results: Path
    metrics: Path
    headline: Path
    curves: Path
    articles: Path
    examples: Path


def compare_systems(
    configs: Mapping[str, SystemConfig],
    splits: Splits,
    cache: Cache,
    saved: Sequence[Path],
    baselines: Sequence[str],
    shown: Sequence[str],
    resampling: Resampling,
    outputs: AlignmentOutputs,
) -> None:
    """Fit all systems, two-step ones also with gold paragraphs, and write what they find on dev and test.

    Args:
        splits: labelled document pairs of `train`, `dev` and `test`.
        saved: folders of systems that were fitted before, each in a folder of its name.
        baselines: the systems that every other one is compared with, as far as they are evaluated.
        shown: the systems whose links are written beside the test pairs.

    Raises:
        InputError: a system is to be shown that is not compared, or dev or test has no document pairs.
    """
    if unknown := [name for name in shown if name not in configs]:
        raise InputError(f"shown_systems: {unknown[0]} is none of alignment_systems; add it there or leave it out")
    scored = {split: splits[split] for split in ("dev", "test")}
    if empty := [split for split, pairs in scored.items() if not pairs]:
        raise InputError(f"{empty[0]} split: has no document pairs to evaluate on; see corpus.NAME.source in conf/")
    folders = {name: folder / name for name in configs for folder in saved if is_saved_system(folder / name)}
    systems = _systems(configs, cache, folders)
    if cache.aligner is not None:
        cache.aligner.scorer.prepare([pair for pairs in scored.values() for pair in pairs], "score sentence pairs")
    for name in tqdm(
        [name for name in systems if name not in folders], desc="fit the alignment systems", unit="system"
    ):
        systems[name].fit(splits["train"], splits["dev"])
    results = Results(resampling=resampling, notes=_notes(systems, cache, baselines))
    curves: dict[tuple[str, str], dict[Task, Curve]] = {}
    links, counts = {}, {}
    for split, pairs in scored.items():
        bar = tqdm(systems.items(), desc=f"align {split}", unit="system")
        links[split] = {name: [system.align(pair) for pair in pairs] for name, system in bar}
    for split, pairs in scored.items():
        curves |= {(split, name): curves_of(system, pairs) for name, system in systems.items()}
        of_split = {name: curves[split, name] for name in systems}
        counts[split] = score_predictions(results, split, pairs, links[split], of_split, baselines, resampling)
        ceilings(results, split, pairs)
    results.write(outputs.results, outputs.metrics, F1S)
    write_json(outputs.headline, alignment_headline(results))
    write_curves(outputs.curves, curves)
    write_articles(outputs.articles, scored, counts)
    write_examples(outputs.examples, splits["test"], {name: links["test"][name] for name in shown})


def alignment_headline(results: Results) -> dict[str, float]:
    """Return F1 of both tasks on the test split, in percent, of the CRF aligner and of the design that is shipped.

    They are what `dvc metrics show` and `dvc exp show` put side by side.
    """
    numbers = {
        f"{name}_{task}": results.value("test", system, f"{task}.f1")
        for name, system in {"crf": "neural_crf", "shipped": "frozen_crf"}.items()
        for task in TASKS
    }
    return {name: round(value, 2) for name, value in numbers.items() if value is not None}


def curves_of(system: System, pairs: Sequence[DocumentPair]) -> dict[Task, Curve]:
    """Return the precision-recall curve of each task, identical pairs left out."""
    curves = {}
    for task in TASKS:
        scores, gold = evaluated(system.scores, pairs, task)
        curves[task] = precision_recall_curve(scores, gold, int(gold.sum()))
    return curves


def score_predictions(
    results: Results,
    scope: str,
    pairs: Sequence[DocumentPair],
    links: Mapping[str, Predictions],
    curves: Mapping[str, Mapping[Task, Curve]],
    baselines: Sequence[str],
    resampling: Resampling,
) -> dict[str, LinkStatistics]:
    """Write the scores of systems on document pairs, by kind of link too, and its difference to the baselines.

    Args:
        links: of each system for each document pair.
        curves: of the systems that have scores; the others get no `max_f1` and `area`.

    Returns:
        The counts of links of each system.
    """
    statistics = {name: link_statistics(pairs, predicted) for name, predicted in links.items()}
    against = [(name, base) for name in links for base in baselines if base in links and base != name]
    score_systems(results, scope, statistics, against, resampling)
    for name, predicted in links.items():
        for task, curve in curves.get(name, {}).items():
            results.put(scope, name, {f"{task}.max_f1": curve.max_f1, f"{task}.area": curve.area})
        breakdown(results, scope, name, pairs, predicted)
    return statistics


def write_curves(path: str | Path, curves: Mapping[tuple[str, str], Mapping[Task, Curve]]) -> None:
    """Curves by (split, system) as CSV: system, split, task, threshold, precision, recall (percent)."""
    with atomic_write(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["system", "split", "task", "threshold", "precision", "recall"])
        for (split, name), tasks in curves.items():
            for task, curve in tasks.items():
                writer.writerows([name, split, task, *point] for point in _points(curve))


def write_articles(path: str | Path, splits: Splits, counts: Mapping[str, Mapping[str, LinkStatistics]]) -> None:
    """Write the counts that F1 is made of as CSV: split, system, task, article set, correct, predicted, gold links.

    Args:
        counts: of each split and system.
    """
    with atomic_write(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["split", "system", "task", "article", *COUNTS])
        for split, pairs in splits.items():
            articles = article_sets(pairs)
            for name, of_system in counts[split].items():
                for task, statistics in of_system.items():
                    rows = zip(articles, statistics.counts.astype(int).tolist(), strict=True)
                    writer.writerows([split, name, task, article, *numbers] for article, numbers in rows)


def write_examples(path: str | Path, pairs: Sequence[DocumentPair], links: Mapping[str, Predictions]) -> None:
    """Document pairs with gold `alignments` and a further key `predicted`: links by system, as JSON Lines."""
    with atomic_write(path) as file:
        for number, pair in enumerate(pairs):
            predicted = {
                name: [[link.simple, link.complex, link.label.value] for link in of_pairs[number]]
                for name, of_pairs in links.items()
            }
            file.write(json.dumps({**pair_to_json(pair), "predicted": predicted}, ensure_ascii=False) + "\n")


def _systems(configs: Mapping[str, SystemConfig], cache: Cache, saved: Mapping[str, Path]) -> dict[str, System]:
    """The systems by name; those with gold paragraphs follow the ones that they come from."""
    systems: dict[str, System] = {}
    for name, config in configs.items():
        is_saved = name in saved
        systems[name] = load_system(saved[name], cache, config) if is_saved else make_system(config, cache)
        gold = with_gold_paragraphs(config)
        if gold is not None:
            systems[f"{name}{GOLD_SUFFIX}"] = make_system(gold, cache)
    return systems


def _notes(systems: Mapping[str, System], cache: Cache, baselines: Sequence[str]) -> dict[str, str]:
    gold = [name for name, system in systems.items() if system.paragraphs == "gold"]
    return {
        "word_vectors": cache.vectors.name,
        "gold_paragraphs": " ".join(gold),
        "compared_with": " ".join(name for name in baselines if name in systems),
    }


def _points(curve: Curve) -> Iterable[tuple[str, ...]]:
    """At most `_POINTS` points of a curve, evenly along its path: its steep parts are as fine as its flat ones."""
    steps = np.abs(np.diff(curve.recall, prepend=0.0)) + np.abs(np.diff(curve.precision, prepend=100.0))
    path = np.cumsum(steps)
    marks = np.linspace(0, path[-1], _POINTS) if len(path) else path
    chosen = np.unique(np.minimum(np.searchsorted(path, marks), len(path) - 1))
    columns = (curve.threshold[chosen], curve.precision[chosen], curve.recall[chosen])
    return (tuple(f"{value:.4f}" for value in point) for point in zip(*columns, strict=True))
