"""Which pages of two wikis are of one Wikidata item, from the SQL dump of the table `wb_items_per_site`.

mysqldump writes `INSERT INTO `TABLE` VALUES (...),(...);`, on one line or with one row per line, and escapes line ends,
so that no value goes over a line. Each line must be rows from its first character to its last; nothing is skipped.
(The package mwsql splits rows at `),(`, which a title may hold.)
"""

import re
from collections.abc import Iterator
from pathlib import Path

from textsimp.core.errors import bad_input
from textsimp.core.reading import iterate_bytes
from textsimp.extras.wikidump.dumps import opened_dump

_TABLE = b"wb_items_per_site"
_COLUMNS = [b"ips_row_id", b"ips_item_id", b"ips_site_id", b"ips_site_page"]
_COLUMN = re.compile(rb"\s+`([^`]+)` ")
_INSERT = re.compile(rb"INSERT INTO `" + _TABLE + rb"` VALUES\s*")
_TEXT = rb"'((?:[^'\\]|\\.|'')*+)'"
_ROW = re.compile(rb"\(\d++,(\d++)," + _TEXT + b"," + _TEXT + rb"\)[,;]", re.DOTALL)
_ESCAPE = re.compile(rb"\\(.)|''", re.DOTALL)
_ESCAPED = {b"0": b"\0", b"b": b"\b", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"Z": b"\x1a", None: b"'"}
_ENDS = (b"UNLOCK TABLES", b"-- Dump completed")


def linked_titles(path: Path, complex_site: str, simple_site: str) -> dict[str, str]:
    """Return the title of the complex page of each item by the title of the simple one.

    The dump is read twice, so that memory holds the pages of the smaller wiki only.

    Raises:
        InputError: the dump is of another table, cut or damaged, or names no pages of one of the wikis.
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
        for number, line in enumerate(iterate_bytes(file, path), 1):
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
