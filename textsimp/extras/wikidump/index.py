"""The index of an extraction in SQLite: pages, sitelinks, language links, and which pages are one article.

Each step is one transaction and is remembered in the table `step`, so that a killed run goes on with the next. SQLite
holds CACHE bytes in memory, whatever the size of the dumps.

Pages are paired in three ways: by Wikidata item (the paper's), by equal title (Coster and Kauchak 2011), by
interlanguage link (Zhu et al. 2010). Each is joined, filtered and counted; the pairs of one of them are extracted.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from textsimp.core.errors import bad_input
from textsimp.core.records import SIDES
from textsimp.core.writing import atomic_file
from textsimp.extras.wikidump.settings import PAIRINGS, DumpConfig
from textsimp.extras.wikidump.sql import Query, read_rows

CACHE = 64 << 20
_log = logging.getLogger(__name__)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS step (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sitelink (item INTEGER, side TEXT, title TEXT);
CREATE TABLE IF NOT EXISTS langlink (side TEXT, id INTEGER, title TEXT);
CREATE TABLE IF NOT EXISTS disambiguation (side TEXT, id INTEGER);
CREATE TABLE IF NOT EXISTS wanted_title (title TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS wanted_id (id INTEGER PRIMARY KEY);
CREATE TABLE IF NOT EXISTS page (side TEXT, id INTEGER, reason TEXT, title TEXT, part INTEGER,
    PRIMARY KEY (side, id)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS page_title ON page (side, title) WHERE title IS NOT NULL;
CREATE TABLE IF NOT EXISTS link (number INTEGER PRIMARY KEY, method TEXT, complex INTEGER, simple INTEGER,
    dropped TEXT);
CREATE TABLE IF NOT EXISTS pair (number INTEGER PRIMARY KEY, complex INTEGER, simple INTEGER);
"""
Counts = dict[str, dict[str, int]]
OTHER = {"complex": "simple", "simple": "complex"}
_LINK = """INSERT INTO link (method, complex, simple, dropped)
SELECT '{method}', p.complex, p.simple, CASE
    WHEN c.id IS NULL THEN 'complex absent' WHEN s.id IS NULL THEN 'simple absent'
    WHEN c.reason IS NOT NULL THEN 'complex ' || c.reason WHEN s.reason IS NOT NULL THEN 'simple ' || s.reason END
FROM ({proposed}) p
LEFT JOIN page c ON c.side = 'complex' AND c.id = p.complex LEFT JOIN page s ON s.side = 'simple' AND s.id = p.simple
ORDER BY p.complex, p.simple"""
_SHARED = """UPDATE link SET dropped = 'shared {side}' WHERE method = '{method}' AND dropped IS NULL AND number NOT IN
(SELECT MIN(number) FROM link WHERE method = '{method}' AND dropped IS NULL GROUP BY {side})"""


def _find(side: str, title: str) -> str:
    """SQL for the page of a title; of two with one title (moved during the dump) an article, the older."""
    return f"""(SELECT f.id FROM page f INDEXED BY page_title
WHERE f.side = '{side}' AND f.title = {title} ORDER BY f.reason IS NOT NULL, f.id LIMIT 1)"""


_PROPOSED = {
    "wikidata": f"SELECT {_find('complex', 'c.title')} AS complex, {_find('simple', 's.title')} AS simple"
    " FROM sitelink s JOIN sitelink c ON c.side = 'complex' AND c.item = s.item WHERE s.side = 'simple'",
    "title": f"SELECT {_find('complex', 's.title')} AS complex, s.id AS simple"
    " FROM page s WHERE s.side = 'simple' AND s.reason IS NOT 'namespace'",
    "langlink": f"SELECT l.id AS complex, {_find('simple', 'l.title')} AS simple FROM langlink l"
    " WHERE l.side = 'complex' UNION"
    f" SELECT {_find('complex', 'l.title')}, l.id FROM langlink l WHERE l.side = 'simple'",
}


