"""The command `textsimp browse`: aligned documents as a page to look through."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from textsimp.core.errors import InputError, exit_on_bad_input
from textsimp.core.records import read_pairs
from textsimp.core.textfiles import atomic_write

if TYPE_CHECKING:
    from textsimp.reporting.examples import Example

_GIVEN = "given"
"""The one system: the aligned file does not say which one it is from."""


@exit_on_bad_input
def browse(
    aligned: Annotated[Path, typer.Argument(help="Document pairs with `alignments`, as `textsimp align` writes them.")],
    html: Annotated[Path, typer.Option("--html", help="Page to write; it needs no other file and no network.")],
    gold: Annotated[
        Path | None, typer.Option("--gold", help="Gold alignments of the same documents, to show errors.")
    ] = None,
    number: Annotated[
        int, typer.Option("--pairs", help="Number of pairs to show; of more, a sample is drawn.")
    ] = 10_000,
) -> None:
    """Write a page that shows aligned document pairs side by side, with their links as curves."""
    from textsimp.reporting.page import browser_page  # slow to import

    if number < 1:
        raise InputError(f"--pairs {number}: expected one document pair at least")
    examples = _without_gold(aligned) if gold is None else _with_gold(aligned, gold)
    text = browser_page(f"Alignments of {aligned.name}", examples, {_GIVEN: aligned.name}, number)
    with atomic_write(html) as file:
        file.write(text)
    typer.echo(f"{html}: {min(number, len(examples))} of {len(examples)} document pairs")


def _without_gold(aligned: Path) -> "list[Example]":
    """The pairs with their own links, without marks for errors."""
    from textsimp.reporting.examples import Example

    examples = []
    for pair in read_pairs(aligned):
        if pair.alignments is None:
            raise InputError(f"{aligned}: document pair {pair.id!r} has no 'alignments'; run `textsimp align` first")
        examples.append(Example(replace(pair, alignments=None), {_GIVEN: pair.alignments}))
    if not examples:
        raise InputError(f"{aligned}: holds no document pairs; see docs/formats.md")
    return examples


def _with_gold(aligned: Path, gold: Path) -> "list[Example]":
    """The gold pairs and the links that the aligned file has for each of them."""
    from textsimp.alignment.spec import labelled_pairs  # torch is slow to import
    from textsimp.evaluation.own_alignment import read_predictions
    from textsimp.reporting.examples import Example

    pairs = labelled_pairs(gold)
    links = read_predictions(aligned, pairs)
    return [Example(pair, {_GIVEN: tuple(predicted)}) for pair, predicted in zip(pairs, links, strict=True)]
