"""What the stage evaluate_alignment wrote about a corpus: scores, labels, ceilings, and what each system finds."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from textsimp.reporting.alignment.names import GOLD_SUFFIX
from textsimp.reporting.reading import Scores, checked, finite, finite_or_none, in_order, present, scores
from textsimp.reporting.significance import Difference, difference_of
from textsimp.reporting.tables import Cell, interval_cell, number_cell
from textsimp.textfiles import read_json

SPLITS = ("test", "dev")
TASKS = ("task1", "task2")
MEASURES = ("precision", "recall", "f1")
CURVE_MEASURES = ("max_f1", "area")
LINK_TYPES = ("1-1", "1-n", "n-1", "n-m")
CEILINGS = ("one_complex", "one_simple", "one_to_one", "either")
_STAGE = "evaluate_alignment"

TaskScores = dict[str, Scores]


@dataclass(frozen=True)
class Measured:
    """Precision, recall and F1 with their intervals, and F1 minus that of another aligner; None where none is."""

    scores: Scores
    intervals: dict[str, tuple[float, float]]
    difference: Difference | None

    @property
    def cells(self) -> list[Cell]:
        """The scores with their intervals, then the difference."""
        scores = [interval_cell(self.scores[measure], *self.intervals[measure]) for measure in MEASURES]
        return [*scores, number_cell(None) if self.difference is None else self.difference.cell]


@dataclass(frozen=True)
class Found:
    """What one system finds on one split, by kind of link; F1, recall and so on in percent.

    with_identical: task -> scores, identical pairs counted.
    link_types: type -> {gold, recall, predicted, precision} of Task 1.
    unaligned: {gold, predicted, precision, recall, f1} of leaving simple sentences without a link.
    word_overlap: (from, to, task -> scores) for each bin of the Jaccard coefficient of the words.
    level_gap: gap -> task -> scores, the smallest gap first.
    intervals: task -> measure -> (low, high), 95 percent.
    differences: other system -> task -> F1 minus that of the other.
    """

    with_identical: TaskScores
    link_types: dict[str, Scores]
    unaligned: Scores
    word_overlap: tuple[tuple[float, float, TaskScores], ...]
    level_gap: dict[int, TaskScores]
    intervals: dict[str, dict[str, tuple[float, float]]]
    differences: dict[str, dict[str, Difference]]


@dataclass(frozen=True)
class Alignment:
    """All alignment systems on one corpus, in the order of `alignment_systems` in params.yaml.

    scores: split -> system -> task -> measure, in percent; max_f1 and area are None for a system without a curve.
    labels, sources: how each system is printed, and who published it.
    gold_paragraphs: the systems that are given the gold paragraphs, and are therefore compared with nobody.
    word_vectors: where the word vectors come from.
    compared_with: the systems that all others are compared with, the one whose differences the tables show first.
    ceilings: split -> task -> {gold: links, KIND: {links, recall, f1}}, the kinds of `CEILINGS`.
    found: split -> system -> what it finds.
    """

    scores: dict[str, dict[str, dict[str, dict[str, float | None]]]]
    labels: dict[str, str]
    sources: dict[str, str]
    gold_paragraphs: frozenset[str]
    word_vectors: str
    compared_with: tuple[str, ...]
    ceilings: dict[str, dict[str, dict[str, Any]]]
    found: dict[str, dict[str, Found]]

    def fair(self, split: str) -> list[str]:
        """The systems of a split that see no gold paragraphs."""
        return [system for system in self.scores[split] if system not in self.gold_paragraphs]

    def difference(self, split: str, one: str, other: str, task: str) -> Difference | None:
        """F1 of one system minus that of another, where one of them is in `compared_with`; None for the same one."""
        found = self.found[split]
        if other in found[one].differences:
            return found[one].differences[other][task]
        return found[other].differences[one][task].turned if one in found[other].differences else None

    def score(self, split: str, system: str, task: str, measure: str) -> float:
        """A measure that is always there: precision, recall or f1."""
        return cast(float, self.scores[split][system][task][measure])


def read_alignment(corpus: str, planned: Iterable[str], folder: Path) -> Alignment:
    """CORPUS.json and CORPUS.details.json of a folder.

    Raises:
        InputError: a file is absent, a planned system is not in it, or it is not what the stage writes.
    """
    metrics, details = (present(folder / f"{corpus}{end}", _STAGE, corpus) for end in (".json", ".details.json"))
    value, more = read_json(metrics), read_json(details)
    found = checked(lambda: _scores_of(value, list(planned)), metrics)
    names = {split: list(systems) for split, systems in found.items()}
    return checked(lambda: _with_details(found, more, names), details)


def _scores_of(value: Any, planned: list[str]) -> dict[str, dict[str, dict[str, dict[str, float | None]]]]:
    return {
        split: {system: _measures(value[split][system]) for system in _ordered(planned, value[split])}
        for split in SPLITS
    }


def _ordered(planned: list[str], found: Iterable[str]) -> list[str]:
    """The planned systems, each followed by itself with gold paragraphs, then others that are there."""
    there = set(found)
    follow = [n for system in planned for n in (system, system + GOLD_SUFFIX) if n == system or n in there]
    return in_order(follow, there)


def _measures(tasks: Any) -> dict[str, dict[str, float | None]]:
    return {
        task: {m: float(finite(tasks[task][m])) for m in MEASURES}
        | {m: finite_or_none(tasks[task][m]) for m in CURVE_MEASURES}
        for task in TASKS
    }


def _with_details(found: Any, value: Any, names: dict[str, list[str]]) -> Alignment:
    systems = list(dict.fromkeys(name for split in SPLITS for name in names[split]))
    splits, compared = value["splits"], tuple(map(str, value["compared_with"]))
    if unknown := sorted(set(compared) - set(systems)):
        raise ValueError(f"compared with {unknown[0]!r}, which is no system of it")
    return Alignment(
        scores=found,
        labels={name: str(value["labels"][name]) for name in systems},
        sources={name: str(value["sources"][name]) for name in systems},
        gold_paragraphs=frozenset(map(str, value["gold_paragraphs"])),
        word_vectors=str(value["word_vectors"]),
        compared_with=compared,
        ceilings={split: {task: _ceilings(splits[split]["ceilings"][task]) for task in TASKS} for split in SPLITS},
        found={split: {name: _found(splits[split]["systems"][name]) for name in names[split]} for split in SPLITS},
    )


def _ceilings(value: Any) -> dict[str, Any]:
    return {"gold": finite(value["gold"]), **{kind: scores(value[kind]) for kind in CEILINGS}}


def _found(value: Any) -> Found:
    bins = ((finite(row["from"]), finite(row["to"]), _tasks(row)) for row in value["word_overlap"])
    gaps = {int(gap): _tasks(tasks) for gap, tasks in value["level_gap"].items()}
    return Found(
        with_identical=_tasks(value["with_identical"]),
        link_types={kind: _named(value["link_types"][kind], "gold", "recall") for kind in LINK_TYPES},
        unaligned=_named(value["unaligned"], "gold", *MEASURES),
        word_overlap=tuple(bins),
        level_gap=dict(sorted(gaps.items())),
        intervals={task: {m: _bounds(value["intervals"][task][m]) for m in MEASURES} for task in TASKS},
        differences={other: _differences(found) for other, found in value["differences"].items()},
    )


def _tasks(value: Any) -> TaskScores:
    return {task: _named(value[task], *MEASURES) for task in TASKS}


def _differences(value: Any) -> dict[str, Difference]:
    return {task: difference_of(value[task], "f1") for task in TASKS}


def measured(value: Any, intervals: Any, difference: Any) -> Measured:
    """From the JSON of one aligner: its scores, their intervals, the difference or None."""
    return Measured(
        {measure: finite(value[measure]) for measure in MEASURES},
        {measure: _bounds(intervals[measure]) for measure in MEASURES},
        None if difference is None else difference_of(difference, "f1"),
    )


def _bounds(value: Any) -> tuple[float, float]:
    low, high = value
    return finite(low), finite(high)


def _named(value: Any, *required: str) -> Scores:
    """All numbers; a `KeyError` for a required one that is not there."""
    found = scores(value)
    return {name: found[name] for name in required} | found
