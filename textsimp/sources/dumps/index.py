"""The index of an extraction on disk: pages, sitelinks, language links, in SQLite (F1).

Each step is one transaction and is remembered in the table `step`, so that a killed run goes on with the next. SQLite
holds CACHE bytes in memory, whatever the size of the dumps.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from textsimp.errors import bad_input
from textsimp.sources.dumps.config import SIDES, DumpConfig
from textsimp.sources.dumps.parts import read_part
from textsimp.sources.dumps.scan import clean_title
from textsimp.sources.dumps.sql import Query, read_rows

CACHE = 64 << 20
_log = logging.getLogger(__name__)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS step (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sitelink (item INTEGER, side TEXT, title TEXT);
CREATE TABLE IF NOT EXISTS langlink (side TEXT, id INTEGER, title TEXT);
CREATE TABLE IF NOT EXISTS disambiguation (side TEXT, id INTEGER);
CREATE TABLE IF NOT EXISTS wanted_title (title TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS wanted_id (id INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS page (side TEXT, id INTEGER, reason TEXT, title TEXT, part INTEGER, place INTEGER,
    size INTEGER, PRIMARY KEY (side, id)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS page_title ON page (side, title) WHERE title IS NOT NULL;
CREATE TABLE IF NOT EXISTS link (number INTEGER PRIMARY KEY, method TEXT, complex INTEGER, simple INTEGER, dropped TEXT);
CREATE TABLE IF NOT EXISTS pair (number INTEGER PRIMARY KEY, complex INTEGER, simple INTEGER);
"""
OTHER = {"complex": "simple", "simple": "complex"}


@contextmanager
def open_index(path: Path) -> Iterator[sqlite3.Connection]:
    """The index, made if need be; closed at the end."""
    index = sqlite3.connect(path, isolation_level=None)
    try:
        index.execute(f"PRAGMA cache_size = -{CACHE >> 10}")
        index.execute("PRAGMA temp_store = FILE")
        index.execute("PRAGMA synchronous = NORMAL")
        index.executescript(_SCHEMA)
        yield index
    finally:
        index.close()


def done(index: sqlite3.Connection, name: str) -> bool:
    """Whether a step is done."""
    return index.execute("SELECT 1 FROM step WHERE name = ?", (name,)).fetchone() is not None


def step(index: sqlite3.Connection, name: str, work: Callable[[sqlite3.Connection], None]) -> None:
    """Do a step in one transaction, unless an earlier run did it."""
    if done(index, name):
        return
    _log.info("index: %s", name)
    index.execute("BEGIN")
    try:
        work(index)
        index.execute("INSERT INTO step VALUES (?)", (name,))
        index.execute("COMMIT")
    except BaseException:
        index.execute("ROLLBACK")
        raise


def load_items(index: sqlite3.Connection, path: Path, config: DumpConfig) -> None:
    """The sitelinks of both wikis from Wikidata's `wb_items_per_site`."""
    sides = {config.side(side).site: side for side in SIDES}
    query = Query(
        "wb_items_per_site",
        ("ips_item_id", "ips_site_id", "ips_site_page"),
        ("ips_site_id", tuple(sides)),
        "wikidatawiki",
    )
    rows = ((item, sides[site or ""], clean_title(title or "")) for item, site, title in read_rows(path, query))
    index.executemany("INSERT INTO sitelink VALUES (?, ?, ?)", rows)
    missing = [site for site, side in sides.items() if not _any(index, "sitelink", side)]
    if missing:
        raise bad_input(path, None, f"has no page of {missing[0]!r}", "give the dump of Wikidata that names both wikis")
    index.execute("CREATE INDEX sitelink_item ON sitelink (side, item)")


def load_langlinks(index: sqlite3.Connection, path: Path, side: str, config: DumpConfig) -> None:
    """The links of one wiki's pages to the other wiki from its `langlinks`."""
    prefix = config.side(OTHER[side]).prefix
    query = Query("langlinks", ("ll_from", "ll_title"), ("ll_lang", (prefix,)), config.side(side).site)
    rows = ((side, page, clean_title(title or "")) for page, title in read_rows(path, query))
    index.executemany("INSERT INTO langlink VALUES (?, ?, ?)", rows)


def load_props(index: sqlite3.Connection, path: Path, side: str, config: DumpConfig) -> None:
    """The disambiguation pages of one wiki from its `page_props`."""
    query = Query("page_props", ("pp_page",), ("pp_propname", ("disambiguation",)), config.side(side).site)
    rows = ((side, page) for (page,) in read_rows(path, query))
    index.executemany("INSERT INTO disambiguation VALUES (?, ?)", rows)


def load_pages(index: sqlite3.Connection, side: str, parts: Iterable[tuple[Path, Path]]) -> None:
    """The pages of one wiki, with their links to the other wiki.

    Args:
        index: the index.
        side: complex or simple.
        parts: the parts of its dumps, each with the dump that it is of.

    Raises:
        InputError: a page id occurs twice.
    """
    for number, (part, dump) in enumerate(parts):
        last: list[int] = []

        def rows(part: Path = part, number: int = number, last: list[int] = last) -> Iterator[tuple]:
            for row in read_part(part):
                last[:] = [row.id]
                yield side, row.id, row.reason, row.title, number, row.offset, row.size

        try:
            index.executemany("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?)", rows())
        except sqlite3.IntegrityError:
            what = f"the {side} dump has two pages with the id {last[0]}"
            raise bad_input(dump, None, what, "fetch it again, and give each part of it once") from None
        links = ((side, row.id, row.link) for row in read_part(part) if row.link)
        index.executemany("INSERT INTO langlink VALUES (?, ?, ?)", links)
    index.execute(
        "UPDATE page SET reason = 'disambiguation' WHERE side = ?1 AND reason IS NULL"
        " AND id IN (SELECT id FROM disambiguation WHERE side = ?1)",
        (side,),
    )


def choose_wanted(index: sqlite3.Connection) -> None:
    """The complex pages that some pairing may want, by title or id; the simple pages are all there."""
    for titles in (
        "SELECT c.title FROM sitelink c JOIN sitelink s ON s.side = 'simple' AND s.item = c.item WHERE c.side = 'complex'",
        "SELECT title FROM page WHERE side = 'simple' AND reason IS NOT 'namespace'",
        "SELECT title FROM langlink WHERE side = 'simple'",
    ):
        index.execute(f"INSERT OR IGNORE INTO wanted_title {titles}")
    index.execute("INSERT OR IGNORE INTO wanted_id SELECT id FROM langlink WHERE side = 'complex'")


def _any(index: sqlite3.Connection, table: str, side: str) -> bool:
    return index.execute(f"SELECT 1 FROM {table} WHERE side = ? LIMIT 1", (side,)).fetchone() is not None
