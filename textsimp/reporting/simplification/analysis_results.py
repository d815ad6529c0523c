"""reports/analysis/NAME.json as the report takes it: kinds of rewriting, and SARI over subsets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.reporting.config import ReportPlan
from textsimp.reporting.reading import Scores, checked, finite, finite_or_none, in_order, present, scores
from textsimp.textfiles import read_json

UNTRAINED = "none/"
INPUT, REFERENCES = f"{UNTRAINED}identity", f"{UNTRAINED}reference"
MANUAL = "manual"
METRICS = {"sari": "SARI per sentence", "sari_corpus": "SARI over the corpus"}
OPERATIONS = {"add": "add", "keep": "keep", "del": "delete"}
CLAIMS = {
    "complex rewrites": "complex rewrites",
    "not aligned or not simpler": "not aligned",
    "paraphrasing and deletions": "any paraphrase or deletion",
}
"""Measures that Jiang et al. 2020 compare, and ours beside them; what is not simpler is no kind of rewriting."""
_SETTINGS = ("units", "samples", "min_sentences")
_AGREEMENT = ("units", "accuracy", "accuracy_low", "accuracy_high", "kappa")
_PARTS = ("classes", "groups", "word_operations", "edit_rates")


@dataclass(frozen=True)
class Number:
    """A value or a difference with its 95 percent interval, which may be absent.

    percent: how many percent above the other side a difference is; None where that is 0, and for a value.
    """

    value: float
    low: float | None
    high: float | None
    percent: float | None = None


Numbers = dict[str, Number]


@dataclass(frozen=True)
class Source:
    """Part of a corpus: `units` of its `available` ones were looked at."""

    available: int
    units: int
    parts: Numbers


@dataclass(frozen=True)
class Subset:
    """Some sentences of a test set: metric -> system -> SARI, and new minus old by the old system."""

    label: str
    sentences: int
    systems: dict[str, Numbers]
    new_to_old: dict[str, Numbers]


@dataclass(frozen=True)
class AnalysedSet:
    """One test set. Systems are named TRAINING_SET/SIMPLIFIER, the input and the references `INPUT` and `REFERENCES`.

    systems: what each does, and `to_reference`, `new_to_old` (by the old system) how far it is from others.
    length, kind: bins of length from short to long, and classes of the first reference.
    order: metric -> system -> add, keep and del -> one number an order.
    """

    sentences: int
    references: int
    systems: dict[str, Numbers]
    to_reference: dict[str, Numbers]
    new_to_old: dict[str, Numbers]
    length: tuple[Subset, ...]
    kind: tuple[Subset, ...]
    order: dict[str, dict[str, dict[str, tuple[Number, ...]]]]


@dataclass(frozen=True)
class Analysis:
    """Everything of one corpus.

    parts: `classes`, `groups`, `word_operations` and `edit_rates`, each with the names of its parts in order.
    agreement: of the classifier with labels, by the half of the labelled units.
    sources: `documents` or `pairs` -> source, the manual alignment first. differences: of the new training set.
    operations: source -> percent of each of Coster and Kauchak's sentence operations.
    """

    settings: Scores
    agreement: dict[str, Scores]
    parts: dict[str, tuple[str, ...]]
    signatures: dict[str, str]
    sources: dict[str, dict[str, Source]]
    differences: dict[str, dict[str, Numbers]]
    operations: dict[str, Scores]
    test_sets: dict[str, AnalysedSet]


def read_analysis(name: str, plan: ReportPlan, folder: Path) -> Analysis:
    """The analysis of a corpus; `InputError` where the file is absent or is not what the stage analyse writes."""
    path = present(folder / f"{name}.json", "analyse", name)
    value = read_json(path)
    return checked(lambda: _analysis(value, plan), path)


def _analysis(value: Any, plan: ReportPlan) -> Analysis:
    corpus, parts = value["corpus"], {name: tuple(map(str, value["parts"][name])) for name in _PARTS}
    names = list(dict.fromkeys([*(name for group in parts.values() for name in group), *CLAIMS.values()]))
    sources = {
        kind: {source: _source(found[source], names) for source in _ordered([MANUAL, *plan.training_sets], found)}
        for kind, found in corpus["sources"].items()
    }
    order = _ordered([MANUAL, *plan.training_sets], corpus["operations"])
    return Analysis(
        settings=scores({name: value["settings"][name] for name in _SETTINGS}),
        agreement={
            half: scores({name: found[name] for name in _AGREEMENT}) for half, found in value["agreement"].items()
        },
        parts=parts,
        signatures={metric: str(value["signatures"][metric]) for metric in ("rewriting", *METRICS)},
        sources=sources,
        differences={
            kind: {source: _numbers(row, names, _difference) for source, row in found.items()}
            for kind, found in corpus["differences"].items()
        },
        operations={source: scores(corpus["operations"][source]["percent"]) for source in order},
        test_sets={key: _test_set(found, plan, names, parts["classes"]) for key, found in value["test_sets"].items()},
    )


def _test_set(value: Any, plan: ReportPlan, names: Sequence[str], classes: Sequence[str]) -> AnalysedSet:
    systems = [INPUT, *(f"{training}/{name}" for training in plan.training_sets for name in plan.simplifiers)]
    rewriting, length, kind = value["rewriting"], value["length"], value["kind"]
    return AnalysedSet(
        sentences=int(rewriting["sentences"]),
        references=int(rewriting["references"]),
        systems={
            name: _numbers(rewriting["systems"][name], names, _number)
            for name in in_order([*systems, REFERENCES], rewriting["systems"])
        },
        to_reference={name: _numbers(rewriting["to_reference"][name], names, _difference) for name in systems},
        new_to_old={
            old: _numbers(rewriting["new_to_old"][old], names, _difference)
            for old in systems
            if old in rewriting["new_to_old"]
        },
        length=tuple(_subset(_length(found), found, systems) for found in length),
        kind=tuple(_subset(name, kind[name], systems) for name in classes),
        order={metric: _orders(value["order"][metric], systems) for metric in METRICS},
    )


def _orders(value: Any, systems: Sequence[str]) -> dict[str, dict[str, tuple[Number, ...]]]:
    found = {name: {op: tuple(map(_number, value[name][op])) for op in OPERATIONS} for name in systems}
    if len(sizes := {len(row) for operations in found.values() for row in operations.values()}) != 1 or 0 in sizes:
        raise ValueError("other orders of n-grams for one system or operation than for another")
    return found


def _source(value: Any, names: Sequence[str]) -> Source:
    return Source(int(value["available"]), int(value["units"]), _numbers(value["parts"], names, _number))


def _subset(label: str, value: Any, systems: Sequence[str]) -> Subset:
    sentences = int(value["sentences"])
    metrics = METRICS if sentences else ()
    numbers = {metric: _numbers(value["systems"][metric], systems, _number) for metric in metrics}
    rows = {metric: value["new_to_old"][metric] for metric in metrics}
    differences = {metric: _numbers(row, list(row), _difference) for metric, row in rows.items()}
    return Subset(label, sentences, numbers, differences)


def _length(value: Any) -> str:
    """Such as `11 to 15 tokens`."""
    low, high = int(value["from"]), value["to"]
    if high is None:
        return f"{low} and more"
    return f"{low} to {int(high)}" if low else f"up to {int(high)}"


def _numbers(value: Any, names: Sequence[str], read: Callable[[Any], Number]) -> Numbers:
    return {name: read(value[name]) for name in names}


def _number(value: Any) -> Number:
    return Number(finite(value["value"]), finite_or_none(value["low"]), finite_or_none(value["high"]))


def _difference(value: Any) -> Number:
    low, high, percent = (finite_or_none(value[key]) for key in ("low", "high", "percent"))
    return Number(finite(value["difference"]), low, high, percent)


def _ordered(planned: Sequence[str], found: Mapping[str, Any]) -> list[str]:
    return [name for name in in_order(planned, found) if name in found]
