"""What a corpus and the systems trained on it do to sentences, and where the systems are good: the stage `analyse`.

Figures 2 and 3 of Jiang et al. 2020 and Tables 1 and 2 of Coster and Kauchak 2011. In aligned documents a connected
component of the links is one unit, so that splits are seen; a training pair has the one simple sentence of a link.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import InputError
from textsimp.core.reading import read_aligned
from textsimp.core.records import ALIGNMENTS, NEW, SIDES, DocumentPair, Link, read_pairs
from textsimp.core.results import Contrast, Resampling, Results
from textsimp.core.settings import Positive
from textsimp.evaluation.simplification import EvaluationSet, add_signatures, read_outputs, read_test_sets
from textsimp.metrics.registry import IDENTITY, REFERENCE, MetricOptions, Texts, metric_statistics, system_name
from textsimp.metrics.resampling import Resampled, resample, score_systems
from textsimp.metrics.rewriting.kinds import recipe, rewriting_statistics, rewritings
from textsimp.metrics.rewriting.labelled import agreement, read_labelled
from textsimp.metrics.rewriting.units import Unit, corpus_units, sentence_operations, units_of
from textsimp.metrics.scores import SegmentStatistics, Statistics
from textsimp.metrics.tokens import tokenise

DOCUMENTS, PAIRS = "documents", "pairs"
"""The scopes of units of aligned documents and of training pairs."""
MANUAL = "manual"
_SARIS = ("sari", "sari_corpus")
SPLITS = ("train", "dev", "test")
LABELLED = {"test": "labelled.tsv", "drawn-test": "drawn.tsv"}
"""The halves of the labelled units that chose no threshold, and their files."""

T = TypeVar("T")


@dataclass(frozen=True)
class AnalysisConfig:
    """Section `analysis` of params.yaml.

    units: how many units are drawn from a corpus with more of them.
    lengths: the longest complex sentences of each bin, in tokens; longer ones than the last have a bin of their own.
    min_sentences: a subset of fewer sentences has no interval, as too few of them cannot say how much they differ.
    """

    units: Positive
    lengths: list[Positive]
    min_sentences: Positive

    def __post_init__(self) -> None:
        if any(a >= b for a, b in pairwise(self.lengths)):
            raise InputError(f"analysis.lengths: {self.lengths}; give numbers of 1 or more, each above the one before")


@dataclass(frozen=True)
class Plan:
    """The plan of an analysis.

    training_sets, simplifiers: names; differences are of `NEW` to every other training set, in whatever order.
    max_tokens: outputs are cut there in SARI per sentence; None cuts nothing.
    """

    training_sets: Sequence[str]
    simplifiers: Sequence[str]
    max_tokens: int | None
    config: AnalysisConfig
    resampling: Resampling

    @property
    def others(self) -> list[str]:
        """The training sets that `NEW` is compared with; none where it is absent."""
        return [name for name in self.training_sets if name != NEW] if NEW in self.training_sets else []

    @property
    def new_and_old(self) -> list[tuple[str, str]]:
        """The systems trained on `NEW`, each with its counterparts."""
        return [(system_name(NEW, one), system_name(other, one)) for other in self.others for one in self.simplifiers]


@dataclass(frozen=True)
class AnalysisFolders:
    """The folders of an analysis.

    corpora: with `test/`, and `TRAINING_SET/{train,dev}.{complex,simple}`.
    alignments: with `{auto,old}.jsonl`.
    splits: of the manual annotation.
    outputs: with `TRAINING_SET/SIMPLIFIER/TEST_SET.txt`.
    labelled: with the files of `LABELLED`.
    """

    corpora: Path
    alignments: Path
    splits: Path
    outputs: Path
    labelled: Path


def analyse(folders: AnalysisFolders, plan: Plan) -> Results:
    """Return what the corpus and the systems trained on it do, and where the systems are good.

    Returns:
        Scopes `documents` and `pairs`: see `add_corpora`; `labelled.HALF`: accuracy and kappa of the classifier;
        each test set: what systems and references do (see `add_outputs`), and SARI in subsets (see `add_subsets`).

    Raises:
        InputError: a file is absent or damaged.
    """
    config = plan.config
    notes = {"units": str(config.units), "lengths": " ".join(map(str, config.lengths))}
    notes["min_sentences"] = str(config.min_sentences)
    results = Results(resampling=plan.resampling, notes=notes, signatures={"rewriting": str(recipe())})
    add_agreement(results, folders.labelled, plan.resampling)
    add_corpora(results, folders, plan)
    for test in read_test_sets(folders.corpora / "test"):
        lines = read_outputs(folders.outputs, test, plan.training_sets, plan.simplifiers)
        add_outputs(results, test, lines, plan)
        add_subsets(results, test, lines, plan)
    return results


def add_agreement(results: Results, folder: Path, resampling: Resampling) -> None:
    """Write how well the classifier agrees with labels that chose none of its thresholds.

    `accuracy` (a share of 1, resampled over the units) and `kappa` (Cohen 1960) of `units` labelled units.
    """
    for half, name in LABELLED.items():
        labelled = [unit for unit in read_labelled(folder / name) if unit.half == half]
        statistics, kappa = agreement(labelled, rewritings([unit.unit for unit in labelled]).classes)
        accuracy = resample([{"": statistics}], resampling)[0][""].estimates()[0]
        results.put(f"labelled.{half}", "classifier", {"accuracy": accuracy, "kappa": kappa, "units": len(labelled)})


def add_corpora(results: Results, folders: AnalysisFolders, plan: Plan) -> None:
    """Write what each source of a corpus does, and how far the new training set is from the others.

    Systems: the manual alignment where there is one, and the training sets; those without units are left out.
    Measures: the kinds of rewriting, `units` (how many were drawn), `available`; in `documents` also
    `sentence_operations.NAME` (percent), `sentence_operations.NAME.count`, `sentence_operations.total`.

    Raises:
        InputError: a file is absent or damaged.
    """
    documents = {MANUAL: [folders.splits / f"{split}.jsonl" for split in SPLITS]}
    aligned = [name for name in ALIGNMENTS if name in plan.training_sets]
    documents |= {name: [folders.alignments / f"{name}.jsonl"] for name in aligned}
    sources: dict[str, dict[str, Iterable[Unit]]] = {
        DOCUMENTS: {name: corpus_units(_labelled(files)) for name, files in documents.items()},
        PAIRS: {name: _training_units(folders.corpora / name) for name in plan.training_sets},
    }
    for scope, units in sources.items():
        statistics = {}
        for name, of_source in units.items():
            sample, available = drawn(of_source, plan.config.units, plan.resampling.seed)
            if sample:
                statistics[name] = rewriting_statistics([rewritings(sample)])
                score_systems(results, scope, {name: {"": statistics[name]}}, [], plan.resampling)
                results.put(scope, name, {"units": len(sample), "available": available})
        _add_unpaired(results, scope, statistics, plan)
    for name, files in documents.items():
        _add_operations(results, name, sentence_operations(_labelled(files)))


def add_outputs(results: Results, test: EvaluationSet, lines: Mapping[str, Sequence[str]], plan: Plan) -> None:
    """Write classes and operations of all systems on one test set, resampled together, and of the references.

    Of the references each counts alike; each new system is compared with its counterparts.
    """
    versions = {name: [output] for name, output in lines.items()} | {REFERENCE: test.references}
    statistics = {
        name: {"": rewriting_statistics([rewritings(units_of(test.complex, version)) for version in of_system])}
        for name, of_system in versions.items()
    }
    resampled = score_systems(results, test.name, statistics, [], plan.resampling)
    for name, base in plan.new_and_old:
        contrast = Contrast(test.name, "", name, base)
        _add_difference(results, contrast, statistics[name][""], resampled[name][""], resampled[base][""])
    results.put(test.name, REFERENCE, {"sentences": len(test.complex), "references": len(test.references)})


def drawn(items: Iterable[T], number: int, seed: int) -> tuple[list[T], int]:
    """Return at most `number` items, drawn uniformly and kept in order; and how many there were.

    One pass that keeps no more than the sample (Vitter 1985, algorithm R).
    """
    draw = random.Random(seed)
    sample: list[tuple[int, T]] = []
    total = 0
    for index, item in enumerate(items):
        total += 1
        if index < number:
            sample.append((index, item))
        elif (slot := draw.randrange(total)) < number:
            sample[slot] = (index, item)
    return [item for _, item in sorted(sample, key=lambda row: row[0])], total


def _labelled(files: Sequence[Path]) -> Iterator[tuple[DocumentPair, Sequence[Link]]]:
    return ((pair, pair.alignments or ()) for path in files for pair in read_pairs(path))


def _training_units(folder: Path) -> Iterator[Unit]:
    for split in ("train", "dev"):
        rows = read_aligned([folder / f"{split}.{side}" for side in SIDES])
        yield from units_of(*([row[side] for row in rows] for side in range(len(SIDES))))


def _add_unpaired(results: Results, scope: str, statistics: Mapping[str, SegmentStatistics], plan: Plan) -> None:
    """Write how far the new training set is from the others: other units, so that each is resampled by itself."""
    present = [name for name in (NEW, *plan.others) if name in statistics]
    if NEW not in present:
        return
    # other seeds: the same one would draw the same places of all, as if their units were paired
    resampled = {}
    for number, name in enumerate(present):
        draw = replace(plan.resampling, seed=plan.resampling.seed + number)
        resampled[name] = resample([{"": statistics[name]}], draw)[0][""]
    for name in present[1:]:
        _add_difference(results, Contrast(scope, "", NEW, name), statistics[name], resampled[NEW], resampled[name])


def _add_difference(
    results: Results, contrast: Contrast, row: SegmentStatistics, resampled: Resampled, base: Resampled
) -> None:
    for measure, comparison in zip(row.measures(""), resampled.minus(base), strict=True):
        results.comparisons[contrast._replace(measure=measure)] = comparison


def _add_operations(results: Results, name: str, counts: Mapping[str, int]) -> None:
    """Write Coster and Kauchak's Table 1 of a source, unless it has no sentences."""
    total = sum(counts.values())
    if not total:
        return
    results.put(DOCUMENTS, name, {"sentence_operations.total": total})
    for operation, count in counts.items():
        measure = f"sentence_operations.{operation}"
        results.put(DOCUMENTS, name, {measure: 100 * count / total, f"{measure}.count": count})


