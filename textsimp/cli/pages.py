"""The commands `annotate` and `review`: pages to annotate document pairs and to review texts in."""

import contextlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from textsimp.cli.alignment import Dev, Model, System, Train
from textsimp.cli.command import PAGE, PAIRS_FILE, TEXT_FILE, AsJson, Reads, Writes, aligned, check_typed, command, note
from textsimp.cli.inputs import DEFAULT_LINES, Language, Lines
from textsimp.cli.outputs import counted
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress
from textsimp.core.records import Link, pair_line, read_pairs, unlabelled
from textsimp.core.writing import atomic_write, is_stream
from textsimp.sources.plain import read_plain_pair
from textsimp.sources.splitting.language import DEFAULT_LANGUAGE


@command(
    "Annotate document pairs, compare annotators.",
    "textsimp annotate pairs.jsonl --html annotate.html",
    "textsimp annotate pairs.jsonl --html annotate.html --suggestions aligned.jsonl",
    "textsimp annotate ann.jsonl ben.jsonl --html adjudicate.html",
    "textsimp annotate ann.jsonl ben.jsonl --adjudicated cleo.jsonl --output gold.jsonl",
)
def annotate(
    context: typer.Context,
    pairs: Annotated[
        list[Path],
        Argument(help="Document pairs (JSON Lines) to annotate; or what two annotators downloaded, to compare."),
        PAIRS_FILE,
    ],
    html: Annotated[
        Path | None, Option(help="Page to write: to annotate in, or to decide in where two annotators differ."), PAGE
    ] = None,
    suggestions: Annotated[
        Path | None, Option(help="The same pairs with links to suggest, of any aligner."), PAIRS_FILE
    ] = None,
    system: System = None,
    model: Model = None,
    train: Train = None,
    dev: Dev = None,
    blind: Annotated[bool, Option("--blind", help="Suggest nothing: no link is in the page.")] = False,
    adjudicated: Annotated[
        Path | None, Option(help="What was downloaded from the page of differences."), Reads()
    ] = None,
    output: Annotated[
        Path | None, Option("--output", help="File for the gold that both make (JSON Lines)."), Writes()
    ] = None,
    as_json: AsJson = False,
) -> str:
    """Write a page in which a person annotates document pairs; of two annotators, agreement and their gold.

    The page has three steps: paragraphs, sentences, flagged pairs.
    """
    if len(pairs) == 1:
        check_typed(context, _OF_ONE, "--adjudicated, --output and --json: give what two annotators downloaded")
        if html is None:
            raise InputError("--html: name the page to write")
        if sum((suggestions is not None, any((system, model, train, dev)), blind)) > 1:
            raise InputError("--suggestions, --system (or --model, --train, --dev) and --blind: choose one")
        return _annotate(pairs[0], html, suggestions, blind, system, model, train, dev)
    check_typed(context, _OF_TWO, f"{pairs[1]}: nothing is suggested where annotators are compared; leave it out")
    if len(pairs) > 2:
        raise InputError(f"{pairs[2]}: one input too many; give what two annotators downloaded")
    if adjudicated is not None and output is None:
        raise InputError("--adjudicated: goes with --output, the merged gold")
    return _compare(pairs[0], pairs[1], html, adjudicated, output, as_json)


# what may be typed with the files of one and of two
_OF_ONE = {"pairs", "html", "suggestions", "system", "model", "train", "dev", "blind", "raw", "quiet"}
_OF_TWO = {"pairs", "html", "adjudicated", "output", "as_json", "raw", "quiet"}


def _annotate(pairs: Path, html: Path, suggestions: Path | None, blind: bool, *system: Any) -> str:
    """Write the page to annotate in; `system` as `SystemSpec.named` takes it."""
    from textsimp.extras.annotation.annotation_page import annotation_page  # slow to import

    documents = list(read_pairs(pairs))
    if not documents:
        raise bad_input(pairs, None, "holds no document pairs", "see docs/formats.md")
    links: Sequence[Sequence[Link]] | None = None
    if suggestions is not None:
        from textsimp.evaluation.own_alignment import read_predictions  # torch is slow to import

        links = read_predictions(suggestions, documents, pairs)
    elif not blind:
        from textsimp.alignment.documents import align_pair
        from textsimp.alignment.neural.aligner_settings import Device
        from textsimp.alignment.spec import SystemSpec

        plain = unlabelled(documents)
        ready = SystemSpec.named(*system).load(Device.of_command(), plain)
        links = [align_pair(ready, pair) for pair in progress(plain, desc="align", unit=" document pairs")]
    text = annotation_page(pairs.name, documents, links)
    with atomic_write(html) as file:
        file.write(text)
    about = "blind" if links is None else counted(sum(map(len, links)), "suggestion")
    return f"{html}: {counted(len(documents), 'document pair')}, {about}"


def _compare(
    first: Path, second: Path, html: Path | None, adjudicated: Path | None, output: Path | None, as_json: bool
) -> str:
    """Print the agreement of two annotators; write the page of their disagreements, and the gold that both make."""
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
    if by_first and by_first == by_second:
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
    hard: Annotated[Path, Argument(help="The hard text: docx, HTML, Markdown, PDF or plain text."), TEXT_FILE],
    easy: Annotated[Path, Argument(help="The easy text, in any of these forms."), TEXT_FILE],
    page: Annotated[Path, Argument(help="Page to write (HTML); it needs no other file, no network."), PAGE],
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
