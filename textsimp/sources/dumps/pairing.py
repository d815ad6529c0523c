"""Which complex and which simple page are one article (F1; section 3.2).

Three ways: by Wikidata item (the paper's), by equal title (Coster and Kauchak 2011), by interlanguage link (Zhu et al.
2010). Each is joined, filtered and counted; the pairs of one of them are extracted.
"""

import sqlite3
from typing import Any

from textsimp.sources.dumps.config import PAIRINGS, SIDES

_FIND = """(SELECT f.id FROM page f INDEXED BY page_title
WHERE f.side = '{side}' AND f.title = {title} ORDER BY f.reason IS NOT NULL, f.id LIMIT 1)"""


def _find(side: str, title: str) -> str:
    """SQL for the page of a title; of two with one title (moved during the dump) an article, the older."""
    return _FIND.format(side=side, title=title)


_PROPOSED = {
    "wikidata": f"SELECT {_find('complex', 'c.title')} AS complex, {_find('simple', 's.title')} AS simple"
    " FROM sitelink s JOIN sitelink c ON c.side = 'complex' AND c.item = s.item WHERE s.side = 'simple'",
    "title": f"SELECT {_find('complex', 's.title')} AS complex, s.id AS simple"
    " FROM page s WHERE s.side = 'simple' AND s.reason IS NOT 'namespace'",
    "langlink": f"SELECT l.id AS complex, {_find('simple', 'l.title')} AS simple FROM langlink l"
    " WHERE l.side = 'complex' UNION"
    f" SELECT {_find('complex', 'l.title')}, l.id FROM langlink l WHERE l.side = 'simple'",
}
_LINK = """INSERT INTO link (method, complex, simple, dropped)
SELECT '{method}', p.complex, p.simple, CASE
    WHEN c.id IS NULL THEN 'complex absent' WHEN s.id IS NULL THEN 'simple absent'
    WHEN c.reason IS NOT NULL THEN 'complex ' || c.reason WHEN s.reason IS NOT NULL THEN 'simple ' || s.reason END
FROM ({proposed}) p
LEFT JOIN page c ON c.side = 'complex' AND c.id = p.complex LEFT JOIN page s ON s.side = 'simple' AND s.id = p.simple
ORDER BY p.complex, p.simple"""
_SHARED = """UPDATE link SET dropped = 'shared {side}' WHERE method = '{method}' AND dropped IS NULL AND number NOT IN
(SELECT MIN(number) FROM link WHERE method = '{method}' AND dropped IS NULL GROUP BY {side})"""


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


def page_counts(index: sqlite3.Connection) -> dict[str, dict[str, int]]:
    """Pages read on each side, and those that each filter drops; `unlinked` ones are on one wiki alone."""
    counts: dict[str, dict[str, int]] = {side: {"read": 0} for side in SIDES}
    query = "SELECT side, COALESCE(reason, 'article'), COUNT(*) FROM page GROUP BY 1, 2 ORDER BY 1, 2"
    for side, reason, count in index.execute(query):
        counts[side][reason] = count
        counts[side]["read"] += count
    return counts


def pairing_counts(index: sqlite3.Connection) -> dict[str, dict[str, int]]:
    """For each way of pairing: links proposed, those that each filter drops, pairs that stay."""
    counts: dict[str, dict[str, int]] = {method: {"links": 0, "pairs": 0} for method in PAIRINGS}
    query = "SELECT method, COALESCE(dropped, 'pairs'), COUNT(*) FROM link GROUP BY 1, 2 ORDER BY 1, 2"
    for method, reason, count in index.execute(query):
        counts[method][reason] = count
        counts[method]["links"] += count
    return counts


def agreement(index: sqlite3.Connection, pairing: str) -> dict[str, dict[str, Any]]:
    """Each other way of pairing against the chosen one, counted over the simple pages.

    `same`: both choose the same complex page; `different`: another one; `only_here` and `only_chosen`: the page is
    paired by this way alone, or by the chosen one alone.
    """
    query = (
        "SELECT SUM(p.complex = l.complex), SUM(p.complex <> l.complex), SUM(p.complex IS NULL)"
        " FROM link l LEFT JOIN pair p ON p.simple = l.simple WHERE l.method = ? AND l.dropped IS NULL"
    )
    total = index.execute("SELECT COUNT(*) FROM pair").fetchone()[0]
    result = {}
    for method in PAIRINGS:
        if method != pairing:
            same, different, only = (count or 0 for count in index.execute(query, (method,)).fetchone())
            left = total - same - different
            result[method] = {"same": same, "different": different, "only_here": only, "only_chosen": left}
    return result
