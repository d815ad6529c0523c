"""What a corpus does to its sentences: classes and operations of aligned documents and of training pairs.

Figure 2 of Jiang et al. 2020 and Tables 1 and 2 of Coster and Kauchak 2011. In aligned documents the sentences that
hang together are one unit, so that splits are seen; a training pair has the one simple sentence of a link.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from textsimp.metrics.analysis.config import NEW, AnalysisConfig, Plan
from textsimp.metrics.analysis.kinds import kind_statistics, rewrite
from textsimp.metrics.analysis.resamples import all_differences, all_numbers, resample
from textsimp.metrics.rewriting.pairs import Unit, units_of
from textsimp.metrics.rewriting.sentence_operations import corpus_units, sentence_operations
from textsimp.metrics.statistics import SegmentStatistics
from textsimp.records import DocumentPair, Link, read_pairs
from textsimp.textfiles import read_aligned

DOCUMENTS, PAIRS = "documents", "pairs"
MANUAL = "manual"
SPLITS = ("train", "dev", "test")
_SIDES = ("complex", "simple")

T = TypeVar("T")


@dataclass(frozen=True)
class CorpusFolders:
    """Where a corpus is: `TRAINING_SET/{train,dev}.{complex,simple}`, `{auto,old}.jsonl`, and the manual splits."""

    corpora: Path
    alignments: Path
    splits: Path


def analyse_corpora(folders: CorpusFolders, plan: Plan) -> dict[str, Any]:
    """What each source of a corpus does.

    Returns:
        `sources`: `{KIND: {SOURCE: {"available", "units", "parts": {PART: {value, low, high}}}}}`; KIND is `documents`
        (units of aligned documents; the manual alignment too where there is one) or `pairs` (training pairs), and a
        source without units is left out. `operations`: `{SOURCE: {"total", "counts", "percent"}}`,
        Coster and Kauchak's Table 1. `differences`: `{KIND: {SOURCE: {PART: {difference, low, high, p, percent}}}}`,
        the new training set (`config.NEW`) minus that source.

    Raises:
        InputError: a file is absent or damaged.
    """
    documents = {MANUAL: [folders.splits / f"{split}.jsonl" for split in SPLITS]}
    documents |= {name: [folders.alignments / f"{name}.jsonl"] for name in plan.training_sets}
    units: dict[str, dict[str, Iterable[Unit]]] = {
        DOCUMENTS: {name: corpus_units(_labelled(files)) for name, files in documents.items()},
        PAIRS: {name: _training_units(folders.corpora / name) for name in plan.training_sets},
    }
    sources: dict[str, Any] = {}
    differences: dict[str, Any] = {}
    for kind, named in units.items():
        rows, statistics = _sources(named, plan.config)
        sources[kind], differences[kind] = rows, _differences(statistics, plan)
    operations = {name: _operations(files) for name, files in documents.items()}
    return {
        "sources": sources,
        "operations": {name: row for name, row in operations.items() if row["total"]},
        "differences": differences,
    }


def drawn(items: Iterable[T], number: int, seed: int) -> tuple[list[T], int]:
    """At most `number` of the items, each as likely as any other, in their order; and how many there were.

    One pass that keeps no more than the sample (Vitter 1985, algorithm R).
    """
    draw = random.Random(seed)
    kept: list[tuple[int, T]] = []
    total = 0
    for place, item in enumerate(items):
        total += 1
        if place < number:
            kept.append((place, item))
        elif (slot := draw.randrange(total)) < number:
            kept[slot] = (place, item)
    return [item for _, item in sorted(kept, key=lambda row: row[0])], total


def _labelled(files: Sequence[Path]) -> Iterator[tuple[DocumentPair, Sequence[Link]]]:
    return ((pair, pair.alignments or ()) for path in files for pair in read_pairs(path))


def _training_units(folder: Path) -> Iterator[Unit]:
    for split in ("train", "dev"):
        rows = read_aligned([folder / f"{split}.{side}" for side in _SIDES])
        yield from units_of([complex_line for complex_line, _ in rows], [simple_line for _, simple_line in rows])


def _sources(
    named: Mapping[str, Iterable[Unit]], config: AnalysisConfig
) -> tuple[dict[str, Any], dict[str, SegmentStatistics]]:
    """The sources that have units, as written and as statistics."""
    rows: dict[str, Any] = {}
    statistics: dict[str, SegmentStatistics] = {}
    for name, units in named.items():
        sample, available = drawn(units, config.units, config.seed)
        if sample:
            statistics[name] = one = kind_statistics([rewrite(sample, config.language)], config.language)
            rows[name] = {"available": available, "units": len(sample), "parts": _parts(one, config)}
    return rows, statistics


def _operations(files: Sequence[Path]) -> dict[str, Any]:
    counts = sentence_operations(_labelled(files))
    total = sum(counts.values())
    return {"total": total, "counts": counts, "percent": {name: 100 * n / total for name, n in counts.items() if total}}


def _parts(one: SegmentStatistics, config: AnalysisConfig) -> dict[str, Any]:
    return all_numbers(resample({"": one}, config.samples, config.seed)[""], one.parts)


def _differences(statistics: Mapping[str, SegmentStatistics], plan: Plan) -> dict[str, Any]:
    """Of the new training set to each other one, where both have units: other units, so each is resampled alone."""
    if NEW not in statistics:
        return {}
    present = [NEW, *(name for name in plan.others if name in statistics)]
    # other seeds: the same one would draw the same places of all, as if their units were paired
    found = {
        name: resample({"": statistics[name]}, plan.config.samples, plan.config.seed + place)[""]
        for place, name in enumerate(present)
    }
    first, *others = present
    return {name: all_differences(found[first], found[name], statistics[name].parts) for name in others}
