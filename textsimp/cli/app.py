"""The command `textsimp`: scores and aligners for a user's own files."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, cast

import typer

from textsimp import __version__
from textsimp.cli.alignment import align, convert, evaluate_alignment, pair
from textsimp.cli.annotate import agree, annotate
from textsimp.cli.arguments import AsJson, ScoreCommand, Workers, show
from textsimp.cli.browse import browse
from textsimp.cli.command import Commands, Reads, Writes, command, examples
from textsimp.cli.corpus import corpus
from textsimp.cli.human import app as human_app
from textsimp.cli.leaderboard_command import leaderboard
from textsimp.cli.review import review
from textsimp.cli.rewriting import rewriting
from textsimp.cli.score import score
from textsimp.cli.simplify import SimplifyCommand, simplify
from textsimp.core.errors import check_choice
from textsimp.core.params import read_settings
from textsimp.core.records import write_pairs
from textsimp.sources.generated.articles import GeneratorConfig, generate


@command
def generate_articles(
    output: Annotated[
        Path, typer.Argument(help="File to write: document pairs with gold links (JSON Lines)."), Writes()
    ],
    articles: Annotated[int, typer.Option(min=1, max=8000, help="Number of article pairs.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Another seed, another world.")] = 1,
) -> str:
    """Write graded article pairs of an invented world: a miniature for trials of scale, no stand-in for real text."""
    pairs, _ = generate(GeneratorConfig(articles=articles, dev_sentences=1, test_sentences=1, seed=seed))
    write_pairs(output, pairs)
    return f"{output}: {len(pairs):,} article pairs, {sum(len(pair.alignments or ()) for pair in pairs):,} gold links"


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
    "docx": "documents",
    "krippendorff": "human",
    "lxml": "documents",
    "mwparserfromhell": "dumps",
    "mwxml": "dumps",
    "peft": "lm",
    "pyarrow": "parquet",
    "pypdf": "documents",
    "ray": "ray",
    "spacy": "train",
    "tokenizers": "train",
}
"""Imported package -> the extra of pyproject.toml that installs it."""

app.command(
    short_help="Make document pairs of plain texts.",
    epilog=examples(
        "textsimp pair hard.txt easy.txt pairs.jsonl",
        "textsimp pair hard/ easy/ pairs.jsonl --skip-unmatched",
        "textsimp pair articles/ pairs.jsonl     (NAME.complex.txt beside NAME.simple.txt)",
    ),
)(pair)
app.command(
    short_help="Align the sentences of texts.",
    epilog=examples(
        "textsimp align hard.txt easy.txt pairs.tsv",
        "textsimp align hard/ easy/ pairs.csv --skip-unmatched",
        "textsimp align hard.txt easy.txt links.html",
        "textsimp align pairs.jsonl aligned.jsonl --model models/aligner/mine",
        "textsimp align pairs.jsonl corpus --format parallel",
        "textsimp align hard/ easy/ mydata --format dataset --min-probability 0.8",
    ),
)(align)
app.command(
    short_help="Write aligned documents in another format.",
    epilog=examples(
        "textsimp convert aligned.jsonl pairs.parquet --join group",
        "textsimp convert links.ladder hard.txt easy.txt aligned.jsonl",
        "textsimp convert aligned.jsonl links.index",
    ),
)(convert)
app.command(
    short_help="Build a training corpus of your texts.",
    epilog=examples(
        "textsimp corpus hard/ easy/ mycorpus --skip-unmatched",
        "textsimp corpus aligned.jsonl mycorpus --join group --label aligned",
        "textsimp corpus articles/ mycorpus --held-out asset.test.orig --min-probability 0.3",
    ),
)(corpus)
app.command(
    "generate",
    short_help="Article pairs of an invented world, with gold.",
    epilog=examples("textsimp generate miniature.jsonl --articles 5000 --seed 7"),
)(generate_articles)
app.command(
    "evaluate-alignment",
    short_help="Precision, recall, F1 of an aligner.",
    epilog=examples(
        "textsimp evaluate-alignment gold.jsonl --model models/aligner/mine",
        "textsimp evaluate-alignment gold.jsonl --predictions aligned.jsonl --against other.jsonl",
        "textsimp evaluate-alignment gold.jsonl --system tfidf --dev dev.jsonl --against jaccard",
    ),
)(evaluate_alignment)
app.command(
    short_help="Show aligned document pairs as a page.",
    epilog=examples(
        "textsimp browse aligned.jsonl --html aligned.html",
        "textsimp browse aligned.jsonl --gold gold.jsonl --html errors.html",
        "textsimp browse links.index hard.txt easy.txt --html links.html",
    ),
)(browse)
app.command(
    short_help="Annotate document pairs in a page.",
    epilog=examples(
        "textsimp annotate pairs.jsonl --html annotate.html",
        "textsimp annotate pairs.jsonl --html annotate.html --suggestions aligned.jsonl",
        "textsimp annotate pairs.jsonl --html annotate.html --blind",
    ),
)(annotate)
app.command(
    short_help="Agreement of two annotators, merged gold.",
    epilog=examples(
        "textsimp agree ann.jsonl ben.jsonl --html adjudicate.html",
        "textsimp agree ann.jsonl ben.jsonl --adjudicated cleo.jsonl --output gold.jsonl",
    ),
)(agree)
app.command(
    cls=SimplifyCommand,
    short_help="Simplify the sentences of a text.",
    epilog=examples(
        "textsimp simplify letter.txt plain.txt --checks",
        "textsimp simplify lines.txt - --lines --model models/simplifier/generated/auto/editnts",
        "textsimp simplify letter.docx plain.docx",
        "textsimp simplify letter.docx --suggestions page.html",
        "textsimp simplify letter.txt outputs.tsv --n-best 3",
        "textsimp simplify - plain.txt --keep-on-alarm < letter.txt",
    ),
)(simplify)
app.command(
    short_help="What an easy text leaves out, as a page.",
    epilog=examples(
        "textsimp review hard.docx easy.docx review.html",
        "textsimp review hard.pdf easy.html review.html --language de",
    ),
)(review)
app.command(
    cls=ScoreCommand,
    short_help="SARI, BLEU, FK and others of outputs.",
    epilog=examples(
        "textsimp score --complex test.complex --output mine.txt --reference test.ref.*",
        "textsimp score -t asset mine.txt",
        "textsimp score -t asset mine.txt --printed 44.15",
        "textsimp score --complex - --output mine.txt --reference ref.0 --metric sari fk --json",
        "textsimp score --complex test.complex --output a.txt b.txt --reference test.ref.* --against b.txt",
    ),
)(score)
app.command(
    short_help="Kinds of rewriting in outputs or corpora.",
    epilog=examples("textsimp rewriting --complex test.complex --output mine=mine.txt --output people=test.ref.0"),
)(rewriting)
app.command(
    cls=ScoreCommand,
    short_help="Rank outputs among the released ones.",
    epilog=examples(
        "textsimp leaderboard --output mine.txt",
        "textsimp leaderboard --output a.txt b.txt --name A B --test-set asset --mirror /data/releases",
    ),
)(leaderboard)
app.add_typer(human_app, name="human")


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


@app.command(
    "extract-wikipedia",
    short_help="Pair the articles of two Wikipedias.",
    epilog=examples(
        "textsimp extract-wikipedia pairs --complex enwiki.xml.bz2 --simple simplewiki.xml.bz2 --items items.sql.gz",
        "textsimp extract-wikipedia pairs --complex enwiki.xml.bz2 --simple simplewiki.xml.bz2 --pairing title",
    ),
)
@command
def extract_wikipedia_pairs(
    output: Annotated[
        Path, typer.Argument(help="Folder to write shards of document pairs into."), Writes(is_folder=True)
    ],
    complex_dumps: Annotated[
        list[Path], typer.Option("--complex", help="pages-articles XML dump; repeat for more parts."), Reads()
    ],
    simple_dumps: Annotated[
        list[Path], typer.Option("--simple", help="The same for Simple English Wikipedia."), Reads()
    ],
    items: Annotated[
        Path | None, typer.Option("--items", help="Wikidata's wb_items_per_site SQL dump."), Reads()
    ] = None,
    complex_langlinks: Annotated[Path | None, typer.Option(help="SQL dump, for --pairing langlink."), Reads()] = None,
    simple_langlinks: Annotated[Path | None, typer.Option(help="SQL dump, for --pairing langlink."), Reads()] = None,
    complex_props: Annotated[
        Path | None, typer.Option(help="page_props SQL dump: disambiguation pages."), Reads()
    ] = None,
    simple_props: Annotated[
        Path | None, typer.Option(help="page_props SQL dump: disambiguation pages."), Reads()
    ] = None,
    pairing: Annotated[
        str | None, typer.Option(help="wikidata, title or langlink; by default as in the settings.")
    ] = None,
    settings: Annotated[
        Path | None, typer.Option(help="Settings file instead of extras/wikidump/settings.yaml."), Reads()
    ] = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> str:
    """Pair the articles of two Wikipedias from their dumps, as document pairs in shards."""
    from textsimp.extras.wikidump.extraction import extract_wikipedia
    from textsimp.extras.wikidump.settings import PAIRINGS, SETTINGS, DumpConfig, DumpFiles, Pairing

    links, props = (complex_langlinks, simple_langlinks), (complex_props, simple_props)
    files = DumpFiles(tuple(complex_dumps), tuple(simple_dumps), items, *links, *props)
    config = read_settings(settings or SETTINGS, DumpConfig)
    if pairing:
        check_choice("--pairing", pairing, PAIRINGS)
        config = replace(config, pairing=cast(Pairing, pairing))
    show(extract_wikipedia(files, output, config, workers or os.cpu_count() or 1), as_json)
    return f"{output}: extracted"


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
