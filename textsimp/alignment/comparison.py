"""The comparison of all systems of a corpus: metrics, details, curves and examples for the reports (F2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.alignment.evaluation import (
    Predictions,
    Splits,
    curves_of,
    details_of,
    difference,
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
from textsimp.metrics.alignment_ceiling import ceilings
from textsimp.textfiles import write_json

GOLD_SUFFIX = "_gold_paragraphs"
"""Of the names of two-step systems that are given the gold paragraphs."""


@dataclass(frozen=True)
class SignificanceConfig:
    """`significance` in params.yaml.

    alignment_system: what every other alignment system is compared with; nothing is where it is not among them.
    samples: resamples of the paired bootstrap over article sets.
    """

    alignment_system: str
    samples: int
    seed: int


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
    outputs: Outputs,
) -> None:
    """Fit all systems, two-step ones also with gold paragraphs, and write what they find on dev and test.

    Args:
        splits: labelled document pairs of `train`, `dev` and `test`.
        saved: folder of systems that were fitted before, each in a folder of its name.
    """
    systems = _systems(configs, resources, saved)
    unfitted = {name: system for name, system in systems.items() if not is_saved_system(saved / name)}
    fit_systems(unfitted, splits["train"], splits["dev"])
    evaluated = {split: splits[split] for split in ("dev", "test")}
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
    shown = [name for name, system in systems.items() if system.config.paragraphs != "gold"][-1]
    write_examples(outputs.examples, splits["test"], links["test"][shown])


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
        "compared_with": significance.alignment_system,
        "splits": {
            split: {
                "ceilings": ceilings(pairs),
                "systems": {
                    name: {
                        **details_of(pairs, links[split][name]),
                        "difference": _differences(pairs, links[split], name, significance),
                    }
                    for name in systems
                },
            }
            for split, pairs in splits.items()
        },
    }


def _differences(
    pairs: Sequence[Any], links: Mapping[str, Predictions], name: str, significance: SignificanceConfig
) -> dict[str, Any] | None:
    other = significance.alignment_system
    if other not in links or other == name:
        return None
    return difference(pairs, links[name], links[other], significance.samples, significance.seed)
