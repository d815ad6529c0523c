"""What systems do to the sentences of a test set, beside what people do (Jiang et al. 2020, Figure 3)."""

from collections.abc import Mapping, Sequence
from typing import Any

from textsimp.metrics.analysis.config import Plan
from textsimp.metrics.analysis.kinds import kind_statistics, rewrite
from textsimp.metrics.analysis.resamples import all_differences, all_numbers, resample
from textsimp.metrics.analysis.systems import REFERENCE, new_and_old
from textsimp.metrics.rewriting.distribution import Rewritings
from textsimp.metrics.rewriting.pairs import units_of
from textsimp.metrics.simplification import EvaluationSet


def rewrite_references(test: EvaluationSet, plan: Plan) -> list[Rewritings]:
    """What each reference does."""
    return [rewrite(units_of(test.complex, lines), plan.config.language) for lines in test.references]


def analyse_outputs(
    lines: Mapping[str, Sequence[str]], test: EvaluationSet, references: Sequence[Rewritings], plan: Plan
) -> dict[str, Any]:
    """Classes and operations of all systems on one test set, resampled together.

    Args:
        lines: the lines of each system, see `systems.read_systems`.
        references: see `rewrite_references`; each counts alike in the row of people.

    Returns:
        `sentences`, `references`: counts. `systems`: `{SYSTEM: {PART: {value, low, high}}}` with the references as
        `none/reference`. `to_reference`: `{SYSTEM: {PART: {difference, low, high, p, percent}}}`, system minus
        references. `new_to_old`: the same by the name of the old system, new minus old.
    """
    config = plan.config
    statistics = {
        name: kind_statistics([rewrite(units_of(test.complex, output), config.language)], config.language)
        for name, output in lines.items()
    }
    statistics[REFERENCE] = human = kind_statistics(references, config.language)
    found, parts = resample(statistics, config.samples, config.seed), human.parts
    pairs = new_and_old(found, plan)
    return {
        "sentences": len(test.complex),
        "references": len(references),
        "systems": {name: all_numbers(one, parts) for name, one in found.items()},
        "to_reference": {name: all_differences(found[name], found[REFERENCE], parts) for name in lines},
        "new_to_old": {old: all_differences(*pair, parts) for old, pair in pairs.items()},
    }
