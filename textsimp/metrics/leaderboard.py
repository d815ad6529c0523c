"""A leaderboard: outputs for one test set under every variant of SARI, and what the variants disagree on (F1).

Published tables score the same outputs by different variants of SARI, which rank systems differently. Here each variant
has its column, interval, ranking and tests of all pairs of systems, and each two variants the pairs that they order
differently. The human references are no row: scored against the others, each has one reference less than the systems.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, TypeVar

from textsimp.errors import InputError
from textsimp.metrics.comparison import compare_pairs
from textsimp.metrics.leaderboard_config import LeaderboardConfig
from textsimp.metrics.leaderboard_rewriting import kinds_of_rewriting
from textsimp.metrics.leaderboard_tests import RANKED, VARIANTS, agreement, compared_systems, flipped_pairs
from textsimp.metrics.registry import (
    EVERYTHING,
    MetricOptions,
    Statistics,
    Texts,
    checked_names,
    metric_statistics,
    part_names,
)
from textsimp.metrics.simplification import EvaluationConfig, EvaluationSet
from textsimp.metrics.text_form import RELEASED, TREEBANK, in_form

T = TypeVar("T")
_FORM_IN_SIGNATURE = {TREEBANK: "ptb-lc"}


@dataclass(frozen=True)
class Entry:
    """One row: a system's output, and what is printed of it (see `leaderboard_config.LeaderboardSystem`).

    kind: `identity`, `released` or `submission`.
    """

    lines: Sequence[str]
    name: str
    kind: str
    paper: str | None = None
    released_with: str | None = None
    trained_on: str | None = None

    def as_dict(self) -> dict[str, str | None]:
        """What is printed of it."""
        return {key: getattr(self, key) for key in ("name", "kind", "paper", "released_with", "trained_on")}


def leaderboard(
    test: EvaluationSet, entries: Mapping[str, Entry], form: str, config: EvaluationConfig, board: LeaderboardConfig
) -> dict[str, Any]:
    """The rows, rankings, comparisons and kinds of rewriting of one test set.

    Args:
        test: the test set as released.
        entries: at least two, by key; as many lines each as the test set.
        form: how all texts are brought to one form, of `text_form.FORMS`.
        config: tokens that SARI per sentence cuts at, and the resampling.
        board: for its level of significance and language.

    Returns:
        See docs/leaderboard.md.

    Raises:
        InputError: too few resamples for a difference to be significant among so many pairs.
    """
    keys = sorted(entries)
    _check_samples(len(keys), config.samples, board.alpha)
    references = [in_form(one, form) for one in test.references]
    test = replace(test, complex=in_form(test.complex, form), references=references)
    outputs = {key: in_form(entries[key].lines, form) for key in keys}
    statistics = system_statistics(test, outputs, form, config.max_tokens)
    scored = compare_pairs(list(statistics.values()), [], config.samples, config.seed)
    found = compared_systems(statistics, scored, config.resampling, board.alpha)
    return {
        "sentences": len(test.complex),
        "references": len(test.references),
        "form": form,
        "signatures": {metric: str(one.signature) for metric, one in statistics[keys[0]].items()},
        "systems": {
            key: {**entries[key].as_dict(), "scores": row} for key, row in _by_part(statistics, scored.values).items()
        },
        "intervals": _by_part(statistics, scored.intervals),
        "ranks": {metric: found.ranks(metric) for metric in RANKED},
        "letters": {metric: found.letters(metric) for metric in VARIANTS},
        "pairs": {metric: found.pairs(metric) for metric in VARIANTS},
        "agreement": agreement(found),
        "flips": flipped_pairs(found),
        "rewriting": kinds_of_rewriting(test.complex, outputs, references, board.language, config.resampling),
    }


def system_statistics(
    test: EvaluationSet, outputs: Mapping[str, Sequence[str]], form: str, max_tokens: int | None
) -> dict[str, Statistics]:
    """The statistics of every metric that needs no further file, by output, of texts that are in one form already.

    Args:
        form: of the texts; the signatures name it.
    """
    options = MetricOptions(max_tokens)
    names = checked_names([EVERYTHING], options)
    found = {
        key: metric_statistics(names, Texts(test.complex, lines, test.references), options)
        for key, lines in outputs.items()
    }
    if form == RELEASED:
        return found
    return {
        key: {
            name: replace(one, signature=one.signature.including(text=_FORM_IN_SIGNATURE[form]))
            for name, one in row.items()
        }
        for key, row in found.items()
    }


def _check_samples(systems: int, samples: int, alpha: float) -> None:
    """`InputError` where the smallest p that resampling can give is not significant for that many pairs of systems."""
    pairs = systems * (systems - 1) // 2
    if pairs >= alpha * (samples + 1):
        what = f"{samples} resamples are too few to test {pairs} pairs of {systems} systems at {alpha}"
        raise InputError(f"leaderboard: {what}; give {ceil(pairs / alpha)} at least")


def _by_part(
    statistics: Mapping[str, Statistics], found: Mapping[str, Sequence[Sequence[T]]]
) -> dict[str, dict[str, T]]:
    """Of each system, the numbers of all metrics under the names of their parts; `found` has them by metric."""
    return {
        key: {
            part: value
            for metric, one in row.items()
            for part, value in zip(part_names(metric, one), found[metric][number], strict=True)
        }
        for number, (key, row) in enumerate(statistics.items())
    }
