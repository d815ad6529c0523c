"""A summary as tables, plain text or Markdown, and beside the printed ones: Jiang et al. 2020, tables 6 and 7; Stajner
et al. 2017, table 2."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tabulate import tabulate

from textsimp.core.errors import InputError, bad_input
from textsimp.core.params import SHIPPED
from textsimp.core.reading import read_records
from textsimp.core.results import Comparison, Estimate
from textsimp.extras.human.summary import AVERAGE, Automatic, Summary

TABLES = {6: "newsela_old", 7: "newsela_auto"}
"""The test set of each table of Jiang et al. 2020."""
LINKS_TABLE = 2
"""That of Stajner et al. 2017: percentages of links that are good or partial, by pair of levels."""

PUBLISHED = SHIPPED / "data" / "published" / "human_evaluation.csv"
PUBLISHED_LINKS = PUBLISHED.with_name("alignment_newsela_human.csv")
MEASURES = ("fluency", "adequacy", "simplicity", AVERAGE)
"""Of tables 6 and 7."""
MISSING = "–"
SIGNIFICANT = 0.05
_TRAINING_SETS = {"old": "newsela_old", "new": "newsela_auto", "auto": "newsela_auto"}
_REFERENCE = "Simple (reference)"
_SHORT = ("F", "A", "S", "Avg.")
"""The headers of the paper's tables, for MEASURES."""
_LEVELS = ("levels_0_1", "levels_0_4", "levels_3_4")
_LINKED = "good or partial"
"""The measure that Stajner's table has."""
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
    if any(value is not None for row in summary.wilcoxon.values() for value in row.values()):
        tables.insert(2, _wilcoxon(summary))
    if summary.automatic:
        tables.append(_automatic(summary, summary.automatic))
    return tables + [
        _beside_links(summary, rows) if number == LINKS_TABLE else _beside(summary, number, rows)
        for number, rows in published.items()
    ]


def published_tables(summary: Summary, numbers: Iterable[int]) -> dict[int, list[PublishedRow]]:
    """The printed tables of these numbers with our systems; `InputError` where ratings are of another kind than one."""
    for number in numbers:
        if (number == LINKS_TABLE) != all(_LINKED in measures for measures in summary.systems.values()):
            about = "alignments" if number == LINKS_TABLE else "fluency, adequacy and simplicity"
            raise InputError(f"--table {number}: is about {about}, these ratings are not")
    return {number: beside_published(number, list(summary.systems)) for number in numbers}


def beside_published(number: int, systems: Sequence[str], path: Path | None = None) -> list[PublishedRow]:
    """The rows of a table in its order, each with the system of ours that belongs to it, then our other systems.

    A system belongs to a row by its name, `MODEL` or `TRAINING_SET/MODEL`: letters and digits have to agree, in any
    case; `reference` is the row of the references, `old` and `new` (or `auto`) are the training sets. An aligner
    belongs to the row with its printed name.

    An InputError for an absent table or damaged file, a name that fits several rows, or two names that fit one.
    """
    if number == LINKS_TABLE:
        printed, named = _published_links(path or PUBLISHED_LINKS), {name.casefold(): name for name in systems}
        own = [name for name in systems if name.casefold() not in map(str.casefold, printed)]
        beside = [PublishedRow(name, "", row, named.get(name.casefold())) for name, row in printed.items()]
        return beside + [PublishedRow(name, "", {}, name) for name in own]
    if number not in TABLES:
        raise InputError(f"--table {number}: there is {LINKS_TABLE}, {' and '.join(map(str, TABLES))}")
    rows = _published(path or PUBLISHED, f"Table {number}")
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


def _published_links(path: Path) -> dict[str, dict[str, str]]:
    """The sentence rows of Stajner's table 2: by method, the percentages by pair of levels."""
    columns = ("unit", "system", *_LEVELS)
    return {
        row["system"]: {level: row[level] for level in _LEVELS}
        for _, row in read_records(path, columns, remedy="restore the file from Git")
        if row["unit"] == "sentence"
    }


def _means(summary: Summary) -> Table:
    scales = sorted({(one.scale[0], one.scale[-1]) for one in summary.asked.criteria if not one.nominal})
    what = f"Means on a scale of {' or '.join(f'{low} to {high}' for low, high in scales)}" if scales else ""
    if any(one.shares for one in summary.asked.criteria):
        what += " and percentages" if what else "Percentages"
    samples, seed = summary.resampling.samples, summary.resampling.seed
    return Table(
        "Human evaluation",
        f"{what} over {summary.sentences} sentences and {summary.raters} raters, with 95% "
        f"intervals of a bootstrap over sentences ({samples} samples, seed {seed}).",
        *_by_system(summary, summary.systems),
    )


def _differences(summary: Summary) -> Table:
    return Table(
        f"Difference to {summary.against}",
        f"With 95% intervals of a paired bootstrap over sentences. *: p < {SIGNIFICANT} after Holm's correction for "
        "the systems of a column.",
        *_by_system(summary, summary.differences),
    )


Cells = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""Header and rows."""


def _by_system(summary: Summary, numbers: Mapping[str, Mapping[str, Estimate | Comparison | None]]) -> Cells:
    """A row for each system; of classes, which are many, a row for each class."""
    header = ("System", *map(str.capitalize, next(iter(numbers.values()))))
    rows = tuple((system, *map(_with_interval, row.values())) for system, row in numbers.items())
    if summary.asked.is_nominal:
        header, *rest = zip(header, *rows, strict=True)
        return ("", *header[1:]), tuple(rest)
    return header, rows


def _wilcoxon(summary: Summary) -> Table:
    keys = list(next(iter(summary.wilcoxon.values())))
    return Table(
        f"Wilcoxon's signed-rank test against {summary.against}",
        "p, two-sided, after Holm's correction for the systems of a column; over the sentences that both systems have "
        f"ratings for, the mean of each taken. {MISSING}: no difference at all.",
        ("System", *map(str.capitalize, keys)),
        tuple(
            (system, *(MISSING if row[key] is None else f"{row[key]:.4f}" for key in keys))
            for system, row in summary.wilcoxon.items()
        ),
    )


def _automatic(summary: Summary, found: Automatic) -> Table:
    classes = summary.asked.criteria[0].points
    kappa = "not defined" if found.kappa is None else f"{found.kappa:.2f}"
    return Table(
        "People's classes beside those of the rules",
        "Rows: ratings by people; columns: the class by the rules of `textsimp rewriting`, which do not know what is "
        f"simpler. {100 * found.exact:.0f}% are the same; Cohen's kappa is {kappa}.",
        ("", *classes),
        tuple((name, *map(str, row)) for name, row in zip(classes, found.table, strict=True)),
    )


def _beside_links(summary: Summary, rows: Sequence[PublishedRow]) -> Table:
    cells = []
    for row in rows:
        ours = summary.systems[row.ours][_LINKED] if row.ours else None
        cells.append((row.system, _with_interval(ours), *(row.printed.get(level, MISSING) for level in _LEVELS)))
    return Table(
        f"Beside table {LINKS_TABLE}",
        f"Links that are good or partial, in percent. Paper: Stajner et al. 2017, table {LINKS_TABLE}, English "
        "Newsela by pair of levels; other texts and raters.",
        ("System", "ours", *(f"{level.removeprefix('levels_').replace('_', '–')} paper" for level in _LEVELS)),
        tuple(cells),
    )


def _agreement(summary: Summary) -> Table:
    rows = []
    known = next(iter(summary.agreement.values()))
    for name, label in ((name, label) for name, label in _AGREEMENT.items() if name in known):
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
