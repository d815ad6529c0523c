"""The tables that Jiang et al. 2020 and other papers print, from the CSV files of data/published; cells as printed."""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.reporting.alignment.names import KAJIWARA, STAJNER
from textsimp.reporting.names import PAPER
from textsimp.textfiles import read_text

Printed = dict[str, str]
SIMPLIFICATION_COLUMNS = ("sari", "add", "keep", "del", "fk", "len")
HUMAN_COLUMNS = ("levels_0_1", "levels_0_4", "levels_3_4")
SIMILARITY_COLUMNS = ("good_maxf1", "good_auc", "good_partial_maxf1", "good_partial_auc")
_TASKS = {"task1": "t1", "task2": "t2"}
_MEASURES = ("precision", "recall", "f1")
_NUMBER = re.compile(r"(\d+(\.\d+)?)?")
_RESTORE = "restore the file from Git"


class Published:
    """The printed tables; each file is read once, when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, list[Printed]] = {}

    def alignment(self, kind: str, split: str) -> tuple[str, dict[str, dict[str, Printed]]]:
        """Tables 2 and 3 (newsela test and dev), 13 and 12 (wiki): table name; system -> task -> measure -> cell."""
        name = "alignment_wiki_manual.csv" if kind == "wiki" else f"alignment_newsela_manual_{split}.csv"
        rows = self._rows(name, ("table", "system"), ("t1_precision", "t1_recall", "t1_f1"))
        rows = [row for row in rows if row.get("split", split) == split]
        systems = {row["system"]: {task: _measures(row, prefix) for task, prefix in _TASKS.items()} for row in rows}
        return _table_name(rows), systems

    def statistics(self, table: str) -> dict[str, dict[str, str]]:
        """Table 1 or 4: statistic -> corpus -> cell, both in the order of the file."""
        found: dict[str, dict[str, str]] = {}
        for row in self._rows("corpus_statistics.csv", ("table", "statistic", "corpus"), ("value",)):
            if row["table"] == table:
                found.setdefault(row["statistic"], {})[row["corpus"]] = row["value"]
        return found

    def simplification(self, kind: str, test_set: str | None) -> dict[tuple[str, str], Printed]:
        """Table 5 (newsela) or 8 (wiki) for one test set: (training set, system) -> measure -> cell."""
        name = "simplification_turk.csv" if kind == "wiki" else "simplification_newsela.csv"
        rows = self._rows(name, ("table", "test_set", "train_set", "system"), SIMPLIFICATION_COLUMNS)
        return {
            (row["train_set"], row["system"]): {measure: row[measure] for measure in SIMPLIFICATION_COLUMNS}
            for row in rows
            if row["test_set"] == test_set
        }

    def human_alignment(self) -> dict[str, Printed]:
        """Table 2 of Stajner et al. 2017, sentences: system -> levels -> percent judged good or partly good."""
        rows = self._rows("alignment_newsela_human.csv", ("table", "unit", "system"), HUMAN_COLUMNS, STAJNER)
        return {row["system"]: row for row in rows if row["unit"] == "sentence"}

    def similarities(self) -> dict[str, Printed]:
        """Table 1 of Kajiwara and Komachi 2016: system -> MaxF1 and AUC, from 0 to 1."""
        rows = self._rows("sentence_similarity_hwang.csv", ("table", "system"), SIMILARITY_COLUMNS, KAJIWARA)
        return {row["system"]: row for row in rows}

    def rewriting(self, table: str, source: str = PAPER, corpus: str = "wiki") -> dict[str, Printed]:
        """What a paper says of kinds of rewriting: measure -> `percent`, and `relation` where it is of new data to old.

        Args:
            table: Figure 2 or 3 of Jiang et al. 2020, of which the text has no share but these relations; Table 1 or 2
                of Coster and Kauchak 2011 (source `COSTER`).
        """
        texts = ("table", "corpus", "measure", "relation")
        rows = self._rows("rewriting.csv", texts, ("percent",), source)
        return {row["measure"]: row for row in rows if (row["table"], row["corpus"]) == (table, corpus)}

    def _rows(self, name: str, texts: Sequence[str], numbers: Sequence[str], source: str = PAPER) -> list[Printed]:
        """The rows of a paper in a file that has these columns; numbers are numbers or empty."""
        if name not in self._files:
            path = self._folder / name
            reader = csv.DictReader(io.StringIO(read_text(path)))
            if missing := [
                column for column in ("source", *texts, *numbers) if column not in (reader.fieldnames or ())
            ]:
                raise bad_input(path, 1, f"no column {missing[0]!r}", _RESTORE)
            rows = list(reader)
            for line, row in enumerate(rows, 2):
                if None in row or None in row.values():
                    raise bad_input(path, line, "another number of cells than the header", _RESTORE)
                if wrong := [row[column] for column in numbers if not _NUMBER.fullmatch(row[column])]:
                    raise bad_input(path, line, f"{wrong[0]!r} is no number", _RESTORE)
            self._files[name] = rows
        return [row for row in self._files[name] if row["source"] == source]


def _measures(row: Printed, prefix: str) -> Printed:
    """The cells of one task that the table has; the Wikipedia tables have none for Task 2."""
    names = {measure: f"{prefix}_{measure}" for measure in _MEASURES}
    return {measure: row[column] for measure, column in names.items() if row.get(column)}


def _table_name(rows: list[Printed]) -> str:
    return rows[0]["table"] if rows else "no table"
