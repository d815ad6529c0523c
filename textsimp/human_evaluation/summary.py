"""Averages of systems with their intervals, differences, and how far raters agree (section 5.3.2, tables 6 and 7)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.errors import InputError
from textsimp.human_evaluation.guidelines import KEYS
from textsimp.human_evaluation.ratings import Rating
from textsimp.metrics.agreement import Agreement, agreement
from textsimp.metrics.resampling import Counts, holm, paired_bootstrap

AVERAGE = "average"
MEASURES = (*KEYS, AVERAGE)


@dataclass(frozen=True)
class Mean:
    """The mean of a system's ratings with its 95 percent interval; None where it has none."""

    mean: float | None
    low: float | None
    high: float | None
    ratings: int


@dataclass(frozen=True)
class Gap:
    """How far a system is above the one it is compared with.

    Attributes:
        difference, low, high, p: see `resampling.Difference`; None where no sentence is rated for both.
        p_holm: p, corrected for the number of systems compared on this measure (Holm 1979).
    """

    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None


@dataclass(frozen=True)
class Summary:
    """Everything about a table of ratings; systems are in its order, measures are MEASURES.

    Attributes:
        against: the system that the others are compared with.
        sentences, raters, items: how many; an item is one text, whoever wrote it.
        samples, seed: of the bootstrap over sentences.
        systems: system -> measure -> mean.
        gaps: other system -> measure -> difference to `against`.
        agreement: criterion -> coefficients, over items.
    """

    against: str
    sentences: int
    raters: int
    items: int
    samples: int
    seed: int
    systems: Mapping[str, Mapping[str, Mean]]
    gaps: Mapping[str, Mapping[str, Gap]]
    agreement: Mapping[str, Agreement]

    def as_dict(self) -> dict[str, Any]:
        """The numbers by name."""
        return asdict(self)


def summarise(ratings: Sequence[Rating], against: str | None, samples: int, seed: int) -> Summary:
    """Summarise a table of ratings.

    The mean of a criterion is over all ratings that were given; the average is the mean of the three means, as in the
    paper's tables. The bootstrap draws sentences, with all that was said about them: intervals tell what other
    sentences might have given, with the same raters.

    Args:
        ratings: the tidy table.
        against: the system to compare with; None takes the one with the best average.
        samples, seed: of the bootstrap.

    Raises:
        InputError: no such system, samples below 1, or nothing rated at all.
    """
    counts = _counts(ratings)
    means = {system: {name: _mean(own, name) for name in MEASURES} for system, own in counts.items()}
    if against is None:
        against = _best(means)
    if against not in counts:
        raise InputError(f"--against {against!r}: not in the ratings; they have {', '.join(counts)}")
    if samples < 1:
        raise InputError(f"--samples {samples}: needs to be 1 at least")
    return Summary(
        against=against,
        sentences=len({one.line for one in ratings}),
        raters=len({one.rater for one in ratings}),
        items=len({one.item for one in ratings}),
        samples=samples,
        seed=seed,
        systems={
            system: {name: _with_interval(counts[system], name, own[name], samples, seed) for name in MEASURES}
            for system, own in means.items()
        },
        gaps=_gaps(counts, against, samples, seed),
        agreement={criterion: agreement(matrix(ratings, criterion)) for criterion in KEYS},
    )


def matrix(ratings: Sequence[Rating], criterion: str) -> NDArray[np.float64]:
    """The ratings on one criterion, NaN where missing; a shared output counts once. Shape: (items, raters)."""
    items = {item: place for place, item in enumerate(dict.fromkeys(one.item for one in ratings))}
    raters = {rater: place for place, rater in enumerate(dict.fromkeys(one.rater for one in ratings))}
    found = np.full((len(items), len(raters)), np.nan)
    for one in ratings:
        if one.criterion == criterion and one.rating is not None:
            found[items[one.item], raters[one.rater]] = one.rating
    return found


def _counts(ratings: Sequence[Rating]) -> dict[str, Counts]:
    """For each system, sum and number of its ratings: shape (sentences, criteria x 2), sum before number."""
    lines = {line: place for place, line in enumerate(sorted({one.line for one in ratings}))}
    found: dict[str, Counts] = {}
    for one in ratings:
        own = found.setdefault(one.system, np.zeros((len(lines), 2 * len(KEYS))))
        if one.rating is not None:
            column = 2 * KEYS.index(one.criterion)
            own[lines[one.line], column : column + 2] += (one.rating, 1)
    return found


def _columns(name: str) -> list[int]:
    """The columns of counts that a measure needs."""
    return list(range(2 * len(KEYS))) if name == AVERAGE else [2 * KEYS.index(name), 2 * KEYS.index(name) + 1]


def _score(counts: Counts) -> NDArray[np.float64]:
    """Mean of the means; 0 where nothing is counted, which stands for no system in `_with_interval`."""
    sums, numbers = counts[..., ::2], counts[..., 1::2]
    return np.divide(sums, numbers, out=np.zeros_like(sums), where=numbers > 0).mean(-1)


def _rated(counts: Counts) -> NDArray[np.bool_]:
    """Sentences with a rating for each criterion of a measure. Shape: (sentences,)."""
    return (counts[:, 1::2] > 0).all(1)


def _mean(counts: Counts, name: str) -> float | None:
    total = counts[:, _columns(name)].sum(0)
    return float(_score(total)) if (total[1::2] > 0).all() else None


def _best(means: Mapping[str, Mapping[str, float | None]]) -> str:
    averages = {system: own[AVERAGE] for system, own in means.items()}
    rated = {system: value for system, value in averages.items() if value is not None}
    if not rated:
        raise InputError("the table of ratings: no system is rated on all criteria; give more ratings")
    return max(rated, key=rated.__getitem__)


def _with_interval(counts: Counts, name: str, mean: float | None, samples: int, seed: int) -> Mean:
    """The interval is that of the difference to a system that scores 0 on every sentence."""
    own = counts[:, _columns(name)]
    number = int(own[:, 1::2].sum())
    own = own[_rated(own)]
    if mean is None or not len(own):
        return Mean(mean, None, None, number)
    found = paired_bootstrap(own, np.zeros_like(own), _score, samples, seed)
    return Mean(mean, found.low, found.high, number)


def _gaps(counts: Mapping[str, Counts], against: str, samples: int, seed: int) -> dict[str, dict[str, Gap]]:
    """Over the sentences that are rated for both systems."""
    others = [system for system in counts if system != against]
    found: dict[str, dict[str, Gap]] = {system: {} for system in others}
    for name in MEASURES:
        columns = _columns(name)
        differences = {}
        for system in others:
            one, other = counts[system][:, columns], counts[against][:, columns]
            both = _rated(one) & _rated(other)
            if both.any():
                differences[system] = paired_bootstrap(one[both], other[both], _score, samples, seed)
        corrected = dict(zip(differences, holm([one.p for one in differences.values()]), strict=True))
        for system in others:
            one_gap = differences.get(system)
            found[system][name] = Gap(
                **(one_gap.as_dict() if one_gap else dict.fromkeys(("difference", "low", "high", "p"))),
                p_holm=corrected.get(system),
            )
    return found
