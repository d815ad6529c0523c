"""A summary as tables: plain text for a terminal, or Markdown."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tabulate import tabulate

from textsimp.human_evaluation.guidelines import CRITERIA
from textsimp.human_evaluation.published import TABLES, PublishedRow
from textsimp.human_evaluation.summary import MEASURES, Gap, Mean, Summary

MISSING = "–"
SIGNIFICANT = 0.05
_TITLES = {criterion.key: criterion.title for criterion in CRITERIA}
_SHORT = dict(zip(MEASURES, ("F", "A", "S", "Avg."), strict=True))
"""The headers of the paper's tables."""

_COEFFICIENTS = {
    "exact": "equal pairs (no correction for chance)",
    "kappa": "Cohen's kappa, mean of pairs",
    "quadratic_kappa": "Cohen's kappa, quadratic, mean of pairs",
    "fleiss_kappa": "Fleiss' kappa",
    "alpha_nominal": "Krippendorff's alpha, nominal",
    "alpha_ordinal": "Krippendorff's alpha, ordinal",
    "alpha_interval": "Krippendorff's alpha, interval",
}
_NUMBERS = {"raters": "raters", "items": "items rated", "complete_items": "items rated by all", "missing": "missing"}


@dataclass(frozen=True)
class Table:
    """A table of texts: the first `names` columns are words, the others numbers."""

    title: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1


def summary_tables(summary: Summary, published: Sequence[tuple[int, Sequence[PublishedRow]]]) -> list[Table]:
    """Averages, differences, agreement, then ours beside each published table."""
    tables = [_means(summary)]
    if summary.gaps:
        tables.append(_gaps(summary))
    return [*tables, _agreement(summary), *(_beside(summary, number, rows) for number, rows in published)]


def as_text(tables: Sequence[Table]) -> str:
    """For a terminal."""
    return "\n\n".join(f"{table.title}\n\n{_grid(table, 'simple')}\n\n{table.note}" for table in tables)


def as_markdown(tables: Sequence[Table]) -> str:
    """For a page."""
    return "\n\n".join(
        f"### {_escape(table.title)}\n\n{_grid(table, 'pipe')}\n\n{_escape(table.note)}" for table in tables
    )


def _means(summary: Summary) -> Table:
    rows = [(system, *(_mean(own[name]) for name in MEASURES)) for system, own in summary.systems.items()]
    return Table(
        "Human evaluation",
        f"Means on a scale of 1 to 5 over {summary.sentences} sentences and {summary.raters} raters, with 95% "
        f"intervals of a bootstrap over sentences ({summary.samples} samples, seed {summary.seed}).",
        ("System", *map(_title, MEASURES)),
        tuple(rows),
    )


def _gaps(summary: Summary) -> Table:
    rows = [(system, *(_gap(own[name]) for name in MEASURES)) for system, own in summary.gaps.items()]
    return Table(
        f"Difference to {summary.against}",
        f"With 95% intervals of a paired bootstrap over sentences. *: p < {SIGNIFICANT} after Holm's correction for "
        "the systems of a column.",
        ("System", *map(_title, MEASURES)),
        tuple(rows),
    )


def _agreement(summary: Summary) -> Table:
    columns = list(summary.agreement.values())
    rows = [(label, *(_number(getattr(one, name)) for one in columns)) for name, label in _COEFFICIENTS.items()]
    rows += [(label, *(str(getattr(one, name)) for one in columns)) for name, label in _NUMBERS.items()]
    return Table(
        "Agreement of the raters",
        "1 is full agreement, 0 that of chance (but for equal pairs, a share). An output that several systems share "
        f"counts once. {MISSING}: not defined, where nothing is rated twice or all ratings are equal.",
        ("", *map(_title, summary.agreement)),
        tuple(rows),
    )


def _beside(summary: Summary, number: int, rows: Sequence[PublishedRow]) -> Table:
    header = [f"{_SHORT[name]} {whose}" for name in MEASURES for whose in ("ours", "paper")]
    cells = []
    for row in rows:
        own = summary.systems[row.ours] if row.ours else {}
        both = [(_number(own[name].mean if own else None), row.printed.get(name, MISSING)) for name in MEASURES]
        train = MISSING if row.train_set in ("", "none") else row.train_set
        cells.append((row.system, train, *(cell for pair in both for cell in pair)))
    return Table(
        f"Beside table {number}",
        f"Paper: Jiang et al. 2020, table {number}, test set {TABLES[number]}; other sentences, outputs and raters.",
        ("System", "Train", *header),
        tuple(cells),
        names=2,
    )


def _mean(value: Mean) -> str:
    return _with_interval(value.mean, value.low, value.high, "")


def _gap(value: Gap) -> str:
    text = _with_interval(value.difference, value.low, value.high, "+")
    return f"{text} *" if value.p_holm is not None and value.p_holm < SIGNIFICANT else text


def _with_interval(value: float | None, low: float | None, high: float | None, sign: str) -> str:
    interval = "" if low is None else f" [{_number(low, sign)}, {_number(high, sign)}]"
    return f"{_number(value, sign)}{interval}"


def _number(value: float | None, sign: str = "") -> str:
    if value is None:
        return MISSING
    text = f"{value:{sign}.2f}"
    return "0.00" if float(text) == 0 else text


def _title(name: str) -> str:
    return _TITLES.get(name, name.capitalize())


def _grid(table: Table, style: str) -> str:
    clean = _escape if style == "pipe" else str
    alignment = ["left"] * table.names + ["right"] * (len(table.header) - table.names)
    rows = [[clean(cell) for cell in row] for row in table.rows]
    headers = [clean(cell) for cell in table.header]
    return tabulate(rows, headers, tablefmt=style, colalign=alignment, disable_numparse=True)


def _escape(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"[\\`*_\[\]|<>#]", r"\\\g<0>", text)
