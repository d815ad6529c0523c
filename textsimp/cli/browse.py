"""The command `textsimp browse`: aligned documents as a page to look through."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from textsimp.cli.aligned_files import NUMBERED, AlignedInputs, AlignedLines, read_aligned
from textsimp.cli.command import Reads, Writes, command
from textsimp.cli.outputs import GIVEN, MOST_PAIRS, example_of
from textsimp.cli.texts import Language
from textsimp.core.errors import InputError
from textsimp.core.writing import atomic_write
from textsimp.sources.splitting.language import DEFAULT_LANGUAGE
from textsimp.sources.text_folders import check_is_pairs

if TYPE_CHECKING:
    from textsimp.reporting.texts import Example


@command
def browse(
    aligned: AlignedInputs,
    html: Annotated[
        Path, typer.Option("--html", help="Page to write; it needs no other file and no network."), Writes()
    ],
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

    name = aligned[0].name
    if gold is None:
        examples = [example_of(pair) for pair in read_aligned(aligned, language, lines)]
    else:
        if len(aligned) > 1:
            raise InputError("--gold: give the aligned documents as JSON Lines; `textsimp convert` writes them")
        check_is_pairs(aligned[0])
        examples = _with_gold(aligned[0], gold)
    text = browser_page(f"Alignments of {name}", examples, {GIVEN: name}, number)
    with atomic_write(html) as file:
        file.write(text)
    return f"{html}: {min(number, len(examples))} of {len(examples)} document pairs"


def _with_gold(aligned: Path, gold: Path) -> "list[Example]":
    """The gold pairs and the links that the aligned file has for each of them."""
    from textsimp.alignment.spec import labelled_pairs  # torch is slow to import
    from textsimp.evaluation.own_alignment import read_predictions
    from textsimp.reporting.texts import Example

    pairs = labelled_pairs(gold)
    links = read_predictions(aligned, pairs, gold)
    return [Example(pair, {GIVEN: tuple(predicted)}) for pair, predicted in zip(pairs, links, strict=True)]
