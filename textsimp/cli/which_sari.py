"""The command `textsimp which-sari`: which recipe gives a number that somebody printed."""

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from textsimp.cli.arguments import AsJson
from textsimp.cli.command import Reads, command
from textsimp.cli.releases import EXPERIMENT, Mirror, Raw, files_of_test_set, release_folder
from textsimp.core.errors import InputError, check_choice
from textsimp.core.params import SHIPPED, from_conf
from textsimp.sources.text_folders import check_is_lines

if TYPE_CHECKING:
    from textsimp.evaluation.leaderboard import LeaderboardConfig
    from textsimp.evaluation.printed_numbers import Verdict


@command
def which_sari(
    printed: Annotated[str | None, typer.Option("--printed", help="The number as printed, such as 44.15.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", help="The output that it was printed of."), Reads(check=check_is_lines)
    ] = None,
    test_set: Annotated[
        str, typer.Option("--test-set", "-t", help="Test set: turk, asset or coster_kauchak.")
    ] = "turk",
    measure: Annotated[
        str, typer.Option("--measure", help="sari, add, keep, del, bleu, fk, len, word_f1 or ssa.")
    ] = "sari",
    released: Annotated[
        bool, typer.Option("--released", help="Judge all printed numbers whose outputs are released, as Markdown.")
    ] = False,
    mirror: Mirror = None,
    raw: Raw = None,
    as_json: AsJson = False,
) -> str:
    """Name every signature that gives a printed number to its precision, or the nearest ones."""
    from textsimp.evaluation.leaderboard import LeaderboardConfig  # numpy is slow to import
    from textsimp.evaluation.printed_numbers import MEASURES, candidates, verdict
    from textsimp.evaluation.simplification import read_output, read_test_set

    board = from_conf("leaderboard", LeaderboardConfig, f"experiment={EXPERIMENT}")
    if released:
        if printed is not None or output is not None or as_json:
            raise InputError("--released: goes without --printed, --output and --json")
        return _print_released(board, mirror, raw)
    if printed is None or output is None:
        raise InputError("--printed, --output: a number and the file that it was printed of are needed, or --released")
    check_choice("--measure", measure, MEASURES)
    verdict(printed, [(0.0, "")])  # a number that is none is found out before any work
    test = read_test_set(*files_of_test_set(board, test_set, mirror, raw))
    numbers = candidates(test, read_output(output, test))[measure]
    answer = verdict(printed, numbers)
    groups = [{"value": value, "signatures": names} for value, names in (*answer.matches, answer.nearest)]
    if as_json:
        tree = {"verdict": answer.word, "matches": groups[:-1], "nearest": groups[-1], "tried": len(numbers)}
        typer.echo(json.dumps(tree, indent=2))
    else:
        typer.echo("\n".join(_verdict_text(printed, measure, answer, len(numbers))))
    return f"{output}: {answer.word}"


def _verdict_text(printed: str, measure: str, verdict: "Verdict", tried: int) -> list[str]:
    given = sum(len(names) for _, names in verdict.matches)
    heads = {
        "identified": f"{measure} {printed}: {given} of {tried} signatures give it, all the same number",
        "ambiguous": f"{measure} {printed}: {given} of {tried} signatures give it, {len(verdict.matches)} numbers",
        "none": f"{measure} {printed}: none of {tried} signatures gives it; the nearest",
    }
    groups = verdict.matches or [verdict.nearest]
    return [heads[verdict.word], *(f"  {value:.4f}  {name}" for value, names in groups for name in names)]


def _print_released(board: "LeaderboardConfig", mirror: str | None, raw: Path | None) -> str:
    from textsimp.evaluation.printed_numbers import WORDS, released_numbers, shares

    folders = ["turk", "jiang2020_outputs", "bless", "coster_kauchak_2011"]
    verdicts = released_numbers(release_folder(folders, mirror, raw), SHIPPED / "data" / "published", board)
    header, *rows = shares(verdicts)
    lines = [header, ("---", "---", *["--:"] * (len(header) - 2)), *rows]
    typer.echo("\n".join(f"| {' | '.join(row)} |" for row in lines))
    words = Counter(verdict.word for _, _, verdict in verdicts)
    counts = ", ".join(f"{words[word]} {word} ({words[word] / len(verdicts):.0%})" for word in WORDS)
    return f"which-sari: {len(verdicts)} printed numbers: {counts}"
