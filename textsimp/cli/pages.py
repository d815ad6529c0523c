"""The commands `browse`, `annotate`, `agree` and `review`: pages to look at, to annotate and to review texts in."""

import contextlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from textsimp.cli.alignment import Dev, Model, System, Train
from textsimp.cli.command import AsJson, Reads, Writes, aligned, command, note
from textsimp.cli.inputs import DEFAULT_LINES, NUMBERED, AlignedInputs, AlignedLines, Language, Lines, read_aligned
from textsimp.cli.outputs import GIVEN, MOST_PAIRS, counted, example_of
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress
from textsimp.core.records import DocumentPair, Link, pair_line, read_pairs, unlabelled
from textsimp.core.writing import atomic_write, is_stream
from textsimp.sources.plain import read_plain_pair
from textsimp.sources.splitting.language import DEFAULT_LANGUAGE
from textsimp.sources.text_folders import check_is_pairs, check_is_text

if TYPE_CHECKING:
    from textsimp.reporting.texts import Example

Html = Annotated[Path, typer.Option("--html", help="Page to write; it needs no other file and no network."), Writes()]


@command(
    "Show aligned document pairs as a page.",
    "textsimp browse aligned.jsonl --html aligned.html",
    "textsimp browse aligned.jsonl --gold gold.jsonl --html errors.html",
    "textsimp browse links.index hard.txt easy.txt --html links.html",
)
def browse(
    inputs: AlignedInputs,
    html: Html,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", help="Gold alignments of the same documents, to show errors."),
        Reads(check=check_is_pairs),
    ] = None,
    number: Annotated[
        int, typer.Option("--pairs", min=1, max=1_000_000, help="Number of pairs to show; of more, a sample is drawn.")
    ] = MOST_PAIRS,
    language: Language = DEFAULT_LANGUAGE,
    lines: AlignedLines = NUMBERED,
) -> str:
    """Write a page that shows aligned document pairs side by side, with their links as curves."""
    from textsimp.reporting.browser import browser_page  # slow to import

    name = inputs[0].name
    if gold is None:
        examples = [example_of(pair) for pair in read_aligned(inputs, language, lines)]
    else:
        if len(inputs) > 1:
            raise InputError("--gold: give the aligned documents as JSON Lines; `textsimp convert` writes them")
        check_is_pairs(inputs[0])
        examples = _with_gold(inputs[0], gold)
    text = browser_page(f"Alignments of {name}", examples, {GIVEN: name}, number)
    with atomic_write(html) as file:
        file.write(text)
    return f"{html}: {min(number, len(examples))} of {len(examples)} document pairs"


def _with_gold(predicted: Path, gold: Path) -> "list[Example]":
    """The gold pairs and the links that the aligned file has for each of them."""
    from textsimp.alignment.spec import labelled_pairs  # torch is slow to import
    from textsimp.evaluation.own_alignment import read_predictions
    from textsimp.reporting.texts import Example

    pairs = labelled_pairs(gold)
    found = zip(pairs, read_predictions(predicted, pairs, gold), strict=True)
    return [Example(pair, {GIVEN: tuple(links)}) for pair, links in found]


@command(
    "Annotate document pairs in a page.",
    "textsimp annotate pairs.jsonl --html annotate.html",
    "textsimp annotate pairs.jsonl --html annotate.html --suggestions aligned.jsonl",
    "textsimp annotate pairs.jsonl --html annotate.html --blind",
)
def annotate(
    pairs: Annotated[
        Path, typer.Argument(help="Document pairs (JSON Lines) to annotate."), Reads(check=check_is_pairs)
    ],
    html: Html,
    suggestions: Annotated[
        Path | None,
        typer.Option("--suggestions", help="The same pairs with links to suggest, of any aligner."),
        Reads(check=check_is_pairs),
    ] = None,
    system: System = None,
    model: Model = None,
    train: Train = None,
    dev: Dev = None,
    blind: Annotated[bool, typer.Option("--blind", help="Suggest nothing: no link is in the page.")] = False,
) -> str:
    """Write a page in which a person annotates document pairs: paragraphs, sentences, flagged pairs."""
    if sum((suggestions is not None, any((system, model, train, dev)), blind)) > 1:
        raise InputError("--suggestions, --system (or --model, --train, --dev) and --blind: choose one")
    from textsimp.extras.annotation.annotation_page import annotation_page  # slow to import

    documents = list(read_pairs(pairs))
    if not documents:
        raise bad_input(pairs, None, "holds no document pairs", "see docs/formats.md")
    links = None
    if suggestions is not None:
        from textsimp.evaluation.own_alignment import read_predictions  # torch is slow to import

        links = read_predictions(suggestions, documents, pairs)
    elif not blind:
        links = _aligned(documents, system, model, train, dev)
    text = annotation_page(pairs.name, documents, links)
    with atomic_write(html) as file:
        file.write(text)
    about = "blind" if links is None else counted(sum(map(len, links)), "suggestion")
    return f"{html}: {counted(len(documents), 'document pair')}, {about}"


