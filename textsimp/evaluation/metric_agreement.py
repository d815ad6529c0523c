"""Which metric agrees with people: correlations of metrics with SimpEval's ratings, per system and per sentence.

At the *system* level, points are systems: a metric's score of all rated sentences, and the mean of all ratings. The
bootstrap draws sentences and systems again, both at once, and scores every resample anew. At the *sentence* level,
points are single outputs, scored alone; the bootstrap draws sentences with all their outputs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from textsimp.core.bounds import Positive
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import quoted, read_records
from textsimp.core.results import Cell, Comparison, Contrast, Estimate, Resampling, Results
from textsimp.evaluation.leaderboard import system_statistics
from textsimp.evaluation.simplification import EvaluationSet
from textsimp.metrics.correlations import KINDS, Floats, clustered_correlations, weighted_correlations, williams
from textsimp.metrics.registry import METRICS, MetricOptions, checked_names
from textsimp.metrics.resampling import holm, interval, resample, two_sided
from textsimp.metrics.scores import Signature, Statistics, mean_of_segments
from textsimp.metrics.tokens import FORMS, in_form
from textsimp.sources.parallel import read_asset
from textsimp.sources.simpeval import RatedOutput, read_direct, read_newer, read_past

PAST, TRAINED, NEWER = "past", "past/no_made_up", "newer"
"""Scopes: the older systems; the same without outputs that no system wrote; the systems of 2022, by sentence only."""
RATER = "one rater"
"""Beside the metrics: each rater against the mean of the others, the mean of them all."""
LEVELS = ("system", "sentence")
RATING = "rating"
"""Not a metric: what the metrics are compared with; it has the numbers of systems and sentences."""
KEPT = Path(__file__).with_name("metric_agreement.json")
_FEWEST = 5
_FOLDER = "simpeval"


@dataclass(frozen=True)
class MetricAgreementConfig:
    """Section `metric_agreement` of params.yaml.

    forms: how all texts are brought to one form, of `tokens.FORMS`; those after the first for `past` alone.
    max_tokens: outputs are cut there in SARI per sentence; null cuts nothing.
    metrics: names of `metrics.registry.METRICS`.
    people: human versions among the systems, by release (`past`, `newer`); the newer ones are references.
    made_up: outputs that no system wrote.
    """

    forms: list[str]
    max_tokens: Positive | None
    metrics: list[str]
    people: dict[str, list[str]]
    made_up: list[str]

    def __post_init__(self) -> None:
        if not self.forms or not set(self.forms) <= set(FORMS) or sorted(self.people) != ["newer", "past"]:
            raise InputError(f"metric_agreement: forms are of {', '.join(FORMS)}, people has past and newer")


@dataclass(frozen=True)
class Rated:
    """S systems' outputs for the same N sentences.

    Attributes:
        statistics: of each system by metric, of the N sentences.
        ratings: of S systems, N sentences and K raters. Shape: (S, N, K).
    """

    systems: list[str]
    statistics: Sequence[Statistics]
    ratings: Floats

    def without(self, left_out: Sequence[str]) -> "Rated":
        """The same without some systems."""
        numbers = [number for number, name in enumerate(self.systems) if name not in left_out]
        return Rated([self.systems[n] for n in numbers], [self.statistics[n] for n in numbers], self.ratings[numbers])


def metric_agreement(
    raw: Path, config: MetricAgreementConfig, resampling: Resampling, outside: Path | None = None
) -> Results:
    """The correlations of every metric with people, with intervals, and the differences of each two metrics.

    Args:
        raw: folder with `simpeval/` and `asset/`.
        outside: scores that were computed elsewhere, as `read_outside` describes; None for none.

    Returns:
        Scopes `past`, `past/no_made_up`, `past/FORM`, `newer` and `newer/CRITERION`; systems: metrics, and `one rater`;
        measures `LEVEL.KIND`, and `system.williams.METRIC`, the p of Williams' test against another metric.

    Raises:
        InputError: an absent or damaged file, a rating out of range, an original that ASSET lacks, or a name in the
            configuration that is none.
    """
    form, *others = config.forms
    past = rated_past(raw, config, form, outside)
    scopes = {PAST: past, TRAINED: past.without(config.made_up)}
    scopes |= {f"{PAST}/{name}": rated_past(raw, config, name, outside) for name in others}
    newer, people = read_newer(raw / _FOLDER), set(config.people["newer"])
    references = {
        item: tuple(row.output for row in newer if row.item == item and row.system in people)
        for item in {row.item for row in newer}
    }
    of_newer = {NEWER: newer, **{f"{NEWER}/{name}": rows for name, rows in read_direct(raw / _FOLDER).items()}}
    scopes |= {scope: _rated(rows, people, references, config, form) for scope, rows in of_newer.items()}
    results = Results(resampling=resampling)
    for scope, rated in progress(scopes.items(), desc="agreement", unit=" sets"):
        add_agreement(results, scope, rated, resampling)
    results.signatures = _signatures(past)
    return results


def rated_past(raw: Path, config: MetricAgreementConfig, form: str, outside: Path | None = None) -> Rated:
    """The older systems with ASSET's references; arguments and errors as of `metric_agreement`."""
    rows = read_past(raw / _FOLDER)
    references = _asset_references(raw / _FOLDER, rows, raw / "asset")
    scores = read_outside(outside, rows) if outside else {}
    return _rated(rows, set(config.people["past"]), references, config, form, scores)


