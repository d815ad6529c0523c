"""The scores of `textsimp score` as a table of plain text."""

from collections.abc import Mapping, Sequence
from typing import Any

from textsimp.metrics.quality import ESTIMATES

_HEADER = ("metric", "output", "score", "95% interval")
_TESTS = ("difference", "95% interval", "p (bootstrap)", "p (randomisation)")
_RATIOS = (*ESTIMATES, "lexical_complexity")
"""What is no percentage, and gets a digit more."""
_LEFT = 2
"""Columns of text; numbers stand to the right."""


def score_table(result: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """A line for each metric and output, then the signatures and what was resampled.

    Args:
        result: see `ScoredOutputs.as_dict`.
        names: of the outputs.
    """
    if len(names) == 1:
        numbers = {part: result[part] for part in result["intervals"]}
        outputs = {names[0]: {"scores": numbers, "intervals": result["intervals"]}}
    else:
        outputs = result["outputs"]
    several = len(names) > 1
    rows: list[tuple[str, ...]] = [_HEADER + (_TESTS if several else ())]
    for part in outputs[names[0]]["scores"]:
        for name in names:
            row = outputs[name]
            digits = 3 if part in _RATIOS else 2
            cells = (part, name, f"{row['scores'][part]:.{digits}f}", bounds_text(*row["intervals"][part], digits))
            tests = result["differences"].get(name, {}).get(part) if several else None
            rows.append(cells + (_difference(tests, digits) if several else ()))
    lines = [*aligned(rows, _LEFT), ""]
    lines += [f"{metric}: {signature}" for metric, signature in result["signatures"].items()]
    settings = result["resampling"]
    lines.append(f"intervals: {settings['samples']} resamples of {result['lines']} lines, seed {settings['seed']}")
    if several:
        lines.append(f"differences: to {result['against']}, paired bootstrap and approximate randomisation")
    return lines


def _difference(tests: Mapping[str, float] | None, digits: int) -> tuple[str, ...]:
    if tests is None:
        return ("-",) * len(_TESTS)
    return (
        f"{tests['difference']:+.{digits}f}",
        bounds_text(tests["low"], tests["high"], digits, "+"),
        f"{tests['p_bootstrap']:.4f}",
        f"{tests['p_randomisation']:.4f}",
    )


def bounds_text(low: float, high: float, digits: int, sign: str = "") -> str:
    """An interval such as `[35.10, 38.02]`."""
    return f"[{low:{sign}.{digits}f}, {high:{sign}.{digits}f}]"


def aligned(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Rows of cells as lines of text; the first `left` columns stand to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
