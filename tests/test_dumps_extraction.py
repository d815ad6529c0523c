"""From whole dumps to shards: pairs, the three ways of pairing, counts, formats, workers, and bad input."""

import bz2
import gzip
import re
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from dumps_sample import (
    CONFIG,
    TITLES,
    article,
    contents,
    dump,
    extract,
    multistream,
    page,
    pairs,
    small_pieces,
    sql,
    write_dumps,
)

from textsimp.core.errors import InputError
from textsimp.core.reading import read_json, sha256
from textsimp.core.records import read_pairs
from textsimp.core.settings import structured
from textsimp.extras.wikidump.settings import DumpConfig, DumpFiles

__all__ = ["small_pieces"]  # the fixture; no test calls it


def test_extraction(tmp_path: Path) -> None:
    """Shards of exactly three pairs, in order, with clean sentences; every page and pair is accounted for."""
    files = write_dumps(tmp_path / "in")
    report = extract(files, tmp_path / "out", CONFIG)
    assert list(contents(tmp_path / "out")) == ["extraction.json"] + [
        f"shard-{number:05d}.jsonl" for number in range(3)
    ]
    assert [len(list(read_pairs(path))) for path in sorted((tmp_path / "out").glob("shard-*"))] == [3, 3, 2]
    found = [pair for path in sorted((tmp_path / "out").glob("shard-*")) for pair in read_pairs(path)]
    for number, (title, pair) in enumerate(zip(TITLES, found, strict=True)):
        assert pair.id == pair.group == f"enwiki-{10 + 3 * number}_simplewiki-{100 + number}"
        assert (pair.corpus, pair.complex.level, pair.simple.level, pair.alignments) == ("wiki", 1, 0, None)
        assert pair.simple.paragraphs == ((f"{title} is the topic of this article.", "It says few things about it."),)
        assert pair.complex.sentences[0] == f"{title} of English is the topic of this article."
    assert report["pages"] == {
        "complex": {"read": 10, "article": 8, "namespace": 1, "redirect": 1},
        "simple": {"read": 9, "article": 8, "disambiguation": 1},
    }
    assert report["pairing"]["wikidata"] == {"links": 9, "complex redirect": 1, "pairs": 8}
    assert report["pairing"]["title"] == {"links": 9, "complex absent": 9, "pairs": 0}
    assert report["extraction"]["pairs"] == {"kept": 8, "kept, with one simple sentence": 0}
    assert report["extraction"]["simple sentences"] == {"kept": 16}
    assert report == read_json(tmp_path / "out" / "extraction.json")
    assert report["files"]["items"] == {
        "name": "items.sql.gz",
        "sha256": sha256(files.items),
        "bytes": files.items.stat().st_size,
    }
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def test_same_shards_for_any_compression_parts_and_workers(tmp_path: Path, small_pieces: None) -> None:
    files = write_dumps(tmp_path / "in")
    text = bz2.decompress(files.complex[0].read_bytes()).decode()
    _, *pages = re.split(r"(?=  <page>)", text.removesuffix("</mediawiki>\n"))
    halves = [dump("enwiki", part) for part in (pages[:4], pages[4:])]
    forms = {"plain": [text], "gz": [gzip.compress(text.encode())], "bz2": [bz2.compress(text.encode())], "two": halves}
    extract(files, tmp_path / "out")
    expected = {name: data for name, data in contents(tmp_path / "out").items() if name != "extraction.json"}
    for form, parts in forms.items():
        paths = tuple(tmp_path / f"{form}{number}" for number in range(len(parts)))
        for path, data in zip(paths, parts, strict=True):
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        extract(replace(files, complex=paths), tmp_path / "again", workers=len(parts))
        assert expected.items() <= contents(tmp_path / "again").items(), form
    extract(files, tmp_path / "again", workers=2)
    assert contents(tmp_path / "again") == contents(tmp_path / "out")


def test_page_props_mark_disambiguation_pages_of_any_language(tmp_path: Path) -> None:
    files, props = write_dumps(tmp_path / "in"), tmp_path / "props.sql"
    props.write_text(sql("page_props", [(13, "disambiguation", "", None), (10, "defaultsort", "Ant", 1.5)]))
    report = extract(replace(files, complex_props=props), tmp_path / "out")
    assert report["pairing"]["wikidata"]["complex disambiguation"] == 1
    assert ("enwiki-13", "simplewiki-101") not in pairs(tmp_path / "out")