def add_agreement(results: Results, scope: str, rated: Rated, resampling: Resampling) -> None:
    """Write the correlations of every metric with some ratings; without those over systems where they are few."""
    for level in LEVELS:
        if level == "sentence" or len(rated.systems) >= _FEWEST:
            _add_level(results, scope, level, rated, resampling)
    for measure, number in {"systems": len(rated.systems), "sentences": rated.ratings.shape[1]}.items():
        results.estimates[Cell(scope, RATING, measure)] = Estimate(number)
    results.signatures = _signatures(rated)


def _signatures(rated: Rated) -> dict[str, str]:
    return {name: str(statistics.signature) for name, statistics in rated.statistics[0].items() if name != RATING}


def summary(results: Results) -> Results:
    """The correlations with the ratings of the older systems alone: what the leaderboard shows beside each metric."""
    measures = {f"{level}.{kind}" for level in LEVELS for kind in KINDS} | {"systems", "sentences"}
    estimates = {cell: e for cell, e in results.estimates.items() if cell.scope == PAST and cell.measure in measures}
    return Results(estimates, {}, results.signatures, results.resampling)


def kept_agreement() -> Results:
    """The `summary` that is kept with the code: `textsimp metric-agreement --summary FILE` writes it."""
    return Results.read(KEPT)


def read_outside(path: Path, past: Sequence[RatedOutput]) -> dict[str, dict[tuple[str, str], float]]:
    """Scores of `past` from elsewhere: CSV with `system`, `original_id` and a column for each metric.

    A metric's score of a system is the mean of its outputs' scores.

    Raises:
        InputError: an absent or damaged file, a cell that is no number, an output without a score or with two, or a
            metric with the name of one that is computed here.
    """
    remedy = "write a row for every output of simpeval_past.csv: system, original_id, one column for each metric"
    scores: dict[str, dict[tuple[str, str], float]] = {}
    wanted = {(row.system, row.item) for row in past}
    seen: set[tuple[str, str]] = set()
    for line, row in read_records(path, ("system", "original_id"), remedy=remedy):
        key = row.pop("system"), row.pop("original_id")
        if key not in wanted or key in seen:
            raise bad_input(
                path, line, "original {1!r} of {0!r}: no rated output, or a second row of one".format(*key), remedy
            )
        seen.add(key)
        if taken := next((name for name in row if name in (*METRICS, RATING)), None):
            raise bad_input(path, 1, f"{taken!r} is computed here already", "rename the column")
        for name, cell in row.items():
            scores.setdefault(name, {})[key] = _number(path, line, cell, remedy)
    if missing := sorted(wanted - seen):
        raise bad_input(path, None, "no row for original {1!r} of {0!r}".format(*missing[0]), remedy)
    return scores


