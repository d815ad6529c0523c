"""reports/results.json: the tables of the report with their numbers in full precision."""

from collections.abc import Sequence
from typing import Any

from textsimp.reporting.tables import Cell, Table


def results_object(experiment: str, sections: Sequence[tuple[str, Sequence[Table]]]) -> dict[str, Any]:
    """`{"experiment", "tables": [{key, section, title, lead, text, columns, rows}]}`.

    A column is `{group, header, note}`, its note being the signature of its numbers or what they are. A row is
    `{heading, cells}`, the heading empty where it goes on. A cell is `{text}` as printed, with `value` (full
    precision), `interval` (95 percent) and `best` where it has them.
    """
    tables = [_table(section, table) for section, found in sections for table in found]
    return {"experiment": experiment, "tables": tables}


def _table(section: str, table: Table) -> dict[str, Any]:
    return {
        "key": table.key,
        "section": section,
        "title": table.title,
        "lead": table.lead,
        "text": table.text,
        "columns": [{"group": c.group, "header": c.header, "note": c.note} for c in table.columns],
        "rows": [{"heading": row.heading, "cells": [_cell(cell) for cell in row.cells]} for row in table.rows],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    found: dict[str, Any] = {"text": cell.text}
    if cell.value is not None:
        found["value"] = cell.value
    if cell.interval is not None:
        found["interval"] = list(cell.interval)
    return found | ({"best": True} if cell.best else {})
