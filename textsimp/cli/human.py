"""The sub-commands `textsimp human ...`: rating sheets out, ratings in, averages and agreement, a crowd's links."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from textsimp.cli.command import (
    ABOUT,
    LINES_FILE,
    PAIRS_FILE,
    AsJson,
    Reads,
    Samples,
    Seed,
    Writes,
    command,
    named_files,
    note,
    resampling_of,
)
from textsimp.cli.outputs import counted
from textsimp.core.errors import InputError
from textsimp.sources.text_folders import check_is_lines, check_is_pairs

if TYPE_CHECKING:
    from textsimp.extras.human.study import Study

TITLE = "People rate outputs, links or kinds of rewriting: sheets, averages, agreement."
app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help=TITLE)

Ratings = Annotated[Path, Argument(help="The table that `import` wrote."), Reads()]
KIND = (
    "What is asked: outputs (fluency, adequacy, simplicity), changes (grammaticality, meaning, simplicity), alignments "
    "(links from 0 to 2), inspection (kinds of rewriting), crowd (aligned, partially aligned or not)."
)


@command(None, "textsimp human export sheets --complex test.complex --output a=a.txt --output b=b.txt --raters 3")
def export(
    folder: Annotated[
        Path, Argument(help="New folder for the raters: a CSV sheet and an HTML form for each."), Writes(is_folder=True)
    ],
    complex_file: Annotated[
        Path | None, Option("--complex", help="Complex sentences, one per line."), LINES_FILE
    ] = None,
    output: Annotated[
        list[str] | None,
        Option("--output", help="NAME=FILE or FILE: an output in the lines of --complex; repeat for more."),
        Reads(is_named=True, check=check_is_lines),
    ] = None,
    links: Annotated[
        list[str] | None,
        Option(help="NAME=FILE or FILE: document pairs with links, such as an aligner's; repeat."),
        Reads(is_named=True, check=check_is_pairs),
    ] = None,
    kind: Annotated[str, Option(help=KIND)] = "outputs",
    test_questions: Annotated[
        Path | None, Option(help="Of a crowd: other document pairs with gold links (JSON Lines)."), PAIRS_FILE
    ] = None,
    whole_paragraphs: Annotated[
        bool, Option("--whole-paragraphs", help="Of a crowd: all pairs of paragraphs that a link, or a person, joins.")
    ] = False,
    measures: Annotated[
        str, Option(help="Of a crowd: what proposes candidate pairs; the paper's four by default (section 3.2).")
    ] = "char_ngrams,tfidf,bert_embedding,aligner",
    count: Annotated[int, Option(min=1, max=1_000_000, help="Sentences to draw, of a crowd all.")] = 100,
    seed: Annotated[int, Option(min=0, max=2**63 - 1, help="Seed of the draw and the orders.")] = 13,
    raters: Annotated[int, Option(min=1, max=1000, help="People who rate.")] = 5,
) -> str:
    """Draw sentences and write blinded rating sheets; the key FOLDER.key.json says which item is which system's."""
    from textsimp.extras.human.sheets import export_study

    key = folder.with_name(f"{folder.name}.key.json")
    if kind == "crowd":
        from textsimp.extras.human.crowd import draw_crowd  # slow to import, and needed for this kind alone

        if not links or test_questions is None or complex_file or output:
            raise InputError(f"--kind {kind}: takes --links and --test-questions, not --complex and --output")
        given = named_files("--links", links), test_questions, measures.split(","), whole_paragraphs, seed, raters
        study, size = draw_crowd(*given)
    elif test_questions or whole_paragraphs:
        raise InputError("--test-questions, --whole-paragraphs: go with --kind crowd")
    else:
        study = _drawn(kind, complex_file, output, links, (count, seed, raters))
        sentences, systems = len({item.line for item in study.items}), counted(len(study.systems), "system")
        size = f"{counted(len(study.items), 'item')} of {counted(sentences, 'sentence')} and {systems}"
        size += f" for {counted(raters, 'rater')}"
    export_study(study, folder, key)
    return f"{folder}: {size}; keep the key {key} from the raters; written"


