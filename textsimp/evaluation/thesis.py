"""Simplification against the quality of the alignment that its training pairs come from (Jiang et al. 2020, section 1).

The paper argues that better aligned data make better simplifiers, but compares data of different sizes and sources.
Here the same simplifier is trained on as many pairs from gold links, from aligners, and from links made worse.
"""

from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from textsimp.core.bounds import Number, Percent, Positive
from textsimp.core.errors import bad_input
from textsimp.core.params import settings_from
from textsimp.core.reading import read_json
from textsimp.core.results import Cell, Estimate, Results

ALL = "all"
"""The system of the numbers about all training sets together."""
_REMEDY = "run the stage that writes it again"


@dataclass(frozen=True)
class ThesisRun:
    """One training set: its links against the gold ones, in percent, and the SARI of each seed's simplifier."""

    training_set: str
    precision: Percent
    recall: Percent
    f1: Percent
    seeds: dict[str, Number]


@dataclass(frozen=True)
class ThesisRuns:
    """What was trained: one simplifier, the same number of training pairs, and the test set of the scores."""

    test_set: str
    simplifier: str
    pairs: Positive
    runs: list[ThesisRun]


def thesis_results(path: Path) -> Results:
    """The results of a JSON file of `ThesisRuns`.

    Returns:
        Scope: the test set; systems: the training sets, with `links.precision`, `links.recall`, `links.f1`, `sari` (the
        mean of the seeds, its bounds the lowest and the highest) and `seeds`, their number; and `all` with
        `correlation` and `rank_correlation` of F1 and SARI over all models (Pearson, Spearman), where both vary.

    Raises:
        InputError: another form, no seed, other seeds than those of the first run, or a training set that stands twice.
    """
    found = settings_from(read_json(path), ThesisRuns, path, _REMEDY)
    names = [run.training_set for run in found.runs]
    if len(set(names)) < len(names) or ALL in names:
        raise bad_input(path, None, f"training sets {', '.join(names)}: one stands twice, or is {ALL!r}", _REMEDY)
    results = Results(notes={"simplifier": found.simplifier, "pairs": f"{found.pairs:,}"})
    for run in found.runs:
        if not run.seeds or run.seeds.keys() != found.runs[0].seeds.keys():
            raise bad_input(path, None, f"{run.training_set}: no seeds, or not those of {names[0]}", _REMEDY)
        saris = list(run.seeds.values())
        links = {"links.precision": run.precision, "links.recall": run.recall, "links.f1": run.f1}
        numbers = {name: Estimate(value) for name, value in links.items()}
        numbers |= {"sari": Estimate(fmean(saris), min(saris), max(saris)), "seeds": Estimate(len(saris))}
        results.estimates |= {Cell(found.test_set, run.training_set, name): one for name, one in numbers.items()}
    points = [(run.f1, sari) for run in found.runs for sari in run.seeds.values()]
    for name, value in _correlations(np.array(points).reshape(-1, 2)).items():
        results.estimates[Cell(found.test_set, ALL, name)] = Estimate(value)
    return results


def _correlations(points: NDArray[np.float64]) -> dict[str, float]:
    from scipy.stats import rankdata  # slow to import

    if len(points) < 2 or (points == points[0]).all(0).any():
        return {}
    ranks = rankdata(points, axis=0)
    return {"correlation": _pearson(points), "rank_correlation": _pearson(ranks)}


def _pearson(points: NDArray[np.float64]) -> float:
    matrix: NDArray[np.float64] = np.corrcoef(points[:, 0], points[:, 1])
    return float(matrix[0, 1])
