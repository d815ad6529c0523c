"""The files of the earlier stages and the published tables, read when they are first asked for."""

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.errors import bad_input
from textsimp.core.reading import quoted, read_records
from textsimp.core.results import Results, as_printed
from textsimp.metrics.degenerate import note_of
from textsimp.reporting.plan import SETTINGS, ReportPlan, seeds_file
from textsimp.reporting.table import Cell, Column, comparison_cell, estimate_cell, printed_cell
from textsimp.reporting.texts import present

CsvRow = dict[str, str]
STAGES = {
    "alignment": "evaluate_alignment",
    "audit": "audit",
    "paragraphs": "evaluate_paragraphs",
    "corpora": "build_corpus",
    "simplification": "evaluate_simplification",
    "analysis": "analyse",
    "published": "score_published",
    "human": "summarise_ratings",
}
"""The stage that writes the files of a folder of reports/."""
LEADERBOARD = "leaderboard"
"""The experiment on released outputs that has tables of its own."""
_NUMBER = re.compile(r"(\d+(\.\d+)?)?")
_TEXTS = set("source table system split statistic corpus unit test_set train_set measure relation".split())
"""Columns of the published tables that hold words; all others hold numbers."""


@dataclass(frozen=True)
class Folders:
    """The folders that the stages write, and that of the published tables."""

    reports: Path
    published: Path
    corpora: Path
    outputs: Path


class Run:
    """All that one run left, file by file; alignment systems are compared on `annotated`, simplifiers on `simplified`.

    A file is read once. An absent one is an `InputError` that names the stage to run; one that another program wrote
    names its line or what is wrong with it.
    """

    def __init__(self, plan: ReportPlan, folders: Folders) -> None:
        self.plan = plan
        self.labels, self.label, self.of_aligner = plan.labels, plan.labels.label, plan.labels.of_aligner
        self.folders = folders
        self.annotated = [corpus for corpus in plan.corpora if corpus.is_annotated]
        self.simplified = [corpus for corpus in plan.corpora if corpus.is_simplified]
        self.results = functools.cache(self._read_results)
        self._rows = functools.cache(self._read_printed)

    def aligned(self, corpus: str) -> str:
        """Return the name of results of a corpus's alignment systems: means over seeds, else those of this run."""
        path = seeds_file(self.folders.reports, self.plan.experiment, corpus)
        name = f"seeds/{path.stem}"
        fits = path.is_file() and self.results(name).notes.get(SETTINGS) == self.plan.alignment_settings
        return name if fits else f"alignment/{corpus}"

    def test_sets(self, corpus: str) -> list[str]:
        """Return the test sets of a corpus; that of the new corpus, or TURK, first."""
        scopes = self.results(f"simplification/{corpus}").scopes()
        return sorted(scopes, key=lambda name: (name not in ("auto", "turk"), name))

    def printed(self, file: str, **where: str) -> "PrintedTable":
        """Return the rows of a published table that have `where` in their columns, as far as it has these."""
        return PrintedTable([row for row in self._rows(file) if _fits(row, where)] if file else [])

    def at(self, results: str, scope: str) -> "Numbers":
        """Return the numbers of a results file below reports/ in one scope."""
        return Numbers(self.results(results), scope)

    def _read_results(self, name: str) -> Results:
        folder, _, corpus = name.partition("/")
        return Results.read(present(self.folders.reports / f"{name}.json", STAGES.get(folder, folder), corpus))

    def _read_printed(self, name: str) -> list[CsvRow]:
        path, remedy = self.folders.published / name, "restore the file from Git"
        rows = list(read_records(path, ["source"], remedy=remedy))
        if not rows:
            raise bad_input(path, None, "no row", remedy)
        for line, row in rows:
            numbers = (cell for column, cell in row.items() if column not in _TEXTS)
            if wrong := [cell for cell in numbers if not _NUMBER.fullmatch(cell)]:
                raise bad_input(path, line, f"{quoted(wrong[0])} is no number", remedy)
        return [row for _, row in rows]


