"""A summary of ratings as tables of plain text."""

from collections.abc import Iterator, Sequence

import pandas as pd

from textsimp.core.results import Comparison, Estimate, Results
from textsimp.extras.human.summary import asked_of

MISSING = "–"
SIGNIFICANT = 0.05
_COEFFICIENTS = {
    "exact": "equal pairs (no correction for chance)",
    "kappa": "Cohen's kappa, mean of pairs",
    "linear_kappa": "Cohen's kappa, linear, mean of pairs",
    "quadratic_kappa": "Cohen's kappa, quadratic, mean of pairs",
    "fleiss_kappa": "Fleiss' kappa",
    "alpha_nominal": "Krippendorff's alpha, nominal",
    "alpha_ordinal": "Krippendorff's alpha, ordinal",
    "alpha_interval": "Krippendorff's alpha, interval",
    "raters": "raters",
    "items": "items rated",
    "complete_items": "items rated by all",
    "missing": "missing",
}


def summary_text(results: Results) -> str:
    """Return what `summary.summarise` found: averages, differences, Wilcoxon's test and agreement."""
    tables = ((title, table.to_string(), note) for title, note, table in _tables(results) if len(table))
    return "\n\n".join("\n\n".join(parts) for parts in tables)


def _tables(results: Results) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Yield title, note and table: a row for each system; of classes, which are many, a row for each class."""
    systems, criteria, against = results.systems("ratings"), results.systems("agreement"), results.notes["against"]
    asked, draw = asked_of(criteria[0]), results.resampling
    assert draw is not None
    measures = dict.fromkeys(name for system in systems for name in results.measures("ratings", system))
    titles = {name: name.capitalize() for name in measures} | {one.key: one.title for one in asked.criteria}
    others = dict.fromkeys(pair.system for pair in results.comparisons)
    means = {s: [_shown(results.get("ratings", s, name)) for name in measures] for s in systems}
    gaps = {s: [_shown(results.compared("ratings", name, s, against)) for name in measures] for s in others}
    counts = "{sentences} sentences and {raters} raters".format(**results.notes)
    yield (
        "Human evaluation",
        f"Means of the ratings and percentages of points over {counts}, with 95% intervals of a bootstrap over "
        f"sentences ({draw.samples} samples, seed {draw.seed}).",
        _table(means, [titles[name] for name in measures], any(criterion.nominal for criterion in asked.criteria)),
    )
    yield (
        f"Difference to {against}",
        f"With 95% intervals of a paired bootstrap over sentences. *: p < {SIGNIFICANT} after Holm's correction for "
        "the systems of a column.",
        _table(gaps, [titles[name] for name in measures], any(criterion.nominal for criterion in asked.criteria)),
    )
    columns = [titles[key] for key in criteria]
    tested = {
        s: [_number(results.value("wilcoxon", s, key), 4) for key in criteria] for s in results.systems("wilcoxon")
    }
    yield (
        f"Wilcoxon's signed-rank test against {against}",
        "p, two-sided, after Holm's correction for the systems of a column; over the sentences that both systems have "
        f"ratings for, the mean of each taken. {MISSING}: no difference at all.",
        _table(tested, columns),
    )
    found = {
        label: [results.value("agreement", key, name) for key in criteria] for name, label in _COEFFICIENTS.items()
    }
    digits = {
        label: 0 if name in ("raters", "items", "complete_items", "missing") else 2
        for name, label in _COEFFICIENTS.items()
    }
    yield (
        "Agreement of the raters",
        "1 is full agreement, 0 that of chance (but for equal pairs, a share). An output that several systems share "
        f"counts once. {MISSING}: not defined, where nothing is rated twice or all ratings are equal.",
        _table({label: [_number(value, digits[label]) for value in row] for label, row in found.items()}, columns),
    )


def _table(rows: dict[str, list[str]], columns: Sequence[str], turned: bool = False) -> pd.DataFrame:
    table = pd.DataFrame(rows, list(columns))
    return table if turned else table.T


def _shown(found: Estimate | Comparison | None) -> str:
    """Return a mean, or a difference with its sign, with its interval, and a star where it is significant."""
    if found is None:
        return MISSING
    value, sign, star = (found.value, "", "") if isinstance(found, Estimate) else (found.difference, "+", "")
    if isinstance(found, Comparison) and found.p_holm is not None and found.p_holm < SIGNIFICANT:
        star = " *"
    interval = f" [{_number(found.low, 2, sign)}, {_number(found.high, 2, sign)}]" if found.low is not None else ""
    return f"{_number(value, 2, sign)}{interval}{star}"


def _number(value: float | None, digits: int, sign: str = "") -> str:
    text = MISSING if value is None else f"{value:{sign}.{digits}f}"
    return text.lstrip("+-") if not text.strip("+-0.") else text
