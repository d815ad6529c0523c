"""Evaluation of all alignment systems on the same labelled document pairs, sentences and paragraphs.

P, R, F1 of both tasks (Jiang et al. 2020, section 4.2), precision-recall curves with their best F1 and area (Kajiwara
and Komachi 2016, section 4.1), what the systems find by kind of link, and what one chain could find at best.
"""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tqdm import tqdm

from textsimp.alignment.cache import Cache
from textsimp.alignment.parts import SystemConfig, with_gold_paragraphs
from textsimp.alignment.systems import System, is_saved_system, load_system, make_system
from textsimp.core.errors import InputError
from textsimp.core.progress import progress
from textsimp.core.records import DocumentPair, pair_to_json, read_pairs
from textsimp.core.results import Resampling, Results
from textsimp.core.writing import atomic_write, write_json
from textsimp.metrics import links as linked
from textsimp.metrics.curves import Curve, expected_calibration_error, precision_recall_curve
from textsimp.metrics.links import TASKS, Predictions, Task
from textsimp.metrics.registry import REFERENCE
from textsimp.metrics.resampling import score_systems
from textsimp.metrics.scores import SegmentStatistics

Splits = Mapping[str, Sequence[DocumentPair]]
LinkStatistics = dict[str, SegmentStatistics]
"""Counts of correct, predicted and gold links of each article set, by task."""
Curves = dict[Task, Curve]

GOLD_SUFFIX = "_gold_paragraphs"
"""Of the names of two-step systems that are given the gold paragraphs."""
_POINTS = 200
"""Points of a curve that are written."""
_CALIBRATION = "calibration_error"
HEADLINE_OF_SHIPPED = [*linked.F1S, *(f"{task}.{_CALIBRATION}" for task in TASKS)]
"""The measures of the aligners that travel with the package for `dvc metrics`."""


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
    unfitted = [name for name in systems if name not in folders]
    for name in tqdm(unfitted, desc="fit the alignment systems", unit="system"):
        systems[name].fit(splits["train"], splits["dev"])
    results = Results(resampling=resampling, notes=_notes(systems, cache, baselines))
    links, curves, counts = {}, {}, {}
    for split, pairs in scored.items():
        bar = tqdm(systems.items(), desc=f"align {split}", unit="system")
        links[split] = {name: [system.align(pair) for pair in pairs] for name, system in bar}
        curves[split] = {name: curves_of(system, pairs) for name, system in systems.items()}
        counts[split] = score_predictions(results, split, pairs, links[split], curves[split], baselines, resampling)
        linked.ceilings(results, split, pairs)
    results.write(outputs.results, outputs.metrics, linked.F1S)
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


def curves_of(system: System, pairs: Sequence[DocumentPair]) -> Curves:
    """Return the precision-recall curve of each task, identical pairs left out."""
    curves = {}
    for task in TASKS:
        scores, gold = linked.evaluated(system.scores, pairs, task)
        curves[task] = precision_recall_curve(scores, gold, int(gold.sum()))
    return curves


