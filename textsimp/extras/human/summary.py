"""Averages of systems with their intervals, differences, and how far raters agree (section 5.3.2, tables 6 and 7)."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import krippendorff
import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score

from textsimp.core.errors import InputError
from textsimp.core.results import Cell, Comparison, Contrast, Estimate, Resampling, Results
from textsimp.extras.human.guidelines import Criterion, Guidelines, guidelines_with
from textsimp.extras.human.ratings import AUTOMATIC, Rating
from textsimp.metrics.resampling import bootstrap_sums, holm, interval, two_sided
from textsimp.metrics.rewriting.labelled import cohen_kappa

AVERAGE = "average"
LEVELS = ("nominal", "ordinal", "interval")
Numbers = NDArray[np.float64]
Agreement = dict[str, int | float | None]


@dataclass(frozen=True)
class Summary:
    """Everything about a table of ratings, by system (in its order) and measure.

    Measures: the means of the criteria, the percentages of their `shares`, and the average of the means of several.

    Attributes:
        systems: the means and percentages; None where a criterion is not rated.
        ratings: how many ratings a mean is over.
        differences: of the other systems to `against`; None where no sentence is rated for both. Of classes only for
            systems with the same sentences: those of several corpora are not paired.
        wilcoxon: of the other systems to `against`, by criterion: p of Wilcoxon's signed-rank test over the sentences
            that both have ratings for, the mean of each taken, two-sided, with Holm's correction; None without any
            difference.
        agreement: criterion -> coefficients, over items; an item is one text, whoever wrote it.
        automatic: where the classes of rules are there: how far people's are the same.
    """

    against: str
    sentences: int
    raters: int
    items: int
    resampling: Resampling
    systems: Mapping[str, Mapping[str, Estimate | None]]
    ratings: Mapping[str, Mapping[str, int]]
    differences: Mapping[str, Mapping[str, Comparison | None]]
    wilcoxon: Mapping[str, Mapping[str, float | None]]
    agreement: Mapping[str, Agreement]
    automatic: "Automatic | None" = None

    @property
    def asked(self) -> Guidelines:
        """What the raters were asked."""
        return _asked(next(iter(self.agreement)))

    def results(self) -> Results:
        """As results of a stage.

        Scopes: `ratings`, with the measures and differences of the systems; `wilcoxon`, with p by criterion;
        `agreement`, where the criteria are the systems and the coefficients the measures.
        """
        numbers: dict[Cell, Estimate | None] = {
            Cell("ratings", system, name): value for system, row in self.systems.items() for name, value in row.items()
        }
        plain = {
            **{Cell("wilcoxon", system, key): p for system, row in self.wilcoxon.items() for key, p in row.items()},
            **{Cell("agreement", key, name): k for key, row in self.agreement.items() for name, k in row.items()},
        }
        if self.automatic:
            criterion = next(iter(self.agreement))
            plain |= {Cell("agreement", criterion, f"{AUTOMATIC}.exact"): self.automatic.exact}
            plain |= {Cell("agreement", criterion, f"{AUTOMATIC}.kappa"): self.automatic.kappa}
        numbers |= {cell: None if value is None else Estimate(float(value)) for cell, value in plain.items()}
        tests = {
            Contrast("ratings", name, system, self.against): test
            for system, row in self.differences.items()
            for name, test in row.items()
        }
        counts = {"sentences": self.sentences, "raters": self.raters, "items": self.items}
        return Results(
            {cell: value for cell, value in numbers.items() if value is not None},
            {pair: test for pair, test in tests.items() if test is not None},
            resampling=self.resampling,
            notes={"against": self.against, **{name: f"{count:,}" for name, count in counts.items()}},
        )


@dataclass(frozen=True)
class Automatic:
    """People's classes beside those of rules, each rating counted.

    Attributes:
        exact: share that are the same; kappa: Cohen's, None where chance explains all.
        table: how often each class of people (row) is which of the rules (column). Shape: (classes, classes).
    """

    exact: float
    kappa: float | None
    table: tuple[tuple[int, ...], ...]


def summarise(ratings: Sequence[Rating], against: str | None, resampling: Resampling) -> Summary:
    """Summarise a table of ratings.

    The mean of a criterion is over all ratings that were given; the average is the mean of the three means, as in the
    paper's tables. The bootstrap draws sentences, with all that was said about them: intervals tell what other
    sentences might have given, with the same raters.

    Args:
        ratings: the tidy table.
        against: the system to compare with; None takes the one with the best average.
        resampling: of the bootstrap.

    Raises:
        InputError: no such system, or none is rated on all criteria.
    """
    asked = _asked(ratings[0].criterion)
    by_rules: list[Rating] = []
    if asked.is_nominal:  # in other kinds of studies a rater may have the name
        by_rules = [rating for rating in ratings if rating.rater == AUTOMATIC]
        ratings = [rating for rating in ratings if rating.rater != AUTOMATIC]
    if not ratings:
        raise InputError("the table of ratings: nobody's; import filled sheets")
    counts, columns_of = _counts(ratings, asked), _columns(asked)
    systems = {
        system: {name: _estimate(of_system[:, columns], resampling) for name, columns in columns_of.items()}
        for system, of_system in counts.items()
    }
    headline = AVERAGE if AVERAGE in columns_of else next(iter(columns_of))
    if against is None:
        means = {system: mean.value for system, row in systems.items() if (mean := row[headline])}
        if not means:
            raise InputError("the table of ratings: no system is rated on all criteria; give more ratings")
        against = max(means, key=means.__getitem__)
    if against not in counts:
        raise InputError(f"--against {against!r}: not in the ratings; they have {', '.join(counts)}")
    return Summary(
        against=against,
        sentences=len({rating.line for rating in ratings}),
        raters=len({rating.rater for rating in ratings}),
        items=len({rating.item for rating in ratings}),
        resampling=resampling,
        systems=systems,
        ratings={
            system: {name: int(of_system[:, columns][:, 1::2].sum()) for name, columns in columns_of.items()}
            for system, of_system in counts.items()
        },
        differences=_differences(counts, columns_of, against, not asked.is_nominal, resampling),
        wilcoxon=_wilcoxon(ratings, asked, list(counts), against),
        agreement={criterion.key: _agreement(ratings, criterion) for criterion in asked.criteria},
        automatic=_automatic(ratings, by_rules, asked) if by_rules else None,
    )


def _asked(criterion: str) -> Guidelines:
    asked = guidelines_with(criterion)
    assert asked is not None
    return asked


def _agreement(ratings: Sequence[Rating], criterion: Criterion) -> Agreement:
    """On classes without the coefficients for which they would have to have an order."""
    left_out = ("linear_kappa", "quadratic_kappa", "alpha_ordinal", "alpha_interval") if criterion.nominal else ()
    coefficients = agreement(matrix(ratings, criterion.key))
    return {name: value for name, value in coefficients.items() if name not in left_out}


def _automatic(ratings: Sequence[Rating], by_rules: Sequence[Rating], asked: Guidelines) -> Automatic | None:
    """None where no item has a class by both."""
    (criterion,) = asked.criteria
    rules = {rating.item: rating.rating for rating in by_rules if rating.rating is not None}
    given = {(rating.rater, rating.item): rating.rating for rating in ratings if rating.rating is not None}
    pairs = [(value, rules[item]) for (_, item), value in given.items() if item in rules]
    if not pairs:
        return None
    table = np.zeros((len(criterion.points), len(criterion.points)), dtype=int)
    for person, rule in pairs:
        table[criterion.scale.index(person), criterion.scale.index(rule)] += 1
    kappa = cohen_kappa(table)
    exact = float(np.trace(table) / table.sum())
    return Automatic(exact, None if np.isnan(kappa) else kappa, tuple(map(tuple, table.tolist())))


def _wilcoxon(
    ratings: Sequence[Rating], asked: Guidelines, systems: Sequence[str], against: str
) -> dict[str, dict[str, float | None]]:
    from scipy.stats import wilcoxon  # slow to import

    p_values: dict[str, dict[str, float | None]] = {system: {} for system in systems if system != against}
    for key in (criterion.key for criterion in asked.criteria if not criterion.nominal):
        values: dict[tuple[str, int], list[int]] = {}
        for rating in ratings:
            if rating.criterion == key and rating.rating is not None:
                values.setdefault((rating.system, rating.line), []).append(rating.rating)
        means = {sentence: float(np.mean(given)) for sentence, given in values.items()}
        tested = {}
        for system in p_values:
            both = [line for name, line in means if name == system and (against, line) in means]
            differences = [means[system, line] - means[against, line] for line in both]
            if any(differences):
                tested[system] = float(wilcoxon(differences).pvalue)
        corrected = dict(zip(tested, holm(list(tested.values())), strict=True))
        for system, row in p_values.items():
            row[key] = corrected.get(system)
    return p_values


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
    plain, linear, quadratic = (_kappas(ratings, weights) for weights in (None, "linear", "quadratic"))
    return {
        "raters": int(given.any(0).sum()),
        "items": int(given.any(1).sum()),
        "complete_items": int(given.all(1).sum()),
        "ratings": int(given.sum()),
        "missing": int((~given).sum()),
        "exact": _exact(ratings),
        "kappa": float(np.mean(plain)) if plain else None,
        "linear_kappa": float(np.mean(linear)) if linear else None,
        "quadratic_kappa": float(np.mean(quadratic)) if quadratic else None,
        "pairs": len(plain),
        "fleiss_kappa": _fleiss_kappa(ratings),
        **{f"alpha_{level}": _alpha(ratings, level) for level in LEVELS},
    }


def _exact(ratings: Numbers) -> float | None:
    first, second = ratings[:, :, None], ratings[:, None, :]
    pairs = ~(np.isnan(first) | np.isnan(second)) & ~np.eye(ratings.shape[1], dtype=bool)  # (items, raters, raters)
    return float((first == second)[pairs].mean()) if pairs.any() else None


def _kappas(ratings: Numbers, weights: str | None) -> list[float]:
    """Cohen's kappa of every two raters over the items that both rated, where they use two values at least."""
    kappas = []
    for pair in itertools.combinations(ratings.T, 2):
        values = np.stack(pair)
        first, second = values[:, ~np.isnan(values).any(0)].astype(int)
        used = {*first.tolist(), *second.tolist()}
        if len(used) > 1:
            scale = range(min(used), max(used) + 1)  # the weights are distances of places on the scale
            kappas.append(float(cohen_kappa_score(first, second, labels=scale, weights=weights)))
    return kappas


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


