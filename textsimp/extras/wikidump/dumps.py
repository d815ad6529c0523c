"""The contents of dumps: pages of wikis, and which of two wikis are of one Wikidata item; plain, gzip or bzip2 files.

mwxml reads the `pages-articles` XML dumps, which may be multistream bzip2. Of the SQL dump of `wb_items_per_site`
mysqldump writes `INSERT INTO `TABLE` VALUES (...),(...);`, on one line or with one row per line, and escapes line ends,
so that no value goes over a line. Each line must be rows from its first character to its last; nothing is skipped.
(The package mwsql splits rows at `),(`, which a title may hold.)
"""

import bz2
import gzip
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import errors

import mwxml
from mwxml.element_iterator import ElementIterator
from mwxml.errors import MalformedXML

from textsimp.core import reading
from textsimp.core.errors import InputError, bad_input

_END = "</mediawiki>"
_CUT = [errors.codes[name] for name in (errors.XML_ERROR_NO_ELEMENTS, errors.XML_ERROR_UNCLOSED_TOKEN)]
_JOINED = errors.codes[errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]
_REDIRECT = re.compile(r"\s*#\s*redirect\b", re.IGNORECASE)
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|<nowiki>.*?</nowiki>", re.DOTALL)
_FETCH = "the dump is cut or damaged; fetch it again"
_KIND = "give a pages-articles XML dump of MediaWiki"
_TABLE = b"wb_items_per_site"
_COLUMNS = [b"ips_row_id", b"ips_item_id", b"ips_site_id", b"ips_site_page"]
_COLUMN = re.compile(rb"\s+`([^`]+)` ")
_INSERT = re.compile(rb"INSERT INTO `" + _TABLE + rb"` VALUES\s*")
_TEXT = rb"'((?:[^'\\]|\\.|'')*+)'"
_ROW = re.compile(rb"\(\d++,(\d++)," + _TEXT + b"," + _TEXT + rb"\)[,;]", re.DOTALL)
_ESCAPE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPED = {b"0": b"\0", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"Z": b"\x1a", None: b"'"}
_ENDS = (b"UNLOCK TABLES", b"-- Dump completed")


@dataclass(frozen=True)
class Page:
    """One page: its id, title, namespace number, whether it redirects, its content model, and its wikitext."""

    id: int
    title: str
    namespace: int
    redirect: bool
    model: str
    text: str


@contextmanager
def opened_dump(path: Path) -> Iterator[IO[bytes]]:
    """Open a dump, uncompressed; turn what reading it and parsing its XML raise into an `InputError` of one line."""
    with reading.opened(path) as file:
        magic = file.read(3)
        file.seek(0)
        source: Any = (
            bz2.BZ2File(file) if magic == b"BZh" else gzip.GzipFile(fileobj=file) if magic[:2] == b"\x1f\x8b" else file
        )
        try:
            yield source
        except InputError:
            raise
        except ParseError as error:
            code = getattr(error, "code", None)  # mwxml's own error has none
            if code == _JOINED:
                raise bad_input(path, None, f"goes on behind {_END}", "give joined dumps one by one") from None
            what = f"ends without {_END}" if code in _CUT else f"is not well-formed XML ({error})"
        except (EOFError, OSError, zlib.error) as error:
            what = f"does not decompress ({error})"
        except (MalformedXML, AssertionError, AttributeError, KeyError, TypeError, ValueError) as error:
            what = f"is not as MediaWiki writes it ({str(error) or 'another kind of XML'})"
        else:
            return
        raise bad_input(path, None, " ".join(what.split()), _FETCH)


def fingerprint(path: Path) -> dict[str, str | int]:
    """Return name, SHA-256 and size of a file; `InputError` where it is absent, empty or no plain file."""
    if path.exists() and not path.is_file():
        raise bad_input(path, None, "is no plain file", "a dump is read several times; give a file")
    digest = reading.sha256(path)
    if not (size := path.stat().st_size):
        raise bad_input(path, None, "is empty", "fetch it again")
    return {"name": path.name, "sha256": digest, "bytes": size}


def read_site_info(path: Path) -> tuple[str, dict[int, str]]:
    """Return the wiki's database name, and the names of its namespaces by number.

    `InputError` where the file is no MediaWiki dump, or does not say of which wiki it is.
    """
    with opened_dump(path) as file:
        info = mwxml.Dump.from_file(file).site_info
    if not info.dbname:
        raise bad_input(path, None, "does not name its wiki in <siteinfo><dbname>", _KIND)
    return info.dbname, {space.id: space.name or "" for space in info.namespaces or ()}


