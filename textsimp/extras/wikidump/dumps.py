"""The pages of a `pages-articles` XML dump: mwxml reads them, in segments that several processes can take.

A multistream bzip2 file is a row of complete bzip2 streams, each of which begins at a byte with the same ten bytes, so
that the file can be entered there. Plain files, gzip and single-stream bzip2 have one segment. The parser gets
each segment as a dump of its own: the file's head, the pages that begin in the segment, and the end tag.
"""

import bz2
import codecs
import gzip
import hashlib
import io
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, TypeVar, cast
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import errors

import mwxml
from mwxml.element_iterator import ElementIterator
from mwxml.errors import MalformedXML

from textsimp.core import reading
from textsimp.core.errors import InputError, bad_input

T = TypeVar("T")
CHUNK = 1 << 20
BZ2_SEGMENT = 16 << 20
MAX_PAGE = 64 << 20
MAX_HEAD = 4 << 20
MAX_ID = 1 << 53
_STREAM = re.compile(rb"BZh[1-9]1AY&SY")
_STREAM_LENGTH = 10
_PAGE, _PAGE_END, _END = b"<page>", b"</page>", b"</mediawiki>"
_ROOT = re.compile(rb"(<\?xml[^>]*>\s*)?<mediawiki[\s>]")
_CUT = [errors.codes[name] for name in (errors.XML_ERROR_NO_ELEMENTS, errors.XML_ERROR_UNCLOSED_TOKEN)]
_REDIRECT = re.compile(r"\s*#\s*redirect\b", re.IGNORECASE)
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|<nowiki>.*?</nowiki>", re.DOTALL)
_FETCH = "the dump is cut or damaged; fetch it again"
_KIND = "give a pages-articles XML dump of MediaWiki"


@dataclass(frozen=True)
class Segment:
    """Bytes `start` to `end` of a file; `streams` where they are bzip2 streams that can be read apart."""

    path: Path
    start: int
    end: int
    streams: bool


@dataclass(frozen=True)
class DumpFile:
    """A file with its digest and segments."""

    path: Path
    sha256: str
    size: int
    segments: tuple[Segment, ...]


@dataclass(frozen=True)
class Page:
    """One page: its id, title, namespace number, whether it redirects, its content model, and its wikitext."""

    id: int
    title: str
    namespace: int
    redirect: bool
    model: str
    text: str


def inspect(path: Path, bz2_segment: int = BZ2_SEGMENT) -> DumpFile:
    """Read a file once: its digest, and its segments, which depend only on its bytes.

    A segment has `bz2_segment` bytes or more, and begins with a bzip2 stream that begins with a page.
    """
    if path.exists() and not path.is_file():
        raise bad_input(path, None, "is no plain file", "a dump is read several times; give a file")
    digest, starts, size, tail, streams = hashlib.sha256(), [0], 0, b"", False
    with reading.opened(path) as file, reading.opened(path) as again:
        while data := file.read(CHUNK):
            digest.update(data)
            streams = streams or (not size and bool(_STREAM.match(data)))
            window = tail + data
            for match in _STREAM.finditer(window) if streams else ():
                start = size - len(tail) + match.start()
                if start >= starts[-1] + bz2_segment and _begins_page(again, start):
                    starts.append(start)
            # the last nine bytes may begin a stream that the next chunk ends
            tail = window[1 - _STREAM_LENGTH :]
            size += len(data)
    if not size:
        raise bad_input(path, None, "is empty", "fetch it again")
    bounds = zip(starts, [*starts[1:], size], strict=True)
    return DumpFile(path, digest.hexdigest(), size, tuple(Segment(path, *bound, streams) for bound in bounds))


