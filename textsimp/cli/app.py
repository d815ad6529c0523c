"""The command `textsimp`: scores and aligners for a user's own files."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from textsimp import __version__
from textsimp.cli.alignment import app as alignment_app
from textsimp.cli.arguments import ScoreCommand
from textsimp.cli.browse import browse
from textsimp.cli.human import app as human_app
from textsimp.cli.leaderboard_command import leaderboard
from textsimp.cli.printing import show
from textsimp.cli.rewriting import rewriting
from textsimp.cli.score import score
from textsimp.core.errors import exit_on_bad_input
from textsimp.core.params import read_settings
from textsimp.core.records import write_pairs
from textsimp.sources.plain import read_plain_pair

app = typer.Typer(no_args_is_help=True, help="Sentence alignment and evaluation for text simplification.")
EXTRAS = {
    "krippendorff": "human",
    "mwparserfromhell": "dumps",
    "mwxml": "dumps",
    "ray": "ray",
    "spacy": "train",
    "tabulate": "human",
    "tokenizers": "train",
}
"""Imported package -> the extra of pyproject.toml that installs it."""

app.add_typer(alignment_app)
app.add_typer(human_app, name="human")
app.command()(browse)
app.command()(rewriting)
app.command(cls=ScoreCommand)(score)
app.command(cls=ScoreCommand)(leaderboard)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"textsimp {__version__}")
        raise typer.Exit()


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options of the command itself."""


@app.command()
@exit_on_bad_input
def pair(
    complex_file: Annotated[Path, typer.Argument(help="The complex text; blank lines separate paragraphs.")],
    simple_file: Annotated[Path, typer.Argument(help="The simple text, in the same form.")],
    output: Annotated[Path, typer.Argument(help="File to write: one document pair, to be aligned.")],
) -> None:
    """Make a document pair from two plain texts."""
    write_pairs(output, [read_plain_pair(complex_file, simple_file)])


@app.command("extract-wikipedia")
@exit_on_bad_input
def extract_wikipedia_pairs(
    output: Annotated[Path, typer.Argument(help="Folder to write shards of document pairs into.")],
    complex_dumps: Annotated[
        list[Path], typer.Option("--complex", help="pages-articles XML dump; repeat for more parts.")
    ],
    simple_dumps: Annotated[list[Path], typer.Option("--simple", help="The same for Simple English Wikipedia.")],
    items: Annotated[Path | None, typer.Option("--items", help="Wikidata's wb_items_per_site SQL dump.")] = None,
    complex_langlinks: Annotated[Path | None, typer.Option(help="SQL dump, for --pairing langlink.")] = None,
    simple_langlinks: Annotated[Path | None, typer.Option(help="SQL dump, for --pairing langlink.")] = None,
    complex_props: Annotated[Path | None, typer.Option(help="page_props SQL dump: disambiguation pages.")] = None,
    simple_props: Annotated[Path | None, typer.Option(help="page_props SQL dump: disambiguation pages.")] = None,
    pairing: Annotated[
        str | None, typer.Option(help="wikidata, title or langlink; by default as in the settings.")
    ] = None,
    settings: Annotated[
        Path | None, typer.Option(help="Settings file instead of extras/wikidump/settings.yaml.")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Number of processes; by default all cores.")] = None,
    as_json: AsJson = False,
) -> None:
    """Pair the articles of two Wikipedias from their dumps, as document pairs in shards."""
    from textsimp.extras.wikidump.extraction import extract_wikipedia
    from textsimp.extras.wikidump.settings import SETTINGS, DumpConfig, DumpFiles

    links, props = (complex_langlinks, simple_langlinks), (complex_props, simple_props)
    files = DumpFiles(tuple(complex_dumps), tuple(simple_dumps), items, *links, *props)
    config = read_settings(settings or SETTINGS, DumpConfig)
    config = replace(config, pairing=pairing) if pairing else config
    show(extract_wikipedia(files, output, config, workers or os.cpu_count() or 1), as_json)


@app.command()
@exit_on_bad_input
def doctor(
    mirror: Annotated[
        str | None,
        typer.Option("--mirror", help="Mirror with RELEASE/FILE: a folder, or an address that fsspec opens."),
    ] = None,
    newsela: Annotated[Path | None, typer.Option("--newsela", help="Folder of the licensed Newsela release.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what each experiment has, what runs without the rest, and how to get every source."""
    from textsimp.cli.doctor import Places, catalogue, diagnosis, examine, readable  # slow to import

    places = Places(mirror, newsela)
    needs, sources = examine(places), catalogue(places)
    if as_json:
        show(diagnosis(needs, sources), as_json)
    else:
        print("\n".join(readable(needs, sources)))


def main() -> None:
    """Entry point of the installed command."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # see stages/__init__.py
    try:
        app()
    except ModuleNotFoundError as error:
        extra = EXTRAS.get(str(error.name).split(".")[0])
        if extra is None:
            raise
        print(f"error: {error.name} is not installed; run `pip install 'textsimp[{extra}]'`", file=sys.stderr)
        sys.exit(2)
