"""Averages of systems with their intervals, and how far raters agree (section 5.3.2, Tables 6 and 7)."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import krippendorff
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from textsimp.core.errors import InputError
from textsimp.core.results import Cell, Estimate, Resampling, Results
from textsimp.extras.human.guidelines import Guidelines, guidelines_with
from textsimp.metrics.kappa import cohen_kappa
from textsimp.metrics.resampling import bootstrap_sums, holm, interval

AVERAGE = "average"
_COUNTS = ("raters", "items", "missing")
Numbers = NDArray[np.float64]


def summarise(ratings: pd.DataFrame, against: str | None, resampling: Resampling) -> Results:
    """Summarise a tidy table of ratings, with tests against a system, or the one with the best average.

    The mean of a criterion is over all ratings that were given; the average is the mean of the criteria's means, as in
    the paper's tables. The bootstrap draws sentences, with all that was said about them: intervals tell what other
    sentences might have given, with the same raters.

    Returns:
        Scope `ratings`: the means of the criteria, the percentages of their `shares` and the average, by system.
        `wilcoxon`: p by system and criterion. `agreement`: coefficients by criterion, over items; an item is one text,
        whoever wrote it.

    Raises:
        InputError: no such system, or none is rated on all criteria.
    """
    asked = guidelines_with(ratings.criterion.iloc[0])
    assert asked is not None
    sums, columns = _sums(ratings, asked), _columns(asked)
    results = Results(resampling=resampling)
    for system, of_system in sums.items():
        for name, part in columns.items():
            if estimate := _estimate(of_system[:, part], resampling):
                results.estimates[Cell("ratings", system, name)] = estimate
    headline = AVERAGE if AVERAGE in columns else next(iter(columns))
    means = {system: mean.value for system in sums if (mean := results.get("ratings", system, headline))}
    if against is None and not means:
        raise InputError("the table of ratings: no system is rated on all criteria; give more ratings")
    against = max(means, key=means.__getitem__) if against is None else against
    if against not in sums:
        raise InputError(f"--against {against!r}: not in the ratings; they have {', '.join(sums)}")
    numbers = _wilcoxon(ratings, asked, against)
    for criterion in asked.criteria:
        for name, value in agreement(matrix(ratings, criterion.key), criterion.nominal).items():
            numbers[Cell("agreement", criterion.key, name)] = value
    results.estimates |= {cell: Estimate(float(value)) for cell, value in numbers.items() if value is not None}
    counts = ratings.nunique()
    named = {"sentences": "line", "raters": "rater", "items": "item"}
    results.notes |= {"against": against, **{name: f"{counts[column]:,}" for name, column in named.items()}}
    return results


def _measures(asked: Guidelines) -> list[tuple[str, str, list[int] | None]]:
    """Return name, criterion, and the points whose percentage is meant, None for the mean; the means first."""
    means = [(criterion.key, criterion.key, None) for criterion in asked.criteria if not criterion.nominal]
    shares = [(name, one.key, points) for one in asked.criteria for name, points in one.shares.items()]
    return [*means, *shares]


def _columns(asked: Guidelines) -> dict[str, slice]:
    """Return the columns of sums that each measure needs."""
    columns = {name: slice(2 * number, 2 * number + 2) for number, (name, _, _) in enumerate(_measures(asked))}
    scales = [criterion.scale for criterion in asked.criteria if not criterion.nominal]
    has_average = len(scales) > 1 and len(set(scales)) == 1
    return columns | ({AVERAGE: slice(2 * len(scales))} if has_average else {})


def _sums(ratings: pd.DataFrame, asked: Guidelines) -> dict[str, Numbers]:
    """Return sum and number of each system's ratings. Shape of each: (sentences, measures x 2), sum before number"""
    rated = ratings.dropna()
    parts: list[Any] = []
    for _, key, points in _measures(asked):
        own = rated[rated.criterion == key]
        values = own.rating.astype(float) if points is None else 100.0 * own.rating.isin(points)
        by_sentence = values.groupby([own.system, own.line])
        parts += [by_sentence.sum(), by_sentence.count()]
    systems, lines = ratings.system.unique(), sorted(ratings.line.unique())
    table = pd.concat(parts, axis=1).reindex(pd.MultiIndex.from_product([systems, lines])).fillna(0.0)
    return dict(zip(systems, table.to_numpy(float).reshape(len(systems), len(lines), -1), strict=True))


def _score(sums: Numbers) -> Numbers:
    """Return the mean of the means. Shape: (..., measures x 2) to (...)"""
    return (sums[..., ::2] / sums[..., 1::2]).mean(-1)


def _estimate(sums: Numbers, resampling: Resampling) -> Estimate | None:
    """Return the mean, and its interval over the sentences that are rated on all criteria; None where one is not."""
    total = sums.sum(0)
    if not (total[1::2] > 0).all():
        return None
    mean, rows = float(_score(total)), sums[sums[:, 1::2].min(1) > 0]
    if not len(rows):
        return Estimate(mean)
    drawn = np.concatenate([_score(of_system) for (of_system,) in bootstrap_sums([rows], resampling)])
    return Estimate(mean, *interval(drawn).tolist())


