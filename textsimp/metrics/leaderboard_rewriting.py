"""What kind of rewriting each output of a leaderboard does, beside people (Jiang et al. 2020, Figure 3)."""

from collections.abc import Mapping, Sequence
from typing import Any

from textsimp.metrics.analysis.kinds import kind_statistics, rewrite
from textsimp.metrics.analysis.resamples import all_numbers, resample
from textsimp.metrics.resampling import Resampling
from textsimp.metrics.rewriting.pairs import units_of
from textsimp.metrics.rewriting.statistics import PARTS
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

    def statistics(*versions: Sequence[str]) -> SegmentStatistics:
        return kind_statistics([rewrite(units_of(complex_lines, lines), language) for lines in versions], language)

    rows = {key: statistics(lines) for key, lines in outputs.items()}
    people = statistics(*references)
    # names of outputs are free, so that people need one that none can have
    found = resample({**rows, f"/{_PEOPLE}": people}, resampling.samples, resampling.seed)
    numbers = {key: all_numbers(one, people.parts) for key, one in found.items()}
    shares = {key: {name: row[name] for name in CLASSES} for key, row in numbers.items()}
    return {"signature": str(people.signature), _PEOPLE: shares.pop(f"/{_PEOPLE}"), "systems": shares}
