"""Texts of one's own in docx, HTML, Markdown and PDF as paragraphs, and docx and HTML with other words in them.

Tracked changes of a docx count as accepted. Scripts, styles, menus and what is hidden on a web page are never read, nor
are headers, footers, footnotes and comments of a docx. A row of a table is one block, its cells parted by bars; a table
of one column, or with whole paragraphs in its cells, is a layout, and is read as text.
"""

import contextlib
import difflib
import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from textsimp.core.errors import InputError, bad_input, one_line
from textsimp.core.reading import decoded, opened, read_bytes, read_prose
from textsimp.core.text_form import line_as_read, text_as_read
from textsimp.sources.sentences import check_text
from textsimp.sources.splitting.layout import Kind, Line, Piece, are_sentences

DOCX, HTML, MARKDOWN, PDF = "docx", "html", "markdown", "pdf"
ENDINGS = {".docx": DOCX, ".html": HTML, ".htm": HTML, ".md": MARKDOWN, ".markdown": MARKDOWN, ".pdf": PDF}
_HEAD = 4096
_HTML = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!doctype html|<html)", re.I | re.S)
_CHARSET = re.compile(rb"(?:.*?<meta[^>]+charset|\s*<\?xml[^>]+encoding)=[\"']?\s*([\w-]+)", re.I | re.S)
_NO_DOCX = re.compile(rb"(?:macroEnabled\w*|template)\.main\+xml")
_FRONT_MATTER = re.compile(r"\A---\n(?:#.*\n)*[\w-]+:\s(?s:.*?)(?<=\n)(?:---|\.\.\.)(?:\n|\Z)")
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_UNPACKED = 1 << 28
"""Bytes of all parts of a docx."""
_PAGE_NUMBER = re.compile(r"[ |–-]*(?:(?:page|seite|p[aá]gina) )?\d+(?: ?(?:/|of|von|de|di|sur) ?\d+)?[ |–-]*", re.I)
_EDGE = 5  # lines at most at the top, or bottom, of a page of a PDF that other pages have, too
_NOTE = re.compile(r"(?is).*\^[\[(].+[\])]|.?[.,;:!?…\"'”’»]\^(?:[\d *†‡§¶#,–-]+|(?<!\d.\^)[a-z])")
"""Two characters and, behind `^`, a superscript that is no part of a word; `1.^a` is one in Spanish."""
_CELL = 25
"""Words that a cell of a table has at most; one with more is a paragraph."""
_UNREAD = frozenset(
    """head script style noscript template svg math iframe object audio video canvas select textarea button nav aside
    footer""".split()
)
_KINDS = {**{f"h{level}": Kind.HEADING for level in range(1, 7)}, "li": Kind.ITEM, "dd": Kind.ITEM, "pre": Kind.ROW}
_BLOCKS = frozenset(
    """address article blockquote body caption center dd details div dl dt fieldset figcaption figure form header hr
    main ol p section summary table td th title ul""".split()
).union(_KINDS)


class Slot(NamedTuple):
    """A run of text, and the element that holds it as `name` (`text` or `tail`); without one it is a break or a bar."""

    text: str
    element: Any = None
    name: str = "text"


class Block(NamedTuple):
    """A paragraph, a heading, an item of a list or a row of a table, as its runs of text."""

    kind: Kind
    slots: tuple[Slot, ...]

    @property
    def text(self) -> str:
        """Return the text with single spaces, in the form of `core.text_form` where texts are read in it."""
        text = "".join(slot.text for slot in self.slots)
        return " ".join(line_as_read(text.replace("\n", " ")).split())

    @property
    def whole(self) -> bool:
        """Return whether it is one unit whatever its marks: a heading or a row."""
        return self.kind in (Kind.HEADING, Kind.ROW)


@dataclass(frozen=True)
class MarkedText:
    """A docx, HTML or Markdown file as blocks; `save` gives its bytes as they now are, after `changes`."""

    form: str
    blocks: Sequence[Block]
    save: Callable[[], bytes]
    changes: int = 0

    def with_texts(self, texts: Mapping[int, str]) -> bytes:
        """Return the file with these texts in place of the blocks of these numbers, from 0; call it once.

        Words that stay keep their format; new ones take that of the words whose place they have.
        """
        for number, text in texts.items():
            _put(self.blocks[number].slots, text)
        return self.save()


def head_of(path: Path) -> bytes:
    """Return the first bytes of a plain file; none of a pipe, which can be read once, or of standard input."""
    if not path.is_file():
        return b""
    with opened(path) as file:
        return file.read(_HEAD)


