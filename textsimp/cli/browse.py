"""The command `textsimp browse`: aligned documents of one's own as a page to look through."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from textsimp.errors import InputError, exit_on_bad_input
from textsimp.records import read_pairs
from textsimp.reporting.page.examples import Example
from textsimp.reporting.page.html import browser_page
from textsimp.textfiles import atomic_write

_GIVEN = "given"
"""The one system: the aligned file does not say which one it is from."""


@exit_on_bad_input
def browse(
    aligned: Annotated[Path, typer.Argument(help="Document pairs with `alignments`, as `textsimp align` writes them.")],
    html: Annotated[Path, typer.Option("--html", help="Page to write; it needs no other file and no network.")],
    gold: Annotated[
        Path | None, typer.Option("--gold", help="Gold alignments of the same documents, to show the errors.")
    ] = None,
    number: Annotated[int, typer.Option("--pairs", help="Of more pairs than these, a sample is shown.")] = 10_000,
) -> None:
    """Show aligned document pairs beside each other, their links as curves, in one page."""
    if number < 1:
        raise InputError(f"--pairs {number}: expected one document pair at least")
    examples = _without_gold(aligned) if gold is None else _with_gold(aligned, gold)
    text = browser_page(f"Alignments of {aligned.name}", examples, {_GIVEN: aligned.name}, number)
    with atomic_write(html) as file:
        file.write(text)
    typer.echo(f"{html}: {min(number, len(examples))} of {len(examples)} document pairs")


def _without_gold(aligned: Path) -> list[Example]:
    """The pairs, all of whose links are shown alike."""
    examples = []
    for pair in read_pairs(aligned):
        if pair.alignments is None:
            raise InputError(f"{aligned}: document pair {pair.id!r} has no 'alignments'; run `textsimp align` first")
        examples.append(Example(replace(pair, alignments=None), {_GIVEN: pair.alignments}))
    if not examples:
        raise InputError(f"{aligned}: holds no document pairs; see docs/formats.md")
    return examples


def _with_gold(aligned: Path, gold: Path) -> list[Example]:
    """The gold pairs and the links that the aligned file has for each of them."""
    from textsimp.alignment.own_documents import labelled_pairs  # torch is slow to import
    from textsimp.alignment.own_evaluation import read_predictions

    pairs = labelled_pairs(gold)
    links = read_predictions(aligned, pairs)
    return [Example(pair, {_GIVEN: tuple(found)}) for pair, found in zip(pairs, links, strict=True)]
