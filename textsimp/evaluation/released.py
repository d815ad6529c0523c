"""Scores of the system outputs released with a paper, beside the numbers printed there (Jiang et al. 2020, table 8)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import quoted, read_records
from textsimp.core.results import Cell, Estimate, Resampling, Results
from textsimp.evaluation.leaderboard import LeaderboardConfig, released_leaderboard
from textsimp.evaluation.metric_agreement import MetricAgreementConfig, metric_agreement
from textsimp.evaluation.simplification import (
    EvaluationConfig,
    EvaluationSet,
    add_reference,
    add_scores,
    merge_signatures,
    output_statistics,
    read_output,
    read_test_set,
    signatures_of,
)
from textsimp.metrics.registry import IDENTITY, NEW, OLD, REFERENCE, system_name

TEST_SET, PRINTED, COUNTS = "turk", "printed", "table"
"""The scopes of our numbers and of the printed ones, and the system of the numbers of cells."""
COLUMNS = {"sari": "sari", "add": "sari.add", "keep": "sari.keep", "del": "sari.del", "fk": "fk", "len": "len"}
"""The measures by the columns of the printed table."""
_UNTRAINED = {"Complex (input)": IDENTITY, "Simple (reference)": REFERENCE}
_COMPLEX_FILE = "test.8turkers.tok"
_REFERENCES = 8
# the key of each simplifier and the name of its released files, by the name that table 8 uses
_SYSTEMS = {
    "LSTM": ("lstm", "lstm"),
    "Transformer_rand": ("transformer_rand", "transformer_random"),
    "EditNTS": ("editnts", "editnts"),
    "Transformer_bert": ("transformer_bert", "transformer_bert"),
}
_NUMBER = re.compile(r"-?\d{1,6}(\.\d{1,9})?")
_TRAINING_SETS = {"wikilarge": (OLD, "old_train"), "wiki_auto": (NEW, "new_train")}


@dataclass(frozen=True)
class PrintedRow:
    """A row of the printed table: our name of the system, its released file (None: not needed), measures and cells."""

    system: str
    file: str | None
    cells: dict[str, float]


def score_release(
    name: str,
    raw: Path,
    table: Path,
    submissions: Path,
    config: EvaluationConfig,
    section: Callable[[str, type[Any]], Any],
    resampling: Resampling,
) -> Results:
    """The results of an experiment on released outputs: `jiang2020`, `leaderboard` or `metric_agreement`.

    Args:
        raw: folder of the releases.
        table: the printed table, CSV.
        submissions: folder of the user's own outputs for the leaderboard.
        section: gives a section of params.yaml, of which each experiment has its own.

    Raises:
        InputError: an unknown name, or what `score_published` and `leaderboard.released_leaderboard` and
            `metric_agreement.metric_agreement` raise.
    """
    if name == "jiang2020":
        return score_published(raw, table, config)
    if name == "leaderboard":
        return released_leaderboard(
            raw, submissions, section("leaderboard", LeaderboardConfig), config.max_tokens, resampling
        )
    if name == "metric_agreement":
        return metric_agreement(raw, section("metric_agreement", MetricAgreementConfig), resampling)
    raise InputError(f"published experiment {name!r}: unknown; there is jiang2020, leaderboard, metric_agreement")


def score_published(raw: Path, table: Path, config: EvaluationConfig) -> Results:
    """Ours beside the printed for each row of the table.

    Args:
        raw: folder with `turk/test.8turkers.tok.norm` and `.turk.0` to `.7`, and `jiang2020_outputs/SYSTEM.TRAIN.txt`;
            or with these files side by side.
        table: the printed table as CSV: train_set, system, sari, add, keep, del, fk, len.
        config: section `evaluation`.

    Returns:
        Scope `turk`: our scores, and system `table`: `compared` and `equal`, numbers of cells that are printed and that
        ours equal when rounded alike. Scope `printed`: the table.

    Raises:
        InputError: an absent file, a line too many or too few, or a table that is none.
    """
    turk, released = _folder(raw, "turk"), _folder(raw, "jiang2020_outputs")
    complex_file = turk / f"{_COMPLEX_FILE}.norm"
    test = read_test_set(complex_file, [turk / f"{_COMPLEX_FILE}.turk.{i}" for i in range(_REFERENCES)])
    test = EvaluationSet(TEST_SET, test.complex_file, test.complex, test.references)
    rows, results, signatures = read_table(table), Results(), []
    for row in rows:
        if row.system == REFERENCE:
            add_reference(results, test, config)
            continue
        output = test.complex if row.file is None else read_output(released / row.file, test)
        statistics = output_statistics(test, output, config)
        add_scores(results, TEST_SET, row.system, statistics)
        signatures.append(signatures_of(statistics))
    if not signatures:
        raise bad_input(table, None, "names no system", "restore the printed table")
    results.signatures = merge_signatures(signatures)
    _add_printed(results, rows)
    return results


def read_table(path: Path) -> list[PrintedRow]:
    """The rows of a printed table with the cells that are not empty; `InputError` for a damaged one."""
    rows, remedy = [], "restore the printed table"
    for line, row in read_records(path, ("system", "train_set", *COLUMNS), remedy=remedy):
        if wrong := [row[name] for name in COLUMNS if row[name] and not _NUMBER.fullmatch(row[name])]:
            raise bad_input(path, line, f"{quoted(wrong[0])} is no number", remedy)
        cells = {measure: float(row[name]) for name, measure in COLUMNS.items() if row[name]}
        rows.append(PrintedRow(*_system(row["system"], row["train_set"], path, line), cells))
    return rows


def _system(printed: str, training_set: str, table: Path, line: int) -> tuple[str, str | None]:
    """Our name of a system, and its released file."""
    if printed in _UNTRAINED:
        return _UNTRAINED[printed], None
    try:
        (simplifier, file), (training, part) = _SYSTEMS[printed], _TRAINING_SETS[training_set]
    except KeyError as error:
        what = f"no released output is known for {quoted(str(error.args[0]))}"
        raise bad_input(table, line, what, "restore the table") from None
    return system_name(training, simplifier), f"{file}.{part}.txt"


def _add_printed(results: Results, rows: Sequence[PrintedRow]) -> None:
    equal = 0
    for row in rows:
        for measure, cell in row.cells.items():
            ours = results.estimates[Cell(TEST_SET, row.system, measure)].value
            equal += f"{ours:.1f}" == f"{cell:.1f}"
            results.estimates[Cell(PRINTED, row.system, measure)] = Estimate(cell)
    counts = {"compared": sum(len(row.cells) for row in rows), "equal": equal}
    for measure, number in counts.items():
        results.estimates[Cell(TEST_SET, COUNTS, measure)] = Estimate(number)


def _folder(raw: Path, release: str) -> Path:
    return raw / release if (raw / release).is_dir() else raw
