"""The command `textsimp browse`: aligned documents as a page to look through."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from textsimp.cli.command import Reads, Writes, command
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import quoted
from textsimp.core.records import DocumentPair, numbered_pairs
from textsimp.core.writing import atomic_write
from textsimp.sources.text_folders import check_is_pairs

if TYPE_CHECKING:
    from textsimp.reporting.examples import Example

MOST_PAIRS = 10_000
"""Document pairs on a page; a browser takes seconds for more."""
_GIVEN = "given"
"""The one system: the aligned file does not say which one it is from."""


@command
def browse(
    aligned: Annotated[
        Path,
        typer.Argument(help="Document pairs with `alignments`, as `textsimp align` writes them."),
        Reads(check=check_is_pairs),
    ],
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
) -> str:
    """Write a page that shows aligned document pairs side by side, with their links as curves."""
    from textsimp.reporting.rendering import browser_page  # slow to import

    examples = _without_gold(aligned) if gold is None else _with_gold(aligned, gold)
    text = browser_page(f"Alignments of {aligned.name}", examples, {_GIVEN: aligned.name}, number)
    with atomic_write(html) as file:
        file.write(text)
    return f"{html}: {min(number, len(examples))} of {len(examples)} document pairs"


def page_of(name: str, pairs: Iterable[DocumentPair]) -> str:
    """The page of aligned document pairs, without marks for errors."""
    from textsimp.reporting.rendering import browser_page  # slow to import

    return browser_page(f"Alignments of {name}", [_example(pair) for pair in pairs], {_GIVEN: name}, MOST_PAIRS)


def _without_gold(aligned: Path) -> "list[Example]":
    """The pairs with their own links, without marks for errors."""
    examples = []
    for line, pair in progress(numbered_pairs(aligned, {}), desc="read", unit=" document pairs"):
        if pair.alignments is None:
            what = f"document pair {quoted(pair.id)} has no 'alignments'"
            raise bad_input(aligned, line, what, "run `textsimp align` first")
        examples.append(_example(pair))
    if not examples:
        raise InputError(f"{aligned}: holds no document pairs; see docs/formats.md")
    return examples


def _example(pair: DocumentPair) -> "Example":
    from textsimp.reporting.examples import Example

    return Example(replace(pair, alignments=None), {_GIVEN: pair.alignments or ()})


def _with_gold(aligned: Path, gold: Path) -> "list[Example]":
    """The gold pairs and the links that the aligned file has for each of them."""
    from textsimp.alignment.spec import labelled_pairs  # torch is slow to import
    from textsimp.evaluation.own_alignment import read_predictions
    from textsimp.reporting.examples import Example

    pairs = labelled_pairs(gold)
    links = read_predictions(aligned, pairs, gold)
    return [Example(pair, {_GIVEN: tuple(predicted)}) for pair, predicted in zip(pairs, links, strict=True)]
