"""The rows of SQL dumps as mysqldump writes them, and the places where one can be cut."""

import gzip
from pathlib import Path

import pytest
from dumps_sample import sql

from textsimp.core.errors import InputError
from textsimp.extras.wikidump.sql import Query, read_rows

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


WHOLE = sql("wb_items_per_site", ROWS, per_line=2)
LINES = WHOLE.split("\n")
FIRST = next(number for number, line in enumerate(LINES, 1) if line.startswith("INSERT"))
BAD = {
    "cut in a title": (WHOLE[: WHOLE.index("O\\'Neil") + 4], FIRST, "a row cut in two"),
    "a line broken in two": (WHOLE.replace("Plain title", "Plain\ntitle"), FIRST, "a row cut in two"),
    "cut after a row": (WHOLE[: WHOLE.index("),(") + 1], FIRST, "ends without , or ;"),
    "cut after a comma": (WHOLE[: WHOLE.index("),(") + 2], None, "ends before the table does"),
    "cut after an INSERT": ("\n".join(LINES[: FIRST + 1]), None, "ends before the table does"),
    "a row after the end": (WHOLE.replace(";\n/*!40000 A", ";(1,2,'a','b');\n/*!40000 A"), FIRST + 2, "a row cut"),
    "too few values": (WHOLE.replace("(1,42,", "(1,"), FIRST, "a row cut in two"),
    "another table": (sql("langlinks", [], "wikidatawiki"), 9, "the table 'langlinks', not 'wb_items_per_site'"),
    "an id that is no number": (WHOLE.replace("(4,44,", "(4,1e400,"), FIRST + 1, "ips_item_id is b'1e400', not a"),
    "another wiki's": (WHOLE.replace("wikidatawiki", "commonswiki"), 3, "a dump of the database 'commonswiki'"),
    "a column less": (WHOLE.replace("ips_site_page", "ips_page"), 16, "no column 'ips_site_page'"),
    "no dump": ("<html>\n", 1, "is nothing that mysqldump writes there"),
    "nothing": ("", None, "holds no table 'wb_items_per_site'"),
}


@pytest.mark.parametrize("name", BAD)
def test_damage_names_the_line(tmp_path: Path, name: str) -> None:
    text, line, message = BAD[name]
    path = tmp_path / "s.sql"
    with pytest.raises(InputError, match=message) as error:
        rows(path, text)
    where = f"{path}: " if line is None else f"{path}:{line}: "
    assert str(error.value).startswith(where), str(error.value)


def test_a_name_that_is_not_utf8_is_another_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column 'ips_site_page'"):
        rows(tmp_path / "s.sql", WHOLE.encode().replace(b"`ips_site_page` v", b"`ips\xca` v"))


def test_half_a_gzip(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not decompress"):
        rows(tmp_path / "s.sql.gz", gzip.compress(WHOLE.encode())[:-30])


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("textsimp.extras.wikidump.sql.MAX_LINE", 500)
    with pytest.raises(InputError, match=r":1: a line of more than 500 bytes"):
        rows(tmp_path / "s.sql", "x" * 100_000)