def _number(path: Path, line: int, cell: str, remedy: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = np.nan
    if not np.isfinite(value) or abs(value) > 1e9:
        raise bad_input(path, line, f"{quoted(cell)} is no number", remedy)
    return value


def _asset_references(folder: Path, past: Sequence[RatedOutput], asset: Path) -> dict[str, tuple[str, ...]]:
    """ASSET's references by the item of each original, whatever its spaces and case."""
    known = {_plain(sentence): references for sentence, references in read_asset(asset, "test")}
    for row in past:
        if _plain(row.original) not in known:
            raise bad_input(folder, None, f"{quoted(row.original)}: no sentence of ASSET's test set", "fetch it again")
    return {row.item: known[_plain(row.original)] for row in past}


def _plain(text: str) -> str:
    return "".join(text.split()).lower()


def _rated(
    rows: Sequence[RatedOutput],
    people: set[str],
    references: Mapping[str, Sequence[str]],
    config: MetricAgreementConfig,
    form: str,
    outside: Mapping[str, Mapping[tuple[str, str], float]] | None = None,
) -> Rated:
    """The systems of some ratings, without people, in the order of the alphabet."""
    names = checked_names(config.metrics, MetricOptions(config.max_tokens), "metric_agreement.metrics")
    by_key = {(row.system, row.item): row for row in rows}
    systems, items = sorted({row.system for row in rows} - people), sorted({row.item for row in rows})
    if unknown := people - {row.system for row in rows}:
        raise InputError(f"metric_agreement.people: {min(unknown)!r} is not among the rated systems")
    goals = [in_form(lines, form) for lines in zip(*(references[item] for item in items), strict=True)]
    old = in_form([by_key[systems[0], item].original for item in items], form)
    outputs = {name: in_form([by_key[name, item].output for item in items], form) for name in systems}
    scored = system_statistics(EvaluationSet("", Path(), old, goals), outputs, form, config.max_tokens, names)
    statistics, ratings = [], []
    for system in systems:
        rated, by_metric = [by_key[system, item] for item in items], dict(scored[system])
        for name, scores in (outside or {}).items():
            values = [scores[system, item] for item in items]
            by_metric[name] = mean_of_segments(values, Signature.of("OUTSIDE", name=name))
        ratings.append([row.ratings for row in rated])
        by_metric[RATING] = mean_of_segments([float(np.mean(row.ratings)) for row in rated], Signature.of("RATING"))
        statistics.append(by_metric)
    return Rated(systems, statistics, np.array(ratings))


def _add_level(results: Results, scope: str, level: str, rated: Rated, resampling: Resampling) -> None:
    """Write the correlations of one level, and the differences of each two metrics."""
    metrics = [name for name in rated.statistics[0] if name != RATING]
    values, draws = (_of_systems if level == "system" else _of_sentences)(rated, metrics, resampling)
    for name in metrics:
        bounds = interval(draws[name]).T.tolist()
        for kind, value, pair in zip(KINDS, values[name].tolist(), bounds, strict=True):
            results.estimates[Cell(scope, name, f"{level}.{kind}")] = Estimate(value, *pair)
    for kind, value in zip(KINDS, _one_rater(rated, level).tolist(), strict=True):
        results.estimates[Cell(scope, RATER, f"{level}.{kind}")] = Estimate(value)
    pairs = list(combinations(metrics, 2))
    for column, kind in enumerate(KINDS):
        drawn = {pair: draws[pair[0]][:, column] - draws[pair[1]][:, column] for pair in pairs}
        ps = [float(two_sided(difference)) for difference in drawn.values()]
        for (a, b), p, corrected in zip(pairs, ps, holm(ps), strict=True):
            difference = float(values[a][column] - values[b][column])
            low, high = interval(drawn[a, b]).tolist()
            tests = Comparison(difference, low, high, p_bootstrap=p, p_holm=corrected)
            results.comparisons[Contrast(scope, f"{level}.{kind}", a, b)] = tests
    if level == "system":
        _add_williams(results, scope, rated, pairs)


def _scores(rated: Rated, name: str) -> Floats:
    """Shape: (S,)."""
    return np.array([row[name].score().value for row in rated.statistics])


def _of_systems(
    rated: Rated, metrics: Sequence[str], resampling: Resampling
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """The correlations over systems, shape (3,), and of resamples of sentences and systems, (samples, 3), by metric."""
    count = len(rated.systems)
    generator = np.random.default_rng(resampling.seed)
    weights = generator.multinomial(count, [1 / count] * count, size=resampling.samples).astype(float)
    resampled = resample(rated.statistics, resampling)

    def drawn(name: str) -> Floats:
        return np.stack([draws[:, 0] for row in resampled if (draws := row[name].draws) is not None], axis=1)

    ratings, once = drawn(RATING), np.ones((1, count))
    values = {n: weighted_correlations(_scores(rated, n)[None], _scores(rated, RATING)[None], once)[0] for n in metrics}
    return values, {name: weighted_correlations(drawn(name), ratings, weights) for name in metrics}


def _of_sentences(
    rated: Rated, metrics: Sequence[str], resampling: Resampling
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """The same over single outputs, resampled by sentences."""
    count = rated.ratings.shape[1]
    generator = np.random.default_rng(resampling.seed)
    weights = generator.multinomial(count, [1 / count] * count, size=resampling.samples).astype(float)

    def alone(name: str) -> Floats:
        return np.stack([row[name].per_segment()[:, 0] for row in rated.statistics], axis=1)  # (N, S)

    correlations = clustered_correlations(
        list(map(alone, metrics)), alone(RATING), np.vstack([np.ones(count), weights])
    )
    by_metric = dict(zip(metrics, correlations, strict=True))
    return {name: rows[0] for name, rows in by_metric.items()}, {name: rows[1:] for name, rows in by_metric.items()}


def _one_rater(rated: Rated, level: str) -> Floats:
    """The correlations of each rater with the mean of the others, on average. Shape: (3,)."""
    raters = rated.ratings.shape[2]
    correlations = []
    for number in range(raters):
        others = np.delete(rated.ratings, number, axis=2).mean(2)
        sides = [rated.ratings[..., number], others]
        if level == "system":
            rater, rest = (side.mean(1)[None] for side in sides)
            correlations.append(weighted_correlations(rater, rest, np.ones_like(rater))[0])
        else:
            correlations.append(clustered_correlations([sides[0].T], sides[1].T, np.ones((1, sides[0].shape[1])))[0][0])
    return np.mean(correlations, axis=0)


def _add_williams(results: Results, scope: str, rated: Rated, pairs: Sequence[tuple[str, str]]) -> None:
    values = {name: _scores(rated, name) for name in rated.statistics[0]}

    def pearson(a: str, b: str) -> float:
        return float(weighted_correlations(values[a][None], values[b][None], np.ones((1, len(values[a]))))[0, 0])

    for a, b in pairs:
        p = williams(pearson(a, RATING), pearson(b, RATING), pearson(a, b), len(rated.systems))
        results.estimates[Cell(scope, a, f"system.williams.{b}")] = Estimate(p)