def _measures(asked: Guidelines) -> list[tuple[str, str, frozenset[int] | None]]:
    """Name, criterion, and the points whose percentage is meant; None for the mean."""
    means = [(criterion.key, criterion.key, None) for criterion in asked.criteria if not criterion.nominal]
    shares = [
        (name, criterion.key, frozenset(points))
        for criterion in asked.criteria
        for name, points in criterion.shares.items()
    ]
    return [*means, *shares]


def _columns(asked: Guidelines) -> dict[str, slice]:
    """The columns of counts that each measure needs."""
    measures = _measures(asked)
    columns = {name: slice(2 * number, 2 * number + 2) for number, (name, _, _) in enumerate(measures)}
    means = sum(points is None for _, _, points in measures)
    scales = {criterion.scale for criterion in asked.criteria if not criterion.nominal}
    return columns | ({AVERAGE: slice(2 * means)} if means > 1 and len(scales) == 1 else {})


def _counts(ratings: Sequence[Rating], asked: Guidelines) -> dict[str, Numbers]:
    """For each system, sum and number of its ratings: shape (sentences, measures x 2), sum before number."""
    lines = {line: row for row, line in enumerate(sorted({rating.line for rating in ratings}))}
    measures = _measures(asked)
    counts: dict[str, Numbers] = {}
    for rating in ratings:
        of_system = counts.setdefault(rating.system, np.zeros((len(lines), 2 * len(measures))))
        for number, (_, key, points) in enumerate(measures):
            if rating.rating is not None and rating.criterion == key:
                value = rating.rating if points is None else 100 * (rating.rating in points)
                of_system[lines[rating.line], 2 * number : 2 * number + 2] += (value, 1)
    return counts


