"""Scores of the outputs released with a paper, beside the numbers printed there; `TABLES` has each such table."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import quoted, read_json, read_records
from textsimp.core.records import NEW, OLD
from textsimp.core.results import Resampling, Results, as_printed
from textsimp.evaluation.leaderboard import LeaderboardConfig, released_leaderboard
from textsimp.evaluation.simplification import (
    EvaluationConfig,
    add_reference,
    add_scores,
    add_signatures,
    output_statistics,
    read_columns,
    read_output,
    read_test_set,
    text_statistics,
)
from textsimp.metrics.registry import IDENTITY, REFERENCE, system_name
from textsimp.metrics.scores import Statistics
from textsimp.sources.parallel import MISSING

COUNTS = "table"
"""The system of the numbers of cells and of sentences."""
COLUMNS = {"sari": "sari", "add": "sari.add", "keep": "sari.keep", "del": "sari.del", "fk": "fk", "len": "len"}
"""The measures by the columns of the printed table."""
_UNTRAINED = {"Complex (input)": IDENTITY, "Simple (reference)": REFERENCE}
_FILES = {
    "LSTM": "lstm",
    "Transformer_rand": "transformer_random",
    "EditNTS": "editnts",
    "Transformer_bert": "transformer_bert",
}
"""What the names of the released files begin with, by the name of the simplifier in the tables."""
_TRAINING_SETS = {"wikilarge": OLD, "newsela_old": OLD, "wiki_auto": NEW, "newsela_auto": NEW}
_PARTS = {OLD: "old_train", NEW: "new_train"}
_NUMBER = re.compile(r"-?\d{1,6}(\.\d{1,9})?")
_ZHANG = "zhang2017_newsela_outputs"
_TURK = "turk/test.8turkers.tok"
_TURK_REFERENCES = tuple(f"{_TURK}.turk.{number}" for number in range(8))


@dataclass(frozen=True)
class PrintedTestSet:
    """A test set of a printed table: its files, below the folder of the releases.

    printed: its name in the table; our numbers are in a scope of its key.
    outputs: the released files, where `{}` is the name of system and training set.
    complex, references: the sentences and what they are compared with; without them the outputs are measured alone.
    others: outputs that the table lacks, by the names of the systems, which learned from the old training set.
    """

    printed: str
    outputs: str
    complex: str | None = None
    references: tuple[str, ...] = ()
    others: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PrintedTable:
    """A printed table, a CSV file of data/published, by `kind` of corpus (`labels.kinds`), and its test sets by key."""

    kind: str
    file: str
    test_sets: Mapping[str, PrintedTestSet]


TABLES = {
    "jiang2020": PrintedTable(
        "wiki",
        "simplification_turk.csv",
        {"turk": PrintedTestSet("turk", "jiang2020_outputs/{}.txt", f"{_TURK}.norm", _TURK_REFERENCES)},
    ),
    "jiang2020_newsela": PrintedTable(
        "newsela",
        "simplification_newsela.csv",
        {
            "old": PrintedTestSet(
                "newsela_old",
                "jiang2020_newsela_outputs/{}_old_test.txt",
                f"{_ZHANG}/Complex",
                (f"{_ZHANG}/Reference",),
                {name: f"{_ZHANG}/{name}" for name in ("PBMT-R", "Hybrid", "EncDecA", "Dress", "Dress-Ls")},
            ),
            "auto": PrintedTestSet("newsela_auto", "jiang2020_newsela_outputs/{}_new_test.txt"),
        },
    ),
}
"""The tables of Jiang et al. 2020 whose outputs were released (8 and 5), by published experiment."""


@dataclass(frozen=True)
class PrintedRow:
    """A row of a printed table: its test set, our name of the system, its files (None: not needed), measures and cells.

    The cells are as printed, since their digits say to how many they are compared.
    """

    test_set: str
    system: str
    file: str | None
    cells: dict[str, str]


def score_release(
    name: str,
    raw: Path,
    published: Path,
    submissions: Path,
    config: EvaluationConfig,
    section: Callable[[str, type[Any]], Any],
    resampling: Resampling,
) -> Results:
    """Return the results of an experiment on released outputs: a key of `TABLES`, or `leaderboard`.

    Args:
        raw: folder of the releases.
        published: folder of the printed tables.
        submissions: folder of the user's own outputs for the leaderboard.
        section: gives a section of params.yaml, of which each experiment has its own.

    Raises:
        InputError: an unknown name, or what `score_printed` and `leaderboard.released_leaderboard` raise.
    """
    if name in TABLES:
        return score_printed(TABLES[name], raw, published, config)
    if name == "leaderboard":
        board = section("leaderboard", LeaderboardConfig)
        return released_leaderboard(raw, submissions, board, config.max_tokens, resampling)
    raise InputError(f"published experiment {name!r}: unknown; there is {', '.join((*TABLES, 'leaderboard'))}")


def score_printed(table: PrintedTable, raw: Path, published: Path, config: EvaluationConfig) -> Results:
    """Return our numbers for each row of a printed table whose output is released.

    Args:
        raw: folder of the releases, `RELEASE/FILE`.
        published: folder of the printed tables, CSV: test_set, train_set, system, sari, add, keep, del, fk, len.
        config: section `evaluation`.

    Returns:
        A scope for each test set: our scores, and of the system `table` the numbers of `sentences`, of `printed` cells,
        of those that are computed here (`compared`), and of those that ours equal, rounded alike. The note `kind` is
        the table's. Where `acquire` went on without the outputs there are no scopes, but the notes `missing` and `how`.

    Raises:
        InputError: an absent file, a line too many or too few, or a table that is none.
    """
    results = Results(notes={"kind": table.kind})
    if (raw / MISSING).is_file():
        results.notes |= read_json(raw / MISSING)
        return results
    rows = read_table(published / table.file)
    for scope, described in table.test_sets.items():
        of_test_set = [row for row in rows if row.test_set == described.printed]
        if not any(row.file for row in of_test_set):
            what = f"names no system for {described.printed}"
            raise bad_input(published / table.file, None, what, "restore the printed table")
        statistics = _statistics(results, scope, described, of_test_set, raw, config)
        for system, of_system in statistics.items():
            add_scores(results, scope, system, of_system)
            add_signatures(results, of_system)
        _add_counts(results, scope, of_test_set)
    return results


def _statistics(
    results: Results, scope: str, described: PrintedTestSet, rows: list[PrintedRow], raw: Path, config: EvaluationConfig
) -> dict[str, Statistics]:
    """Return the statistics of the outputs by system; write the number of sentences, and scores of the references."""
    files = {row.system: raw / described.outputs.format(row.file) for row in rows if row.file}
    files |= {system_name(OLD, name): raw / file for name, file in described.others.items()}
    if described.complex is None:
        columns = read_columns(list(files.values()))
        results.put(scope, COUNTS, {"sentences": len(columns[0])})
        return {system: text_statistics(lines, config) for system, lines in zip(files, columns, strict=True)}
    test = read_test_set(raw / described.complex, [raw / file for file in described.references])
    test = replace(test, name=scope)
    outputs = {IDENTITY: test.complex} | {system: read_output(path, test) for system, path in files.items()}
    add_reference(results, test, config)
    results.put(scope, COUNTS, {"sentences": len(test.complex)})
    return {system: output_statistics(test, lines, config) for system, lines in outputs.items()}


def read_table(path: Path) -> list[PrintedRow]:
    """Return the rows of a printed table with the cells that are not empty; `InputError` for a damaged one."""
    rows, remedy = [], "restore the printed table"
    for line, row in read_records(path, ("test_set", "train_set", "system", *COLUMNS), remedy=remedy):
        if wrong := [row[name] for name in COLUMNS if row[name] and not _NUMBER.fullmatch(row[name])]:
            raise bad_input(path, line, f"{quoted(wrong[0])} is no number", remedy)
        cells = {measure: row[name] for name, measure in COLUMNS.items() if row[name]}
        rows.append(PrintedRow(row["test_set"], *_system(row["system"], row["train_set"], path, line), cells))
    return rows


def _system(printed: str, training_set: str, table: Path, line: int) -> tuple[str, str | None]:
    """Return our name of a system, and what the names of its released files begin with."""
    if printed in _UNTRAINED:
        return _UNTRAINED[printed], None
    try:
        file, training = _FILES[printed], _TRAINING_SETS[training_set]
    except KeyError as error:
        what = f"no released output is known for {quoted(str(error.args[0]))}"
        raise bad_input(table, line, what, "restore the table") from None
    return system_name(training, printed.lower()), f"{file}.{_PARTS[training]}"


def _add_counts(results: Results, scope: str, rows: Sequence[PrintedRow]) -> None:
    pairs = [
        (value, printed)
        for row in rows
        for measure, printed in row.cells.items()
        if (value := results.value(scope, row.system, measure)) is not None
    ]
    equal = sum(as_printed(value, printed) == printed for value, printed in pairs)
    counts = {"compared": len(pairs), "equal": equal, "printed": sum(len(row.cells) for row in rows)}
    results.put(scope, COUNTS, counts)
