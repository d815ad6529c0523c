"""A summary of ratings as tables of plain text."""

import pandas as pd

from textsimp.core.results import Comparison, Estimate, Results
from textsimp.extras.human.guidelines import CROWD, INSPECTION, guidelines

SIGNIFICANT = 0.05
_COUNTS = ("raters", "items", "complete_items", "ratings", "missing", "pairs")


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