def form_of(path: Path) -> str | None:
    """Return which of the four forms a file has, as it begins and as its name ends; None for plain text."""
    head, ending = head_of(path), ENDINGS.get(path.suffix.lower())
    if head.startswith(b"%PDF"):
        return PDF
    if head.startswith(b"PK\x03\x04") and (ending == DOCX or b"word/" in head):
        return DOCX
    return HTML if _HTML.match(head) else ending if ending in (HTML, MARKDOWN) and head else None


def read_marked(path: Path) -> MarkedText | None:
    """Return a docx, HTML or Markdown file as blocks; None for what is plain text, or becomes it (`read_plain`).

    `InputError` where the file is damaged, `ImportError` where the extra `documents` is not installed.
    """
    form = form_of(path)
    if form is None or form == PDF:
        return None
    with _parsed(path, {DOCX: "Word document", HTML: "web page", MARKDOWN: "Markdown text"}[form]):
        marked = _docx(path) if form == DOCX else _html(_page_source(path, form), form)
    for block in marked.blocks:
        check_text(path, None, block.text)
    return marked


def read_plain(path: Path) -> str:
    """Return a plain text as `read_prose` does, and a PDF as plain text; errors as of `read_marked`."""
    if form_of(path) != PDF:
        return read_prose(path)
    with _parsed(path, "PDF"):
        return text_as_read(_pdf_text(path))


def pieces_of(blocks: Iterable[Block], lines: str) -> list[list[Piece]]:
    """Return blocks as `text_paragraphs` has those of a plain text: items of a list, and rows, are one paragraph."""
    alone = are_sentences(lines)
    shown = [(block, text) for block in blocks if (text := block.text)]
    pieces = [Piece(block.kind, (Line(text, block.kind, 0, len(text)),), block.whole or alone) for block, text in shown]
    together = (Kind.ITEM, Kind.ROW)
    runs = groupby(enumerate(pieces), lambda item: item[1].kind if item[1].kind in together else item[0])
    return [[piece for _, piece in run] for _, run in runs]


@contextlib.contextmanager
def _parsed(path: Path, what: str) -> Iterator[None]:
    """Turn whatever a reader of documents raises for a damaged file into one line."""
    try:
        yield
    except (InputError, ImportError, MemoryError):
        raise
    except Exception as error:
        said = one_line(str(error)) or type(error).__name__
        raise bad_input(path, None, f"a damaged or locked {what} ({said})", "save it anew, or as plain text") from None


def _put(slots: Sequence[Slot], text: str) -> None:
    """Write a text into the runs that held another one: words that stay into theirs."""
    old = [(token, place) for place, slot in enumerate(slots) for token in _TOKEN.findall(slot.text)]
    new, parts = _TOKEN.findall(text), [""] * len(slots)
    own = [place for place, slot in enumerate(slots) if slot.element is not None]
    keys = [" " if token.isspace() else token for token, _ in old]
    place = own[0]
    for kind, begin, end, first, last in difflib.SequenceMatcher(None, keys, new, autojunk=False).get_opcodes():
        if kind == "equal":
            for token, place in old[begin:end]:
                parts[place] += token
            continue
        if begin < end:
            place = old[begin][1]
        if first < last:
            place = min((item for item in own if item >= place), default=own[-1])
            parts[place] += "".join(new[first:last])
    for slot, part in zip(slots, parts, strict=True):
        if slot.element is not None:
            setattr(slot.element, slot.name, part)
            if slot.element.tag == f"{_W}t":
                slot.element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")


def _table(rows: Iterable[Sequence[Sequence[Block]]]) -> Iterator[Block]:
    """Yield the rows of a table, each a list of cells of blocks; of a layout the blocks."""
    rows = [[cell for cell in row if cell] for row in rows]
    is_layout = all(len(row) < 2 for row in rows)
    if is_layout or any(len(block.text.split()) > _CELL for row in rows for cell in row for block in cell):
        yield from (block for row in rows for cell in row for block in cell)
        return
    for row in filter(None, rows):
        slots = [slot for cell in row for block in cell for slot in (Slot(" | "), *block.slots)]
        yield Block(Kind.ROW, tuple(slots[1:]))


def _docx(path: Path) -> MarkedText:
    import docx

    data = read_bytes(path)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(item.file_size for item in archive.infolist()) > _UNPACKED:
            raise ValueError(f"more than {_UNPACKED >> 20} MiB when it is unpacked")
        if _NO_DOCX.search(archive.read("[Content_Types].xml")):
            raise bad_input(path, None, "a Word document with macros, or a template", "save it as .docx")
    document = docx.Document(io.BytesIO(data))
    changes = _accept_changes(body := document.element.body)
    return MarkedText(DOCX, list(_docx_blocks(body, document)), partial(_saved_docx, data, document), changes)


