"""What commands share: options with several values, options of the resampling, text tables, nested results."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.results import Comparison, Estimate, Resampling
from textsimp.core.settings import structured

REPEATED = ("--output", "--reference", "--metric", "--name")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Samples = Annotated[
    int | None,
    typer.Option(
        min=1, max=100_000, help="Number of resamples for intervals and tests.", show_default="conf/resampling"
    ),
]
Seed = Annotated[
    int | None, typer.Option(min=0, max=2**63 - 1, help="Seed of the resampling.", show_default="conf/resampling")
]
Workers = Annotated[
    int | None, typer.Option(min=1, max=1024, help="Number of processes, for much work; by default all cores.")
]


class ScoreCommand(TyperCommand):
    """A command whose options `REPEATED` take any number of values."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse `--reference a b` as `--reference a --reference b`."""
        return super().parse_args(ctx, spread_values(args))


def spread_values(arguments: Sequence[str]) -> list[str]:
    """The arguments, with the option's name before each further value of an option in `REPEATED`."""
    spread: list[str] = []
    option, values = "", 0
    for argument in arguments:
        if argument.startswith("-") and argument != "-":
            option, values = argument.partition("=")[0], int("=" in argument)
        elif option in REPEATED:
            spread += [option] * (values > 0)
            values += 1
        spread.append(argument)
    return spread


def named_files(option: str, values: Sequence[str]) -> dict[str, Path]:
    """The `NAME=FILE` values of an option by name.

    An `InputError` for one without a name or a file, and for a name given twice.
    """
    files: dict[str, Path] = {}
    for value in values:
        name, mark, path = value.partition("=")
        if not (mark and name.strip() and path.strip()):
            raise InputError(f"{option} {value!r}: expected NAME=FILE; give the file a name, as in mine=FILE")
        if name in files:
            raise InputError(f"{option} {value!r}: the name {name!r} is given twice; names part the systems")
        files[name] = Path(path)
    return files


def resampling_of(samples: int | None, seed: int | None) -> Resampling:
    """The resampling of conf/resampling, or the command line's values; `InputError` for a bad number."""
    given = {"samples": samples, "seed": seed}
    default = asdict(from_conf("resampling", Resampling))
    return structured(default | {key: number for key, number in given.items() if number is not None}, Resampling)


def bounds_text(bounds: Estimate | Comparison, digits: int, sign: str = "") -> str:
    """An interval such as `[35.10, 38.02]`; `-` where nothing was resampled."""
    if bounds.low is None or bounds.high is None:
        return "-"
    return f"[{bounds.low:{sign}.{digits}f}, {bounds.high:{sign}.{digits}f}]"


def p_text(p: float | None, samples: int, digits: int = 4) -> str:
    """Return a p value as it is shown: not below what so many resamples, and so many digits, can tell."""
    if p is None:
        return "-"
    least = max(10.0**-digits, 1 / max(samples, 1))
    return f"< {least:.{digits}f}" if p < least else f"{p:.{digits}f}"


def aligned(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Rows of cells as lines of text; the first `left` columns are left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def show(result: dict[str, Any], as_json: bool) -> None:
    """Print JSON, or one line per value or group of values."""
    if as_json:
        typer.echo(json.dumps(result, ensure_ascii=False, indent=2))
        return
    for line in _lines(result, ""):
        typer.echo(line)


def _lines(value: dict[str, Any], prefix: str) -> Iterator[str]:
    """The values of nested groups, each group of plain values on a line of its own."""
    plain = {key: item for key, item in value.items() if not isinstance(item, dict | list)}
    if prefix and plain:
        yield f"{prefix}: {', '.join(f'{key} {_text(item)}' for key, item in plain.items())}"
    elif plain:
        yield from (f"{key}: {_text(item)}" for key, item in plain.items())
    for key, item in value.items():
        for number, part in enumerate(item if isinstance(item, list) else [item]):
            if isinstance(part, dict):
                name = f"{key} {number + 1}" if isinstance(item, list) else key
                yield from _lines(part, f"{prefix}, {name}" if prefix else name)


def _text(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else str(value)
