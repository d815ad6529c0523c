"""A summary as tables, plain text or Markdown, and beside the printed ones: Jiang et al. 2020, tables 6 and 7; Stajner
et al. 2017, tables 2 and 3."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
PUBLISHED = SHIPPED / "data" / "published" / "human_evaluation.csv"
MEASURES = ("fluency", "adequacy", "simplicity", AVERAGE)
"""Of tables 6 and 7."""
MISSING = "–"
SIGNIFICANT = 0.05
_LEAST_P = 0.00005
"""Smaller ones are not told apart."""
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
class _Stajner:
    """A table of Stajner et al. 2017: its file, the printed columns beside each measure of ours, and their headers."""

    file: Path
    columns: Mapping[str, Mapping[str, str]]
    about: str
    note: str


_LEVELS = {"levels_0_1": "0–1 paper", "levels_0_4": "0–4 paper", "levels_3_4": "3–4 paper"}
STAJNER = {
    2: _Stajner(
        PUBLISHED.with_name("alignment_newsela_human.csv"),
        {"good or partial": _LEVELS},
        "alignments",
        "Links that are good or partial, in percent. Paper: Stajner et al. 2017, table 2, English Newsela by pair of "
        "levels; other texts and raters.",
    ),
    3: _Stajner(
        PUBLISHED.with_name("smt_simplification.csv"),
        {
            key: {key: f"{title} paper"}
            for key, title in (("grammaticality", "grammaticality"), ("meaning", "meaning"), ("rank", "simplicity"))
        },
        "changes",
        "Means of the ratings. Paper: Stajner et al. 2017, table 3, sentences of English Wikipedia; other sentences, "
        "outputs and raters.",
    ),
}
"""The tables of Stajner et al. 2017 that people's ratings fill, by number."""


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
        _beside_stajner(summary, number, rows) if number in STAJNER else _beside(summary, number, rows)
        for number, rows in published.items()
    ]


def published_tables(summary: Summary, numbers: Iterable[int]) -> dict[int, list[PublishedRow]]:
    """The printed tables of these numbers with our systems; `InputError` where ratings are of another kind than one."""
    rated = set.intersection(*(set(measures) for measures in summary.systems.values()))
    for number in numbers:
        if number in (*TABLES, *STAJNER):
            known = STAJNER.get(number)
            about = known.about if known else "fluency, adequacy and simplicity"
            if not rated.issuperset(known.columns if known else MEASURES):
                raise InputError(f"--table {number}: is about {about}, these ratings are not")
    return {number: beside_published(number, list(summary.systems)) for number in numbers}


def beside_published(number: int, systems: Sequence[str], path: Path | None = None) -> list[PublishedRow]:
    """The rows of a table in its order, each with the system of ours that belongs to it, then our other systems.

    A system belongs to a row by its name, `MODEL` or `TRAINING_SET/MODEL`: letters and digits have to agree, in any
    case; `reference` is the row of the references, `old` and `new` (or `auto`) are the training sets. An aligner
    belongs to the row with its printed name.

    An InputError for an absent table or damaged file, a name that fits several rows, or two names that fit one.
    """
    if number in STAJNER:
        printed, named = _published_stajner(number, path), {name.casefold(): name for name in systems}
        own = [name for name in systems if name.casefold() not in map(str.casefold, printed)]
        beside = [PublishedRow(name, "", row, named.get(name.casefold())) for name, row in printed.items()]
        return beside + [PublishedRow(name, "", {}, name) for name in own]
    if number not in TABLES:
        known = sorted((*STAJNER, *TABLES))
        raise InputError(f"--table {number}: there is {', '.join(map(str, known[:-1]))} and {known[-1]}")
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


def _published_stajner(number: int, path: Path | None) -> dict[str, dict[str, str]]:
    """The printed cells of each system that the table names, with its training set where it names one; of sentences."""
    described = STAJNER[number]
    columns = [column for printed in described.columns.values() for column in printed]
    rows: dict[str, dict[str, str]] = {}
    for _, row in read_records(path or described.file, ("table", "system", *columns), remedy="restore it from Git"):
        if row["table"] == f"Table {number}" and row.get("unit", "sentence") == "sentence" and row[columns[0]]:
            train = row.get("train_set")
            rows[f"{row['system']} ({train})" if train else row["system"]] = {name: row[name] for name in columns}
    return rows


def _means(summary: Summary) -> Table:
    criteria = summary.asked.criteria
    scales = sorted({(criterion.scale[0], criterion.scale[-1]) for criterion in criteria if not criterion.nominal})
    what = f"Means on a scale of {' or '.join(f'{low} to {high}' for low, high in scales)}" if scales else ""
    if any(criterion.shares for criterion in criteria):
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
    header = ("System", *_titles(summary, next(iter(numbers.values()))))
    rows = tuple((system, *map(_with_interval, row.values())) for system, row in numbers.items())
    if summary.asked.is_nominal:
        header, *rest = zip(header, *rows, strict=True)
        return ("", *header[1:]), tuple(rest)
    return header, rows


def _titles(summary: Summary, measures: Iterable[str]) -> Iterator[str]:
    """What raters saw a criterion called; of another measure its name."""
    titles = {criterion.key: criterion.title for criterion in summary.asked.criteria}
    return (titles.get(name, name.capitalize()) for name in measures)


def _p_text(p: float | None) -> str:
    if p is None:
        return MISSING
    return f"{p:.4f}" if p >= _LEAST_P else "<0.0001"


def _wilcoxon(summary: Summary) -> Table:
    keys = list(next(iter(summary.wilcoxon.values())))
    return Table(
        f"Wilcoxon's signed-rank test against {summary.against}",
        "p, two-sided, after Holm's correction for the systems of a column; over the sentences that both systems have "
        f"ratings for, the mean of each taken. {MISSING}: no difference at all.",
        ("System", *_titles(summary, keys)),
        tuple((system, *(_p_text(row[key]) for key in keys)) for system, row in summary.wilcoxon.items()),
    )


def _automatic(summary: Summary, automatic: Automatic) -> Table:
    classes = summary.asked.criteria[0].points
    kappa = "not defined" if automatic.kappa is None else f"{automatic.kappa:.2f}"
    return Table(
        "People's classes beside those of the rules",
        "Rows: ratings by people; columns: the class by the rules of `textsimp rewriting`, which do not know what is "
        f"simpler. {100 * automatic.exact:.0f}% are the same; Cohen's kappa is {kappa}.",
        ("", *classes),
        tuple((name, *map(str, row)) for name, row in zip(classes, automatic.table, strict=True)),
    )


def _beside_stajner(summary: Summary, number: int, rows: Sequence[PublishedRow]) -> Table:
    described, cells = STAJNER[number], []
    for row in rows:
        means = summary.systems[row.ours] if row.ours else {}
        cells.append((row.system, *_cells(means, row.printed, described.columns)))
    titles = map(str.lower, _titles(summary, described.columns))
    headers = [
        header
        for title, printed in zip(titles, described.columns.values(), strict=True)
        for header in ("ours" if len(described.columns) == 1 else f"{title} ours", *printed.values())
    ]
    return Table(f"Beside table {number}", described.note, ("System", *headers), tuple(cells))


def _cells(
    means: Mapping[str, Estimate | None], printed: Mapping[str, str], columns: Mapping[str, Mapping[str, str]]
) -> Iterator[str]:
    for measure, names in columns.items():
        yield _with_interval(means.get(measure))
        yield from (printed.get(name, MISSING) for name in names)


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
        ("", *_titles(summary, summary.agreement)),
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
