"""Segments and pages of XML dumps: every format, every cut, every damage."""

import bz2
import gzip
import re
from itertools import chain
from pathlib import Path

import pytest
from dumps_sample import END, HEAD, article, dump, multistream, page

from textsimp.errors import InputError
from textsimp.sources.dumps.pages import read_pages, read_site_info
from textsimp.sources.dumps.segments import inspect, read_lines

PAGES = [article(7 * number + 1, f"Title {number}", "é" * number) for number in range(40)]
IDS = [7 * number + 1 for number in range(40)]


def ids(path: Path, **sizes: int) -> list[list[int]]:
    """The page ids of each segment."""
    return [[page.id for page in read_pages(segment)] for segment in inspect(path, **sizes).segments]


def written(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_page_fields(tmp_path: Path) -> None:
    text = "A < b & [[c]] &nbsp; <ref>x</ref>\n\n<page> \u200f\u05d0"
    path = written(tmp_path / "d.xml", dump("enwiki", [page(3, "A & B", text, 4), page(5, "C", "x", 0, "A & B")]))
    first, second = read_pages(inspect(path).segments[0])
    assert (first.id, first.title, first.namespace, first.redirect, first.text) == (3, "A & B", 4, False, text)
    assert (second.id, second.redirect, second.model) == (5, True, "wikitext")


@pytest.mark.parametrize("text", ["#REDIRECT [[X]]", "\n # redirect [[X]]", "#Redirect:[[X]]"])
def test_redirects_of_dumps_without_the_element(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "d.xml", dump("enwiki", [page(3, "A", text), page(4, "B", "#redirection is a list")]))
    assert [page.redirect for page in read_pages(inspect(path).segments[0])] == [True, False]


@pytest.mark.parametrize("size", [1, 50, 211, 997, 5000, 10**6])
def test_plain_dump_cut_anywhere_gives_each_page_once(tmp_path: Path, size: int) -> None:
    text = dump("enwiki", PAGES[:6] if size == 1 else PAGES)
    path = written(tmp_path / "d.xml", text if size > 1 else text[-800:])
    expected = [int(number) for number in re.findall(r"<ns>0</ns>\n    <id>(\d+)", path.read_text())]
    if size == 1:
        expected = [
            int(number) for number in re.findall(r"<page>.*?<ns>0</ns>\n    <id>(\d+)", path.read_text(), re.DOTALL)
        ]
    parts = ids(path, plain_segment=size)
    assert list(chain(*parts)) == expected
    assert len(parts) == -(-(path.stat().st_size - 64) // size)


@pytest.mark.parametrize("size", [1, 1000, 4000, 10**6])
def test_multistream_segments(tmp_path: Path, size: int) -> None:
    path = written(tmp_path / "d.xml.bz2", multistream("enwiki", PAGES))
    parts = ids(path, bz2_segment=size)
    assert list(chain(*parts)) == IDS
    assert len(parts) == {1: 22, 10**6: 1}.get(size, len(parts))
    assert size == 10**6 or len(parts) > 1


def test_streams_that_end_inside_pages(tmp_path: Path) -> None:
    """A parallel compressor cuts anywhere; a page belongs to the segment where it begins."""
    data = dump("enwiki", PAGES).encode()
    for length in (97, 1500):
        streams = b"".join(bz2.compress(data[start : start + length]) for start in range(0, len(data), length))
        path = written(tmp_path / "d.bz2", streams)
        assert list(chain(*ids(path, bz2_segment=1))) == IDS


def test_magic_bytes_on_the_edge_of_a_chunk_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "d.bz2", multistream("enwiki", PAGES))
    whole = inspect(path, bz2_segment=1)
    for chunk in (1, 7, 64):
        monkeypatch.setattr("textsimp.sources.dumps.segments.CHUNK", chunk)
        assert inspect(path, bz2_segment=1) == whole
        if chunk > 1:
            assert list(chain(*ids(path, bz2_segment=3000))) == IDS


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress])
def test_one_stream(tmp_path: Path, compress) -> None:
    path = written(tmp_path / "any-name", compress(dump("enwiki", PAGES).encode()))
    assert ids(path, bz2_segment=1, plain_segment=1) == [IDS]


def test_site_info(tmp_path: Path) -> None:
    """With a byte-order mark, an XML declaration and CRLF."""
    text = '\ufeff<?xml version="1.0"?>\n' + dump("simplewiki", PAGES[:1])
    path = written(tmp_path / "d.xml", text.replace("\n", "\r\n"))
    info = read_site_info(inspect(path).segments[0])
    assert info.site == "simplewiki"
    assert info.namespaces == {-2: "Media", 0: "", 1: "Talk", 6: "File", 14: "Category"}
    assert ids(path) == [[1]]