def test_stubs_and_unreadable_pages_are_counted(tmp_path: Path) -> None:
    texts = {
        300: "{{Infobox}}",
        301: "[[File:x.png]] One sentence is all here.",
        302: "First is long enough. So is the second.",
        303: "This page has [[ too often. " * 60,
    }
    extra = [page(number, f"S{number}", text) for number, text in texts.items()]
    files = write_dumps(tmp_path / "in", [article(number, f"S{number}") for number in texts], extra)
    settings = replace(CONFIG, pairing="title", simple=replace(CONFIG.simple, min_sentences=2))
    report = extract(files, tmp_path / "out", settings)
    assert pairs(tmp_path / "out") == [("enwiki-302", "simplewiki-302")]
    assert report["extraction"]["pairs"].items() >= {"simple stub": 2, "simple unreadable": 1}.items()
    settings = replace(settings, simple=replace(CONFIG.simple, min_characters=30))
    counts = {"kept": 1, "kept, with one simple sentence": 0, "simple stub": 2, "simple unreadable": 1}
    assert extract(files, tmp_path / "out", settings)["extraction"]["pairs"] == counts
    settings = replace(settings, simple=CONFIG.simple)
    assert extract(files, tmp_path / "out", settings)["extraction"]["pairs"]["kept, with one simple sentence"] == 1


def cut(files: DumpFiles) -> DumpFiles:
    data = files.complex[0].read_bytes()
    files.complex[0].write_bytes(data[: int(len(data) * 0.6)])
    return files


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


BAD: dict[str, tuple[Callable[[DumpFiles], DumpFiles], str]] = {
    # what a single process says of damaged files is in test_bad_input.py
    "half the complex dump": (cut, "the dump is cut or damaged"),
    "a duplicate id, complex": (lambda files: replace(files, complex=files.complex * 2), "two pages with the id 10;"),
    "a duplicate id, simple": (lambda files: replace(files, simple=files.simple * 2), "two pages with the id 100;"),
    "no items": (lambda files: replace(files, items=None), "needs the wb_items_per_site dump"),
    "XML for SQL": (lambda files: replace(files, items=files.simple[0]), "nothing that mysqldump writes"),
    "SQL for XML": (lambda files: replace(files, simple=(files.items,)), "does not begin with <mediawiki>"),
    "no dump": (lambda files: replace(files, simple=()), "no simple dump is given"),
    "an absent dump": (lambda files: replace(files, simple=(Path("absent.xml"),)), "absent.xml: no such file"),
}


@pytest.mark.parametrize(
    ("name", "workers"), [*((name, 1) for name in BAD), ("half the complex dump", 2), ("a duplicate id, complex", 2)]
)
def test_bad_input_is_one_line_and_writes_nothing(tmp_path: Path, name: str, workers: int) -> None:
    damage, message = BAD[name]
    files = damage(write_dumps(tmp_path / "in"))
    with pytest.raises(InputError, match=re.escape(message)) as error:
        extract(files, tmp_path / "out", workers=workers)
    assert "\n" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_extractions_that_cannot_be(tmp_path: Path) -> None:
    files = write_dumps(tmp_path / "in")
    (tmp_path / "in" / "items.sql").write_text(sql("wb_items_per_site", [(1, 2, "enwiki", "Ant")]))
    for said, given, settings in (
        ("have no article pair by title", files, replace(CONFIG, pairing="title")),
        ("every article pair is dropped", files, replace(CONFIG, min_tokens=100)),
        ("has no page of 'simplewiki'", replace(files, items=tmp_path / "in" / "items.sql"), CONFIG),
    ):
        with pytest.raises(InputError, match=said):
            extract(given, tmp_path / "out", settings)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("x")
    with pytest.raises(InputError, match="holds other things"):
        extract(files, tmp_path / "mine")
    with pytest.raises(InputError, match="workers: 0 is not from 1"):
        extract(files, tmp_path / "out", workers=0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pairing": "guess"}, "pairing: 'guess' is none of wikidata, title, langlink"),
        ({"title_filters": {"list": "("}}, "title_filters.list: '(' is no regular expression"),
        ({"template_filters": {"x": [" "]}}, "template_filters.x[0]: a text of 1 characters should match"),
        ({"simple": asdict(CONFIG.complex)}, "simple.site: 'enwiki' is the complex site too"),
    ],
)
def test_settings_are_checked(changes: dict, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        structured(asdict(CONFIG) | changes, DumpConfig)
