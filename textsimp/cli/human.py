"""The sub-commands `textsimp human ...`: rating sheets out, ratings in, averages and agreement, a crowd's links."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from textsimp.cli.arguments import named_files
from textsimp.cli.command import Reads, Writes, command, examples
from textsimp.cli.outputs import counted
from textsimp.core.errors import InputError
from textsimp.core.params import read_settings
from textsimp.core.results import Resampling
from textsimp.extras.human import SETTINGS, HumanConfig
from textsimp.sources.text_folders import check_is_lines, check_is_pairs

if TYPE_CHECKING:
    from textsimp.extras.human.study import Study

TITLE = "People rate outputs, links or kinds of rewriting: sheets, averages, agreement."
app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help=TITLE)

Seed = Annotated[
    int | None, typer.Option("--seed", min=0, max=2**63 - 1, help="Seed of the draw, the orders and the bootstrap.")
]
SettingsFile = Annotated[
    Path,
    typer.Option("--settings", help="Settings file with the defaults.", show_default="extras/human/settings.yaml"),
    Reads(),
]
Key = Annotated[
    Path | None,
    typer.Option("--key", help="File for the key, not in the folder; FOLDER.key.json by default."),
    Writes(),
]
Count = Annotated[
    int | None, typer.Option("--count", min=1, max=1_000_000, help="Sentences to draw; the paper has 100.")
]
RaterCount = Annotated[int | None, typer.Option("--raters", min=1, max=1000, help="People who rate; the paper has 5.")]
Kind = Annotated[
    str,
    typer.Option(
        help="What is asked: outputs (fluency, adequacy, simplicity), changes (grammaticality, meaning, simplicity "
        "from -2 to 2), alignments (links from 0 to 2), inspection (kinds of rewriting), crowd (aligned, partially "
        "aligned or not)."
    ),
]
TestQuestions = Annotated[
    Path | None,
    typer.Option("--test-questions", help="Of a crowd: other document pairs with gold links (JSON Lines)."),
    Reads(check=check_is_pairs),
]
WholeParagraphs = Annotated[
    bool,
    typer.Option(
        "--whole-paragraphs", help="Of a crowd: all pairs of paragraphs that a link, or an annotator, connects."
    ),
]
Proposing = Annotated[
    Path | None,
    typer.Option("--model", help="Of a crowd: a trained aligner whose encoder proposes; else the packaged one does."),
    Reads(),
]
Judgements = Annotated[
    int | None,
    typer.Option("--judgements", min=1, max=1000, help="Of a crowd: workers who see a candidate; the paper has 5."),
]
TestEvery = Annotated[
    int | None,
    typer.Option(
        "--test-every", min=2, max=1000, help="Of a crowd: of so many questions one is a test; the paper has 5."
    ),
]
LeastSeconds = Annotated[
    int | None,
    typer.Option("--least-seconds", min=0, help="Of a crowd: seconds that a question stays closed; the paper has 10."),
]


@app.command(
    epilog=examples("textsimp human export sheets --complex test.complex --output a=a.txt --output b=b.txt --raters 3")
)
@command
def export(
    folder: Annotated[
        Path,
        typer.Argument(help="New folder for the raters: a CSV sheet and an HTML form for each."),
        Writes(is_folder=True),
    ],
    complex_file: Annotated[
        Path | None, typer.Option("--complex", help="Complex sentences, one per line."), Reads(check=check_is_lines)
    ] = None,
    output: Annotated[
        list[str] | None,
        typer.Option("--output", help="NAME=FILE: a system's output in the lines of --complex; repeat for more."),
        Reads(is_named=True, check=check_is_lines),
    ] = None,
    links: Annotated[
        list[str] | None,
        typer.Option("--links", help="NAME=FILE: document pairs with links, an aligner's or others; repeat for more."),
        Reads(is_named=True, check=check_is_pairs),
    ] = None,
    kind: Kind = "outputs",
    test_questions: TestQuestions = None,
    whole_paragraphs: WholeParagraphs = False,
    model: Proposing = None,
    judgements: Judgements = None,
    test_every: TestEvery = None,
    least_seconds: LeastSeconds = None,
    key: Key = None,
    count: Count = None,
    seed: Seed = None,
    raters: RaterCount = None,
    settings: SettingsFile = SETTINGS,
) -> str:
    """Draw sentences and write blinded rating sheets; the key says which item is which system's."""
    from textsimp.extras.human.guidelines import CROWD
    from textsimp.extras.human.sheets import export_study

    given = {"judgements": judgements, "test_every": test_every, "least_seconds": least_seconds}
    config = _config(settings, count=count, seed=seed, raters=raters, **given)
    key = key or _key_beside(folder)
    of_crowd: dict[str, object] = {"--test-questions": test_questions, "--model": model}
    of_crowd |= {"--whole-paragraphs": whole_paragraphs or None}
    of_crowd |= {f"--{name.replace('_', '-')}": value for name, value in given.items()}
    if kind != CROWD:
        if wrong := next((name for name, value in of_crowd.items() if value is not None), None):
            raise InputError(f"{wrong}: goes with --kind {CROWD}")
        study = _study(kind, complex_file, output, links, config)
        size = _size(study)
    else:
        from textsimp.extras.human.crowd import draw_crowd  # slow to import, and needed for this kind alone

        if not links or test_questions is None or complex_file or output:
            raise InputError(f"--kind {CROWD}: takes --links and --test-questions, not --complex and --output")
        if count is not None:
            raise InputError(f"--count: not with --kind {CROWD}, which asks about every candidate pair")
        if judgements is not None and judgements > config.raters:
            raise InputError(f"--judgements {judgements}: there are but {config.raters} workers; give more --raters")
        study, size = draw_crowd(named_files("--links", links), test_questions, config, whole_paragraphs, model)
    export_study(study, folder, key)
    return f"{folder}: {size}; keep the key {key} from the raters; written"


