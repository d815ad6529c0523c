"""The sub-commands `textsimp corpus ...`: training corpora of one's own texts, and document pairs of Wikipedia."""

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, cast

from typer import Argument, Option

from textsimp.cli.alignment import Inputs, MinProbability, align_all
from textsimp.cli.command import LINES_FILE, Reads, Workers, Writes, command, note
from textsimp.cli.inputs import DEFAULT_LINES, Language, Lines, SkipUnmatched, given_pairs, texts_of
from textsimp.cli.outputs import counted, probable
from textsimp.core.errors import InputError, check_choice
from textsimp.core.params import from_conf, read_settings
from textsimp.core.reading import read_lines
from textsimp.core.records import DocumentPair
from textsimp.core.writing import check_is_ours
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.pairs import JOINS
from textsimp.sources.splitting.language import DEFAULT_LANGUAGE

LABELS = ("all", "aligned")
FILTERS = ("tokens", "colon", "identical", "bleu", "duplicate")
"""Those of the paper that need no articles of Wikipedia or levels of Newsela, and each pair once."""
_NONE, _DEFAULT = "none", ",".join(FILTERS)


Output = Annotated[Path, Argument(help="Folder to write: train, dev and test, a card, counts."), Writes(is_folder=True)]
Join = Annotated[
    str,
    Option(
        help="link: a pair for each link, as in the paper; simple: one for each simple sentence; group: one for all "
        "sentences that links connect.",
        autocompletion=lambda: list(JOINS),
    ),
]
Label = Annotated[
    str,
    Option(
        help="all: aligned and partial pairs, as in the paper; aligned: those alone.",
        autocompletion=lambda: list(LABELS),
    ),
]
Filters = Annotated[str, Option("--filters", help=f"What drops pairs, in order: {', '.join(FILTERS)}; or {_NONE}.")]
ExcludeLevels = Annotated[str | None, Option(help="Pairs of levels to leave out; the paper's are 0-1,1-2,2-3.")]
HeldOut = Annotated[
    list[Path] | None,
    Option("--held-out", help="Other test data, a sentence a line, for neither train nor dev; repeat for more files."),
    LINES_FILE,
]
Share = Annotated[float, Option(min=0.001, max=0.45, help="Of the articles.")]
Seed = Annotated[int, Option(min=0, max=2**32 - 1, help="Of the division.")]


@command(
    None,
    "textsimp corpus hard/ easy/ mycorpus --skip-unmatched",
    "textsimp corpus aligned.jsonl mycorpus --join group --label aligned",
    "textsimp corpus articles/ mycorpus --held-out asset.test.orig --min-probability 0.3",
)
def corpus(
    inputs: Inputs,
    output: Output,
    join: Join = "link",
    label: Label = "all",
    chosen: Filters = _DEFAULT,
    exclude_levels: ExcludeLevels = None,
    held_out: HeldOut = None,
    dev_share: Share = 0.09,
    test_share: Share = 0.09,
    seed: Seed = 13,
    min_probability: MinProbability = None,
    skip_unmatched: SkipUnmatched = False,
    language: Language = DEFAULT_LANGUAGE,
    lines: Lines = DEFAULT_LINES,
    workers: Workers = None,
) -> str:
    """Build a training corpus of texts or document pairs; the default aligner aligns those without links."""
    names = _filters(chosen, label, exclude_levels)
    check_choice("--join", join, JOINS)
    config = from_conf("corpus.sample_news.build", BuildConfig)
    levels = exclude_levels.split(",") if exclude_levels else []
    config = replace(config, join=cast(Any, join), filters=cast(Any, names), excluded_levels=levels)
    config = replace(config, dev_fraction=dev_share, test_fraction=test_share, seed=seed)
    texts = texts_of(inputs, skip_unmatched, language, lines)
    from textsimp.corpora import own  # sacrebleu and scipy are slow to import

    check_is_ours(output, own.REPORT)
    given_documents = list(texts.read() if texts else given_pairs(inputs[0]))
    pairs = own.prepared(inputs[0], given_documents, config)
    if joined := len({pair.group for pair in given_documents}) - len({pair.group for pair in pairs}):
        note(f"{counted(joined, 'article')} shared a document with another one: all are in one split")
    pairs = _aligned(pairs, output, min_probability, workers)
    others = {str(path): [line for line in read_lines(path) if line.strip()] for path in held_out or ()}
    made = own.build_own(inputs[0], pairs, config, others)
    own.write_own(output, made, language if texts else None)
    sizes = ", ".join(f"{len(made.rows(split)):,} {split}" for split in ("train", "dev", "test"))
    dropped = ", ".join(f"{count:,} {name}" for name, count in made.training.dropped.items() if count)
    return f"{output}: {sizes} pairs; dropped: {dropped or 'none'}"