@dataclass(frozen=True)
class PrintedTable:
    """Rows that a paper prints."""

    rows: list[CsvRow]

    @property
    def name(self) -> str:
        """Return its name in the paper, such as `Table 2`; empty where there is none."""
        return self.rows[0]["table"] if self.rows else ""

    def text(self, column: str, **key: str) -> str:
        """Return a cell of the row that has the key; empty where there is none."""
        return next((row.get(column, "") for row in self.rows if _fits(row, key)), "")

    def number(self, column: str, **key: str) -> float | None:
        """Return the number of the row that has the key; None where there is none."""
        return float(text) if (text := self.text(column, **key)) else None

    def cell(self, column: str, **key: str) -> Cell:
        """Return a cell of the row that has the key as a cell of ours."""
        return printed_cell(self.text(column, **key))

    def values(self, column: str) -> list[str]:
        """The distinct values of a column."""
        return list(dict.fromkeys(row[column] for row in self.rows))


@dataclass(frozen=True)
class Numbers:
    """The numbers of one scope of a results file, as cells."""

    results: Results
    scope: str

    @property
    def systems(self) -> list[str]:
        """The systems of the scope in their order."""
        return self.results.systems(self.scope)

    @property
    def measures(self) -> list[str]:
        """The measures of the scope in their order."""
        return list(dict.fromkeys(cell.measure for cell in self.results.estimates if cell.scope == self.scope))

    def value(self, system: str, measure: str) -> float | None:
        """Return a number, or None."""
        return self.results.value(self.scope, system, measure)

    def text(self, system: str, measure: str, form: str) -> str:
        """Return a number in a form such as `.1f`, with its interval after `±`; empty where it is absent."""
        found, plain = self.results.get(self.scope, system, measure), form.removesuffix("±")
        if found is None:
            return ""
        return f"{found.value:{plain}}" + (f" ({found.low:{plain}} to {found.high:{plain}})" if "±" in form else "")

    def counts(self, *measures: str) -> list[str]:
        """Return numbers of the test set itself, with separated thousands; empty where they are absent."""
        return [self.text("reference", measure, ",") for measure in measures]

    def cell(self, system: str, measure: str, digits: int = 1, interval: bool = True, printed: str = "") -> Cell:
        """Return a number as a cell, coloured by whether it is equal to a printed one, rounded alike."""
        found = self.results.get(self.scope, system, measure)
        is_equal = found is not None and as_printed(found.value, printed) == printed
        return estimate_cell(found, digits, interval, ("good" if is_equal else "bad") if printed else "")

    def cells(self, systems: Iterable[str], measure: str, digits: int = 1, interval: bool = True) -> list[Cell]:
        """Return a number of each system."""
        return [self.cell(system, measure, digits, interval) for system in systems]

    def columns(
        self,
        systems: Sequence[str],
        measures: Mapping[str, str],
        group: str = "",
        short: str = "",
        digits: int = 1,
        interval: bool = True,
        recipe: str = "",
    ) -> dict[Column, list[Cell]]:
        """Return a column for each measure, by its header, with the signature of the `recipe`, or its own, as note."""
        return {
            Column(group, header, self.signature(recipe or measure), short): [
                self.cell(system, measure, digits, interval) for system in systems
            ]
            for measure, header in measures.items()
        }

    def gap(self, measure: str, system: str, base: str) -> Cell:
        """Return how far a system is above another one."""
        return comparison_cell(self.results.compared(self.scope, measure, system, base))

    def signature(self, measure: str) -> str:
        """Return the signature of a measure, or of the one that it is a part of; empty where it has none."""
        names = [name for part in (measure, measure.partition(".")[0]) for name in (part, f"{part}@{self.scope}")]
        return next((self.results.signatures[name] for name in names if name in self.results.signatures), "")

    def is_degenerate(self, system: str) -> bool:
        """Return whether the outputs of a system say nothing."""
        return note_of(self.scope, system) in self.results.notes


def _fits(row: CsvRow, key: Mapping[str, str]) -> bool:
    return all(row.get(column, value) == value for column, value in key.items())


def in_order(planned: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the names, the planned ones in their order first."""
    ranks = {name: rank for rank, name in enumerate(planned)}
    return sorted(names, key=lambda name: ranks.get(name, len(ranks)))
