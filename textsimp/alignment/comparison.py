"""The comparison of all systems of a corpus: metrics, details, curves and examples for the reports (F2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.alignment.evaluation import (
    Splits,
    curves_of,
    details_of,
    fit_systems,
    predict,
    scores_of,
    write_curves,
    write_examples,
)
from textsimp.alignment.resources import Resources
from textsimp.alignment.saved_systems import is_saved_system, load_system
from textsimp.alignment.shared import SharedSimilarities
from textsimp.alignment.system_config import SystemConfig
from textsimp.alignment.systems import System, make_system, with_gold_paragraphs
from textsimp.errors import InputError
from textsimp.metrics.alignment_ceiling import ceilings
from textsimp.metrics.alignment_significance import Predictions, SignificanceConfig, difference, intervals
from textsimp.records import DocumentPair
from textsimp.textfiles import write_json

GOLD_SUFFIX = "_gold_paragraphs"
"""Of the names of two-step systems that are given the gold paragraphs."""


@dataclass(frozen=True)
class Outputs:
    """The files that a comparison writes."""

    metrics: Path
    details: Path
    curves: Path
    examples: Path


def compare_systems(
    configs: Mapping[str, SystemConfig],
    splits: Splits,
    resources: Resources,
    saved: Path,
    significance: SignificanceConfig,
    shown: Sequence[str],
    outputs: Outputs,
) -> None:
    """Fit all systems, two-step ones also with gold paragraphs, and write what they find on dev and test.

    Args:
        splits: labelled document pairs of `train`, `dev` and `test`.
        saved: folder of systems that were fitted before, each in a folder of its name.
        shown: the systems whose links are written beside the test pairs.

    Raises:
        InputError: a system is to be shown that is not compared, or dev or test has no document pairs.
    """
    if unknown := [name for name in shown if name not in configs]:
        raise InputError(f"shown_systems: {unknown[0]} is none of alignment_systems; add it there or leave it out")
    evaluated = {split: splits[split] for split in ("dev", "test")}
    if empty := [split for split, pairs in evaluated.items() if not pairs]:
        raise InputError(f"{empty[0]} split: has no document pairs to evaluate on; see corpus.NAME.source in conf/")
    systems = _systems(configs, resources, saved)
    unfitted = {name: system for name, system in systems.items() if not is_saved_system(saved / name)}
    fit_systems(unfitted, splits["train"], splits["dev"])
    links = {split: predict(systems, pairs, f"align {split}") for split, pairs in evaluated.items()}
    curves = {
        (split, name): curves_of(system, pairs)
        for split, pairs in evaluated.items()
        for name, system in systems.items()
    }
    metrics = {
        split: {name: scores_of(pairs, links[split][name], curves[split, name]) for name in systems}
        for split, pairs in evaluated.items()
    }
    write_json(outputs.metrics, metrics)
    write_json(outputs.details, _details(systems, resources, evaluated, links, significance))
    write_curves(outputs.curves, curves)
    write_examples(outputs.examples, splits["test"], {name: links["test"][name] for name in shown})


def _systems(configs: Mapping[str, SystemConfig], resources: Resources, saved: Path) -> dict[str, System]:
    """The systems by name; those with gold paragraphs follow the ones that they come from."""
    shared = SharedSimilarities(resources)
    systems: dict[str, System] = {}
    for name, config in configs.items():
        folder = saved / name
        systems[name] = load_system(folder, shared, config) if is_saved_system(folder) else make_system(config, shared)
        gold = with_gold_paragraphs(config)
        if gold is not None:
            systems[f"{name}{GOLD_SUFFIX}"] = make_system(gold, shared)
    return systems


def _details(
    systems: Mapping[str, System],
    resources: Resources,
    splits: Splits,
    links: Mapping[str, Mapping[str, Predictions]],
    significance: SignificanceConfig,
) -> dict[str, Any]:
    """What the report shows beside precision, recall and F1."""
    return {
        "labels": {name: system.config.label for name, system in systems.items()},
        "sources": {name: system.config.source for name, system in systems.items()},
        "gold_paragraphs": [name for name, system in systems.items() if system.config.paragraphs == "gold"],
        "word_vectors": resources.vectors.name,
        "compared_with": [name for name in significance.alignment_systems if name in systems],
        "splits": {
            split: {
                "ceilings": ceilings(pairs),
                "systems": {
                    name: {
                        **details_of(pairs, links[split][name]),
                        "intervals": intervals(pairs, links[split][name], significance.resampling),
                        "differences": _differences(pairs, links[split], name, significance),
                    }
                    for name in systems
                },
            }
            for split, pairs in splits.items()
        },
    }


def _differences(
    pairs: Sequence[DocumentPair], links: Mapping[str, Predictions], name: str, significance: SignificanceConfig
) -> dict[str, Any]:
    """By the system that `name` is compared with."""
    others = [other for other in significance.alignment_systems if other in links and other != name]
    return {other: difference(pairs, links[name], links[other], significance.resampling) for other in others}
