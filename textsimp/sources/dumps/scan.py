"""The first pass: every page of one segment of an XML dump, filtered and looked up (F1; section 3.2)."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from textsimp.sources.dumps.page_filters import PageFilters
from textsimp.sources.dumps.pages import Page, read_pages
from textsimp.sources.dumps.parts import PageRow, write_part
from textsimp.sources.dumps.segments import Segment


@dataclass(frozen=True)
class ScanTask:
    """The scan of one segment.

    part: the part to write.
    index: the index whose tables `wanted_title` and `wanted_id` say which pages are looked at; None for all.
    other_prefix: how the other wiki is linked to: `simple` in [[simple:Title]].
    title_filters, template_filters: see DumpConfig.
    """

    segment: Segment
    part: Path
    index: Path | None
    other_prefix: str
    title_filters: Mapping[str, str]
    template_filters: Mapping[str, Sequence[str]]


def scan_segment(task: ScanTask) -> None:
    """Write the part of a segment; `InputError` where the dump is damaged."""
    with closing(_open(task.index)) as index:
        write_part(task.part, _rows(task, _wanted(index) if task.index else lambda page: True))


def clean_title(title: str) -> str:
    """A title as the dumps' <title> writes it: spaces for underscores."""
    return title.replace("_", " ").strip()


def _rows(task: ScanTask, wanted: Callable[[Page], bool]) -> Iterator[tuple[PageRow, str]]:
    filters = PageFilters(task.title_filters, task.template_filters)
    link = re.compile(rf"\[\[ *{re.escape(task.other_prefix)} *:([^\[\]|\n]+)\]\]", re.IGNORECASE)
    for page in read_pages(task.segment):
        found = link.search(page.text) if page.namespace == 0 else None
        if found or wanted(page):
            target = clean_title(found[1]) if found else None
            yield PageRow(page.id, filters.reason(page), clean_title(page.title), link=target), page.text
        else:
            # no wiki pairs it: the cheap filters are told apart all the same
            yield PageRow(page.id, "namespace" if page.namespace else "redirect" if page.redirect else "unlinked"), ""


def _open(index: Path | None) -> sqlite3.Connection:
    return sqlite3.connect(f"{index.absolute().as_uri()}?mode=ro" if index else ":memory:", uri=True)


def _wanted(index: sqlite3.Connection) -> Callable[[Page], bool]:
    find = "SELECT EXISTS (SELECT 1 FROM wanted_title WHERE title = ?) OR EXISTS (SELECT 1 FROM wanted_id WHERE id = ?)"
    return lambda page: bool(index.execute(find, (clean_title(page.title), page.id)).fetchone()[0])