def _wilcoxon(ratings: pd.DataFrame, asked: Guidelines, against: str) -> dict[Cell, float | int | None]:
    """Return p of Wilcoxon's signed-rank test of each system and `against`, two-sided, with Holm's correction.

    It is over the sentences that both have ratings for, the mean of each taken (Stajner et al. 2017, Table 3).
    """
    from scipy.stats import wilcoxon  # slow to import

    found: dict[Cell, float | int | None] = {}
    for key in (criterion.key for criterion in asked.criteria if not criterion.nominal):
        rated = ratings[ratings.criterion == key].dropna().astype({"rating": float})
        means = rated.pivot_table(index="line", columns="system", values="rating")
        others = [name for name in ratings.system.unique() if {name, against} <= {*means} and name != against]
        gaps = {str(name): (means[name] - means[against]).dropna() for name in others}
        tested = {name: float(wilcoxon(gap).pvalue) for name, gap in gaps.items() if gap.any()}
        corrected = zip(tested, holm(list(tested.values())), strict=True)
        found |= {Cell("wilcoxon", system, key): p for system, p in corrected}
    return found


def matrix(ratings: pd.DataFrame, criterion: str) -> Numbers:
    """Return the ratings on one criterion, NaN where missing; a shared output counts once. Shape: (items, raters)"""
    own = ratings[ratings.criterion == criterion].drop_duplicates(["rater", "item"])
    table = own.pivot(index="item", columns="rater", values="rating")
    return table.reindex(columns=ratings.rater.unique()).astype(float).to_numpy()


def agreement(ratings: Numbers, is_nominal: bool = False) -> dict[str, int | float | None]:
    """Return coefficients of agreement; None where no item has two ratings, or all ratings have one value.

    Args:
        ratings: whole numbers, NaN for a missing rating. Shape: (items, raters)
        is_nominal: whether the numbers are classes, for which coefficients with distances say nothing.

    Returns:
        `raters`, `items`: with one rating at least; `missing`: empty cells; `exact`: share of the pairs of ratings of
        one item that are equal; `kappa`, `quadratic_kappa`: mean of Cohen's kappa over the pairs of raters for whom it
        is defined; `alpha_nominal`, `alpha_ordinal`: Krippendorff's alpha (2011).
    """
    given, tables = ~np.isnan(ratings), list(pair_tables(ratings))
    pairs = sum(int(table.sum()) for table in tables)
    found: dict[str, int | float | None] = {
        "raters": int(given.any(0).sum()),
        "items": int(given.any(1).sum()),
        "missing": int((~given).sum()),
        "exact": sum(int(np.trace(table)) for table in tables) / pairs if pairs else None,
    }
    for name, weights in (("kappa", None), ("quadratic_kappa", "quadratic"))[: 1 if is_nominal else 2]:
        kappas = [kappa for table in tables if (kappa := cohen_kappa(table, weights)) is not None]
        found[name] = float(np.mean(kappas)) if kappas else None
    shared = ratings[given.sum(1) > 1]
    is_defined = len(np.unique(shared[~np.isnan(shared)])) > 1
    for level in ("nominal", "ordinal")[: 1 if is_nominal else 2]:
        alpha = float(krippendorff.alpha(shared.T, level_of_measurement=level)) if is_defined else None  # type: ignore[arg-type]
        found[f"alpha_{level}"] = alpha
    return found


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


def summary_text(results: Results) -> str:
    """Return what `summarise` found: means, Wilcoxon's test and agreement; a column is a system, or a criterion."""
    cells: dict[str, dict[str, dict[str, str]]] = {"ratings": {}, "wilcoxon": {}, "agreement": {}}
    for (scope, name, measure), found in results.estimates.items():
        digits = 4 if scope == "wilcoxon" else 0 if measure in _COUNTS else 2
        bounds = "" if found.low is None else f" [{found.low:.2f}, {found.high:.2f}]"
        cells[scope].setdefault(name, {})[measure] = f"{found.value:.{digits}f}{bounds}"
    draw = results.resampling
    assert draw is not None
    titles = {
        "ratings": "Means of the ratings, percentages of points, with 95% intervals of a bootstrap over {sentences} "
        f"sentences ({draw.samples} samples, seed {draw.seed})",
        "wilcoxon": "Wilcoxon's signed-rank test against {against}: p after Holm's correction",
        "agreement": "Agreement of {raters} raters on {items} items",
    }
    return "\n\n".join(
        f"{titles[scope].format(**results.notes)}\n\n{pd.DataFrame(rows).fillna('–').to_string()}"
        for scope, rows in cells.items()
        if rows
    )