def _begins_page(file: IO[bytes], start: int) -> bool:
    file.seek(start)
    try:
        return next(_bunzip2(file, MAX_PAGE), b"").lstrip().startswith(_PAGE)
    except (OSError, EOFError):
        return True  # damage is reported when the pages are read


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The uncompressed bytes of a plain, gzip or bzip2 file; its first bytes say which it is."""
    with reading.opened(path) as file:
        magic = file.read(3)
        file.seek(0)
        if magic == b"BZh":
            with bz2.open(file) as plain:
                yield plain
        elif magic.startswith(b"\x1f\x8b"):
            with gzip.open(file) as unzipped:
                yield cast(IO[bytes], unzipped)
        else:
            yield file


def decompressed(path: Path, chunks: Iterable[T]) -> Iterator[T]:
    """The same chunks; `InputError` where the file that they come from is cut or damaged."""
    try:
        yield from chunks
    except (OSError, EOFError, zlib.error) as error:
        raise bad_input(path, None, f"does not decompress ({error})", _FETCH) from None


def read_site_info(path: Path) -> tuple[str, dict[int, str]]:
    """The head of a dump: the wiki's database name, and the names of its namespaces by number.

    An InputError where it is no MediaWiki dump, declares a DOCTYPE, or does not say of which wiki it is.
    """
    with _reported(path):
        info = mwxml.Dump.from_file(io.BytesIO(_head(path) + _END)).site_info
    if not info.dbname:
        raise bad_input(path, None, "does not name its wiki in <siteinfo><dbname>", _KIND)
    return info.dbname, {space.id: space.name or "" for space in info.namespaces or ()}


def read_pages(segment: Segment) -> Iterator[Page]:
    """The pages that begin in a segment; `InputError` for a cut or damaged dump, or a page of several revisions."""
    path, head = segment.path, _head(segment.path)
    source = _Source(path, chain([head] if segment.start else [], decompressed(path, _chunks(segment))))
    with _reported(path):
        root = ElementIterator.from_file(source)
        for page in mwxml.Dump.from_element(root).pages:
            yield _page(path, page)
            # mwxml leaves an empty element in the tree for each page
            root.element.clear()
    while source.read():  # the end of the file may be damaged all the same
        pass


class PageFilters:
    """The filters by name, in the order in which they are asked; the first that applies drops the page.

    `namespace` (not an article: talk, templates, categories), `redirect`, `model` (not wikitext), `empty`, then
    those of the settings. Appendix B: "we removed the meta-page and disambiguation pages".
    """

    def __init__(self, titles: Mapping[str, str], templates: Mapping[str, Sequence[str]]):
        self.titles = {name: re.compile(pattern) for name, pattern in titles.items()}
        self.templates = {name: _template_pattern(names) for name, names in templates.items() if names}

    def reason(self, page: Page) -> str | None:
        """The name of the filter that drops a page; None for an article."""
        fixed = {
            "namespace": page.namespace != 0,
            "redirect": page.redirect,
            "model": page.model != "wikitext",
            "empty": not page.text.strip(),
        }
        reasons = [name for name, applies in fixed.items() if applies]
        reasons += [name for name, pattern in self.titles.items() if pattern.search(page.title)]
        if not reasons and any(pattern.search(page.text) for pattern in self.templates.values()):
            text = _HIDDEN.sub("", page.text)
            reasons = [name for name, pattern in self.templates.items() if pattern.search(text)]
        return reasons[0] if reasons else None


def _template_pattern(names: Sequence[str]) -> re.Pattern[str]:
    """{{Name}} or {{name|...}}: the first letter in either case, spaces or underscores between words."""
    words = ("[ _]+".join(map(re.escape, re.split(r"[ _]+", name.strip()))) for name in sorted(names))
    either = "|".join(f"(?i:{word[0]}){word[1:]}" if word[0] != "\\" else word for word in words)
    return re.compile(rf"\{{\{{\s*(?:{either})\s*(?:\||\}}\}})")


@dataclass
class _Source:
    """Chunks as the file that a parser reads; a page without end is refused before it fills the memory."""

    path: Path
    chunks: Iterator[bytes]
    size: int = 0

    def read(self, _size: int = -1) -> bytes:
        data = next(self.chunks, b"")
        end = data.rfind(_PAGE_END)
        self.size = self.size + len(data) if end < 0 else len(data) - end
        if self.size > MAX_PAGE:
            raise bad_input(self.path, None, f"has a page of more than {MAX_PAGE} bytes", _FETCH)
        return data


@contextmanager
def _reported(path: Path) -> Iterator[None]:
    """What mwxml raises over a damaged dump becomes one line."""
    try:
        yield
    except InputError:
        raise
    except ParseError as error:
        is_cut = getattr(error, "code", None) in _CUT  # mwxml's own error has no code
        what = "ends without </mediawiki>" if is_cut else f"is not well-formed XML ({error})"
        raise bad_input(path, None, " ".join(what.split()), _FETCH) from None
    except (MalformedXML, AssertionError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise bad_input(path, None, f"is not as MediaWiki writes it ({error})", _FETCH) from None


def _head(path: Path) -> bytes:
    """What stands before the first page, from <mediawiki>; a DOCTYPE, which could declare entities, is refused."""
    head = b""
    with opened(path) as file:
        for data in decompressed(path, iter(lambda: file.read(CHUNK), b"")):
            head += data
            if _PAGE in head or _END in head or len(head) > MAX_HEAD:
                break
    head = head.split(_PAGE)[0].split(_END)[0].removeprefix(codecs.BOM_UTF8).lstrip()
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise bad_input(path, None, "declares a DOCTYPE, which no dump does", _KIND)
    if not _ROOT.match(head):
        raise bad_input(path, None, "does not begin with <mediawiki>", _KIND)
    return head


def _chunks(segment: Segment) -> Iterator[bytes]:
    """The uncompressed bytes of a segment."""
    if not segment.streams:
        with opened(segment.path) as file:
            yield from iter(lambda: file.read(CHUNK), b"")
        return
    with reading.opened(segment.path) as file:
        file.seek(segment.start)
        yield from _bunzip2(file, segment.end - segment.start)
        if segment.end < os.fstat(file.fileno()).st_size:
            yield _END


def _bunzip2(file: IO[bytes], size: int) -> Iterator[bytes]:
    """The streams in the next `size` bytes; `bz2.open` takes damage between two streams for the end of the file."""
    machine = None
    while data := file.read(min(CHUNK, size)):
        size -= len(data)
        while data or (machine and not machine.needs_input):
            machine = machine or bz2.BZ2Decompressor()
            if chunk := machine.decompress(data, CHUNK):
                yield chunk
            data, machine = (machine.unused_data, None) if machine.eof else (b"", machine)
    if machine:
        raise EOFError("it ends inside a compressed stream")


def _page(path: Path, page: mwxml.Page) -> Page:
    revisions = list(islice(page, 2))
    if len(revisions) != 1:
        what = f"the page {page.title!r} has {len(revisions) or 'no'} revisions, not 1"
        raise bad_input(path, None, what, "give the pages-articles dump, which has the current ones alone")
    if page.id is None or not 0 < page.id <= MAX_ID:
        raise bad_input(path, None, f"the page {page.title!r} has no <id> from 1 on", _KIND)
    content = revisions[0].slots.contents["main"]
    text = content.text or ""
    redirect = page.redirect is not None or bool(_REDIRECT.match(text))
    return Page(page.id, page.title, page.namespace, redirect, content.model or "wikitext", text)
