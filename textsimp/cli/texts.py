"""What `textsimp pair` and `textsimp align` take as texts: two files, two folders, or one folder with both sides."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from textsimp.cli.command import note
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress
from textsimp.core.records import DocumentPair
from textsimp.sources.plain import likely_language, read_plain_pair
from textsimp.sources.splitting.language import LANGUAGES
from textsimp.sources.splitting.layout import LINES
from textsimp.sources.text_folders import (
    Matched,
    TextPair,
    check_is_text,
    is_text_folder,
    match_folder,
    match_folders,
    shown_names,
)

SkipUnmatched = Annotated[
    bool, typer.Option("--skip-unmatched", help="Leave out texts of a folder that have no partner.")
]
Language = Annotated[
    str,
    typer.Option(
        help=f"Whose rules split texts into sentences: {', '.join(LANGUAGES)}.",
        autocompletion=lambda: list(LANGUAGES),
    ),
]
Lines = Annotated[
    str,
    typer.Option(
        help=f"What the end of a line in a text means: {', '.join(LINES)} (it is guessed, nothing, a sentence's end).",
        autocompletion=lambda: list(LINES),
    ),
]
DEFAULT_LINES = LINES[0]


@dataclass(frozen=True)
class Texts:
    """Pairs of plain texts, none of them read yet; `how` says how they were matched, and is empty for two files.

    `language` and `lines` are those of `textsimp.sources.plain.split_text`.
    """

    pairs: Sequence[TextPair]
    language: str
    lines: str
    how: str = ""

    def read(self) -> Iterator[DocumentPair]:
        """The document pairs; `InputError` names a text that is empty, damaged or no plain text."""
        for pair in progress(self.pairs, desc="read", unit=" pairs"):
            for path in (pair.complex, pair.simple):
                check_is_text(path)
            document_pair = read_plain_pair(pair.complex, pair.simple, self.language, self.lines)
            for path, document in ((pair.complex, document_pair.complex), (pair.simple, document_pair.simple)):
                if likely := likely_language(document, self.language):
                    note(f"warning: {path}: looks like {likely}, was split as {self.language}; use --language")
            yield replace(document_pair, id=pair.id, group=pair.id) if self.how else document_pair


def texts_of(inputs: Sequence[Path], skip_unmatched: bool, language: str, lines: str) -> Texts | None:
    """The texts that the inputs name; None where they are document pairs (JSON Lines, or a folder of them).

    Raises:
        InputError: a folder with a file, too many inputs, or texts of a folder without partner that may not be left
            out.
    """
    if len(inputs) > 2:
        raise InputError(f"{inputs[2]}: one input too many; give document pairs, or two texts, or two folders of texts")
    if len(inputs) == 1:
        if not is_text_folder(inputs[0]):
            return None
        matched = match_folder(inputs[0])
        return Texts(_checked(matched, skip_unmatched), language, lines, matched.rules())
    first, second = inputs
    if first.is_dir() != second.is_dir():
        folder, file = (first, second) if first.is_dir() else (second, first)
        raise bad_input(folder, None, f"is a folder, but {file} is none", "give two texts, or two folders")
    if first.is_dir():
        matched = match_folders(first, second)
        return Texts(_checked(matched, skip_unmatched), language, lines, matched.rules())
    return Texts([TextPair("", first, second, "")], language, lines)


def _checked(matched: Matched, skip_unmatched: bool) -> Sequence[TextPair]:
    if not matched.pairs:
        what = f"no text has a partner ({shown_names(matched.alone)})"
        raise InputError(f"{what}; name both alike, or as NAME.complex.txt and NAME.simple.txt (docs/formats.md)")
    if matched.alone and not skip_unmatched:
        what = f"{len(matched.alone)} of the texts have no partner ({shown_names(matched.alone)})"
        raise InputError(f"{what}; rename them, or leave them out with --skip-unmatched")
    left_out = f"; left out: {shown_names(matched.alone)}" if matched.alone else ""
    note(f"{len(matched.pairs)} pairs of texts: {matched.rules()}{left_out}")
    return matched.pairs
