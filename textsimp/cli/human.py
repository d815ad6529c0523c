"""The sub-commands `textsimp human ...`: rating sheets out, ratings in, averages and agreement (F3)."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from textsimp.errors import InputError, exit_on_bad_input
from textsimp.human_evaluation.export import export_study, parsed_outputs
from textsimp.human_evaluation.published import beside_published
from textsimp.human_evaluation.ratings import gather, read_ratings, write_ratings
from textsimp.human_evaluation.study import draw_study, read_key
from textsimp.human_evaluation.summary import summarise
from textsimp.human_evaluation.tables import as_markdown, as_text, summary_tables

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Human evaluation of simplifiers: rating sheets, averages, agreement.",
)


@app.command()
@exit_on_bad_input
def export(
    folder: Annotated[Path, typer.Argument(help="New folder for the raters: a CSV sheet and an HTML form for each.")],
    complex_file: Annotated[Path, typer.Option("--complex", help="Complex sentences, one a line.")],
    output: Annotated[
        list[str], typer.Option("--output", help="NAME=FILE: a system's output, line by line; once for each system.")
    ],
    key: Annotated[
        Path | None, typer.Option("--key", help="File for the key, not in the folder; FOLDER.key.json by default.")
    ] = None,
    count: Annotated[int, typer.Option("--count", help="Sentences to draw; the paper has 100.")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="Of the draw and of the orders.")] = 13,
    raters: Annotated[int, typer.Option("--raters", help="People who rate; the paper has 5.")] = 5,
) -> None:
    """Draw sentences and write blinded rating sheets; the key says which item is which system's."""
    key = key or folder.with_name(f"{folder.name}.key.json")
    study = draw_study(complex_file, parsed_outputs(output), count, seed, raters)
    export_study(study, folder, key)
    typer.echo(
        f"{folder}: {len(study.items)} items of {count} sentences and {len(study.systems)} systems for {raters} "
        f"raters; keep the key {key} from the raters"
    )


@app.command("import")
@exit_on_bad_input
def import_sheets(
    key: Annotated[Path, typer.Argument(help="The key that `export` wrote.")],
    sheets: Annotated[
        list[Path], typer.Argument(help="Filled sheets, or downloads of the form, of some or all raters.")
    ],
    output: Annotated[Path, typer.Option("--output", help="File for the ratings, CSV, one a row.")],
    allow_blank: Annotated[bool, typer.Option("--allow-blank", help="Count empty cells as missing ratings.")] = False,
) -> None:
    """Join filled sheets with the key into one table of ratings."""
    ratings = gather(read_key(key), sheets, allow_blank)
    write_ratings(output, ratings)
    asked = {(one.rater, one.item, one.criterion): one.rating for one in ratings}
    missing = sum(value is None for value in asked.values())
    raters = len({one.rater for one in ratings})
    typer.echo(f"{output}: {len(asked) - missing} ratings by {raters} raters, {missing} missing")


@app.command()
@exit_on_bad_input
def summary(
    ratings: Annotated[Path, typer.Argument(help="The table that `import` wrote.")],
    against: Annotated[
        str | None, typer.Option("--against", help="System to compare with; the best average by default.")
    ] = None,
    table: Annotated[
        list[int] | None, typer.Option("--table", help="6 or 7: ours beside that table of the paper; may be repeated.")
    ] = None,
    samples: Annotated[int, typer.Option("--samples", help="Bootstrap samples of sentences.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", help="Of the bootstrap.")] = 13,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
) -> None:
    """Averages with intervals, differences, agreement, and ours beside the paper's tables."""
    if as_json and markdown:
        raise InputError("--json and --markdown: choose one")
    found = summarise(read_ratings(ratings), against, samples, seed)
    published = [(number, beside_published(number, list(found.systems))) for number in table or ()]
    if as_json:
        tables = {f"table_{number}": [asdict(row) for row in rows] for number, rows in published}
        typer.echo(json.dumps({**found.as_dict(), "published": tables}, ensure_ascii=False, indent=2))
    else:
        typer.echo((as_markdown if markdown else as_text)(summary_tables(found, published)))