def test_a_huge_page_in_bounded_pieces(tmp_path: Path) -> None:
    text = "word " * 1_000_000
    path = written(tmp_path / "d.bz2", multistream("enwiki", [PAGES[0], page(2, "Big", text), PAGES[1]], 1))
    segments = inspect(path, bz2_segment=1).segments
    found = [page for segment in segments for page in read_pages(segment)]
    assert [page.id for page in found] == [1, 2, 8]
    assert found[1].text == text.rstrip() + " "


WHOLE = dump("enwiki", PAGES).encode()
STREAMS = multistream("enwiki", PAGES)
BAD = {
    "half a plain dump": (WHOLE[: len(WHOLE) // 2], "ends inside a page"),
    "cut between pages": (WHOLE[: WHOLE.rindex(b"</mediawiki>")], "ends without </mediawiki>"),
    "half a multistream": (STREAMS[: len(STREAMS) // 2], "ends inside a compressed stream"),
    "streams missing": (STREAMS[: STREAMS.rindex(b"BZh9")], "ends without </mediawiki>"),
    "half a gzip": (gzip.compress(WHOLE)[:-20], "ends inside a compressed stream"),
    "half a bzip2": (bz2.compress(WHOLE)[:-20], "ends inside a compressed stream"),
    "a flipped bit": (STREAMS[:2000] + bytes([STREAMS[2000] ^ 4]) + STREAMS[2001:], "does not decompress"),
    "text after bzip2": (STREAMS + b"junk", "does not decompress"),
    "not well formed": (WHOLE.replace(b"<ns>0</ns>", b"<ns>0<ns>", 1), "is not well-formed XML"),
    "not UTF-8": (WHOLE.replace("é".encode(), b"\xe9", 1), "is not well-formed XML"),
    "an entity": (WHOLE.replace(b"Title 7", b"&lol;"), "is not well-formed XML"),
    "no namespace": (WHOLE.replace(b"<ns>0</ns>", b"", 1), "has no number in <id> or <ns>"),
    "a tag lost": (WHOLE.replace(b"  </page>\n  <page>", b"", 1), "has 2 revisions"),
    "a page's tag damaged": (WHOLE.replace(b"</page>\n  <page>", b"</page>\n  <pgae>", 1), "between two pages"),
}


@pytest.mark.parametrize("name", BAD)
def test_damage_is_one_clear_line(tmp_path: Path, name: str) -> None:
    data, message = BAD[name]
    path = written(tmp_path / "dump", data)
    with pytest.raises(InputError, match=re.escape(message)) as error:
        ids(path)
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)


HEADS = {
    "a DOCTYPE": ('<!DOCTYPE mediawiki [<!ENTITY lol "lol">]>\n' + HEAD.format(site="enwiki") + END, "DOCTYPE"),
    "another format": ("<rss></rss>", "does not begin with <mediawiki>"),
    "no site": (HEAD.replace("<dbname>{site}</dbname>", "") + END, "does not name its wiki"),
    "a history dump": ("SQL", "does not begin with <mediawiki>"),
}


@pytest.mark.parametrize("name", HEADS)
def test_wrong_heads(tmp_path: Path, name: str) -> None:
    data, message = HEADS[name]
    path = written(tmp_path / "dump.xml", data)
    with pytest.raises(InputError, match=message):
        read_site_info(inspect(path).segments[0])


def test_absent_and_empty_files(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "absent", "cannot be read"), (tmp_path, "cannot be read")):
        with pytest.raises(InputError, match=message):
            inspect(path)
    with pytest.raises(InputError, match="is empty"):
        inspect(written(tmp_path / "empty", b""))


def test_a_page_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textsimp.sources.dumps.pages.MAX_PAGE", 1000)
    path = written(tmp_path / "d.xml", dump("enwiki", [page(1, "A", "x" * 3_000_000)]))
    with pytest.raises(InputError, match="has a page of more than 1000 bytes"):
        ids(path)


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress])
def test_lines(tmp_path: Path, compress) -> None:
    path = written(tmp_path / "f", compress(b"\xef\xbb\xbfone\r\n\n" + b"x" * 3_000_000 + b"\nlast"))
    assert list(read_lines(path)) == [b"one", b"", b"x" * 3_000_000, b"last"]
    with pytest.raises(InputError, match="a line of more than"):
        list(read_lines(path, limit=1 << 20))
