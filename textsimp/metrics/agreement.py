"""Do several people who judged the same items agree more than chance would make them (F1)?

Every coefficient is 1 - D_o / D_e, with the disagreement D_o that is observed and D_e, that of ratings drawn at random;
they differ in how disagreement is weighed and what "at random" is. 1 is full agreement, 0 that of chance; values below
0 are agreement worse than chance.

Cohen 1960 (A coefficient of agreement for nominal scales) and 1968 (Weighted kappa), Fleiss 1971 (Measuring nominal
scale agreement among many raters), Krippendorff 2011 (Computing Krippendorff's alpha-reliability).

Where chance leaves no room for disagreement (D_e = 0: everybody always gives one and the same value, or nobody shares
an item), no coefficient is defined and the result is None: such ratings show neither that raters tell items apart nor
that they do not. Some programs print 1 there, others 0 or NaN.
"""

import itertools
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Ratings = NDArray[np.float64]
"""Shape: (items, raters); NaN where a rater did not rate an item."""

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


@dataclass(frozen=True)
class Agreement:
    """All coefficients of one set of ratings; None where one is not defined.

    Attributes:
        raters, items: with one rating at least.
        complete_items: rated by all raters; Fleiss' kappa is about these alone.
        ratings, missing: cells of the matrix of items and raters, filled and empty.
        exact: share of the pairs of ratings of one item that are equal, from 0 to 1; no correction for chance.
        kappa, quadratic_kappa: mean of Cohen's kappa over the `pairs` of raters for whom it is defined.
        alpha_nominal, alpha_ordinal, alpha_interval: Krippendorff's alpha.
    """

    raters: int
    items: int
    complete_items: int
    ratings: int
    missing: int
    exact: float | None
    kappa: float | None
    quadratic_kappa: float | None
    pairs: int
    fleiss_kappa: float | None
    alpha_nominal: float | None
    alpha_ordinal: float | None
    alpha_interval: float | None


def agreement(ratings: Ratings) -> Agreement:
    """Every coefficient of this module.

    Args:
        ratings: numbers on an equally spaced scale, NaN for a missing one. Shape: (items, raters).

    Raises:
        ValueError: the array is not of two dimensions, or holds an infinite value.
    """
    ratings = _checked(ratings)
    given = ~np.isnan(ratings)
    plain, quadratic = pairwise_kappas(ratings), pairwise_kappas(ratings, quadratic=True)
    return Agreement(
        raters=int(given.any(0).sum()),
        items=int(given.any(1).sum()),
        complete_items=int(given.all(1).sum()),
        ratings=int(given.sum()),
        missing=int((~given).sum()),
        exact=exact_agreement(ratings),
        kappa=_mean(plain),
        quadratic_kappa=_mean(quadratic),
        pairs=len(plain),
        fleiss_kappa=fleiss_kappa(ratings),
        alpha_nominal=krippendorff_alpha(ratings, "nominal"),
        alpha_ordinal=krippendorff_alpha(ratings, "ordinal"),
        alpha_interval=krippendorff_alpha(ratings, "interval"),
    )


def exact_agreement(ratings: Ratings) -> float | None:
    """Share of equal pairs among all pairs of ratings of one item; None where no item has two ratings."""
    counts, _ = _counts(_checked(ratings))
    numbers = counts.sum(1)
    pairs = float((numbers * (numbers - 1)).sum())
    return float((counts * (counts - 1)).sum()) / pairs if pairs else None


def cohen_kappa(one: NDArray[np.float64], other: NDArray[np.float64], quadratic: bool = False) -> float | None:
    """Cohen's kappa of two raters over the items that both rated.

    kappa = 1 - sum(w o) / sum(w e): o is the share of items with values i and j, e = p_i q_j the product of the shares
    in which each rater uses them (his own, unlike Fleiss), w = [i != j], or (i - j)^2 when quadratic.

    Args:
        one, other: ratings, NaN for a missing one. Shape of each: (items,).
        quadratic: weigh a disagreement by the square of its size (Cohen 1968).

    Returns:
        At most 1; None where nothing is shared, or where both always give one and the same value.
    """
    both = ~(np.isnan(one) | np.isnan(other))
    if not both.any():
        return None
    values, places = np.unique(np.concatenate([one[both], other[both]]), return_inverse=True)
    rows, columns = np.split(places, 2)
    observed = np.zeros((len(values), len(values)))  # (V, V)
    np.add.at(observed, (rows, columns), 1 / both.sum())
    expected = np.outer(observed.sum(1), observed.sum(0))  # (V, V)
    return _coefficient(observed, expected, _squared_distances(values, "interval" if quadratic else "nominal"))