def _drawn(
    kind: str, complex_: Path | None, output: list[str] | None, links: list[str] | None, numbers: tuple[int, int, int]
) -> "Study":
    """Return a study of another kind than a crowd's; `numbers` are sentences, seed and raters."""
    from textsimp.extras.human.drawing import draw_links, draw_study

    if (complex_ is None) == (links is None) or (output is None) != (complex_ is None):
        raise InputError("--complex with --output, or --links: give one of the two")
    if complex_ is not None:
        return draw_study(complex_, named_files("--output", output or []), *numbers, kind)
    return draw_links(named_files("--links", links or []), *numbers, kind)


@command(None, "textsimp human import sheets.key.json sheets/*.csv --output ratings.csv")
def import_sheets(
    key: Annotated[Path, Argument(help="The key that `export` wrote."), Reads()],
    sheets: Annotated[
        list[Path], Argument(help="Filled sheets, or downloads of the form, of some or all raters."), Reads()
    ],
    output: Annotated[Path, Option("--output", help="CSV file to write, one rating per row."), Writes()],
    allow_blank: Annotated[bool, Option("--allow-blank", help="Count empty cells as missing ratings.")] = False,
) -> str:
    """Join filled sheets with the key into one table of ratings."""
    from textsimp.extras.human.ratings import gather, write_ratings
    from textsimp.extras.human.study import read_key

    ratings = gather(read_key(key), sheets, allow_blank, key)
    write_ratings(output, ratings)
    asked = ratings.drop_duplicates(["rater", "item", "criterion"])
    missing = int(asked.rating.isna().sum())
    raters = counted(ratings.rater.nunique(), "rater")
    return f"{output}: {counted(len(asked) - missing, 'rating')} by {raters}, {missing} missing"


@command(None, "textsimp human summary ratings.csv", "textsimp human summary ratings.csv --against old/LSTM")
def summary(
    ratings: Ratings,
    against: Annotated[str | None, Option(help="System to compare with; the best average by default.")] = None,
    samples: Samples = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Averages with intervals, significance against one system, agreement of the raters."""
    from textsimp.extras.human.ratings import read_ratings
    from textsimp.extras.human.summary import summarise, summary_text

    results = summarise(read_ratings(ratings), against, resampling_of(samples, seed))
    typer.echo(results.to_json() if as_json else summary_text(results))


@command(None, "textsimp human gold crowd.key.json ratings.csv pairs.jsonl --output gold.jsonl")
def gold(
    key: Annotated[Path, Argument(help="The key that `export --kind crowd` wrote."), Reads()],
    ratings: Ratings,
    pairs: Annotated[Path, Argument(help="The exported document pairs (JSON Lines)."), PAIRS_FILE],
    output: Annotated[Path, Option("--output", help="Document pairs with the crowd's links to write."), Writes()],
) -> str:
    """The crowd's links: the majority of the workers who are right on the test questions."""
    from textsimp.core.records import read_pairs, write_pairs
    from textsimp.extras.human.crowd import aligned_by, judge
    from textsimp.extras.human.ratings import read_ratings
    from textsimp.extras.human.study import read_key

    study = read_key(key)
    crowd = judge(study, read_ratings(ratings), ratings)
    given = list(read_pairs(pairs))
    linked = aligned_by(crowd, study, given, pairs)
    write_pairs(output, linked)
    if left_out := len(given) - len(linked):
        note(f"warning: {counted(left_out, 'document pair')} of which nobody was asked left out")
    typer.echo(crowd.text())
    return f"{output}: {counted(len(crowd.labels), 'link')} by {counted(crowd.trusted, 'trusted worker')}"


for _name, _command in (("export", export), ("import", import_sheets), ("summary", summary), ("gold", gold)):
    app.command(_name, **ABOUT[_command])(_command)
