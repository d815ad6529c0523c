"""The pages of a `pages-articles` XML dump, one at a time (F1; section 3.2).

Pages are cut out of the stream between the literal tags <page> and </page>, which MediaWiki's export cannot hold
anywhere else (it escapes every < of a text and writes no CDATA sections or comments). Each page is then parsed by
itself, and never a DOCTYPE, so that no entity can be declared.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from textsimp.errors import bad_input
from textsimp.sources.dumps.segments import Segment, read_segment

MAX_PAGE = 64 << 20
MAX_HEADER = 4 << 20
_OPEN, _CLOSE, _END = b"<page>", b"</page>", b"</mediawiki>"
_REDIRECT = re.compile(r"\s*#\s*redirect\b", re.IGNORECASE)
_FETCH = "the dump is cut or damaged; fetch it again"
_KIND = "give a pages-articles XML dump of MediaWiki"


@dataclass(frozen=True)
class Page:
    """One page: its id, title, namespace number, whether it redirects, its content model, and its wikitext."""

    id: int
    title: str
    namespace: int
    redirect: bool
    model: str
    text: str


@dataclass(frozen=True)
class SiteInfo:
    """The head of a dump: the wiki's database name, and the names of its namespaces by number."""

    site: str
    namespaces: dict[int, str]


def read_pages(segment: Segment) -> Iterator[Page]:
    """The pages that begin in a segment.

    Raises:
        InputError: the dump is cut or damaged, or a page has several revisions.
    """
    for data in _Cutter(segment).pages(segment):
        yield _page(segment.path, data)


def read_site_info(segment: Segment) -> SiteInfo:
    """The head of a dump from its first segment.

    Raises:
        InputError: this is no MediaWiki dump, declares a DOCTYPE, or does not say of which wiki it is.
    """
    head = b""
    for data, _ in read_segment(segment):
        head += data
        if _OPEN in head or _END in head or len(head) > MAX_HEADER:
            break
    head = head.split(_OPEN)[0].removeprefix(b"\xef\xbb\xbf").lstrip()
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise bad_input(segment.path, None, "declares a DOCTYPE, which no dump does", _KIND)
    if not re.match(rb"(<\?xml[^>]*>\s*)?<mediawiki[\s>]", head):
        raise bad_input(segment.path, None, "does not begin with <mediawiki>", _KIND)
    found = re.search(rb"<siteinfo>.*?</siteinfo>", head, re.DOTALL)
    info = _parse(segment.path, found[0], "its <siteinfo>") if found else None
    site = info.findtext("dbname") if info is not None else None
    if info is None or not site:
        raise bad_input(segment.path, None, "does not name its wiki in <siteinfo><dbname>", _KIND)
    spaces = {int(node.get("key", "0")): node.text or "" for node in info.iter("namespace")}
    return SiteInfo(site, spaces)


class _Cutter:
    """Finds the pages in a stream of chunks; `base` is the offset of the buffer in the uncompressed segment."""

    def __init__(self, segment: Segment):
        self.path, self.lead = segment.path, segment.start > 0
        self.buffer, self.base, self.position, self.scanned = b"", 0, 0, 0
        self.limit: int | None = None
        self.inside = self.seen = False

    def pages(self, segment: Segment) -> Iterator[bytes]:
        """The bytes of each page that begins inside the segment, with its tags."""
        for data, within in read_segment(segment):
            if not within and self.limit is None:
                self.limit = self.base + len(self.buffer)
            self.buffer = self.buffer[self.position :] + data
            self.base, self.position = self.base + self.position, 0
            while self._open() and (end := self._close()):
                yield self.buffer[self.position : end]
                self.position, self.inside, self.seen = end, False, True
            if not self.inside and self._past(self.base + len(self.buffer) - len(_OPEN) + 1):
                return
        self._check_end()

    def _past(self, offset: int) -> bool:
        return self.limit is not None and offset >= self.limit

    def _open(self) -> bool:
        """Move to the next page that begins inside the segment; False where the buffer has none."""
        if self.inside:
            return True
        start = self.buffer.find(_OPEN, self.position)
        if start < 0:
            self._check_gap(self.buffer[self.position : -len(_END)])
            self.position = max(self.position, len(self.buffer) - 2 * len(_END))
            return False
        if self._past(self.base + start):
            self.position = start
            return False
        self._check_gap(self.buffer[self.position : start])
        self.position, self.scanned = start, 0
        self.inside = True
        return True

    def _close(self) -> int:
        """The end of the page at the position; 0 where the buffer does not hold it."""
        end = self.buffer.find(_CLOSE, self.position + self.scanned)
        if end >= 0:
            return end + len(_CLOSE)
        if len(self.buffer) - self.position > MAX_PAGE:
            raise bad_input(self.path, None, f"has a page of more than {MAX_PAGE} bytes", _FETCH)
        # counted from the page's start; the chunk may end in the middle of a closing tag
        self.scanned = max(0, len(self.buffer) - self.position - len(_CLOSE))
        return 0

    def _check_gap(self, gap: bytes) -> None:
        gap = gap.strip()
        if self.seen and not gap.startswith(_END) and not _END.startswith(gap):
            raise bad_input(self.path, None, f"has {gap[:40]!r} between two pages", _FETCH)

    def _check_end(self) -> None:
        if self.inside:
            raise bad_input(self.path, None, "ends inside a page", _FETCH)
        rest = self.buffer.rstrip()
        # a bzip2 stream may begin inside the last tag
        entered = self.lead and not self.seen and rest and _END.endswith(rest)
        if not rest.endswith(_END) and not entered:
            raise bad_input(self.path, None, "ends without </mediawiki>", _FETCH)


def _page(path: Path, data: bytes) -> Page:
    node = _parse(path, data, f"the page that begins {data[:80]!r}")
    try:
        identity, title, space = node.findtext("id"), node.findtext("title"), node.findtext("ns")
        values = int(identity or ""), title or "", int(space or "")
    except ValueError:
        raise bad_input(path, None, f"the page {title!r} has no number in <id> or <ns>", _KIND) from None
    revisions = node.findall("revision")
    if len(revisions) != 1:
        what = f"the page {title!r} has {len(revisions)} revisions, not 1"
        raise bad_input(path, None, what, "give the pages-articles dump, which has the current ones alone")
    text = revisions[0].findtext("text") or ""
    redirect = node.find("redirect") is not None or bool(_REDIRECT.match(text))
    return Page(*values, redirect, revisions[0].findtext("model") or "wikitext", text)


def _parse(path: Path, data: bytes, what: str) -> ElementTree.Element:
    try:
        return ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        raise bad_input(path, None, f"{what} is not well-formed XML ({error})", _FETCH) from None