def add_subsets(results: Results, test: EvaluationSet, lines: Mapping[str, Sequence[str]], plan: Plan) -> None:
    """Write both SARIs of all systems in slices of a test set by the length of the complex sentence in 13a tokens.

    The slices are `length=0-10` ..., `length=31-`. Each has `sentences`, their number, under the system `reference`.
    The statistics of the segments are computed once; everything here is a function of their sums over subsets.
    """
    options = MetricOptions(plan.max_tokens)
    systems = {
        name: metric_statistics(_SARIS, Texts(test.complex, output, test.references), options)
        for name, output in lines.items()
    }
    bins = np.searchsorted(plan.config.lengths, [len(tokenise(line, "13a")) for line in test.complex])
    for place, name in enumerate(bin_names(plan.config.lengths)):
        rows = np.flatnonzero(bins == place)
        draws = plan.resampling if rows.size >= plan.config.min_sentences else None
        _add_slice(results, f"{test.name}/length={name}", systems, rows, plan.new_and_old, draws)
    add_signatures(results, systems[IDENTITY])


def bin_names(longest: Sequence[int]) -> list[str]:
    """Return the shortest and the longest length of each bin, such as `0-10`, `11-15` and `16-`."""
    shortest = [0, *(length + 1 for length in longest)]
    return [f"{low}-{high}" for low, high in zip(shortest, [*longest, ""], strict=True)]


def _add_slice(
    results: Results,
    scope: str,
    systems: Mapping[str, Statistics],
    rows: NDArray[np.intp],
    pairs: Sequence[tuple[str, str]],
    resampling: Resampling | None,
) -> None:
    """Write the scores of all systems on some of the segments, resampled among these, and the differences of pairs."""
    results.put(scope, REFERENCE, {"sentences": int(rows.size)})
    for metric in _SARIS if rows.size else ():
        chosen = [{metric: replace(row[metric], counts=row[metric].counts[rows])} for row in systems.values()]
        resampled = dict(zip(systems, (row[metric] for row in resample(chosen, resampling)), strict=True))
        for name, row in resampled.items():
            results.put(scope, name, {metric: row.estimates()[0]})
        for name, base in pairs:
            results.comparisons[Contrast(scope, metric, name, base)] = resampled[name].minus(resampled[base])[0]
