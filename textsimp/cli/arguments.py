"""What the commands that score share: options with several values, options of the resampling, and text tables."""

from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from textsimp.core.params import from_conf
from textsimp.core.results import Comparison, Estimate, Resampling

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
        if argument.startswith("--"):
            option, values = argument.partition("=")[0], int("=" in argument)
        elif option in REPEATED:
            spread += [option] * (values > 0)
            values += 1
        spread.append(argument)
    return spread


def resampling_of(samples: int | None, seed: int | None) -> Resampling:
    """The resampling of conf/resampling, or the command line's values; `InputError` for a bad number."""
    default = from_conf("resampling", Resampling)
    return Resampling(default.samples if samples is None else samples, default.seed if seed is None else seed)


def bounds_text(bounds: Estimate | Comparison, digits: int, sign: str = "") -> str:
    """An interval such as `[35.10, 38.02]`; `-` where nothing was resampled."""
    if bounds.low is None or bounds.high is None:
        return "-"
    return f"[{bounds.low:{sign}.{digits}f}, {bounds.high:{sign}.{digits}f}]"


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
