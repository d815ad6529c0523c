"""Which metric agrees with people: correlations of metrics with SimpEval's ratings (Maddela et al. 2023).

    python experiments/metric_agreement.py results.json --raw FOLDER

At the *system* level, points are systems, scored on all rated sentences; the bootstrap draws sentences and systems,
both at once. At the *sentence* level, points are single outputs; the bootstrap draws sentences with all their outputs.
`one rater`: each against the mean of the others. Scopes: `past`, the older systems with ASSET's references;
`past/no_made_up`, without outputs that no system wrote; `past/released`, in their own form; `newer`, those of 2022.
An hour on a core. Kept: reports/experiments/published/published/metric_agreement.json; see docs/leaderboard.md.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from experiments.agreement.correlations import KINDS, Floats, clustered_correlations, weighted_correlations, williams
from experiments.agreement.simpeval import RatedOutput, read_direct, read_newer, read_past
from textsimp.cli.command import aligned
from textsimp.core.errors import bad_input, exit_on_bad_input
from textsimp.core.params import from_conf
from textsimp.core.progress import progress
from textsimp.core.reading import quoted
from textsimp.core.results import Cell, Comparison, Contrast, Estimate, Resampling, Results
from textsimp.evaluation.leaderboard import system_statistics
from textsimp.evaluation.simplification import EvaluationSet
from textsimp.metrics.resampling import holm, interval, resample, two_sided
from textsimp.metrics.scores import Signature, Statistics, mean_of_segments
from textsimp.metrics.tokens import RELEASED, TREEBANK, in_form
from textsimp.sources.parallel import read_asset

METRICS = ["sari", "sari_del_f1", "sari_corpus", "sari_corpus_del_precision", "sari_corpus_legacy", "sari_evaluate"]
METRICS += ["bleu", "fk", "fkgl", "len", "compression_ratio", "exact_copies", "additions", "deletions"]
# rated beside the systems, but no systems: most of their texts are references
PEOPLE_PAST = {"asset.test.simp", "new_asset.test.simp.second", "new_turk_corpus_random", "new_simple_wiki"}
PEOPLE_NEWER = {"Human 1 Writing", "Human 2 Writing"}
MADE_UP = {"copy", "scramble_words"}
MAX_TOKENS, FEWEST = 80, 5
PAST, NEWER, RATER, RATING, LEVELS = "past", "newer", "one rater", "rating", ("system", "sentence")
Numbers: TypeAlias = dict[str, Floats]


class Rated(NamedTuple):
    """Systems' outputs for the same N sentences: each system's statistics by metric, and ratings, shape (S, N, K)."""

    systems: Sequence[str]
    statistics: Sequence[Statistics]
    ratings: Floats


def rated(rows: Sequence[RatedOutput], people: set[str], references: Mapping[str, Sequence[str]], form: str) -> Rated:
    """Return the systems of some ratings, without people, in the order of the alphabet."""
    by_key = {(row.system, row.item): row for row in rows}
    systems, items = sorted({row.system for row in rows} - people), sorted({row.item for row in rows})
    goals = [in_form(lines, form) for lines in zip(*(references[item] for item in items), strict=True)]
    old = in_form([by_key[systems[0], item].original for item in items], form)
    outputs = {name: in_form([by_key[name, item].output for item in items], form) for name in systems}
    scored = system_statistics(EvaluationSet("", Path(), old, goals), outputs, form, MAX_TOKENS, METRICS)
    ratings = [[by_key[name, item].ratings for item in items] for name in systems]
    means = [mean_of_segments([float(np.mean(row)) for row in of], Signature.of("RATING")) for of in ratings]
    statistics = [{**scored[name], RATING: mean} for name, mean in zip(systems, means, strict=True)]
    return Rated(systems, statistics, np.array(ratings))


def asset_references(raw: Path, past: Sequence[RatedOutput]) -> dict[str, Sequence[str]]:
    """Return ASSET's references by the item of each original, whatever its spaces and case."""
    known = {"".join(text.split()).lower(): references for text, references in read_asset(raw / "asset", "test")}
    keys = {row.item: "".join(row.original.split()).lower() for row in past}
    if strange := [row.original for row in past if keys[row.item] not in known]:
        raise bad_input(raw / "simpeval", None, f"{quoted(strange[0])}: no sentence of ASSET's", "fetch it again")
    return {item: known[key] for item, key in keys.items()}


def scopes_of(raw: Path) -> dict[str, Rated]:
    """Return every set of ratings; `InputError` for an absent or damaged file, or a rating out of range."""
    past, newer = read_past(raw / "simpeval"), read_newer(raw / "simpeval")
    references = asset_references(raw, past)
    whole = rated(past, PEOPLE_PAST, references, TREEBANK)
    numbers = [number for number, name in enumerate(whole.systems) if name not in MADE_UP]
    systems, statistics = [whole.systems[n] for n in numbers], [whole.statistics[n] for n in numbers]
    scopes = {PAST: whole, f"{PAST}/no_made_up": Rated(systems, statistics, whole.ratings[numbers])}
    scopes[f"{PAST}/{RELEASED}"] = rated(past, PEOPLE_PAST, references, RELEASED)
    items = {row.item for row in newer}
    own = {item: tuple(r.output for r in newer if r.item == item and r.system in PEOPLE_NEWER) for item in items}
    of_newer = {NEWER: newer, **{f"{NEWER}/{name}": rows for name, rows in read_direct(raw / "simpeval").items()}}
    return scopes | {scope: rated(rows, PEOPLE_NEWER, own, TREEBANK) for scope, rows in of_newer.items()}