def _aligned(documents: Sequence[DocumentPair], *names: Any) -> Sequence[Sequence[Link]]:
    """Return the links of an alignment system, as `SystemSpec.named` names it, for each document pair."""
    from textsimp.alignment.documents import align_pair
    from textsimp.alignment.neural.aligner_settings import Device
    from textsimp.alignment.spec import SystemSpec

    plain = unlabelled(documents)
    ready = SystemSpec.named(*names).load(Device.of_command(), plain)
    return [align_pair(ready, pair) for pair in progress(plain, desc="align", unit=" document pairs")]


@command(
    "Agreement of two annotators, merged gold.",
    "textsimp agree ann.jsonl ben.jsonl --html adjudicate.html",
    "textsimp agree ann.jsonl ben.jsonl --adjudicated cleo.jsonl --output gold.jsonl",
)
def agree(
    first: Annotated[Path, typer.Argument(help="What one annotator downloaded (JSON Lines)."), Reads()],
    second: Annotated[Path, typer.Argument(help="What another one downloaded, of the same pairs."), Reads()],
    html: Annotated[
        Path | None, typer.Option("--html", help="Page to write, in which someone decides where they differ."), Writes()
    ] = None,
    adjudicated: Annotated[
        Path | None, typer.Option("--adjudicated", help="What was downloaded from that page."), Reads()
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", help="File to write the merged gold to (JSON Lines)."), Writes()
    ] = None,
    as_json: AsJson = False,
) -> str:
    """Agreement of two annotators, the page of their disagreements, and the gold that both make."""
    if adjudicated is not None and output is None:
        raise InputError("--adjudicated: goes with --output, the merged gold")
    from textsimp.extras.annotation.agreement import agreements, disagreements, matched, merged_gold
    from textsimp.extras.annotation.annotated import read_annotated

    of_first = read_annotated(first)
    opinions = of_first, matched(of_first, read_annotated(second))
    decided = None if adjudicated is None else matched(of_first, read_annotated(adjudicated))
    texts: dict[Path, str] = {}
    if output is not None:
        texts[output] = "".join(map(pair_line, merged_gold(*opinions, decided)))
    if html is not None:
        from textsimp.extras.annotation.annotation_page import adjudication_page

        texts[html] = adjudication_page(f"{first.stem}-{second.stem}", *opinions, [first.stem, second.stem])
    with contextlib.ExitStack() as stack:  # both or none: a pipe, which may be closed, ends first
        for path in sorted(texts, key=is_stream):
            stack.enter_context(atomic_write(path)).write(texts[path])
    rows = agreements(*opinions)
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        header = ["document pair", "pairs", "same", "undecided", "kappa", "aligned", "linked", "aligned/partial"]
        typer.echo("\n".join(aligned([header, *([_shown(value) for value in row.values()] for row in rows)], 1)))
    by_first, by_second = ({p.annotation.annotator for p in of_one if p.annotation} for of_one in opinions)
    if by_first == by_second:
        name = ", ".join(sorted(by_first))
        note(f"{first}, {second}: both are by {name}; kappa tells how far one person agrees with themselves")
    return f"{first} and {second}: {counted(disagreements(*opinions), 'disagreement')}"


def _shown(value: Any) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


@command(
    "What an easy text leaves out, as a page.",
    "textsimp review hard.docx easy.docx review.html",
    "textsimp review hard.pdf easy.html review.html --language de",
)
def review(
    hard: Annotated[
        Path,
        typer.Argument(help="The hard text: docx, HTML, Markdown, PDF or plain text."),
        Reads(check=check_is_text),
    ],
    easy: Annotated[Path, typer.Argument(help="The easy text, in any of these forms."), Reads(check=check_is_text)],
    page: Annotated[Path, typer.Argument(help="Page to write (HTML); it needs no other file, no network."), Writes()],
    language: Language = DEFAULT_LANGUAGE,
    lines: Lines = DEFAULT_LINES,
) -> str:
    """Write a page that says what an easy text leaves out, adds and changes, beside both texts."""
    pair = read_plain_pair(hard, easy, language, lines)
    from textsimp.alignment.documents import align_pair  # torch is slow to import
    from textsimp.alignment.neural.aligner_settings import Device
    from textsimp.alignment.spec import SystemSpec
    from textsimp.reporting.review_page import readability, review_page, text_notices

    facts = readability(pair, language)
    notices = text_notices((hard, easy), pair, language, facts)
    for notice in notices:
        note(f"warning: {notice}")
    links = align_pair(SystemSpec.named(None).load(Device.of_command(), [pair]), pair)
    pair = replace(pair, alignments=tuple(links))
    text, points = review_page((hard.name, easy.name), pair, language, notices, facts)
    with atomic_write(page) as file:
        file.write(text)
    kinds = Counter(point.kind for point in points)
    found = ", ".join(f"{number} {kind}" for kind, number in kinds.items()) or "nothing left out, added or changed"
    return f"{page}: {counted(len(links), 'link')}; {found}"