def _size(study: "Study") -> str:
    sentences = counted(len({item.line for item in study.items}), "sentence")
    systems, raters = counted(len(study.systems), "system"), counted(len(study.raters), "rater")
    return f"{counted(len(study.items), 'item')} of {sentences} and {systems} for {raters}"


def _study(
    kind: str, complex_file: Path | None, output: list[str] | None, links: list[str] | None, config: HumanConfig
) -> "Study":
    from textsimp.extras.human.drawing import draw_links, draw_study

    if (complex_file is None) == (links is None) or (output is None) != (complex_file is None):
        raise InputError("--complex with --output, or --links: give one of the two")
    numbers = config.count, config.seed, config.raters
    if complex_file is not None:
        return draw_study(complex_file, named_files("--output", output or []), *numbers, kind)
    return draw_links(named_files("--links", links or []), *numbers, kind)


@app.command("import", epilog=examples("textsimp human import sheets.key.json sheets/*.csv --output ratings.csv"))
@command
def import_sheets(
    key: Annotated[Path, typer.Argument(help="The key that `export` wrote."), Reads()],
    sheets: Annotated[
        list[Path], typer.Argument(help="Filled sheets, or downloads of the form, of some or all raters."), Reads()
    ],
    output: Annotated[Path, typer.Option("--output", help="CSV file to write, one rating per row."), Writes()],
    allow_blank: Annotated[bool, typer.Option("--allow-blank", help="Count empty cells as missing ratings.")] = False,
) -> str:
    """Join filled sheets with the key into one table of ratings."""
    from textsimp.extras.human.ratings import AUTOMATIC, gather, write_ratings
    from textsimp.extras.human.study import read_key

    ratings = gather(read_key(key), sheets, allow_blank, key)
    write_ratings(output, ratings)
    people = [rating for rating in ratings if rating.rater != AUTOMATIC]
    asked = {(rating.rater, rating.item, rating.criterion): rating.rating for rating in people}
    missing = sum(value is None for value in asked.values())
    raters = len({rating.rater for rating in people})
    return f"{output}: {counted(len(asked) - missing, 'rating')} by {counted(raters, 'rater')}, {missing} missing"


