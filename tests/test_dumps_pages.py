"""Pages of XML dumps: every format, every cut, every damage."""

import bz2
import gzip
import re
from pathlib import Path

import pytest
from dumps_sample import END, HEAD, article, dump, multistream, page

from textsimp.core.errors import InputError
from textsimp.extras.wikidump.dumps import Page, fingerprint, read_pages, read_site_info

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


@pytest.mark.parametrize("text", ["#REDIRECT [[X]]", "\n # redirect [[X]]", "#Redirect:[[X]]"])
def test_redirects_of_dumps_without_the_element(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "d.xml", dump("enwiki", [page(3, "A", text), page(4, "B", "#redirection is a list")]))
    assert [page.redirect for page in pages(path)] == [True, False]


@pytest.mark.parametrize("chunk", [10, 64, 1 << 20])
def test_streams_that_begin_and_end_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr("textsimp.extras.wikidump.dumps.CHUNK", chunk)
    assert ids(written(tmp_path / "d.xml.bz2", multistream("enwiki", PAGES))) == IDS
    data = dump("enwiki", PAGES).encode()
    streams = b"".join(bz2.compress(data[start : start + 1500]) for start in range(0, len(data), 1500))
    assert ids(written(tmp_path / "d.bz2", streams)) == ids(written(tmp_path / "d", data)) == IDS


def test_site_info(tmp_path: Path) -> None:
    """With a byte-order mark, an XML declaration and CRLF."""
    text = '\ufeff<?xml version="1.0"?>\n' + dump("simplewiki", PAGES[:1])
    path = written(tmp_path / "d.xml", text.replace("\n", "\r\n"))
    site, namespaces = read_site_info(path)
    assert site == "simplewiki"
    assert namespaces == {-2: "Media", 0: "", 1: "Talk", 6: "File", 14: "Category"}
    assert ids(path) == [1]


def test_a_huge_page_in_bounded_pieces(tmp_path: Path) -> None:
    text = "word " * 1_000_000
    path = written(tmp_path / "d.bz2", multistream("enwiki", [PAGES[0], page(2, "Big", text), PAGES[1]], 1))
    found = pages(path)
    assert [page.id for page in found] == [1, 2, 8]
    assert found[1].text == text.rstrip() + " "


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
    "a flipped bit": (STREAMS[:2000] + bytes([STREAMS[2000] ^ 4]) + STREAMS[2001:], "does not decompress"),
    "a stream's first byte": (STREAMS.replace(b"BZh9", b"bZh9").replace(b"bZh9", b"BZh9", 1), "does not decompress"),
    "text after bzip2": (STREAMS + b"junk", "does not decompress"),
    "two dumps joined": (WHOLE + WHOLE, "goes on behind </mediawiki>; give dumps that were joined one by one"),
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


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "lol"}">' for n in range(10))
BODY = HEAD.format(site="enwiki") + page(1, "A", "x").replace(">x<", ">&e9;<") + END
HEADS = {
    "an entity bomb": (f"<!DOCTYPE mediawiki [{BOMB}]>\n{BODY}", "declares a DOCTYPE"),
    "a bomb after a declaration": (f'<?xml version="1.0"?><!DOCTYPE m [{BOMB}]>{BODY}', "declares a DOCTYPE"),
    "a file as entity": (f'<!DOCTYPE m SYSTEM "file:///etc/passwd">{BODY}', "declares a DOCTYPE"),
    "a bomb in another encoding": (f"<!DOCTYPE m [{BOMB}]>{BODY}".encode("utf-16"), "does not begin with <mediawiki>"),
    "a bomb after a comment": (f"<!-- x --><!DOCTYPE m [{BOMB}]>{BODY}", "declares a DOCTYPE"),
    "another format": ("<rss></rss>", "does not begin with <mediawiki>"),
    "no site": (HEAD.replace("<dbname>{site}</dbname>", "") + END, "does not name its wiki"),
    "no head": ("<mediawiki></mediawiki>", "is not as MediaWiki writes it"),
    "SQL": ("SQL", "does not begin with <mediawiki>"),
}


@pytest.mark.parametrize("name", HEADS)
def test_wrong_heads(tmp_path: Path, name: str) -> None:
    data, message = HEADS[name]
    path = written(tmp_path / "dump.xml", data)
    with pytest.raises(InputError, match=message):
        read_site_info(path)
    if "DOCTYPE" in message:
        with pytest.raises(InputError, match=message):
            ids(path)


def test_a_doctype_after_the_head_is_no_xml(tmp_path: Path) -> None:
    path = written(tmp_path / "d.xml", BODY.replace("  <page>", f"<!DOCTYPE m [{BOMB}]>\n  <page>"))
    with pytest.raises(InputError, match="DOCTYPE|is not well-formed XML"):
        ids(path)
    path = written(tmp_path / "e.xml", BODY.replace("  </page>", f"  </page><!DOCTYPE m [{BOMB}]>\n"))
    with pytest.raises(InputError, match="is not well-formed XML"):
        ids(path)


def test_absent_and_empty_files(tmp_path: Path) -> None:
    empty = written(tmp_path / "empty", b"")
    for path, message in ((tmp_path / "absent", "no such file"), (tmp_path, "no plain file"), (empty, "is empty")):
        with pytest.raises(InputError, match=message):
            fingerprint(path)


def test_a_page_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textsimp.extras.wikidump.dumps.MAX_PAGE", 1000)
    path = written(tmp_path / "d.xml", dump("enwiki", [page(1, "A", "x" * 3_000_000)]))
    with pytest.raises(InputError, match="has a page of more than 1000 bytes"):
        ids(path)
