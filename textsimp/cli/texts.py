"""What `textsimp pair` and `textsimp align` take as texts: two files, two folders, or one folder with both sides."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from textsimp.cli.command import note
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import folder_files
from textsimp.core.records import DocumentPair, read_files
from textsimp.sources.plain import EmptyTextError, language_doubt, read_plain_pair
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
    bool, typer.Option("--skip-unmatched", help="Leave out texts of a folder that have no partner, or no sentences.")
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
        help="What the end of a line in a text means. auto: guess; wrapped: nothing; sentences: a sentence ends.",
        autocompletion=lambda: list(LINES),
    ),
]
DEFAULT_LINES = LINES[0]


@dataclass(frozen=True)
class Texts:
    """Pairs of plain texts, none of them read yet.

    Attributes:
        language, lines: as for `textsimp.sources.plain.split_text`.
        how: how they were matched; empty for two files.
        skips_empty: pairs of a folder of which a text has no sentences are left out.
    """

    pairs: Sequence[TextPair]
    language: str
    lines: str
    how: str = ""
    skips_empty: bool = False

    def read(self) -> Iterator[DocumentPair]:
        """Yield the document pairs; `InputError` names a text that is empty, damaged or no plain text."""
        number = 0
        for pair in progress(self.pairs, desc="read", unit=" pairs"):
            for path in (pair.complex, pair.simple):
                check_is_text(path)
            try:
                document_pair = read_plain_pair(pair.complex, pair.simple, self.language, self.lines)
            except EmptyTextError as error:
                if not self.skips_empty:
                    raise InputError(f"{error}{', or --skip-unmatched' if self.how else ''}") from None
                note(f"left out: {error}")
                continue
            number += 1
            for path, document in ((pair.complex, document_pair.complex), (pair.simple, document_pair.simple)):
                if doubt := language_doubt(" ".join(document.sentences), self.language):
                    note(f"warning: {path}: {doubt}")
            simple = replace(document_pair.simple, level=pair.level)
            yield replace(document_pair, id=pair.id, group=pair.group, simple=simple) if self.how else document_pair
        if not number:
            raise InputError("no pair of texts has sentences on both sides; give files with text in them")


def given_pairs(path: Path) -> Iterator[DocumentPair]:
    """Yield the document pairs of a JSON Lines file, or of a folder of them.

    Raises:
        InputError: there are none, one is damaged, or an id comes twice.
    """
    files = folder_files(path, "*.jsonl") if path.is_dir() else [path]
    if not files:
        raise bad_input(path, None, "this folder has no *.jsonl", "give a folder of JSON Lines")
    is_empty = True
    for pair in progress(read_files(files), desc="read", unit=" document pairs"):
        is_empty = False
        yield pair
    if is_empty:
        raise bad_input(path, None, "holds no document pairs", "see docs/formats.md")


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
        return Texts(_checked(matched, skip_unmatched), language, lines, matched.rules(), skip_unmatched)
    first, second = inputs
    if first.is_dir() != second.is_dir():
        folder, file = (first, second) if first.is_dir() else (second, first)
        raise bad_input(folder, None, f"is a folder, but {file} is none", "give two texts, or two folders")
    if first.is_dir():
        matched = match_folders(first, second)
        return Texts(_checked(matched, skip_unmatched), language, lines, matched.rules(), skip_unmatched)
    return Texts([TextPair("", first, second, "")], language, lines)


def _checked(matched: Matched, skip_unmatched: bool) -> Sequence[TextPair]:
    if not matched.pairs:
        what = f"no text has a partner ({shown_names(matched.alone)})"
        raise InputError(f"{what}; name both alike, or as NAME.complex.txt and NAME.simple.txt (docs/formats.md)")
    if matched.alone and not skip_unmatched:
        what = f"{len(matched.alone)} of the texts have no partner ({shown_names(matched.alone)})"
        raise InputError(f"{what}; rename them, or leave them out with --skip-unmatched")
    left_out = f"; left out: {shown_names(matched.alone)}" if matched.alone else ""
    if matched.others:
        files = "1 file is no text" if len(matched.others) == 1 else f"{len(matched.others)} files are no texts"
        note(f"warning: {files} and ignored ({shown_names(matched.others)}); save them as docx or plain text")
    note(f"{len(matched.pairs)} pairs of texts: {matched.rules()}{left_out}")
    return matched.pairs
