"""Runs of language models on ASSET's test set, with what EASSE printed of each: BLESS (Kew et al. 2023).

A run is `NAME.jsonl`, one JSON object a sentence (`source`, `model_output`, `references`), and `NAME.eval`: two lines,
names and numbers between semicolons.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.errors import bad_input
from textsimp.core.reading import quoted, read_json_lines, read_records

SUFFIX = ".jsonl"
_NUMBER = re.compile(r"-?\d{1,9}(\.\d{1,9})?")
_REMEDY = "fetch the release again"


@dataclass(frozen=True)
class Run:
    """N sentences, a model's output for each, and R sets of references, as released."""

    sources: list[str]
    outputs: list[str]
    references: list[list[str]]


def read_run(path: Path) -> Run:
    """Return one run; white space inside an output is made one space, as an output is one line.

    `InputError` where the file is absent, empty or damaged, or its sentences have different numbers of references.
    """
    rows = []
    for line, row in read_json_lines(path, _REMEDY):
        fields = [row.get(name) for name in ("source", "model_output", "references")] if isinstance(row, dict) else []
        match fields:
            case [str(source), str(output), [str(), *_] as goals] if all(isinstance(goal, str) for goal in goals):
                rows.append((source, " ".join(output.split()), goals))
            case _:
                raise bad_input(path, line, "no texts source and model_output and list of references", _REMEDY)
        if len(goals) != len(rows[0][2]):
            raise bad_input(path, line, f"{len(goals)} references where the first has {len(rows[0][2])}", _REMEDY)
    if not rows:
        raise bad_input(path, None, "has no run", _REMEDY)
    sources, outputs, references = zip(*rows, strict=True)
    return Run(list(sources), list(outputs), [list(column) for column in zip(*references, strict=True)])


def read_printed(path: Path) -> dict[str, str]:
    """Return the printed numbers of a run by name, as text; `InputError` where the file is absent or damaged."""
    rows = list(read_records(path, delimiter=";", remedy=_REMEDY))
    if len(rows) != 1:
        raise bad_input(path, None, f"{len(rows)} lines of numbers where there is one", _REMEDY)
    line, row = rows[0]
    row.pop("file_id", None)
    if wrong := [cell for cell in row.values() if not _NUMBER.fullmatch(cell)]:
        raise bad_input(path, line, f"{quoted(wrong[0])} is no number", _REMEDY)
    return row
