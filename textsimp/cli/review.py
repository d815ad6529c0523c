"""The command `textsimp review`: a page for an editor, which says what an easy text leaves out, adds and changes."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from textsimp.cli.command import Reads, Writes, command, note
from textsimp.cli.outputs import counted
from textsimp.cli.texts import DEFAULT_LINES, Language, Lines
from textsimp.core.writing import atomic_write
from textsimp.sources.plain import read_plain_pair
from textsimp.sources.splitting.language import DEFAULT_LANGUAGE
from textsimp.sources.text_folders import check_is_text


@command
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