def _filters(chosen: str, label: str, exclude_levels: str | None) -> list[str]:
    """The filters by name, in order; `InputError` for an unknown one."""
    check_choice("--label", label, LABELS)
    names = [name.strip() for name in chosen.split(",")] if chosen != _NONE else []
    for name in names:
        check_choice("--filters", name, FILTERS)
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise InputError(f"--filters: {twice[0]} is named twice; name it once")
    if exclude_levels and not re.fullmatch(r"\d+-\d+(,\d+-\d+)*", exclude_levels):
        raise InputError(f"--exclude-levels {exclude_levels!r}: not COMPLEX-SIMPLE; write them as in 0-1,1-2")
    return [*(["levels"] if exclude_levels else []), *(["partial"] if label == "aligned" else []), *names]


def _aligned(
    pairs: Sequence[DocumentPair], output: Path, least: float | None, workers: int | None
) -> list[DocumentPair]:
    """The document pairs with links: their own, or those of the default aligner where they have none."""
    links: dict[str, Any] = {pair.id: pair.alignments for pair in pairs}
    bare = [pair for pair in pairs if pair.alignments is None]
    note(f"{counted(len(bare), 'document pair')} to align, {len(pairs) - len(bare)} with links")
    if bare:
        from textsimp.alignment.spec import SystemSpec  # numpy and scipy are slow to import

        def keep(found: Sequence[DocumentPair]) -> None:
            links.update({pair.id: pair.alignments for pair in found})

        align_all(SystemSpec.named(None), least, bare, output, keep, workers=workers)
    linked = [replace(pair, alignments=links[pair.id]) for pair in pairs]
    return linked if least is None else [replace(pair, alignments=tuple(probable(pair, least))) for pair in linked]


@command(
    None,
    "textsimp extract-wikipedia pairs --complex enwiki.xml.bz2 --simple simplewiki.xml.bz2 --items items.sql.gz",
    "textsimp extract-wikipedia pairs --complex enwiki.xml.bz2 --simple simplewiki.xml.bz2 --pairing title",
)
def extract_wikipedia(
    output: Annotated[Path, Argument(help="Folder to write shards of document pairs into."), Writes(is_folder=True)],
    complex_dumps: Annotated[
        list[Path], Option("--complex", help="pages-articles XML dump; repeat for more parts."), Reads()
    ],
    simple_dumps: Annotated[list[Path], Option("--simple", help="The same for Simple English Wikipedia."), Reads()],
    items: Annotated[Path | None, Option(help="Wikidata's wb_items_per_site SQL dump."), Reads()] = None,
    pairing: Annotated[str | None, Option(help="wikidata or title; by default as in the settings.")] = None,
    settings: Annotated[
        Path | None, Option(help="Settings file instead of extras/wikidump/settings.yaml."), Reads()
    ] = None,
    workers: Workers = None,
) -> str:
    """Pair the articles of two Wikipedias from their dumps, as document pairs in shards."""
    from textsimp.extras.wikidump.extraction import REPORT, extract
    from textsimp.extras.wikidump.settings import PAIRINGS, SETTINGS, DumpConfig, DumpFiles, Pairing

    files = DumpFiles(tuple(complex_dumps), tuple(simple_dumps), items)
    config = read_settings(settings or SETTINGS, DumpConfig)
    if pairing:
        check_choice("--pairing", pairing, PAIRINGS)
        config = replace(config, pairing=cast(Pairing, pairing))
    found = extract(files, output, config, workers or os.cpu_count() or 1)
    kept = sum(number for what, number in found["extraction"]["pairs"].items() if what.startswith("kept"))
    return f"{output}: {counted(kept, 'document pair')}; {REPORT} says what was left out"
