"""The files of the earlier stages and the published tables, read when they are first asked for."""

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.errors import bad_input
from textsimp.core.reading import quoted, read_records
from textsimp.core.results import Results
from textsimp.reporting.plan import CorpusPlan, ReportPlan
from textsimp.reporting.seeds import SETTINGS, seeds_file

CsvRow = dict[str, str]
STAGES = {
    "alignment": "evaluate_alignment",
    "audit": "audit",
    "paragraphs": "evaluate_paragraphs",
    "corpora": "build_corpus",
    "simplification": "evaluate_simplification",
    "analysis": "analyse",
    "published": "score_published",
    "thesis": "evaluate_thesis",
    "human": "summarise_ratings",
}
"""The stage that writes the files of a folder of reports/."""
LEADERBOARD, AGREEMENT = "leaderboard", "metric_agreement"
"""Experiments on released outputs that have tables of their own."""
_NUMBER = re.compile(r"(\d+(\.\d+)?)?")
_TEXTS = set("source table system split statistic corpus unit test_set train_set measure relation".split())
"""Columns of the published tables that hold words; all others hold numbers."""


@dataclass(frozen=True)
class Folders:
    """Where the stages write, and the published tables."""

    reports: Path
    published: Path
    corpora: Path
    outputs: Path


class Run:
    """All that one run left, file by file.

    A file is read once. An absent one is an `InputError` that names the stage to run; one that another program wrote
    names its line or what is wrong with it.
    """

    def __init__(self, plan: ReportPlan, folders: Folders) -> None:
        self.plan = plan
        self.labels = plan.labels
        self.folders = folders
        self.results = functools.cache(self._results)
        self.printed = functools.cache(self._printed)

    @property
    def annotated(self) -> list[CorpusPlan]:
        """The corpora on which alignment systems are compared."""
        return [corpus for corpus in self.plan.corpora if corpus.is_annotated]

    @property
    def simplified(self) -> list[CorpusPlan]:
        """The corpora that simplifiers are trained on."""
        return [corpus for corpus in self.plan.corpora if corpus.is_simplified]

    def aligned(self, corpus: str) -> str:
        """The results of a corpus's alignment systems: means over seeds, else those of this run."""
        path = seeds_file(self.folders.reports, self.plan.experiment, corpus)
        name = f"seeds/{path.stem}"
        fits = path.is_file() and self.results(name).notes.get(SETTINGS) == self.plan.alignment_settings
        return name if fits else f"alignment/{corpus}"

    def corpus(self, name: str) -> CorpusPlan:
        """The corpus of a name."""
        return next(corpus for corpus in self.plan.corpora if corpus.name == name)

    def test_sets(self, corpus: str) -> list[str]:
        """The test sets of a corpus; that of the new corpus, or TURK, first."""
        results = self.results(f"simplification/{corpus}")
        return sorted(results.scopes(), key=lambda name: (name not in ("auto", "turk"), name))

    def boards(self) -> list[str]:
        """The test sets of the leaderboard, TURK first, for which most outputs were made."""
        if LEADERBOARD not in self.plan.published:
            return []
        return sorted(self.results(f"published/{LEADERBOARD}").scopes(), key=lambda name: (name != "turk", name))

    def curve(self, path: str, stage: str, name: str) -> list[CsvRow]:
        """The rows of a CSV file below reports/ that a stage writes for a corpus or run."""
        remedy = f"run the stage {stage} again"
        return [row for _, row in read_records(present(self.folders.reports / path, stage, name), remedy=remedy)]

    def printed_rows(self, file: str, where: Mapping[str, str]) -> list[CsvRow]:
        """The rows of a published table whose columns, so far as it has them, are as `where` says."""
        return [
            row for row in self.printed(file) if all(row.get(name, value) == value for name, value in where.items())
        ]

    def _results(self, name: str) -> Results:
        folder, _, corpus = name.partition("/")
        path = present(self.folders.reports / f"{name}.json", STAGES.get(folder, folder), corpus)
        return Results.read(path)

    def _printed(self, name: str) -> list[CsvRow]:
        path, remedy = self.folders.published / name, "restore the file from Git"
        rows = list(read_records(path, ["source"], remedy=remedy))
        if not rows:
            raise bad_input(path, None, "no row", remedy)
        for line, row in rows:
            numbers = (cell for column, cell in row.items() if column not in _TEXTS)
            if wrong := [cell for cell in numbers if not _NUMBER.fullmatch(cell)]:
                raise bad_input(path, line, f"{quoted(wrong[0])} is no number", remedy)
        return [row for _, row in rows]


def present(path: Path, stage: str, name: str = "") -> Path:
    """The path; `InputError` with the stage to run where there is no such file."""
    if not path.is_file():
        named = f" for {name}" if name else ""
        raise bad_input(path, None, "no such file", f"run the stage {stage}{named} first (`dvc repro {stage}`)")
    return path


def in_order(planned: Sequence[str], names: Sequence[str]) -> list[str]:
    """The names, the planned ones in their order first."""
    ranks = {name: rank for rank, name in enumerate(planned)}
    return sorted(names, key=lambda name: ranks.get(name, len(ranks)))