@contextmanager
def open_index(path: Path) -> Iterator[sqlite3.Connection]:
    """The index, made if need be; closed at the end."""
    with told(path), closing(sqlite3.connect(path, isolation_level=None)) as index:
        for pragma in (f"cache_size = -{CACHE >> 10}", "temp_store = FILE", "synchronous = NORMAL"):
            index.execute(f"PRAGMA {pragma}")
        index.executescript(_SCHEMA)
        yield index


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """A database that several processes may read."""
    with told(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
        yield database


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What SQLite says of a database: it is damaged, the disk is full, another program holds it."""
    try:
        yield
    except sqlite3.Error as error:
        what = f"the unfinished work of the extraction cannot be used ({error})"
        raise bad_input(path, None, what, "run again; free some space if the disk is full") from None


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
        if index.in_transaction:
            index.execute("ROLLBACK")
        raise


def clean_title(title: str | None) -> str:
    """A title as the dumps' <title> writes it: spaces for underscores."""
    return (title or "").replace("_", " ").strip()


def load_items(index: sqlite3.Connection, path: Path, side: str, config: DumpConfig) -> None:
    """The sitelinks of both wikis from Wikidata's `wb_items_per_site`."""
    sides = {config.side(side).site: side for side in SIDES}
    columns = ("ips_item_id", "ips_site_id", "ips_site_page")
    query = Query("wb_items_per_site", columns, ("ips_site_id", tuple(sides)), "wikidatawiki")
    rows = ((item, sides[site or ""], clean_title(title)) for item, site, title in read_rows(path, query))
    index.executemany("INSERT INTO sitelink VALUES (?, ?, ?)", rows)
    for site, side in sides.items():
        if index.execute("SELECT 1 FROM sitelink WHERE side = ? LIMIT 1", (side,)).fetchone() is None:
            raise bad_input(path, None, f"has no page of {site!r}", "give the dump of Wikidata that names both wikis")
    index.execute("CREATE INDEX sitelink_item ON sitelink (side, item)")


def load_langlinks(index: sqlite3.Connection, path: Path, side: str, config: DumpConfig) -> None:
    """The links of one wiki's pages to the other wiki from its `langlinks`."""
    prefix = config.side(OTHER[side]).prefix
    query = Query("langlinks", ("ll_from", "ll_title"), ("ll_lang", (prefix,)), config.side(side).site)
    rows = ((side, page, clean_title(title)) for page, title in read_rows(path, query))
    index.executemany("INSERT INTO langlink VALUES (?, ?, ?)", rows)


def load_props(index: sqlite3.Connection, path: Path, side: str, config: DumpConfig) -> None:
    """The disambiguation pages of one wiki from its `page_props`."""
    query = Query("page_props", ("pp_page",), ("pp_propname", ("disambiguation",)), config.side(side).site)
    index.executemany("INSERT INTO disambiguation VALUES (?, ?)", ((side, page) for (page,) in read_rows(path, query)))


PartRow = tuple[int, str | None, str | None, str | None, bytes | None]


def write_part(path: Path, pages: Iterable[PartRow], dump: Path) -> None:
    """Write what the scan of a segment leaves: a database of its own, which takes its name when it is complete.

    Args:
        pages: id, the filter that drops the page, title (None where no pairing can use the page), title of the page
            of the other wiki that it links to, and the compressed text of pages that stay.
        dump: the file that they are from, for the error where an id occurs twice.
    """
    with told(path), atomic_file(path) as unfinished, closing(sqlite3.connect(unfinished)) as part:
        # a journal would be taken for that of the next file of this name, after a kill
        part.execute("PRAGMA journal_mode = OFF")
        part.execute("CREATE TABLE page (id INTEGER PRIMARY KEY, reason TEXT, title TEXT, link TEXT, text BLOB)")
        _insert(part, "INSERT INTO page VALUES (?, ?, ?, ?, ?)", pages, dump)
        part.commit()


def _insert(database: sqlite3.Connection, statement: str, pages: Iterable[tuple[Any, ...]], dump: Path) -> None:
    """Insert rows that begin with the id of a page."""
    for row in pages:
        try:
            database.execute(statement, row)
        except sqlite3.IntegrityError:
            what = f"has two pages with the id {row[0]}"
            raise bad_input(dump, None, what, "fetch it again, and give each part of a dump once") from None


def read_text(part: Path, page: int) -> bytes:
    """The compressed text of one page of a part."""
    with read_only(part) as database:
        row = database.execute("SELECT text FROM page WHERE id = ?", (page,)).fetchone()
    if row is None or not isinstance(row[0], bytes):
        raise bad_input(part, None, f"the unfinished work of the extraction lacks the page {page}", "run again")
    return row[0]


def load_pages(index: sqlite3.Connection, side: str, parts: Iterable[tuple[Path, Path]]) -> None:
    """The pages of one wiki with their links to the other wiki, from parts, each with the dump that it is of."""
    for number, (path, dump) in enumerate(parts):
        with read_only(path) as part:
            rows = part.execute("SELECT id, reason, title, ?, ? FROM page ORDER BY id", (side, number))
            _insert(index, "INSERT INTO page (id, reason, title, side, part) VALUES (?, ?, ?, ?, ?)", rows, dump)
            links = part.execute("SELECT ?, id, link FROM page WHERE link IS NOT NULL ORDER BY id", (side,))
            index.executemany("INSERT INTO langlink VALUES (?, ?, ?)", links)
    index.execute(
        "UPDATE page SET reason = 'disambiguation' WHERE side = ?1 AND reason IS NULL"
        " AND id IN (SELECT id FROM disambiguation WHERE side = ?1)",
        (side,),
    )


def choose_wanted(index: sqlite3.Connection) -> None:
    """The complex pages that some pairing may want, by title or id; the simple pages are all there."""
    for titles in (
        "SELECT c.title FROM sitelink c JOIN sitelink s ON s.side = 'simple' AND s.item = c.item"
        " WHERE c.side = 'complex'",
        "SELECT title FROM page WHERE side = 'simple' AND reason IS NOT 'namespace'",
        "SELECT title FROM langlink WHERE side = 'simple'",
    ):
        index.execute(f"INSERT OR IGNORE INTO wanted_title {titles}")
    index.execute("INSERT OR IGNORE INTO wanted_id SELECT id FROM langlink WHERE side = 'complex'")


def is_wanted(index: sqlite3.Connection, title: str, page: int) -> bool:
    """Whether `choose_wanted` chose a page."""
    find = "SELECT EXISTS (SELECT 1 FROM wanted_title WHERE title = ?) OR EXISTS (SELECT 1 FROM wanted_id WHERE id = ?)"
    return bool(index.execute(find, (title, page)).fetchone()[0])


def pair_pages(index: sqlite3.Connection, pairing: str) -> None:
    """Fill the tables `link`, with the filter that drops each, and `pair`, numbered from 0 by simple page id.

    Where several pages of one side are linked to one page of the other, the oldest page is kept.
    """
    for method in PAIRINGS:
        index.execute(_LINK.format(method=method, proposed=_PROPOSED[method]))
        for side in SIDES:
            index.execute(_SHARED.format(method=method, side=side))
    index.execute(
        "INSERT INTO pair SELECT ROW_NUMBER() OVER (ORDER BY simple) - 1, complex, simple FROM link"
        " WHERE method = ? AND dropped IS NULL",
        (pairing,),
    )


def pairs_between(index: sqlite3.Connection, first: int, end: int) -> list[tuple[int, int, int, int]]:
    """The pairs of these numbers: id and part of the complex page, then of the simple one."""
    query = (
        "SELECT c.id, c.part, s.id, s.part FROM pair p JOIN page c ON c.side = 'complex' AND c.id = p.complex"
        " JOIN page s ON s.side = 'simple' AND s.id = p.simple WHERE p.number >= ? AND p.number < ? ORDER BY p.number"
    )
    return index.execute(query, (first, end)).fetchall()


def page_counts(index: sqlite3.Connection) -> Counts:
    """Pages read on each side, and those that each filter drops; `unlinked` pages are on one wiki only."""
    query = "SELECT side, COALESCE(reason, 'article'), COUNT(*) FROM page GROUP BY 1, 2 ORDER BY 1, 2"
    return _with_total(index.execute(query), "read", {side: {"read": 0} for side in SIDES})


def pairing_counts(index: sqlite3.Connection) -> Counts:
    """For each way of pairing: links proposed, those that each filter drops, pairs that stay."""
    query = "SELECT method, COALESCE(dropped, 'pairs'), COUNT(*) FROM link GROUP BY 1, 2 ORDER BY 1, 2"
    return _with_total(index.execute(query), "links", {method: {"links": 0, "pairs": 0} for method in PAIRINGS})


def _with_total(rows: Iterable[tuple[str, str, int]], total: str, counts: Counts) -> Counts:
    for group, reason, count in rows:
        counts[group][reason] = count
        counts[group][total] += count
    return counts


def agreement(index: sqlite3.Connection, pairing: str) -> dict[str, dict[str, Any]]:
    """Each other way of pairing against the chosen one, counted over the simple pages.

    `same`: both choose the same complex page; `different`: another one; `only_here` and `only_chosen`: the page is
    paired by this way only, or by the chosen way only.
    """
    query = (
        "SELECT SUM(p.complex = l.complex), SUM(p.complex <> l.complex), SUM(p.complex IS NULL)"
        " FROM link l LEFT JOIN pair p ON p.simple = l.simple WHERE l.method = ? AND l.dropped IS NULL"
    )
    total = index.execute("SELECT COUNT(*) FROM pair").fetchone()[0]
    result = {}
    for method in (method for method in PAIRINGS if method != pairing):
        same, different, only = (count or 0 for count in index.execute(query, (method,)).fetchone())
        left = total - same - different
        result[method] = {"same": same, "different": different, "only_here": only, "only_chosen": left}
    return result
