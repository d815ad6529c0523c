"""Averages of systems with their intervals, differences, and how far raters agree (section 5.3.2, Tables 6 and 7)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from textsimp.core.errors import InputError
from textsimp.core.results import Cell, Comparison, Contrast, Estimate, Resampling, Results
from textsimp.extras.human.guidelines import CROWD, INSPECTION, Guidelines, guidelines, guidelines_with
from textsimp.extras.human.rater_agreement import Numbers, agreement, matrix
from textsimp.metrics.resampling import bootstrap_sums, holm, interval, two_sided

AVERAGE = "average"
SIGNIFICANT = 0.05
_COUNTS = ("raters", "items", "complete_items", "ratings", "missing", "pairs")


def summarise(ratings: pd.DataFrame, against: str | None, resampling: Resampling) -> Results:
    """Summarise a table of ratings.

    The mean of a criterion is over all ratings that were given; the average is the mean of the criteria's means, as in
    the paper's tables. The bootstrap draws sentences, with all that was said about them: intervals tell what other
    sentences might have given, with the same raters.

    Args:
        ratings: the tidy table.
        against: the system to compare with; None takes the one with the best average.

    Returns:
        Scope `ratings`: the means of the criteria, the percentages of their `shares` and the average, by system; the
        differences of the other systems to `against`, of classes only for systems with the same sentences. `wilcoxon`:
        p by system and criterion. `agreement`: coefficients by criterion, over items; an item is one text, whoever
        wrote it.

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
    is_nominal = any(criterion.nominal for criterion in asked.criteria)
    for name, part in columns.items():
        rows = {system: of_system[:, part] for system, of_system in sums.items()}
        results.comparisons |= _differences(rows, name, against, is_nominal, resampling)
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
    measures = _measures(asked)
    columns = {name: slice(2 * number, 2 * number + 2) for number, (name, _, _) in enumerate(measures)}
    means = sum(points is None for _, _, points in measures)
    scales = {criterion.scale for criterion in asked.criteria if not criterion.nominal}
    return columns | ({AVERAGE: slice(2 * means)} if means > 1 and len(scales) == 1 else {})


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


def _rated(sums: Numbers) -> NDArray[np.bool_]:
    """Return which sentences have a rating for each criterion of a measure. Shape: (sentences,)"""
    return sums[:, 1::2].min(1) > 0


def _estimate(sums: Numbers, resampling: Resampling) -> Estimate | None:
    """Return the mean, and its interval over the sentences that are rated on all criteria; None where one is not."""
    total = sums.sum(0)
    if not (total[1::2] > 0).all():
        return None
    mean, rows = float(_score(total)), sums[_rated(sums)]
    if not len(rows):
        return Estimate(mean)
    drawn = np.concatenate([_score(of_system) for (of_system,) in bootstrap_sums([rows], resampling)])
    return Estimate(mean, *interval(drawn).tolist())


def _differences(
    rows: Mapping[str, Numbers], measure: str, against: str, is_nominal: bool, resampling: Resampling
) -> dict[Contrast, Comparison]:
    """Return every other system minus `against`, over the sentences that are rated for both, p corrected by Holm."""
    base, found = rows[against], {}
    for system, own in rows.items():
        both = _rated(own) & _rated(base)
        # systems of an inspection may be corpora, whose sentences are others
        if system == against or not both.any() or (is_nominal and not np.array_equal(_rated(own), _rated(base))):
            continue
        sums = bootstrap_sums((own[both], base[both]), resampling)
        drawn = np.concatenate([_score(of_system) - _score(of_base) for of_system, of_base in sums])
        difference = float(_score(own[both].sum(0)) - _score(base[both].sum(0)))
        low, high = interval(drawn).tolist()
        found[system] = Comparison(difference, low, high, float(two_sided(drawn)))
    corrected = holm([test.p_bootstrap or 0.0 for test in found.values()])
    return {
        Contrast("ratings", measure, system, against): replace(test, p_holm=p)
        for (system, test), p in zip(found.items(), corrected, strict=True)
    }


def _wilcoxon(ratings: pd.DataFrame, asked: Guidelines, against: str) -> dict[Cell, float | int | None]:
    """Return p of Wilcoxon's signed-rank test of each system and `against`, two-sided, with Holm's correction.

    It is over the sentences that both have ratings for, the mean of each taken (Stajner et al. 2017, Table 3).
    """
    from scipy.stats import wilcoxon  # slow to import

    found: dict[Cell, float | int | None] = {}
    for key in (criterion.key for criterion in asked.criteria if not criterion.nominal):
        rated = ratings[ratings.criterion == key].dropna().astype({"rating": float})
        means = rated.pivot_table(index="line", columns="system", values="rating")
        if against not in means:
            continue
        tested = {}
        for system in (name for name in ratings.system.unique() if name in means and name != against):
            differences = (means[system] - means[against]).dropna()
            if differences.any():
                tested[system] = float(wilcoxon(differences).pvalue)
        for system, p in zip(tested, holm(list(tested.values())), strict=True):
            found[Cell("wilcoxon", system, key)] = p
    return found


def summary_text(results: Results) -> str:
    """Return what `summary.summarise` found: means, differences, Wilcoxon's test and agreement.

    A column is a measure, or of classes, which are many, a system.
    """
    cells: dict[str, dict[str, dict[str, str]]] = {"ratings": {}, "differences": {}, "wilcoxon": {}, "agreement": {}}
    for (scope, name, measure), found in results.estimates.items():
        digits = 4 if scope == "wilcoxon" else 0 if measure in _COUNTS else 2
        cells[scope].setdefault(name, {})[measure] = _shown(found.value, found, digits)
    for pair, test in results.comparisons.items():
        star = " *" if test.p_holm is not None and test.p_holm < SIGNIFICANT else ""
        cells["differences"].setdefault(pair.system, {})[pair.measure] = (
            f"{_shown(test.difference, test, 2, '+')}{star}"
        )
    against, draw = results.notes["against"], results.resampling
    assert draw is not None
    titles = {
        "ratings": "Means of the ratings, percentages of points, with 95% intervals of a bootstrap over {sentences} "
        f"sentences ({draw.samples} samples, seed {draw.seed})",
        "differences": f"Difference to {against}; *: p < {SIGNIFICANT} after Holm's correction",
        "wilcoxon": f"Wilcoxon's signed-rank test against {against}: p after Holm's correction",
        "agreement": "Agreement of {raters} raters on {items} items",
    }
    are_classes = next(iter(cells["agreement"])) in (*guidelines(INSPECTION).keys, *guidelines(CROWD).keys)
    return "\n\n".join(
        f"{titles[scope].format(**results.notes)}\n\n{_table(rows, are_classes or scope == 'agreement')}"
        for scope, rows in cells.items()
        if rows
    )


def _table(rows: dict[str, dict[str, str]], turned: bool) -> str:
    table = pd.DataFrame(rows).fillna("–")
    return (table if turned else table.T).to_string()


def _shown(value: float, bounds: Estimate | Comparison, digits: int, sign: str = "") -> str:
    """Return a number, without sign where it is shown as nothing, with its interval."""
    numbers = [value] if bounds.low is None or bounds.high is None else [value, bounds.low, bounds.high]
    texts = [f"{number:{sign}.{digits}f}" for number in numbers]
    first, *interval = (text if text.strip("+-0.") else text.lstrip("+-") for text in texts)
    return f"{first} [{', '.join(interval)}]" if interval else first