@app.command(
    epilog=examples("textsimp human summary ratings.csv", "textsimp human summary ratings.csv --table 6 --markdown")
)
@command
def summary(
    ratings: Annotated[Path, typer.Argument(help="The table that `import` wrote."), Reads()],
    against: Annotated[
        str | None, typer.Option("--against", help="System to compare with; the best average by default.")
    ] = None,
    table: Annotated[
        list[int] | None,
        typer.Option(
            "--table", help="6 or 7, of alignments 2, of changes 3: show ours beside that table; may be repeated."
        ),
    ] = None,
    samples: Annotated[
        int | None, typer.Option("--samples", min=1, max=100_000, help="Bootstrap samples of sentences.")
    ] = None,
    seed: Seed = None,
    settings: SettingsFile = SETTINGS,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
) -> None:
    """Averages with intervals, differences, agreement, and ours beside the paper's tables."""
    if as_json and markdown:
        raise InputError("--json and --markdown: choose one")
    from textsimp.extras.human.ratings import read_ratings
    from textsimp.extras.human.summary import summarise
    from textsimp.extras.human.tables import published_tables, summary_tables

    config = _config(settings, samples=samples, seed=seed)
    result = summarise(read_ratings(ratings), against, Resampling(config.samples, config.seed))
    published = published_tables(result, table or ())
    if as_json:
        tables = {f"table_{number}": [asdict(row) for row in rows] for number, rows in published.items()}
        typer.echo(json.dumps({**asdict(result), "published": tables}, ensure_ascii=False, indent=2))
    else:
        typer.echo("\n\n".join(shown.text(markdown) for shown in summary_tables(result, published)))


LeastAccuracy = Annotated[
    float | None,
    typer.Option(
        "--least-accuracy",
        min=0,
        max=1,
        help="Share of the test questions that a worker has to have right; the paper has 0.85.",
    ),
]


@app.command(epilog=examples("textsimp human again crowd.key.json ratings.csv crowd2"))
@command
def again(
    key: Annotated[Path, typer.Argument(help="The key that `export --kind crowd` or `again` wrote."), Reads()],
    ratings: Annotated[Path, typer.Argument(help="The table that `import` wrote."), Reads()],
    folder: Annotated[
        Path,
        typer.Argument(help="New folder: a CSV sheet and an HTML form for each new worker."),
        Writes(is_folder=True),
    ],
    raters: Annotated[
        int | None, typer.Option("--raters", min=1, max=1000, help="New workers; by default as many as it takes.")
    ] = None,
    least_accuracy: LeastAccuracy = None,
    new_key: Key = None,
    settings: SettingsFile = SETTINGS,
) -> str:
    """A further round for a crowd: the answers of workers who are left out are asked of new ones."""
    from textsimp.extras.human.crowd import draw_again
    from textsimp.extras.human.ratings import read_ratings
    from textsimp.extras.human.sheets import export_study
    from textsimp.extras.human.study import read_key

    new_key = new_key or _key_beside(folder)
    least = _config(settings, least_accuracy=least_accuracy).least_accuracy
    study, names, size = draw_again(read_key(key), read_ratings(ratings), least, ratings, raters)
    export_study(study, folder, new_key, names)
    return f"{folder}: {size}; {new_key} is the key of all rounds: import old and new sheets with it; written"


@app.command(epilog=examples("textsimp human gold crowd.key.json ratings.csv pairs.jsonl --output gold.jsonl"))
@command
def gold(
    key: Annotated[Path, typer.Argument(help="The key that `export --kind crowd` wrote."), Reads()],
    ratings: Annotated[Path, typer.Argument(help="The table that `import` wrote."), Reads()],
    pairs: Annotated[
        Path, typer.Argument(help="The exported document pairs (JSON Lines)."), Reads(check=check_is_pairs)
    ],
    output: Annotated[Path, typer.Option("--output", help="Document pairs with the crowd's links to write."), Writes()],
    least_accuracy: LeastAccuracy = None,
    settings: SettingsFile = SETTINGS,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> str | None:
    """The crowd's links: the majority of the workers who are right on the test questions."""
    from textsimp.core.records import read_pairs, write_pairs
    from textsimp.extras.human.crowd import aligned_by, judge
    from textsimp.extras.human.ratings import read_ratings
    from textsimp.extras.human.study import read_key

    study = read_key(key)
    least = _config(settings, least_accuracy=least_accuracy).least_accuracy
    crowd = judge(study, read_ratings(ratings), least, ratings)
    write_pairs(output, aligned_by(crowd, study, list(read_pairs(pairs)), pairs))
    if as_json:
        typer.echo(json.dumps(crowd.statistics(), ensure_ascii=False, indent=2))
        return None
    typer.echo(crowd.text())
    return f"{output}: {counted(len(crowd.labels), 'link')} by {counted(crowd.trusted, 'trusted worker')}"


def _key_beside(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.key.json")


def _config(path: Path, **options: Any) -> HumanConfig:
    """The settings, with the given options instead of their values."""
    given = {name: value for name, value in options.items() if value is not None}
    return replace(read_settings(path, HumanConfig), **given)
