"""Dumps as they are read: pages of XML and rows of SQL in every format, and one line for every damage."""

import bz2
import gzip
import re
from pathlib import Path

import pytest
from dumps_sample import END, HEAD, article, dump, multistream, page, sql

from textsimp.core import reading
from textsimp.core.errors import InputError
from textsimp.extras.wikidump import dumps
from textsimp.extras.wikidump.dumps import Page, fingerprint, read_pages, read_site_info
from textsimp.extras.wikidump.sql import Query, read_rows

PAGES = [article(7 * number + 1, f"Title {number}", "é" * number) for number in range(40)]
IDS = [7 * number + 1 for number in range(40)]


def pages(path: Path) -> list[Page]:
    read_site_info(path)
    return list(read_pages(path))


def ids(path: Path) -> list[int]:
    return [page.id for page in pages(path)]


def written(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_page_fields(tmp_path: Path) -> None:
    text = "A < b & [[c]] &nbsp; <ref>x</ref>\n\n<page> \u200f\u05d0"
    path = written(tmp_path / "d.xml", dump("enwiki", [page(3, "A & B", text, 4), page(5, "C", "x", 0, "A & B")]))
    first, second = pages(path)
    assert (first.id, first.title, first.namespace, first.redirect, first.text) == (3, "A & B", 4, False, text)
    assert (second.id, second.redirect, second.model) == (5, True, "wikitext")
    for text in ("#REDIRECT [[X]]", "\n # redirect [[X]]", "#Redirect:[[X]]"):  # dumps without the element
        path = written(tmp_path / "d.xml", dump("enwiki", [page(3, "A", text), page(4, "B", "#redirection is a list")]))
        assert [page.redirect for page in pages(path)] == [True, False]


def test_streams_begin_and_end_anywhere_and_pages_may_be_huge(tmp_path: Path) -> None:
    data = dump("enwiki", PAGES).encode()
    cut = b"".join(bz2.compress(data[start : start + 1500]) for start in range(0, len(data), 1500))
    for form in (multistream("enwiki", PAGES), cut, data):
        assert ids(written(tmp_path / "d", form)) == IDS
    text = "word " * 1_000_000
    found = pages(written(tmp_path / "d", multistream("enwiki", [PAGES[0], page(2, "Big", text), PAGES[1]], 1)))
    assert [page.id for page in found] == [1, 2, 8] and found[1].text == text.rstrip() + " "


def test_site_info_with_mark_declaration_and_crlf(tmp_path: Path) -> None:
    text = '\ufeff<?xml version="1.0"?>\n' + dump("simplewiki", PAGES[:1])
    path = written(tmp_path / "d.xml", text.replace("\n", "\r\n"))
    assert read_site_info(path) == ("simplewiki", {-2: "Media", 0: "", 1: "Talk", 6: "File", 14: "Category"})
    assert ids(path) == [1]


WHOLE = dump("enwiki", PAGES).encode()
STREAMS = multistream("enwiki", PAGES)
BAD = {
    "half a plain dump": (WHOLE[: len(WHOLE) // 2], "ends without </mediawiki>"),
    "cut inside a tag": (WHOLE[: WHOLE.rindex(b"</page>") + 3], "ends without </mediawiki>"),
    "cut between pages": (WHOLE[: WHOLE.rindex(b"</mediawiki>")], "ends without </mediawiki>"),
    "half a multistream": (STREAMS[: len(STREAMS) // 2], "does not decompress"),
    "streams missing": (STREAMS[: STREAMS.rindex(b"BZh9")], "ends without </mediawiki>"),
    "half a gzip": (gzip.compress(WHOLE)[:-20], "does not decompress"),
    "half a bzip2": (bz2.compress(WHOLE)[:-20], "does not decompress"),
    "a flipped bit": (STREAMS[:2000] + bytes([STREAMS[2000] ^ 4]) + STREAMS[2001:], "ends without </mediawiki>"),
    "a stream's first byte": (
        STREAMS.replace(b"BZh9", b"bZh9").replace(b"bZh9", b"BZh9", 1),
        "ends without </mediawiki>",
    ),
    "two dumps joined": (WHOLE + WHOLE, "goes on behind </mediawiki>; give joined dumps one by one"),
    "two bzip2 dumps joined": (STREAMS + STREAMS, "goes on behind </mediawiki>"),
    "not well formed": (WHOLE.replace(b"<ns>0</ns>", b"<ns>0<ns>", 1), "is not well-formed XML"),
    "not UTF-8": (WHOLE.replace("é".encode(), b"\xe9", 1), "is not well-formed XML"),
    "an entity": (WHOLE.replace(b"Title 7", b"&lol;"), "is not well-formed XML"),
    "no number": (WHOLE.replace(b"<id>8</id>", b"<id>x</id>", 1), "is not as MediaWiki writes it"),
    "no id": (WHOLE.replace(b"<id>8</id>", b"", 1), "has no <id>"),
    "a tag lost": (WHOLE.replace(b"  </page>\n  <page>", b"", 1), "is not as MediaWiki writes it"),
    "two revisions": (WHOLE.replace(b"</revision>", b"</revision><revision></revision>", 1), "has 2 revisions"),
    "a page's tag damaged": (WHOLE.replace(b"</page>\n  <page>", b"</page>\n  <pgae>", 1), "is not as MediaWiki"),
}


@pytest.mark.parametrize("name", BAD)
def test_damage_is_one_clear_line(tmp_path: Path, name: str) -> None:
    data, message = BAD[name]
    path = written(tmp_path / "dump", data)
    with pytest.raises(InputError, match=re.escape(message)) as error:
        ids(path)
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)


def test_a_page_or_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dumps, "_PAGE_LIMIT", 1000)
    monkeypatch.setattr(reading, "_LINE_LIMIT", 1000)
    assert ids(written(tmp_path / "d", dump("enwiki", 9 * [article(1, "A", "b")])))
    with pytest.raises(InputError, match="has a page of more than"):
        ids(written(tmp_path / "d", dump("enwiki", [page(1, "A", 20_000 * "b")])))
    with pytest.raises(InputError, match="1: a line of more than"):
        list(read_rows(written(tmp_path / "d", 20_000 * "b"), QUERY))


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "lol"}">' for n in range(10))
BODY = HEAD.format(site="enwiki") + page(1, "A", "x").replace(">x<", ">&e9;<") + END
HEADS = {
    "an entity bomb": (f"<!DOCTYPE mediawiki [{BOMB}]>\n{BODY}", "declares a DOCTYPE"),
    "a bomb in another encoding": (f"<!DOCTYPE m [{BOMB}]>{BODY}".encode("utf-16"), "does not begin with <mediawiki>"),
    "a bomb after a comment": (f"<!-- x --><!DOCTYPE m [{BOMB}]>{BODY}", "declares a DOCTYPE"),
    "another format": ("<rss></rss>", "does not begin with <mediawiki>"),
    "no site": (HEAD.replace("<dbname>{site}</dbname>", "") + END, "does not name its wiki"),
    "no head": ("<mediawiki></mediawiki>", "is not as MediaWiki writes it"),
}


@pytest.mark.parametrize("name", HEADS)
def test_wrong_heads(tmp_path: Path, name: str) -> None:
    data, message = HEADS[name]
    with pytest.raises(InputError, match=message):
        read_site_info(written(tmp_path / "dump.xml", data))


def test_a_doctype_after_the_head_and_files_that_are_none(tmp_path: Path) -> None:
    path = written(tmp_path / "e.xml", BODY.replace("  </page>", f"  </page><!DOCTYPE m [{BOMB}]>\n"))
    with pytest.raises(InputError, match="is not well-formed XML"):
        ids(path)
    empty = written(tmp_path / "empty", b"")
    for path, message in ((tmp_path / "absent", "no such file"), (tmp_path, "no plain file"), (empty, "is empty")):
        with pytest.raises(InputError, match=message):
            fingerprint(path)


QUERY = Query(
    "wb_items_per_site",
    ("ips_item_id", "ips_site_page", "ips_site_id"),
    ("ips_site_id", ("enwiki", "simplewiki")),
    "wikidatawiki",
)
ROWS = [
    (1, 42, "enwiki", "Plain title"),
    (2, 42, "simplewiki", 'O\'Neil, "Q" (a\\b); INSERT INTO `x` VALUES (1,2)'),
    (3, 43, "dewiki", "Übrig"),
    (4, 44, "enwiki", "line\nbreak),(5,6,'enwiki','x'"),
    (5, 45, "simplewiki", "עברית"),
]
EXPECTED = [(str(item), title, site) for _, item, site, title in ROWS if site != "dewiki"]


def rows(path: Path, text: str | bytes) -> list[tuple[str | None, ...]]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(read_rows(path, QUERY))


@pytest.mark.parametrize("per_line", [1, 2, 100])
def test_rows(tmp_path: Path, per_line: int) -> None:
    """Plain, with CRLF and byte-order mark, compressed, and with one row per line, as newer versions write."""
    text = sql("wb_items_per_site", ROWS, per_line=per_line)
    by_row = text.replace(" VALUES (", " VALUES\n(", 1).replace("'),(2,", "'),\n(2,").replace("'),(3,", "'),\n(3,")
    for form in (text, "\ufeff" + text.replace("\n", "\r\n"), gzip.compress(text.encode()), by_row):
        assert rows(tmp_path / "s.sql", form) == EXPECTED


def test_other_escapes_nulls_numbers_and_damaged_titles(tmp_path: Path) -> None:
    text = sql("wb_items_per_site", [(1, 2, "enwiki", "TITLE"), (None, -3, "enwiki", "x")]).encode()
    text = text.replace(b"'TITLE'", rb"'a\0b\Z\r\t\%''c\'" + b"\xc3'")
    assert rows(tmp_path / "s.sql", text) == [("2", "a\0b\x1a\r\t%'c'\ufffd", "enwiki"), ("-3", "x", "enwiki")]
    for value, read in ((b"1.5e+10", "1.5e+10"), (b"NULL", None)):
        assert rows(tmp_path / "s.sql", text.replace(b"'x'", value))[1] == ("-3", read, "enwiki")


TABLE = sql("wb_items_per_site", ROWS, per_line=2)
LINES = TABLE.split("\n")
FIRST = next(number for number, line in enumerate(LINES, 1) if line.startswith("INSERT"))
BAD_TABLES: dict[str, tuple[str | bytes, int | None, str]] = {
    "cut in a title": (TABLE[: TABLE.index("O\\'Neil") + 4], FIRST, "a row cut in two"),
    "a line broken in two": (TABLE.replace("Plain title", "Plain\ntitle"), FIRST, "a row cut in two"),
    "cut after a row": (TABLE[: TABLE.index("),(") + 1], FIRST, "ends without , or ;"),
    "cut after a comma": (TABLE[: TABLE.index("),(") + 2], None, "ends before the table does"),
    "cut after an INSERT": ("\n".join(LINES[: FIRST + 1]), None, "ends before the table does"),
    "a row after the end": (TABLE.replace(";\n/*!40000 A", ";(1,2,'a','b');\n/*!40000 A"), FIRST + 2, "a row cut"),
    "too few values": (TABLE.replace("(1,42,", "(1,"), FIRST, "a row cut in two"),
    "another table": (sql("langlinks", [], "wikidatawiki"), 9, "the table 'langlinks', not 'wb_items_per_site'"),
    "an id that is no number": (TABLE.replace("(4,44,", "(4,1e400,"), FIRST + 1, "ips_item_id is b'1e400', not a"),
    "another wiki's": (TABLE.replace("wikidatawiki", "commonswiki"), 3, "a dump of the database 'commonswiki'"),
    "a column less": (TABLE.replace("ips_site_page", "ips_page"), 16, "no column 'ips_site_page'"),
    "no dump": ("<html>\n", 1, "is nothing that mysqldump writes there"),
    "a name that is not UTF-8": (
        TABLE.encode().replace(b"`ips_site_page` v", b"`ips\xca` v"),
        16,
        "no column 'ips_site",
    ),
    "half a gzip": (gzip.compress(TABLE.encode())[:-30], None, "does not decompress"),
    "nothing": ("", None, "holds no table 'wb_items_per_site'"),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_damage_of_a_table_names_the_line(tmp_path: Path, name: str) -> None:
    text, line, message = BAD_TABLES[name]
    with pytest.raises(InputError, match=message) as error:
        rows(tmp_path / "s.sql", text)
    assert str(error.value).startswith(f"{tmp_path / 's.sql'}: " if line is None else f"{tmp_path / 's.sql'}:{line}: ")
