"""What kind of rewriting each output of a leaderboard does, beside people (Jiang et al. 2020, Figure 3)."""

from collections.abc import Mapping, Sequence
from typing import Any

from textsimp.metrics.analysis.resamples import all_numbers, resample
from textsimp.metrics.resampling import Resampling
from textsimp.metrics.rewriting.classes import RewritingConfig
from textsimp.metrics.rewriting.distribution import rewritings, signature
from textsimp.metrics.rewriting.pairs import unit_aligner, units_of
from textsimp.metrics.rewriting.statistics import PARTS, rewriting_statistics
from textsimp.metrics.statistics import SegmentStatistics

_PEOPLE = "references"
CLASSES = PARTS["classes"]


def kinds_of_rewriting(
    complex_lines: Sequence[str],
    outputs: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    language: str,
    resampling: Resampling,
) -> dict[str, Any]:
    """The shares of the classes in each output, and in the references, of which each counts alike.

    Args:
        complex_lines, outputs, references: in one form, as many lines each.
        language: of the texts; a name of `rewriting.languages.LANGUAGES`.

    Returns:
        `signature`; `systems`: `{KEY: {CLASS: {value, low, high}}}`, in percent of the sentences; `references`: the
        same of people.

    Raises:
        InputError: the language is unknown.
    """
    aligner, config = unit_aligner(language), RewritingConfig()
    recipe = signature(language, config)

    def statistics(*versions: Sequence[str]) -> SegmentStatistics:
        units = (units_of(complex_lines, lines) for lines in versions)
        return rewriting_statistics([rewritings(one, aligner, config) for one in units], recipe)

    rows = {key: statistics(lines) for key, lines in outputs.items()}
    # names of outputs are free, so that people need one that none can have
    found = resample({**rows, f"/{_PEOPLE}": statistics(*references)}, resampling.samples, resampling.seed)
    shares = {}
    for key, one in found.items():
        numbers = all_numbers(one, next(iter(rows.values())).parts)
        shares[key] = {name: numbers[name] for name in CLASSES}
    people = shares.pop(f"/{_PEOPLE}")
    return {"signature": str(recipe), "systems": shares, _PEOPLE: people}
