"""A summary as tables, plain text or Markdown, and beside tables 6 and 7 of the paper."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tabulate import tabulate

from textsimp.core.errors import InputError, bad_input
from textsimp.core.params import SHIPPED
from textsimp.core.reading import read_records
from textsimp.core.results import Comparison, Estimate
from textsimp.extras.human.summary import MEASURES, Summary

TABLES = {6: "newsela_old", 7: "newsela_auto"}
"""The test set of each table."""

PUBLISHED = SHIPPED / "data" / "published" / "human_evaluation.csv"
MISSING = "–"
SIGNIFICANT = 0.05
_TRAINING_SETS = {"old": "newsela_old", "new": "newsela_auto", "auto": "newsela_auto"}
_REFERENCE = "Simple (reference)"
_SHORT = ("F", "A", "S", "Avg.")
"""The headers of the paper's tables, for MEASURES."""
_AGREEMENT = {
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


@dataclass(frozen=True)
class PublishedRow:
    """One row of a table (its cells by measure) and our system, if any; or one of our systems that has no row."""

    system: str
    train_set: str
    printed: Mapping[str, str]
    ours: str | None


@dataclass(frozen=True)
class Table:
    """A table of texts: the first `names` columns are words, the others numbers."""

    title: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 1

    def text(self, markdown: bool) -> str:
        """For a terminal, or for a page."""
        shown = partial(re.sub, r"[\\`*_\[\]|<>#]", r"\\\g<0>") if markdown else str
        alignment = ["left"] * self.names + ["right"] * (len(self.header) - self.names)
        grid = tabulate(
            [[shown(cell) for cell in row] for row in self.rows],
            [shown(cell) for cell in self.header],
            tablefmt="pipe" if markdown else "simple",
            colalign=alignment,
            disable_numparse=True,
        )
        return f"{'### ' if markdown else ''}{shown(self.title)}\n\n{grid}\n\n{shown(self.note)}"


def summary_tables(summary: Summary, published: Mapping[int, Sequence[PublishedRow]]) -> list[Table]:
    """Averages, differences, agreement, then ours beside each published table."""
    tables = [_means(summary), *([_differences(summary)] if summary.differences else []), _agreement(summary)]
    return tables + [_beside(summary, number, rows) for number, rows in published.items()]


def beside_published(number: int, systems: Sequence[str], path: Path = PUBLISHED) -> list[PublishedRow]:
    """The rows of a table in its order, each with the system of ours that belongs to it, then our other systems.

    A system belongs to a row by its name, `MODEL` or `TRAINING_SET/MODEL`: letters and digits have to agree, in any
    case; `reference` is the row of the references, `old` and `new` (or `auto`) are the training sets.

    An InputError for an absent table or damaged file, a name that fits several rows, or two names that fit one.
    """
    if number not in TABLES:
        raise InputError(f"--table {number}: there is {' and '.join(map(str, TABLES))}")
    rows = _published(path, f"Table {number}")
    owner: dict[int, str] = {}
    for system in systems:
        fitting = [index for index, row in enumerate(rows) if _fits(system, row)]
        if len(fitting) > 1:
            raise InputError(f"{system!r} fits {len(fitting)} rows of table {number}; name it old/NAME or new/NAME")
        for index in fitting:
            if index in owner:
                raise InputError(f"{owner[index]!r} and {system!r} fit one row of table {number}; rename one of them")
            owner[index] = system
    beside = [
        PublishedRow(row["system"], row["train_set"], {name: row[name] for name in MEASURES}, owner.get(index))
        for index, row in enumerate(rows)
    ]
    return beside + [PublishedRow(name, "", {}, name) for name in systems if name not in owner.values()]


def _fits(system: str, row: Mapping[str, str]) -> bool:
    training, _, model = system.rpartition("/")
    if row["system"] == _REFERENCE:
        return _plain(system) in (_plain(_REFERENCE), "reference")
    named = _plain(model) == _plain(row["system"])
    return named and (not training or _TRAINING_SETS.get(training, training) == row["train_set"])


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _published(path: Path, table: str) -> list[dict[str, str]]:
    """The rows of one table, with checked columns and numbers."""
    restore = "restore the file from Git"
    if not path.is_file():
        raise bad_input(path, None, "no such file", "run in a checkout or install the package anew, or omit --table")
    rows = []
    for line, row in read_records(path, ("source", "table", "train_set", "system", *MEASURES), remedy=restore):
        if not all(re.fullmatch(r"\d\.\d+", row[name]) for name in MEASURES):
            raise bad_input(path, line, "not a row of ratings", restore)
        if row["source"] == "Jiang et al. 2020" and row["table"] == table:
            rows.append(row)
    if not rows:
        raise bad_input(path, None, f"no row of {table}", restore)
    return rows


def _means(summary: Summary) -> Table:
    samples, seed = summary.resampling.samples, summary.resampling.seed
    return Table(
        "Human evaluation",
        f"Means on a scale of 1 to 5 over {summary.sentences} sentences and {summary.raters} raters, with 95% "
        f"intervals of a bootstrap over sentences ({samples} samples, seed {seed}).",
        ("System", *map(str.capitalize, MEASURES)),
        _by_measure(summary.systems),
    )


def _differences(summary: Summary) -> Table:
    return Table(
        f"Difference to {summary.against}",
        f"With 95% intervals of a paired bootstrap over sentences. *: p < {SIGNIFICANT} after Holm's correction for "
        "the systems of a column.",
        ("System", *map(str.capitalize, MEASURES)),
        _by_measure(summary.differences),
    )


def _agreement(summary: Summary) -> Table:
    rows = []
    for name, label in _AGREEMENT.items():
        values = [coefficients[name] for coefficients in summary.agreement.values()]
        rows.append((label, *(str(value) if isinstance(value, int) else _number(value) for value in values)))
    return Table(
        "Agreement of the raters",
        "1 is full agreement, 0 that of chance (but for equal pairs, a share). An output that several systems share "
        f"counts once. {MISSING}: not defined, where nothing is rated twice or all ratings are equal.",
        ("", *map(str.capitalize, summary.agreement)),
        tuple(rows),
    )


def _beside(summary: Summary, number: int, rows: Sequence[PublishedRow]) -> Table:
    cells = []
    for row in rows:
        means = summary.systems[row.ours] if row.ours else {}
        ours = [_number(mean.value if (mean := means.get(name)) else None) for name in MEASURES]
        pairs = zip(ours, (row.printed.get(name, MISSING) for name in MEASURES), strict=True)
        train = MISSING if row.train_set in ("", "none") else row.train_set
        cells.append((row.system, train, *(cell for pair in pairs for cell in pair)))
    return Table(
        f"Beside table {number}",
        f"Paper: Jiang et al. 2020, table {number}, test set {TABLES[number]}; other sentences, outputs and raters.",
        ("System", "Train", *(f"{name} {whose}" for name in _SHORT for whose in ("ours", "paper"))),
        tuple(cells),
        names=2,
    )


def _by_measure(numbers: Mapping[str, Mapping[str, Estimate | Comparison | None]]) -> tuple[tuple[str, ...], ...]:
    return tuple((system, *(_with_interval(row[name]) for name in MEASURES)) for system, row in numbers.items())


def _with_interval(number: Estimate | Comparison | None) -> str:
    """A mean, or a difference with its sign and a star where it is significant."""
    if number is None:
        return MISSING
    value, sign, star = (number.value, "", "") if isinstance(number, Estimate) else (number.difference, "+", "")
    if isinstance(number, Comparison) and number.p_holm is not None and number.p_holm < SIGNIFICANT:
        star = " *"
    interval = "" if number.low is None else f" [{_number(number.low, sign)}, {_number(number.high, sign)}]"
    return f"{_number(value, sign)}{interval}{star}"


def _number(value: float | None, sign: str = "") -> str:
    if value is None:
        return MISSING
    text = f"{value:{sign}.2f}"
    return "0.00" if float(text) == 0 else text
