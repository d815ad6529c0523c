"""Simplification against the quality of the alignment that its training pairs come from (Jiang et al. 2020, section 1).

The paper argues that better aligned data make better simplifiers, but compares data of different sizes and sources.
Here the same simplifier is trained on as many pairs from gold links, from aligners, and from links made worse.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import InputError, bad_input
from textsimp.core.results import Cell, Contrast, Estimate, Resampling, Results
from textsimp.evaluation.simplification import (
    EvaluationConfig,
    output_statistics,
    read_output,
    read_test_sets,
    signatures_of,
)
from textsimp.metrics.links import MEASURES
from textsimp.metrics.resampling import Resampled, interval, resample

ALL = "all"
"""The system of the numbers about all training sets together."""
POINTS = 10
"""Of F1, precision or recall: what `per.*` is about."""
_METRICS = ("sari", "bleu")
Numbers = NDArray[np.float64]


def evaluate_thesis(
    corpora: Path,
    statistics: Path,
    outputs: Path,
    sets: Sequence[str],
    seeds: Sequence[str],
    simplifier: str,
    config: EvaluationConfig,
    resampling: Resampling,
) -> Results:
    """One simplifier trained on every training set with every seed.

    Args:
        corpora: the corpus's folder, with its test sets.
        statistics: results of the stage build_corpus, with the links of each training set SET.SEED.
        outputs: folder of SET.SEED/SIMPLIFIER/TEST_SET.txt.
        sets: the training sets, that which the others are compared with first.

    Returns:
        Scopes: test sets; systems: the training sets, with `links.precision`, `links.recall`, `links.f1`, `sari` and
        `bleu` (means of the seeds, their bounds the lowest and the highest) and `seeds`, their number; the differences
        of their SARI to the first one. System `all`, over all models: `correlation` and `rank_correlation` of F1 and
        SARI (Pearson, Spearman), `per.f1`, the SARI that ten points of F1 are worth (least squares), `per.precision`
        and `per.recall`, the same of one where the other stays; each where it is defined. Intervals of differences and
        of `all`: test sentences, the same for all models, and the seeds of each set drawn again.

    Raises:
        InputError: no training set or seed, a set that is called `all`, no quality of the links of one, or an output
            that is absent or has another number of lines than its test set.
    """
    if not sets or not seeds or ALL in sets:
        raise InputError(f"thesis_sets, thesis_seeds: one of each at least, and no set {ALL!r}; correct them in conf/")
    runs = [f"{name}.{seed}" for name in sets for seed in seeds]
    links, pairs = _qualities(statistics, runs)
    results = Results(resampling=resampling, notes={"simplifier": simplifier, "pairs": f"{pairs:,}"})
    config = replace(config, metrics=list(_METRICS))
    for test in read_test_sets(corpora / "test"):
        paths = [outputs / run / simplifier / f"{test.name}.txt" for run in runs]
        systems = [output_statistics(test, read_output(path, test), config) for path in paths]
        resampled = resample(systems, resampling)
        results.signatures = signatures_of(systems[0])
        for index, name in enumerate(sets):
            of_set = slice(index * len(seeds), (index + 1) * len(seeds))
            numbers = dict(zip(MEASURES, links[of_set].mean(0).tolist(), strict=True))
            estimates = {f"links.{measure}": Estimate(value) for measure, value in numbers.items()}
            for metric in _METRICS:
                values = [float(row[metric].value[0]) for row in resampled[of_set]]
                estimates[metric] = Estimate(float(np.mean(values)), min(values), max(values))
            estimates["seeds"] = Estimate(len(seeds))
            results.estimates |= {Cell(test.name, name, measure): estimate for measure, estimate in estimates.items()}
        _compare(results, test.name, links, [row["sari"] for row in resampled], sets)
    return results


def _qualities(path: Path, runs: Sequence[str]) -> tuple[Numbers, int]:
    """Precision, recall and F1 of the links of each training set, shape (runs, 3), and the sets' number of pairs."""
    built = Results.read(path)
    rows = [[built.value("links", run, measure) for measure in (*MEASURES, "pairs")] for run in runs]
    if lacking := [run for run, row in zip(runs, rows, strict=True) if None in row]:
        raise bad_input(path, None, f"no quality of the links of {lacking[0]}", "run the stage build_corpus again")
    numbers = np.array(rows, dtype=np.float64)
    return numbers[:, :-1], int(numbers[0, -1])


def _compare(results: Results, scope: str, links: Numbers, sari: Sequence[Resampled], sets: Sequence[str]) -> None:
    """Write the differences to the first training set, and what all of them say together."""
    values = np.array([row.value[0] for row in sari])  # (sets * seeds)
    draws = np.stack([row.draws[:, 0] for row in sari if row.draws is not None], 1)  # (samples, sets * seeds)
    draws = draws.reshape(len(draws), len(sets), -1)
    generator = np.random.default_rng(results.resampling.seed if results.resampling else None)
    draws = np.take_along_axis(draws, generator.integers(0, draws.shape[2], draws.shape), axis=2)
    means = [
        Resampled(value, drawn[:, None])
        for value, drawn in zip(values.reshape(len(sets), -1).mean(1, keepdims=True), draws.mean(2).T, strict=True)
    ]
    for name, mean in zip(sets[1:], means[1:], strict=True):
        results.comparisons[Contrast(scope, "sari", name, sets[0])] = mean.minus(means[0])[0]
    drawn = _together(links, draws.reshape(len(draws), -1))
    for measure, value in _together(links, values[None]).items():
        low, high = interval(drawn[measure][np.isfinite(drawn[measure])]).tolist()
        results.estimates[Cell(scope, ALL, measure)] = Estimate(float(value[0]), low, high)


def _together(links: Numbers, sari: Numbers) -> Mapping[str, Numbers]:
    """Correlations and slopes of SARI, shape (samples, models), by the quality of the links, (models, 3); (samples)."""
    from scipy.stats import rankdata  # slow to import

    numbers = {}
    precision_recall, f1 = links[:, :2], links[:, 2]
    if np.ptp(f1) and np.ptp(sari):
        numbers["correlation"] = _pearson(f1, sari)
        numbers["rank_correlation"] = _pearson(rankdata(f1), rankdata(sari, axis=1))
        numbers["per.f1"] = _slopes(f1[:, None], sari)[0]
    if np.linalg.matrix_rank(precision_recall - precision_recall.mean(0)) == precision_recall.shape[1]:
        numbers["per.precision"], numbers["per.recall"] = _slopes(precision_recall, sari)
    return numbers


def _pearson(x: Numbers, y: Numbers) -> Numbers:
    """Shapes: (models), (samples, models) to (samples)."""
    x, y = x - x.mean(), y - y.mean(1, keepdims=True)
    with np.errstate(invalid="ignore"):  # a sample in which all models are equal has none
        of_samples: Numbers = y @ x / np.sqrt((x**2).sum() * (y**2).sum(1))
    return of_samples


def _slopes(x: Numbers, y: Numbers) -> Numbers:
    """What ten points of each of k qualities are worth. Shapes: (models, k), (samples, models) to (k, samples)."""
    slopes: Numbers = POINTS * np.linalg.pinv(x - x.mean(0)) @ y.T
    return slopes