def _saved_docx(data: bytes, document: Any) -> bytes:
    """Return the file with its main part as it now is: every other part, and their dates, as they were."""
    from lxml import etree

    saved = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as new:
        for item in old.infolist():
            is_main = item.filename == document.part.partname.lstrip("/")
            xml = etree.tostring(document.element, xml_declaration=True, encoding="UTF-8", standalone=True)
            new.writestr(item, xml if is_main else old.read(item))
    return saved.getvalue()


def _accept_changes(body: Any) -> int:
    """Take deletions out and insertions in, and count them; a paragraph whose end was deleted goes on in the next."""
    number = len(body.xpath(".//w:ins | .//w:del | .//w:moveTo | .//w:moveFrom | .//w:rPrChange | .//w:pPrChange"))
    for gone in body.xpath(
        ".//w:del[not(parent::w:rPr)][not(parent::w:trPr)] | .//w:moveFrom[not(parent::w:rPr)] | .//w:tr[w:trPr/w:del]"
        " | .//w:tbl[w:tr][not(w:tr[not(w:trPr/w:del)])]"
    ):
        gone.getparent().remove(gone)
    for ended in body.xpath(".//w:p[w:pPr/w:rPr/w:del or w:pPr/w:rPr/w:moveFrom]"):
        after = ended.getnext()
        if after is not None and after.tag == f"{_W}p":
            start = int(after.pPr is not None)
            after[start:start] = [child for child in ended if child.tag != f"{_W}pPr"]
        if after is not None and after.tag == f"{_W}p" or not ended.xpath(".//w:t"):
            ended.getparent().remove(ended)
    for mark in body.xpath(".//w:rPr/w:ins | .//w:rPr/w:del | .//w:trPr/w:ins | .//w:rPrChange | .//w:pPrChange"):
        mark.getparent().remove(mark)
    for inserted in body.xpath(".//w:ins | .//w:moveTo"):
        parent = inserted.getparent()
        place = parent.index(inserted)
        parent[place : place + 1] = list(inserted)
    return number


def _docx_blocks(element: Any, document: Any) -> Iterator[Block]:
    """Yield the blocks in a body, a cell, a text box or a content control."""
    for child in element:
        if child.tag == f"{_W}p":
            slots = tuple(_docx_slots(child))
            if any(slot.text.strip() for slot in slots):
                yield Block(_docx_kind(child, document), slots)
            for box in child.iter(f"{_W}txbxContent"):
                if next(box.iterancestors(_FALLBACK), None) is None and next(box.iterancestors(f"{_W}p")) is child:
                    yield from _docx_blocks(box, document)
        elif child.tag == f"{_W}tbl":
            rows = [_own(row, (f"{_W}tc",), f"{_W}tr") for row in _own(child, (f"{_W}tr",), f"{_W}tbl")]
            yield from _table([[list(_docx_blocks(cell, document)) for cell in row] for row in rows])
        elif child.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}customXml"):
            yield from _docx_blocks(child, document)


def _docx_slots(paragraph: Any) -> Iterator[Slot]:
    for item in paragraph.iter(*(f"{_W}{name}" for name in ("t", "tab", "br", "cr", "noBreakHyphen"))):
        if item.getparent().tag == f"{_W}r" and next(item.iterancestors(f"{_W}p")) is paragraph:
            if item.tag == f"{_W}t":
                yield Slot(item.text or "", item)
            else:
                yield Slot("-" if item.tag == f"{_W}noBreakHyphen" else " ")


def _docx_kind(paragraph: Any, document: Any) -> Kind:
    from docx.text.paragraph import Paragraph

    style = Paragraph(paragraph, document).style
    name = (style.name or "").lower() if style is not None else ""
    if name.startswith(("heading", "title", "subtitle")) or paragraph.xpath("./w:pPr/w:outlineLvl"):
        return Kind.HEADING
    return Kind.ITEM if name.startswith("list") or paragraph.xpath("./w:pPr/w:numPr") else Kind.TEXT


def _page_source(path: Path, form: str) -> str:
    """Markdown as HTML, or a web page as text, in the encoding that it declares; UTF-8 by default."""
    if form == MARKDOWN:
        from markdown_it import MarkdownIt

        source = _FRONT_MATTER.sub("", read_prose(path))
        return MarkdownIt("commonmark").enable("table").render(source) or "<p></p>"
    data = read_bytes(path)
    declared = _CHARSET.match(data[:_HEAD])
    codec = declared[1].decode("ascii", "replace").lower() if declared else "utf-8"
    if codec in ("utf-8", "utf8") or data.startswith(b"\xef\xbb\xbf"):
        return decoded(data, path, 1)
    try:
        return data.decode("cp1252" if codec in ("iso-8859-1", "latin1", "us-ascii") else codec)
    except (LookupError, UnicodeDecodeError):
        raise bad_input(path, None, f"is not in {codec!r}, which it declares", "save it as UTF-8") from None


