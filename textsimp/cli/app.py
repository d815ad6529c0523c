"""The command `textsimp`, put together."""

import os
import sys
from typing import Annotated

import typer
from typer import Option

from textsimp import __version__
from textsimp.cli.alignment import align, convert, evaluate_alignment
from textsimp.cli.command import ABOUT, Commands, examples
from textsimp.cli.corpus import corpus, extract_wikipedia
from textsimp.cli.human import app as human_app
from textsimp.cli.leaderboard_command import leaderboard
from textsimp.cli.pages import annotate, review
from textsimp.cli.score import score
from textsimp.cli.simplify import simplify

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Sentence alignment, simplification and evaluation.",
    epilog=examples("textsimp align hard.txt easy.txt pairs.tsv", "textsimp COMMAND --help"),
)
EXTRAS = {
    **dict.fromkeys(("docx", "lxml", "pypdf"), "documents"),
    **dict.fromkeys(("mwparserfromhell", "mwxml"), "dumps"),
    **dict.fromkeys(("spacy", "tokenizers"), "train"),
    **{"krippendorff": "human", "peft": "lm", "pyarrow": "parquet", "ray": "ray"},
}
"""Imported package -> the extra of pyproject.toml that installs it."""

for _command in (
    *(align, convert, corpus, evaluate_alignment, annotate, simplify, review, score, leaderboard),
    extract_wikipedia,
):
    app.command(_command.__name__.replace("_", "-"), **ABOUT[_command])(_command)
app.add_typer(human_app, name="human")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"textsimp {__version__}")
        raise typer.Exit()


@app.callback()
def options(
    version: Annotated[
        bool, Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options of the command itself."""


def main() -> None:
    """Entry point of the installed command."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # see stages/__init__.py
    try:
        app(prog_name="textsimp")
    except ModuleNotFoundError as error:
        extra = EXTRAS.get(str(error.name).split(".")[0])
        if extra is None:
            raise
        print(f"error: {error.name} is not installed; run `pip install 'textsimp[{extra}]'`", file=sys.stderr)
        sys.exit(2)
