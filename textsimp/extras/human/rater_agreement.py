"""Agreement of several raters over the items that two or more of them rated."""

from collections.abc import Iterator
from itertools import combinations

import krippendorff
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from textsimp.metrics.kappa import cohen_kappa

LEVELS = ("nominal", "ordinal", "interval")
Numbers = NDArray[np.float64]
Agreement = dict[str, int | float | None]


def matrix(ratings: pd.DataFrame, criterion: str) -> Numbers:
    """Return the ratings on one criterion, NaN where missing; a shared output counts once. Shape: (items, raters)"""
    own = ratings[ratings.criterion == criterion].drop_duplicates(["rater", "item"])
    table = own.pivot(index="item", columns="rater", values="rating")
    return table.reindex(columns=ratings.rater.unique()).astype(float).to_numpy()


def agreement(ratings: Numbers, is_nominal: bool = False) -> Agreement:
    """Return coefficients of agreement; None where no item has two ratings, or all ratings have one value.

    Args:
        ratings: whole numbers, NaN for a missing rating. Shape: (items, raters)
        is_nominal: whether the numbers are classes, for which coefficients with distances say nothing.

    Returns:
        `raters`, `items`: with one rating at least; `complete_items`: rated by all raters; `ratings`, `missing`: cells
        that are filled and empty; `exact`: share of the pairs of ratings of one item that are equal; `kappa`,
        `linear_kappa`, `quadratic_kappa`: mean of Cohen's kappa over the `pairs` of raters for whom it is defined;
        `fleiss_kappa` (1971) over the complete items; `alpha_nominal`, `alpha_ordinal`, `alpha_interval`:
        Krippendorff's alpha (2011).
    """
    given, tables = ~np.isnan(ratings), list(pair_tables(ratings))
    pairs = sum(int(table.sum()) for table in tables)
    found: Agreement = {
        "raters": int(given.any(0).sum()),
        "items": int(given.any(1).sum()),
        "complete_items": int(given.all(1).sum()),
        "ratings": int(given.sum()),
        "missing": int((~given).sum()),
        "exact": sum(int(np.trace(table)) for table in tables) / pairs if pairs else None,
    }
    for weights in (None,) if is_nominal else (None, "linear", "quadratic"):
        kappas = [kappa for table in tables if (kappa := cohen_kappa(table, weights)) is not None]
        found[f"{weights}_kappa" if weights else "kappa"] = float(np.mean(kappas)) if kappas else None
    found |= {"pairs": len(kappas), "fleiss_kappa": _fleiss_kappa(ratings)}
    return found | {f"alpha_{level}": alpha(ratings, level) for level in (LEVELS[:1] if is_nominal else LEVELS)}


def pair_tables(ratings: Numbers) -> Iterator[NDArray[np.int64]]:
    """Yield for every two raters of common items how often they gave each pair of values, the earlier rater's in rows.

    Shape of each: (values, values), from the lowest that anybody gave to the highest.
    """
    values = np.unique(ratings[~np.isnan(ratings)])
    edges = np.arange(values.min(), values.max() + 2) - 0.5 if len(values) else values
    for first, second in combinations(ratings.T, 2):
        both = ~np.isnan(first + second)
        if both.any():
            yield np.histogram2d(first[both], second[both], [edges, edges])[0].astype(np.int64)


def alpha(ratings: Numbers, level: str) -> float | None:
    """Return Krippendorff's alpha at a level of measurement; None as for `agreement`."""
    shared = ratings[(~np.isnan(ratings)).sum(1) > 1]
    if len(np.unique(shared[~np.isnan(shared)])) < 2:
        return None
    return float(krippendorff.alpha(shared.T, level_of_measurement=level))  # type: ignore[arg-type]


def _fleiss_kappa(ratings: Numbers) -> float | None:
    """Return Fleiss' kappa of the items that everybody rated, from their nominal alpha.

    Both have the same observed disagreement. Chance draws without replacement for alpha and with it for kappa, so that
    1 - kappa = (1 - alpha) n / (n - 1) with n ratings.
    """
    complete = ratings[~np.isnan(ratings).any(1)]
    nominal = alpha(complete, "nominal")
    return None if nominal is None else 1 - (1 - nominal) * complete.size / (complete.size - 1)