def _html(text: str, form: str) -> MarkedText:
    from lxml import html

    tree = html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8", no_network=True))
    main = tree.xpath("//main")
    body = main[0] if len(main) == 1 else tree.find("body")
    return MarkedText(form, _Page().walk(tree if body is None else body), partial(_saved_html, tree))


def _saved_html(tree: Any) -> bytes:
    """Return the page in UTF-8, which it then declares."""
    from lxml import etree, html

    for meta in tree.xpath("//meta[@charset or translate(@http-equiv, 'CONTEYP', 'conteyp') = 'content-type']"):
        meta.getparent().remove(meta)
    if (head := tree.find("head")) is None:
        tree.insert(0, head := etree.Element("head"))
    head.insert(0, etree.Element("meta", charset="utf-8"))
    saved: str = html.tostring(tree, encoding="unicode", include_meta_content_type=True, doctype="<!DOCTYPE html>")
    return saved.encode()


class _Page:
    """The blocks of a web page, collected in the order of its elements."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._open: list[Slot] = []

    def walk(self, element: Any, kind: Kind = Kind.TEXT) -> list[Block]:
        """Return the blocks up to the end of an element; text before and behind it belongs to its parent."""
        tag = element.tag
        if not isinstance(tag, str) or tag in _UNREAD or _is_hidden(element) or tag == "sup" and self._is_note(element):
            return self.blocks
        own, is_block = _KINDS.get(tag, kind), tag in _BLOCKS
        if is_block:
            self._end(kind)
        if tag == "table":
            for caption in _own(element, ("caption",), "table"):
                self.walk(caption)
            rows = [_own(row, ("td", "th"), "tr") for row in _own(element, ("tr",), "table")]
            self.blocks += _table([[_Page().walk(cell) for cell in row] for row in rows])
            return self.blocks
        self._open.append(Slot(" ") if tag == "br" else Slot(element.text or "", element))
        for child in element:
            self.walk(child, own)
            self._open.append(Slot(child.tail or "", child, "tail"))
        if is_block:
            self._end(own)
        return self.blocks

    def _is_note(self, sup: Any) -> bool:
        """Return whether a superscript is the mark of a note: a link, or a sign in brackets or behind punctuation."""
        text, before = sup.text_content().strip(), "".join(slot.text for slot in self._open[-8:])
        links = (link.text_content().strip() for link in sup.xpath(".//a | parent::a"))
        return text in links or _NOTE.fullmatch(f"{before[-2:]}^{text}") is not None

    def _end(self, kind: Kind) -> None:
        if any(slot.text.strip() for slot in self._open):
            self.blocks.append(Block(kind, tuple(self._open)))
        self._open = []


def _own(element: Any, names: Sequence[str], above: str) -> list[Any]:
    """Return what is shown of the descendants of these names whose nearest `above` is the element."""
    items = (item for item in element.iter(*names) if next(item.iterancestors(above)) is element)
    return [item for item in items if not (_is_hidden(item) or _is_hidden(item.getparent()))]


def _is_hidden(element: Any) -> bool:
    style = "".join((element.get("style") or "").lower().split())
    return element.get("hidden") is not None or "display:none" in style or "visibility:hidden" in style


def _pdf_text(path: Path) -> str:
    """Return the lines of the pages, without page numbers and what stands at the top or bottom of most of them."""
    import logging

    import pypdf

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    reader = pypdf.PdfReader(io.BytesIO(read_bytes(path)))
    pages = [[row for row in page.extract_text().splitlines() if row.strip()] for page in reader.pages]
    if not any(any(map(str.isalpha, row)) for page in pages for row in page):
        raise bad_input(path, None, "a PDF without text (scanned pages?)", "let a text recognition (OCR) read it first")
    edges = Counter(row for page in pages for row in {*map(_digitless, page[:_EDGE] + page[-_EDGE:])})
    repeated = {row for row, number in edges.items() if row and number > max(1, len(pages) // 2)}
    bodies = [_without_head(_without_head(page, repeated)[::-1], repeated)[::-1] for page in pages]
    return "\n".join(row for page in (bodies if any(bodies) else pages) for row in page) + "\n"


def _digitless(row: str) -> str:
    """Return a line as other pages may have it, with other numbers; nothing of a page's number alone."""
    return "" if _PAGE_NUMBER.fullmatch(row) else re.sub(r"\d+", "0", row)


def _without_head(rows: Sequence[str], repeated: Collection[str]) -> Sequence[str]:
    """Return the lines behind the first ones that are repeated, or the page's number, which stands there once."""
    edges = [_digitless(row) for row in rows[:_EDGE]]
    ends = (place for place, edge in enumerate(edges) if edge not in repeated and (edge or "" in edges[:place]))
    return rows[next(ends, len(edges)) :]
