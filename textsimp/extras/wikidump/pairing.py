"""Which pages are one article: an index in SQLite, which holds CACHE bytes in memory, whatever the size of the dumps.

Pages are paired in three ways: by Wikidata item (the paper's), by equal title (Coster and Kauchak 2011), by
interlanguage link (Zhu et al. 2010). Each is joined, filtered and counted; the pairs of one of them are extracted.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from textsimp.core.errors import bad_input
from textsimp.core.records import SIDES
from textsimp.core.writing import atomic_file, remove
from textsimp.extras.wikidump.settings import PAIRINGS, DumpConfig
from textsimp.extras.wikidump.sql import Query, read_rows

CACHE = 64 << 20
OTHER = {"complex": "simple", "simple": "complex"}
Counts = dict[str, dict[str, int]]
# id, the filter that drops the page, title (None where no pairing can use the page), title of the page of the other
# wiki that it links to, and the compressed text of pages that stay
PartRow = tuple[int, str | None, str | None, str | None, bytes | None]
_SCHEMA = """
CREATE TABLE sitelink (item INTEGER, side TEXT, title TEXT);
CREATE TABLE langlink (side TEXT, id INTEGER, title TEXT);
CREATE TABLE disambiguation (side TEXT, id INTEGER);
CREATE TABLE wanted_title (title TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE wanted_id (id INTEGER PRIMARY KEY);
CREATE TABLE page (side TEXT, id INTEGER, reason TEXT, title TEXT, part INTEGER, PRIMARY KEY (side, id)) WITHOUT ROWID;
CREATE INDEX page_title ON page (side, title) WHERE title IS NOT NULL;
CREATE TABLE link (number INTEGER PRIMARY KEY, method TEXT, complex INTEGER, simple INTEGER, dropped TEXT);
CREATE TABLE pair (number INTEGER PRIMARY KEY, complex INTEGER, simple INTEGER);
"""
_LINK = """INSERT INTO link (method, complex, simple, dropped)
SELECT '{method}', p.complex, p.simple, CASE
    WHEN c.id IS NULL THEN 'complex absent' WHEN s.id IS NULL THEN 'simple absent'
    WHEN c.reason IS NOT NULL THEN 'complex ' || c.reason WHEN s.reason IS NOT NULL THEN 'simple ' || s.reason END
FROM ({proposed}) p
LEFT JOIN page c ON c.side = 'complex' AND c.id = p.complex LEFT JOIN page s ON s.side = 'simple' AND s.id = p.simple
ORDER BY p.complex, p.simple"""
# where several pages of one side are linked to one page of the other, the oldest page is kept
_SHARED = """UPDATE link SET dropped = 'shared {side}' WHERE method = '{method}' AND dropped IS NULL AND number NOT IN
(SELECT MIN(number) FROM link WHERE method = '{method}' AND dropped IS NULL GROUP BY {side})"""
_WANTED = """
INSERT OR IGNORE INTO wanted_title SELECT c.title FROM sitelink c JOIN sitelink s ON s.side = 'simple'
    AND s.item = c.item WHERE c.side = 'complex';
INSERT OR IGNORE INTO wanted_title SELECT title FROM page WHERE side = 'simple' AND reason IS NOT 'namespace';
INSERT OR IGNORE INTO wanted_title SELECT title FROM langlink WHERE side = 'simple';
INSERT OR IGNORE INTO wanted_id SELECT id FROM langlink WHERE side = 'complex';
"""


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
def database(path: Path, mode: str = "ro") -> Iterator[sqlite3.Connection]:
    """Open an SQLite file that several processes may read, or with the mode `rwc` make one.

    What SQLite says of it becomes an `InputError`: it is damaged, the disk is full, another program holds it.
    """
    try:
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as opened:
            yield opened
    except sqlite3.Error as error:
        what = f"the unfinished work of the extraction cannot be used ({error})"
        raise bad_input(path, None, what, "run again; free some space if the disk is full") from None


@contextmanager
def new_index(path: Path) -> Iterator[sqlite3.Connection]:
    """Make an empty index, in place of an earlier one."""
    remove(path)
    with database(path, "rwc") as index:
        # nothing reads what a killed run leaves
        for pragma in (f"cache_size = -{CACHE >> 10}", "temp_store = FILE", "journal_mode = OFF", "synchronous = OFF"):
            index.execute(f"PRAGMA {pragma}")
        index.executescript(_SCHEMA)
        yield index


def clean_title(title: str | None) -> str:
    """Return a title as the dumps' <title> writes it: spaces for underscores."""
    return (title or "").replace("_", " ").strip()


def load_table(index: sqlite3.Connection, name: str, path: Path, config: DumpConfig) -> None:
    """Read an SQL dump: `items` of Wikidata, or `langlinks` or `props` of a side."""
    side, _, table = name.rpartition("_")
    index.execute("BEGIN")
    if table == "items":
        sides = {config.side(side).site: side for side in SIDES}
        columns = ("ips_item_id", "ips_site_id", "ips_site_page")
        query = Query("wb_items_per_site", columns, ("ips_site_id", tuple(sides)), "wikidatawiki")
        links = ((item, sides[site or ""], clean_title(title)) for item, site, title in read_rows(path, query))
        index.executemany("INSERT INTO sitelink VALUES (?, ?, ?)", links)
        for site, side in sides.items():
            if index.execute("SELECT 1 FROM sitelink WHERE side = ? LIMIT 1", (side,)).fetchone() is None:
                raise bad_input(path, None, f"has no page of {site!r}", "give Wikidata's dump, which names both wikis")
        index.execute("CREATE INDEX sitelink_item ON sitelink (side, item)")
    elif table == "langlinks":
        prefix = config.side(OTHER[side]).prefix
        query = Query("langlinks", ("ll_from", "ll_title"), ("ll_lang", (prefix,)), config.side(side).site)
        rows = ((side, page, clean_title(title)) for page, title in read_rows(path, query))
        index.executemany("INSERT INTO langlink VALUES (?, ?, ?)", rows)
    else:
        query = Query("page_props", ("pp_page",), ("pp_propname", ("disambiguation",)), config.side(side).site)
        pages = ((side, page) for (page,) in read_rows(path, query))
        index.executemany("INSERT INTO disambiguation VALUES (?, ?)", pages)
    index.execute("COMMIT")


def write_part(path: Path, pages: Iterable[PartRow], dump: Path) -> None:
    """Write what the scan of a dump leaves, a database of its own; `InputError` where it has an id twice."""
    with atomic_file(path) as unfinished, database(Path(unfinished), "rwc") as part:
        # a journal would be taken for that of the next file of this name, after a kill
        part.execute("PRAGMA journal_mode = OFF")
        part.execute("CREATE TABLE page (id INTEGER PRIMARY KEY, reason TEXT, title TEXT, link TEXT, text BLOB)")
        part.execute("BEGIN")
        _insert(part, "INSERT INTO page VALUES (?, ?, ?, ?, ?)", pages, dump)
        part.execute("COMMIT")


def _insert(opened: sqlite3.Connection, statement: str, pages: Iterable[tuple[Any, ...]], dump: Path) -> None:
    for row in pages:
        try:
            opened.execute(statement, row)
        except sqlite3.IntegrityError:
            what = f"has two pages with the id {row[0]}"
            raise bad_input(dump, None, what, "fetch it again, and give each part of a dump once") from None


def load_pages(index: sqlite3.Connection, side: str, parts: Iterable[tuple[Path, Path]]) -> None:
    """Take in the pages of one wiki with their links to the other, from parts, each with the dump that it is of."""
    index.execute("BEGIN")
    for number, (path, dump) in enumerate(parts):
        with database(path) as part:
            rows = part.execute("SELECT id, reason, title, ?, ? FROM page ORDER BY id", (side, number))
            _insert(index, "INSERT INTO page (id, reason, title, side, part) VALUES (?, ?, ?, ?, ?)", rows, dump)
            links = part.execute("SELECT ?, id, link FROM page WHERE link IS NOT NULL ORDER BY id", (side,))
            index.executemany("INSERT INTO langlink VALUES (?, ?, ?)", links)
    index.execute(
        "UPDATE page SET reason = 'disambiguation' WHERE side = ?1 AND reason IS NULL"
        " AND id IN (SELECT id FROM disambiguation WHERE side = ?1)",
        (side,),
    )
    index.execute("COMMIT")


def choose_wanted(index: sqlite3.Connection) -> None:
    """Note the complex pages that some pairing may want, by title or id; the simple pages are all there."""
    index.executescript(f"BEGIN; {_WANTED} COMMIT;")


def is_wanted(index: sqlite3.Connection, title: str, page: int) -> bool:
    """Return whether `choose_wanted` chose a page."""
    find = "SELECT EXISTS (SELECT 1 FROM wanted_title WHERE title = ?) OR EXISTS (SELECT 1 FROM wanted_id WHERE id = ?)"
    return bool(index.execute(find, (title, page)).fetchone()[0])


def pair_pages(index: sqlite3.Connection, pairing: str) -> None:
    """Fill the tables `link`, with the filter that drops each, and `pair`, numbered from 0 by simple page id."""
    index.execute("BEGIN")
    for method in PAIRINGS:
        index.execute(_LINK.format(method=method, proposed=_PROPOSED[method]))
        for side in SIDES:
            index.execute(_SHARED.format(method=method, side=side))
    index.execute(
        "INSERT INTO pair SELECT ROW_NUMBER() OVER (ORDER BY simple) - 1, complex, simple FROM link"
        " WHERE method = ? AND dropped IS NULL",
        (pairing,),
    )
    index.execute("COMMIT")


def pairs_between(index: sqlite3.Connection, first: int, count: int) -> list[tuple[int, int, int, int]]:
    """Return so many pairs from a number on: id and part of the complex page, then of the simple one."""
    query = (
        "SELECT c.id, c.part, s.id, s.part FROM pair p JOIN page c ON c.side = 'complex' AND c.id = p.complex"
        " JOIN page s ON s.side = 'simple' AND s.id = p.simple WHERE p.number >= ? AND p.number < ? ORDER BY p.number"
    )
    return index.execute(query, (first, first + count)).fetchall()


def counts(index: sqlite3.Connection, pairing: str) -> dict[str, Any]:
    """Return how many pages and links there are, by what drops them, and each way of pairing against the chosen one.

    Of the others, counted over the simple pages: `same`: both choose the same complex page; `different`: another one;
    `only_here` and `only_chosen`: the page is paired by this way only, or by the chosen way only.
    """
    pages: Counts = {side: {"read": 0} for side in SIDES}
    links: Counts = {method: {"links": 0, "pairs": 0} for method in PAIRINGS}
    for total, table, columns in (("read", pages, "side, reason"), ("links", links, "method, dropped")):
        stays, source = ("article", "page") if table is pages else ("pairs", "link")
        rows = index.execute(f"SELECT {columns}, COUNT(*) FROM {source} GROUP BY 1, 2 ORDER BY 1, 2")
        for group, reason, count in rows:
            table[group][reason or stays] = count
            table[group][total] += count
    query = (
        "SELECT SUM(p.complex = l.complex), SUM(p.complex <> l.complex), SUM(p.complex IS NULL)"
        " FROM link l LEFT JOIN pair p ON p.simple = l.simple WHERE l.method = ? AND l.dropped IS NULL"
    )
    chosen, against = links[pairing]["pairs"], {}
    for method in (method for method in PAIRINGS if method != pairing):
        same, different, only = (count or 0 for count in index.execute(query, (method,)).fetchone())
        left = chosen - same - different
        against[method] = {"same": same, "different": different, "only_here": only, "only_chosen": left}
    return {"pages": pages, "pairing": links, f"against {pairing}": against}