def _score(counts: Numbers) -> Numbers:
    """Mean of the means. Shape: (..., measures x 2) to (...)."""
    return (counts[..., ::2] / counts[..., 1::2]).mean(-1)


def _rated(counts: Numbers) -> NDArray[np.bool_]:
    """Sentences with a rating for each criterion of a measure. Shape: (sentences,)."""
    return counts[:, 1::2].min(1) > 0


def _estimate(counts: Numbers, resampling: Resampling) -> Estimate | None:
    """The mean, and its interval over the sentences that are rated on all criteria; None where one is not rated."""
    total = counts.sum(0)
    if not (total[1::2] > 0).all():
        return None
    mean, rows = float(_score(total)), counts[_rated(counts)]
    if not len(rows):
        return Estimate(mean)
    sums = bootstrap_sums([rows], resampling)
    low, high = interval(np.concatenate([_score(of_system) for (of_system,) in sums]))
    return Estimate(mean, float(low), float(high))


def _comparison(counts: Numbers, base: Numbers, resampling: Resampling) -> Comparison | None:
    """Over the sentences that are rated for both systems."""
    both = _rated(counts) & _rated(base)
    if not both.any():
        return None
    rows = counts[both], base[both]
    sums = bootstrap_sums(rows, resampling)
    differences = np.concatenate([_score(of_system) - _score(of_base) for of_system, of_base in sums])
    difference = _score(rows[0].sum(0)) - _score(rows[1].sum(0))
    low, high = interval(differences)
    return Comparison(float(difference), float(low), float(high), float(two_sided(differences)))


def _differences(
    counts: Mapping[str, Numbers],
    columns_of: Mapping[str, slice],
    against: str,
    is_ordered: bool,
    resampling: Resampling,
) -> dict[str, dict[str, Comparison | None]]:
    """Every other system minus `against`; p is corrected for the systems that are compared on a measure."""
    paired = [
        name for name, rows in counts.items() if is_ordered or np.array_equal(_rated(rows), _rated(counts[against]))
    ]
    differences: dict[str, dict[str, Comparison | None]] = {system: {} for system in paired if system != against}
    for name, columns in columns_of.items():
        tested = {
            system: comparison
            for system in differences
            if (comparison := _comparison(counts[system][:, columns], counts[against][:, columns], resampling))
        }
        corrected = dict(zip(tested, holm([test.p_bootstrap or 0.0 for test in tested.values()]), strict=True))
        for system, measures in differences.items():
            test = tested.get(system)
            measures[name] = replace(test, p_holm=corrected[system]) if test else None
    return differences
