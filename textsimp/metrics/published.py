"""Scores of the system outputs released with a paper, beside the numbers printed there (Jiang et al. 2020, table 8)."""

import csv
import io
from pathlib import Path
from typing import Any

from textsimp.errors import bad_input
from textsimp.metrics.simplification import (
    UNTRAINED,
    EvaluationConfig,
    EvaluationSet,
    merge_signatures,
    read_output,
    read_test_set,
    readability_scores,
    scores_of,
    signatures_of,
    system_statistics,
    values,
)
from textsimp.textfiles import read_text

COLUMNS = ("sari", "add", "keep", "del", "fk", "len")
_COMPLEX, _REFERENCE = "Complex (input)", "Simple (reference)"
_TEST_SET = "test.8turkers.tok"
_REFERENCES = 8
# the names of the released files, by the names that table 8 uses
_SYSTEMS = {
    "LSTM": "lstm",
    "Transformer_rand": "transformer_random",
    "EditNTS": "editnts",
    "Transformer_bert": "transformer_bert",
}
_TRAIN_SETS = {"wikilarge": "old_train", "wiki_auto": "new_train"}


def score_published(raw: Path, table: Path, config: EvaluationConfig) -> dict[str, Any]:
    """Ours beside the printed for each row of the table.

    Args:
        raw: folder with `turk/test.8turkers.tok.norm` and `.turk.0` to `.7`, and `jiang2020_outputs/SYSTEM.TRAIN.txt`;
            or with these files side by side.
        table: the printed table as CSV: train_set, system, sari, add, keep, del, fk, len.
        config: section `evaluation`.

    Returns:
        `{"signatures", "rows": [{"system", "train_set", "ours", "published"}, ...], "cells": {"compared", "equal"},
        "differences": see differing_cells}`.

    Raises:
        InputError: an absent file, a line too many or too few, or a table that is none.
    """
    turk, released = _folder(raw, "turk"), _folder(raw, "jiang2020_outputs")
    test = read_test_set(turk / f"{_TEST_SET}.norm", [turk / f"{_TEST_SET}.turk.{i}" for i in range(_REFERENCES)])
    rows, signatures = [], []
    for row in read_table(table):
        if row["system"] == _REFERENCE:
            scores = readability_scores(line for lines in test.references for line in lines)
        else:
            scores = scores_of(system_statistics(test, _output(row, released, test, table), config))
            signatures.append(signatures_of(scores))
        rows.append({key: row[key] for key in ("system", "train_set", "published")} | {"ours": values(scores)})
    if not signatures:
        raise bad_input(table, None, "names no system", "restore the printed table")
    differences = differing_cells(rows)
    compared = sum(len(row["published"]) for row in rows)
    return {
        "signatures": merge_signatures(signatures),
        "rows": rows,
        "cells": {"compared": compared, "equal": compared - len(differences)},
        "differences": differences,
    }


def differing_cells(rows: list[dict[str, Any]], decimals: int = 1) -> list[dict[str, Any]]:
    """The cells that differ when rounded as printed: `{"system", "train_set", "metric", "ours", "published"}` each."""
    return [
        {"system": row["system"], "train_set": row["train_set"], "metric": metric}
        | {"ours": row["ours"][metric], "published": printed}
        for row in rows
        for metric, printed in row["published"].items()
        if f"{row['ours'][metric]:.{decimals}f}" != f"{printed:.{decimals}f}"
    ]


def read_table(path: Path) -> list[dict[str, Any]]:
    """The rows of a printed table: `system`, `train_set`, and under `published` the cells that are not empty."""
    reader = csv.DictReader(io.StringIO(read_text(path)))
    missing = {"system", "train_set", *COLUMNS} - set(reader.fieldnames or ())
    if missing:
        raise bad_input(path, 1, f"has no column {', '.join(sorted(missing))}", "restore the printed table")
    rows = []
    for row in reader:
        try:
            cells = {name: float(row[name]) for name in COLUMNS if row[name]}
        except ValueError as error:
            raise bad_input(path, reader.line_num, str(error), "restore the printed table") from None
        rows.append({"system": row["system"], "train_set": row["train_set"], "published": cells})
    return rows


def _folder(raw: Path, release: str) -> Path:
    return raw / release if (raw / release).is_dir() else raw


def _output(row: dict[str, Any], released: Path, test: EvaluationSet, table: Path) -> list[str]:
    if row["train_set"] == UNTRAINED and row["system"] == _COMPLEX:
        return list(test.complex)
    try:
        name = f"{_SYSTEMS[row['system']]}.{_TRAIN_SETS[row['train_set']]}.txt"
    except KeyError as error:
        raise bad_input(table, None, f"no released output is known for {error}", "restore the table") from None
    return read_output(released / name, test)