def add_agreement(results: Results, scope: str, data: Rated, resampling: Resampling) -> None:
    """Write the correlations of every metric with the ratings, and the differences of each two metrics."""
    pairs, once = list(combinations(METRICS, 2)), np.ones((1, len(data.systems)))
    of = {name: scores(data, name) for name in (*METRICS, RATING)}
    for level in LEVELS:
        if level == "system" and len(data.systems) < FEWEST:
            continue
        values, draws = (of_systems if level == "system" else of_sentences)(data, resampling)
        for name in METRICS:
            bounds = interval(draws[name]).T.tolist()
            for kind, value, pair in zip(KINDS, values[name].tolist(), bounds, strict=True):
                results.estimates[Cell(scope, name, f"{level}.{kind}")] = Estimate(value, *pair)
        for kind, value in zip(KINDS, one_rater(data, level).tolist(), strict=True):
            results.estimates[Cell(scope, RATER, f"{level}.{kind}")] = Estimate(value)
        for column, kind in enumerate(KINDS):
            drawn = {pair: draws[pair[0]][:, column] - draws[pair[1]][:, column] for pair in pairs}
            ps = [float(two_sided(difference)) for difference in drawn.values()]
            for (a, b), p, corrected in zip(pairs, ps, holm(ps), strict=True):
                difference, (low, high) = float(values[a][column] - values[b][column]), interval(drawn[a, b]).tolist()
                tests = Comparison(difference, low, high, p_bootstrap=p, p_holm=corrected)
                results.comparisons[Contrast(scope, f"{level}.{kind}", a, b)] = tests
        for a, b in pairs if level == "system" else ():
            three = [weighted_correlations(of[x], of[y], once)[0, 0] for x, y in ((a, RATING), (b, RATING), (a, b))]
            p = williams(float(three[0]), float(three[1]), float(three[2]), len(data.systems))
            results.estimates[Cell(scope, a, f"system.williams.{b}")] = Estimate(p)
    for measure, number in {"systems": len(data.systems), "sentences": data.ratings.shape[1]}.items():
        results.estimates[Cell(scope, RATING, measure)] = Estimate(number)


def scores(data: Rated, name: str) -> Floats:
    """Return a metric's score of each system. Shape: (1, S)."""
    return np.array([[row[name].score().value for row in data.statistics]])


def weights_of(count: int, resampling: Resampling) -> Floats:
    """Return how often each point is in each resample. Shape: (samples, count)."""
    generator = np.random.default_rng(resampling.seed)
    return generator.multinomial(count, [1 / count] * count, size=resampling.samples).astype(float)


def of_systems(data: Rated, resampling: Resampling) -> tuple[Numbers, Numbers]:
    """Return by metric the correlations over systems, shape (3,), and those of resamples, (samples, 3)."""
    weights, resampled = weights_of(len(data.systems), resampling), resample(data.statistics, resampling)

    def drawn(name: str) -> Floats:
        return np.stack([draws[:, 0] for row in resampled if (draws := row[name].draws) is not None], axis=1)

    ratings, once = drawn(RATING), np.ones((1, len(data.systems)))
    values = {name: weighted_correlations(scores(data, name), scores(data, RATING), once)[0] for name in METRICS}
    return values, {name: weighted_correlations(drawn(name), ratings, weights) for name in METRICS}


def of_sentences(data: Rated, resampling: Resampling) -> tuple[Numbers, Numbers]:
    """Return the same over single outputs, resampled by sentences."""
    count = data.ratings.shape[1]
    weights = np.vstack([np.ones(count), weights_of(count, resampling)])
    alone = {
        name: np.stack([row[name].per_segment()[:, 0] for row in data.statistics], 1) for name in (*METRICS, RATING)
    }
    rows = clustered_correlations([alone[name] for name in METRICS], alone[RATING], weights)
    by_metric = dict(zip(METRICS, rows, strict=True))
    return {name: rows[0] for name, rows in by_metric.items()}, {name: rows[1:] for name, rows in by_metric.items()}


def one_rater(data: Rated, level: str) -> Floats:
    """Return the correlations of each rater with the mean of the others, on average. Shape: (3,)."""
    correlations = []
    for number in range(data.ratings.shape[2]):
        sides = data.ratings[..., number], np.delete(data.ratings, number, axis=2).mean(2)
        if level == "system":
            rater, rest = (side.mean(1)[None] for side in sides)
            correlations.append(weighted_correlations(rater, rest, np.ones_like(rater))[0])
        else:
            correlations.append(clustered_correlations([sides[0].T], sides[1].T, np.ones((1, sides[0].shape[1])))[0][0])
    return np.mean(correlations, axis=0)


def tables(results: Results, scopes: Iterable[str]) -> Iterator[str]:
    """Yield a table for each set of ratings."""
    for scope in scopes:
        shown = list(results.measures(scope, RATER))
        values = [[f"{results.value(scope, name, measure):.2f}" for measure in shown] for name in (*METRICS, RATER)]
        rows = [(name, *row) for name, row in zip((*METRICS, RATER), values, strict=True)]
        yield from (*aligned([(scope, *shown), *rows], 1), "")


@exit_on_bad_input
def main() -> None:
    """Correlate, write, print."""
    parser = argparse.ArgumentParser(prog="python experiments/metric_agreement.py", description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, help="JSON file to write")
    parser.add_argument("--raw", type=Path, required=True, help="asset/ and simpeval/, as conf/sources names them")
    args, resampling = parser.parse_args(), from_conf("resampling", Resampling)
    results = Results(resampling=resampling)
    scopes = scopes_of(args.raw)
    for scope, data in progress(scopes.items(), desc="agreement", unit=" sets"):
        add_agreement(results, scope, data, resampling)
    results.signatures = {name: str(scopes[PAST].statistics[0][name].signature) for name in METRICS}
    results.write(args.results)
    print("\n".join(tables(results, scopes)))


if __name__ == "__main__":
    main()
