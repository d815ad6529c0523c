"""An invented file of the stage analyse, for the tests of the report."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.metrics.rewriting.sentence_operations import OPERATIONS, OTHER
from textsimp.metrics.rewriting.statistics import PARTS

LENGTHS = [10, 20]
SIGNATURES = {
    "rewriting": "rewriting|language:english|version:1",
    "sari": "SARI|level:sentence|del:precision|tok:none|case:lc|nrefs:1|version:1",
    "sari_corpus": "SARI|level:corpus|del:f1|tok:13a|case:lc|nrefs:1|version:1",
}
_SETTINGS = {"language": "english", "units": 2000, "samples": 9, "seed": 1, "min_sentences": 10}
_AGREEMENT = {"units": 100, "accuracy": 0.875, "accuracy_low": 0.75, "accuracy_high": 0.9375, "kappa": 0.8125}
_NAMES = [name for names in PARTS.values() for name in names]


def write_analysis(
    reports: Path,
    name: str,
    test_sets: Mapping[str, int],
    training_sets: Sequence[str],
    simplifiers: Sequence[str],
    draw: random.Random,
) -> None:
    """Shares and scores by chance; the first bin of length and the last class have no sentence, the second bin few."""
    systems = ["none/identity", *(f"{training}/{system}" for training in training_sets for system in simplifiers)]
    old = [f"{training}/{system}" for training in training_sets[1:] for system in simplifiers]
    documents = {source: _source(draw) for source in ("manual", *training_sets)}
    value = {
        "settings": {**_SETTINGS, "lengths": LENGTHS},
        "agreement": {"test": _AGREEMENT, "drawn-test": _AGREEMENT},
        "parts": PARTS,
        "signatures": SIGNATURES,
        "corpus": {
            "sources": {"documents": documents, "pairs": {source: _source(draw) for source in training_sets}},
            "operations": {source: _operations(draw) for source in documents},
            "differences": {
                kind: {source: _differences(_NAMES, draw) for source in training_sets[1:]}
                for kind in ("documents", "pairs")
            },
        },
        "test_sets": {
            test_set: _test_set(references, systems, old, draw) for test_set, references in test_sets.items()
        },
    }
    path = reports / "analysis" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, sort_keys=True), encoding="utf-8")


def _test_set(references: int, systems: Sequence[str], old: Sequence[str], draw: random.Random) -> dict[str, Any]:
    bounds = [0, *(length + 1 for length in LENGTHS)]
    bins = [
        {"from": low, "to": high, **_subset(sentences, systems, old, draw)}
        for low, high, sentences in zip(bounds, [*LENGTHS, None], (0, 4, 50), strict=True)
    ]
    sizes = {kind: 10 * place for place, kind in enumerate(reversed(PARTS["classes"]))}
    return {
        "rewriting": {
            "sentences": 54,
            "references": references,
            "systems": {name: _parts(draw) for name in (*systems, "none/reference")},
            "to_reference": {name: _differences(_NAMES, draw) for name in systems},
            "new_to_old": {name: _differences(_NAMES, draw) for name in old},
        },
        "length": bins,
        "kind": {kind: _subset(size, systems, old, draw) for kind, size in sizes.items()},
        "order": {
            metric: {
                name: {operation: [_number(draw) for _ in range(4)] for operation in ("add", "keep", "del")}
                for name in systems
            }
            for metric in ("sari", "sari_corpus")
        },
    }


def _subset(sentences: int, systems: Sequence[str], old: Sequence[str], draw: random.Random) -> dict[str, Any]:
    sure = sentences >= 10
    metrics = ("sari", "sari_corpus") if sentences else ()
    return {
        "sentences": sentences,
        "systems": {metric: {name: _number(draw, sure) for name in systems} for metric in metrics},
        "new_to_old": {metric: {name: _difference(draw, sure) for name in old} for metric in metrics},
    }


def _source(draw: random.Random) -> dict[str, Any]:
    return {"available": 4321, "units": 2000, "parts": _parts(draw)}


def _operations(draw: random.Random) -> dict[str, Any]:
    counts = {name: draw.randrange(1, 99) for name in (*OPERATIONS.values(), OTHER)}
    total = sum(counts.values())
    return {"total": total, "counts": counts, "percent": {name: 100 * count / total for name, count in counts.items()}}


def _parts(draw: random.Random) -> dict[str, Any]:
    """Classes that sum to 100; the rest by chance."""
    weights = {name: draw.random() for name in PARTS["classes"]}
    shares = {name: 100 * weight / sum(weights.values()) for name, weight in weights.items()}
    return {name: _around(shares.get(name, 100 * draw.random())) for name in _NAMES}


def _around(value: float, sure: bool = True) -> dict[str, float | None]:
    return {"value": value, "low": value - 2 if sure else None, "high": value + 2 if sure else None}


def _number(draw: random.Random, sure: bool = True) -> dict[str, float | None]:
    return _around(30 + 9 * draw.random(), sure)


def _differences(names: Sequence[str], draw: random.Random) -> dict[str, Any]:
    return {name: _difference(draw, True) for name in names}


def _difference(draw: random.Random, sure: bool) -> dict[str, float | None]:
    found = _around(6 * draw.random() - 3, sure)
    p = 0.01 if sure else None
    return {"difference": found["value"], "low": found["low"], "high": found["high"], "p": p, "percent": 12.5}
