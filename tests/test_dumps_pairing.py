"""The three ways of pairing, and how they are counted."""

from dataclasses import replace
from pathlib import Path

import pytest
from dumps_sample import CONFIG, article, dump, extract, multistream, page, pairs, sql

from textsimp.extras.wikidump.settings import DumpFiles


def three_ways(folder: Path) -> DumpFiles:
    """Pages that the three ways of pairing join differently."""
    folder.mkdir()
    english = [
        article(1, "Ant"),
        article(2, "Mercury (planet)"),
        page(3, "Mercury", "'''Mercury''' may mean one of these. {{disambiguation}}"),
        article(4, "Bee (insect)"),
        page(5, "Sea", "'''Sea''' is much water of salt.\n[[simple:Ocean]]"),
        article(6, "Sky"),
        article(7, "Heaven"),
    ]
    simple = [
        article(1, "Ant"),
        article(2, "Mercury"),
        article(3, "Bee"),
        article(4, "Ocean"),
        page(5, "Sky", "'''Sky''' is above all of us.\n[[en:Sky]]"),
        article(6, "Alone"),
    ]
    items = [(1, "Ant", "Ant"), (2, "Mercury (planet)", "Mercury"), (3, "Bee (insect)", "Bee"), (4, "Gone", "Alone")]
    rows = [
        (item, site, title)
        for item, *titles in items
        for site, title in zip(("enwiki", "simplewiki"), titles, strict=True)
    ]
    links = [
        (1, "simple", "Ant"),
        (1, "fr", "Fourmi"),
        (3, "simple", "Mercury"),
        (7, "simple", "Sky"),
        (99, "simple", "Bee"),
    ]
    back = [(3, "en", "Bee_(insect)")]
    files = {
        "en.bz2": multistream("enwiki", english),
        "simple.xml": dump("simplewiki", simple),
        "items.sql": sql("wb_items_per_site", [(number, *row) for number, row in enumerate(rows, 1)]),
        "enlinks.sql": sql("langlinks", links),
        "simplelinks.sql": sql("langlinks", back, "simplewiki"),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return DumpFiles((folder / "en.bz2",), (folder / "simple.xml",), *(folder / name for name in list(files)[2:]))


WAYS = {
    "wikidata": ([(1, 1), (2, 2), (4, 3)], {"links": 4, "pairs": 3, "complex absent": 1}),
    "title": ([(1, 1), (6, 5)], {"links": 6, "pairs": 2, "complex absent": 3, "complex disambiguation": 1}),
    "langlink": (
        [(1, 1), (4, 3), (5, 4), (6, 5)],
        {"links": 7, "pairs": 4, "complex absent": 1, "complex disambiguation": 1, "shared simple": 1},
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_ways_of_pairing(tmp_path: Path, way: str) -> None:
    """Titles are ambiguous and links lead to disambiguation pages (section 3.2); each way counts its own."""
    report = extract(three_ways(tmp_path / "in"), tmp_path / "out", replace(CONFIG, pairing=way))
    expected, _ = WAYS[way]
    assert pairs(tmp_path / "out") == [(f"enwiki-{c}", f"simplewiki-{s}") for c, s in expected]
    assert report["pairing"] == {name: counts for name, (_, counts) in WAYS.items()}
    if way == "wikidata":
        assert report["against wikidata"] == {
            "title": {"same": 1, "different": 0, "only_here": 1, "only_chosen": 2},
            "langlink": {"same": 2, "different": 0, "only_here": 2, "only_chosen": 1},
        }