def read_pages(path: Path) -> Iterator[Page]:
    """Yield the pages of a dump; `InputError` for a cut or damaged one, or a page of several revisions."""
    with opened_dump(path) as file:
        root = ElementIterator.from_file(file)
        for page in mwxml.Dump.from_element(root).pages:
            yield _page(path, page)
            # mwxml leaves an empty element in the tree for each page
            root.element.clear()
        for _ in root.pointer.etree_events:  # up to the end of the file, which may be damaged all the same
            pass


def _page(path: Path, page: mwxml.Page) -> Page:
    revisions = list(islice(page, 2))
    if len(revisions) != 1:
        what = f"the page {page.title!r} has {len(revisions) or 'no'} revisions, not 1"
        raise bad_input(path, None, what, "give the pages-articles dump, which has the current ones alone")
    if page.id is None:
        raise bad_input(path, None, f"the page {page.title!r} has no <id>", _KIND)
    content = revisions[0].slots.contents["main"]
    text = content.text or ""
    redirect = page.redirect is not None or bool(_REDIRECT.match(text))
    return Page(page.id, page.title, page.namespace, redirect, content.model or "wikitext", text)


class PageFilters:
    """The filters by name, in the order in which they are asked; the first that applies drops the page.

    `namespace` (not an article: talk, templates, categories), `redirect`, `model` (not wikitext), `empty`, then
    those of the settings. Appendix B: "we removed the meta-page and disambiguation pages".
    """

    def __init__(self, titles: Mapping[str, str], templates: Mapping[str, Sequence[str]]) -> None:
        self.titles = {name: re.compile(pattern) for name, pattern in titles.items()}
        self.templates = {name: _template_pattern(names) for name, names in templates.items() if names}

    def reason(self, page: Page) -> str | None:
        """Return the name of the filter that drops a page; None for an article."""
        fixed = {"namespace": page.namespace != 0, "redirect": page.redirect, "model": page.model != "wikitext"}
        reasons = [name for name, applies in {**fixed, "empty": not page.text.strip()}.items() if applies]
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


def linked_titles(path: Path, complex_site: str, simple_site: str) -> dict[str, str]:
    """Return the title of the complex page of each item by the title of the simple one.

    The dump is read twice, so that memory holds the pages of the smaller wiki only. `InputError` where it is of another
    table, cut or damaged, or names no pages of one of the wikis.
    """
    simple = dict(_sitelinks(path, simple_site))
    complex_ = {item: title for item, title in _sitelinks(path, complex_site) if item in simple}
    for site, titles in ((simple_site, simple), (complex_site, complex_)):
        if not titles:
            raise bad_input(path, None, f"has no page of {site!r}", "give Wikidata's dump, which names both wikis")
    return {simple[item]: title for item, title in complex_.items()}


def _sitelinks(path: Path, site: str) -> Iterator[tuple[bytes, str]]:
    """Yield item and title of each page of a wiki; damaged UTF-8 becomes U+FFFD, as titles are cut at 255 bytes."""
    columns: list[bytes] = []
    is_ended, wanted = False, site.encode()
    with opened_dump(path) as file:
        for number, line in enumerate(reading.iterate_bytes(file, path), 1):
            line = line.rstrip(b"\r\n")
            begin = _INSERT.match(line)
            if begin is None and not line.startswith(b"("):
                columns += [column[1] for column in [_COLUMN.match(line)] if column]
                is_ended = is_ended or line.startswith(_ENDS)
                continue
            place = begin.end() if begin else 0
            while place < len(line):
                row = _ROW.match(line, place)
                if row is None or columns[:4] != _COLUMNS:
                    what = f"at byte {place + 1} is no row of {_TABLE.decode()}, or a row cut in two"
                    raise bad_input(path, number, what, "fetch the SQL dump again")
                place = row.end()
                if row[2] == wanted:
                    title = _ESCAPE.sub(lambda sign: _ESCAPED.get(sign[1], sign[1]), row[3])
                    yield row[1], title.decode("utf-8", "replace").replace("_", " ").strip()
    if not is_ended or not columns:
        what = f"is no whole SQL dump of {_TABLE.decode()}"
        raise bad_input(path, None, what, "fetch it again")
