"""Cells that spreadsheet programs show as they are."""

import re

_FORMULA = re.compile(r"[=+\-@|＝＋－＠]")  # full-width ones are formulas in some programs


def guarded(text: str) -> str:
    """Text that no spreadsheet program takes for a formula: an apostrophe before what could start one."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """The text that `guarded` was given."""
    return text[1:] if text[:1] == "'" and _FORMULA.match(text, 1) else text
