"""The command lines of `textsimp score` and `leaderboard`: options with several values, as a shell's `*` gives them."""

from collections.abc import Sequence
from typing import Any

from typer.core import TyperCommand

REPEATED = ("--output", "--reference", "--metric", "--name")


class ScoreCommand(TyperCommand):
    """A command whose options `REPEATED` take any number of values."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse `--reference a b` as `--reference a --reference b`."""
        return super().parse_args(ctx, spread_values(args))


def spread_values(arguments: Sequence[str]) -> list[str]:
    """Each further value of an option in `REPEATED` with the option's name before it."""
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
