"""Averages of systems with their intervals, differences, and how far raters agree (section 5.3.2, tables 6 and 7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import InputError
from textsimp.core.results import Cell, Comparison, Contrast, Estimate, Resampling, Results
from textsimp.extras.human.guidelines import Criterion, Guidelines, guidelines_with
from textsimp.extras.human.rater_agreement import Agreement, Numbers, agreement, matrix
from textsimp.extras.human.ratings import AUTOMATIC, Rating
from textsimp.metrics.resampling import bootstrap_sums, holm, interval, two_sided
from textsimp.metrics.rewriting.labelled import cohen_kappa

AVERAGE = "average"


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