def score_predictions(
    results: Results,
    scope: str,
    pairs: Sequence[DocumentPair],
    links: Mapping[str, Predictions],
    curves: Mapping[str, Curves],
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
    statistics = {name: linked.link_statistics(pairs, predicted) for name, predicted in links.items()}
    against = [(name, base) for name in links for base in baselines if base in links and base != name]
    score_systems(results, scope, statistics, against, resampling)
    for name, predicted in links.items():
        for task, curve in curves.get(name, {}).items():
            results.put(scope, name, {f"{task}.max_f1": curve.max_f1, f"{task}.area": curve.area})
        linked.breakdown(results, scope, name, pairs, predicted)
    return statistics


def gold_sets(corpora: Sequence[str], splits: Path, audit: Path) -> dict[str, list[DocumentPair]]:
    """Return labelled document pairs by scope: the test split and what was set aside of each corpus."""
    gold = {}
    for corpus in corpora:
        gold[f"{corpus} test"] = list(read_pairs(splits / corpus / "test.jsonl"))
        gold[f"{corpus} set aside"] = list(read_pairs(audit / f"{corpus}.jsonl"))
    return gold


def by_difficulty(name: str, pairs: Sequence[DocumentPair]) -> dict[str, list[DocumentPair]]:
    """Return all pairs, and those of each difficulty, which their ids begin with, by scope."""
    gold = {name: list(pairs)}
    for level in sorted({pair.id.split("_")[0] for pair in pairs}):
        gold[f"{name} {level}"] = [pair for pair in pairs if pair.id.startswith(f"{level}_")]
    return gold


def evaluate_default(
    systems: Mapping[str, System], gold: Mapping[str, Sequence[DocumentPair]], resampling: Resampling
) -> Results:
    """Score the aligners that travel with the package on every gold set, with the calibration error of both tasks.

    Args:
        systems: with probabilities as scores.
        gold: labelled document pairs by the name of their scope; scopes without pairs have no numbers.
    """
    results = Results(resampling=resampling)
    for scope, pairs in gold.items():
        results.put(scope, REFERENCE, {"document_pairs": len(pairs)})
        if not pairs:
            continue
        links, curves = {}, {}
        for name, system in systems.items():
            system.prepare(pairs)
            links[name] = [system.align(pair) for pair in progress(pairs, desc=f"{name}: {scope}", unit=" pairs")]
            curves[name] = curves_of(system, pairs)
            for task in TASKS:
                scores, happened = linked.evaluated(system.scores, pairs, task)
                error = expected_calibration_error(np.maximum(scores, 0.0), happened)
                results.put(scope, name, {f"{task}.{_CALIBRATION}": 100 * error})
        score_predictions(results, scope, pairs, links, curves, list(systems)[:1], resampling)
    return results


def write_curves(path: str | Path, curves: Mapping[str, Mapping[str, Curves]]) -> None:
    """Write the curves of each split and system as CSV, with precision and recall in percent."""
    rows = (
        (name, split, task, *point)
        for split, of_split in curves.items()
        for name, of_system in of_split.items()
        for task, curve in of_system.items()
        for point in _points(curve)
    )
    _write_csv(path, ("system", "split", "task", "threshold", "precision", "recall"), rows)


def write_articles(path: str | Path, splits: Splits, counts: Mapping[str, Mapping[str, LinkStatistics]]) -> None:
    """Write the counts of correct, predicted and gold links, which F1 is made of, of each split and system as CSV."""
    rows = (
        (split, name, task, article, *numbers)
        for split, pairs in splits.items()
        for name, of_system in counts[split].items()
        for task, statistics in of_system.items()
        for article, numbers in zip(linked.article_sets(pairs), statistics.counts.astype(int).tolist(), strict=True)
    )
    _write_csv(path, ("split", "system", "task", "article", *linked.COUNTS), rows)


def _write_csv(path: str | Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with atomic_write(path) as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


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
        folder = saved.get(name)
        systems[name] = load_system(folder, cache, config) if folder else make_system(config, cache)
        if (gold := with_gold_paragraphs(config)) is not None:
            systems[f"{name}{GOLD_SUFFIX}"] = make_system(gold, cache)
    return systems


def _notes(systems: Mapping[str, System], cache: Cache, baselines: Sequence[str]) -> dict[str, str]:
    return {
        "word_vectors": cache.vectors.name,
        "gold_paragraphs": " ".join(name for name, system in systems.items() if system.paragraphs == "gold"),
        "compared_with": " ".join(name for name in baselines if name in systems),
    }


def _points(curve: Curve) -> Iterable[tuple[str, ...]]:
    """Return at most `_POINTS` points of a curve, evenly along its path: steep parts are as fine as flat ones."""
    steps = np.abs(np.diff(curve.recall, prepend=0.0)) + np.abs(np.diff(curve.precision, prepend=100.0))
    path = np.cumsum(steps)
    marks = np.linspace(0, path[-1], _POINTS) if len(path) else path
    chosen = np.unique(np.minimum(np.searchsorted(path, marks), len(path) - 1))
    columns = (curve.threshold[chosen], curve.precision[chosen], curve.recall[chosen])
    return (tuple(f"{value:.4f}" for value in point) for point in zip(*columns, strict=True))
