"""How far raters agree: coefficients over the items that two or more of them rated."""

from collections.abc import Iterator, Sequence

import krippendorff
import numpy as np
from numpy.typing import NDArray

from textsimp.extras.human.ratings import Rating
from textsimp.metrics.rewriting.labelled import cohen_kappa

LEVELS = ("nominal", "ordinal", "interval")
Numbers = NDArray[np.float64]
Agreement = dict[str, int | float | None]


def matrix(ratings: Sequence[Rating], criterion: str) -> Numbers:
    """The ratings on one criterion, NaN where missing; a shared output counts once. Shape: (items, raters)."""
    items = {item: row for row, item in enumerate(dict.fromkeys(rating.item for rating in ratings))}
    raters = {rater: column for column, rater in enumerate(dict.fromkeys(rating.rater for rating in ratings))}
    values = np.full((len(items), len(raters)), np.nan)
    for rating in ratings:
        if rating.criterion == criterion and rating.rating is not None:
            values[items[rating.item], raters[rating.rater]] = rating.rating
    return values


def agreement(ratings: Numbers) -> Agreement:
    """Do people who rated the same items agree more than chance would make them?

    Every coefficient is 1 - D_o / D_e, with the disagreement that is observed and that of ratings drawn at random: 1 is
    full agreement, 0 that of chance. A coefficient is None where no item has two ratings, or all ratings have one
    value: such ratings do not show whether the raters can tell the items apart.

    Args:
        ratings: whole numbers of an equally spaced scale, NaN for a missing rating. Shape: (items, raters).

    Returns:
        `raters`, `items`: with one rating at least; `complete_items`: rated by all raters, the only ones that Fleiss'
        kappa is about; `ratings`, `missing`: cells that are filled and empty; `exact`: share of the pairs of ratings
        of one item that are equal, without correction for chance; `kappa`, `linear_kappa`, `quadratic_kappa`: mean of
        Cohen's kappa (1960, 1968) over the `pairs` of raters for whom it is defined; `fleiss_kappa` (1971);
        `alpha_nominal`, `alpha_ordinal`, `alpha_interval`: Krippendorff's alpha (2011), which missing ratings do not
        disturb.
    """
    given = ~np.isnan(ratings)
    kappas = _kappas(ratings)
    means = kappas.mean(1) if kappas.size else (None, None, None)
    plain, linear, quadratic = (None if mean is None else float(mean) for mean in means)
    return {
        "raters": int(given.any(0).sum()),
        "items": int(given.any(1).sum()),
        "complete_items": int(given.all(1).sum()),
        "ratings": int(given.sum()),
        "missing": int((~given).sum()),
        "exact": _exact(ratings),
        "kappa": plain,
        "linear_kappa": linear,
        "quadratic_kappa": quadratic,
        "pairs": kappas.shape[1],
        "fleiss_kappa": _fleiss_kappa(ratings),
        **{f"alpha_{level}": _alpha(ratings, level) for level in LEVELS},
    }


def pooled_kappa(ratings: Numbers) -> float | None:
    """Cohen's kappa of all pairs of ratings of one item; None where it is not defined.

    It serves where raters have few items in common, two by two, as in a crowd. The earlier rater's comes first.
    """
    values = _values(ratings)
    table = np.zeros((len(values), len(values)), dtype=np.int64)
    for tables in _pair_tables(ratings):
        table += tables.sum(0).astype(np.int64)
    kappa = cohen_kappa(table) if table.any() else np.nan
    return None if np.isnan(kappa) else kappa


def _values(ratings: Numbers) -> Numbers:
    """The values that are used, in order."""
    return np.unique(ratings[~np.isnan(ratings)])


def _pair_tables(ratings: Numbers) -> Iterator[Numbers]:
    """How often two raters gave two values to one item, for each rater with all later ones.

    Shape of each: (later raters, values of the one, values of the other).
    """
    is_value = (ratings[:, :, None] == _values(ratings)).astype(np.float32)  # (items, raters, values)
    for rater in range(ratings.shape[1] - 1):
        rated = ~np.isnan(ratings[:, rater])
        counts = np.tensordot(is_value[rated, rater], is_value[rated, rater + 1 :], axes=(0, 0))
        yield counts.transpose(1, 0, 2).astype(np.float64)


def _kappas(ratings: Numbers) -> Numbers:
    """Cohen's kappa, plain, linear and quadratic, of every two raters over the items that both rated.

    Left out are raters who use one value alone, for whom it is not defined. Shape: (3, pairs).
    """
    distances = np.abs(np.subtract.outer(_values(ratings), _values(ratings)))
    weights = np.stack([distances > 0, distances, distances**2])
    found = [np.zeros((3, 0))]
    for tables in _pair_tables(ratings):
        tables = tables[((tables.sum(1) + tables.sum(2)) > 0).sum(1) > 1]
        observed = np.einsum("wij,pij->wp", weights, tables)
        expected = np.einsum("wij,pi,pj->wp", weights, tables.sum(2), tables.sum(1)) / tables.sum((1, 2))
        found.append(1 - observed / expected)
    return np.concatenate(found, axis=1)


def _exact(ratings: Numbers) -> float | None:
    counts = (ratings[:, :, None] == _values(ratings)).sum(1)  # (items, values)
    pairs = counts.sum(1) * (counts.sum(1) - 1)
    return float((counts * (counts - 1)).sum() / pairs.sum()) if pairs.any() else None


def _alpha(ratings: Numbers, level: str) -> float | None:
    shared = ratings[(~np.isnan(ratings)).sum(1) > 1]
    if len(np.unique(shared[~np.isnan(shared)])) < 2:
        return None
    return float(krippendorff.alpha(shared.T, level_of_measurement=level))  # type: ignore[arg-type]


def _fleiss_kappa(ratings: Numbers) -> float | None:
    """Over the items that everybody rated: alpha without its correction for the number of ratings.

    Both have the same D_o, but chance draws without replacement for alpha and with it for kappa, so that
    1 - kappa = (1 - alpha) n / (n - 1) with n ratings.
    """
    complete = ratings[~np.isnan(ratings).any(1)]
    alpha = _alpha(complete, "nominal")
    return None if alpha is None else 1 - (1 - alpha) * complete.size / (complete.size - 1)