def pairwise_kappas(ratings: Ratings, quadratic: bool = False) -> list[float]:
    """Cohen's kappa of every pair of raters, without those for whom it is not defined.

    Args:
        ratings: Shape: (items, raters).
    """
    columns = _checked(ratings).T
    found = (cohen_kappa(one, other, quadratic) for one, other in itertools.combinations(columns, 2))
    return [kappa for kappa in found if kappa is not None]


def fleiss_kappa(ratings: Ratings) -> float | None:
    """Fleiss' kappa, over the items that every rater rated (it needs one number of ratings for all items).

    P_i = sum_j n_ij (n_ij - 1) / (n (n - 1)) for item i, p_j the share of value j among all ratings, and
    kappa = (mean P_i - sum p_j^2) / (1 - sum p_j^2).

    Args:
        ratings: Shape: (items, raters).

    Returns:
        At most 1; None with fewer than two raters, without a complete item, or with only one value used.
    """
    ratings = _checked(ratings)
    complete = ratings[~np.isnan(ratings).any(1)]
    raters = ratings.shape[1]
    if raters < 2 or not len(complete):
        return None
    counts, values = _counts(complete)  # (items, V)
    if len(values) == 1:
        return None
    observed = float((counts * (counts - 1)).sum(1).mean()) / (raters * (raters - 1))
    expected = float(((counts.sum(0) / counts.sum()) ** 2).sum())
    return (observed - expected) / (1 - expected)


def krippendorff_alpha(ratings: Ratings, level: Level) -> float | None:
    """Krippendorff's alpha, for any number of raters and with missing ratings.

    alpha = 1 - sum(o d) / sum(e d): the coincidences o_ck are the ordered pairs of values within an item, each divided
    by the ratings of the item less one; e_ck = n_c (n_k - [c = k]) / (n - 1) from the totals n_c. The squared
    distance d is [c != k] (nominal), (c - k)^2 (interval), or (sum of n_g for g from c to k - (n_c + n_k) / 2)^2
    (ordinal). An item with one rating has no pair and does not count.

    Args:
        ratings: Shape: (items, raters).
        level: nominal, ordinal or interval.

    Returns:
        At most 1; None where no item has two ratings, or where all of them are equal.

    Raises:
        ValueError: an unknown level, or as `agreement`.
    """
    if level not in LEVELS:
        raise ValueError(f"level {level!r}: unknown; there is {', '.join(LEVELS)}")
    counts, values = _counts(_checked(ratings))  # (items, V)
    counts = counts[counts.sum(1) > 1]
    if not len(counts):
        return None
    weighted = counts / (counts.sum(1, keepdims=True) - 1)
    observed = weighted.T @ counts - np.diag(weighted.sum(0))  # (V, V)
    totals = counts.sum(0)
    expected = (np.outer(totals, totals) - np.diag(totals)) / (totals.sum() - 1)
    return _coefficient(observed, expected, _squared_distances(values, level, totals))


def _squared_distances(
    values: NDArray[np.float64], level: Level, totals: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Squared distance of every two values. Shape: (V, V); `totals`, for ordinal only, says how often each is used."""
    if level == "nominal":
        return (values[:, None] != values).astype(float)
    if level == "ordinal":
        assert totals is not None
        values = np.cumsum(totals) - totals / 2  # mean ranks: their distances are the formula's sums
    return (values[:, None] - values) ** 2


def _coefficient(
    observed: NDArray[np.float64], expected: NDArray[np.float64], distances: NDArray[np.float64]
) -> float | None:
    """1 - D_o / D_e; None where there is no disagreement to expect."""
    chance = float((expected * distances).sum())
    return 1 - float((observed * distances).sum()) / chance if chance > 0 else None


def _counts(ratings: Ratings) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How often each item got each value, shape (items, V), and the values in order, shape (V,)."""
    values = np.unique(ratings[~np.isnan(ratings)])
    return (ratings[:, :, None] == values).sum(1).astype(float), values


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _checked(ratings: Ratings) -> Ratings:
    ratings = np.asarray(ratings, dtype=np.float64)
    if ratings.ndim != 2 or np.isinf(ratings).any():
        raise ValueError(f"ratings: expected finite numbers or NaN, shape (items, raters); got {ratings.shape}")
    return ratings
