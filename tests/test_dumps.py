"""From whole dumps to shards: pages of XML, rows of SQL, pairs, counts, formats, workers, kills, and bad input."""

import bz2
import gzip
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from dumps_sample import CONFIG, TITLES, article, contents, dump, extract, multistream, page, pairs, sql, write_dumps

from textsimp.core.errors import InputError
from textsimp.core.pool import KilledError
from textsimp.core.reading import read_json, sha256
from textsimp.core.records import read_pairs
from textsimp.core.settings import structured
from textsimp.core.writing import partial_place
from textsimp.extras.wikidump import extraction
from textsimp.extras.wikidump.dumps import Page, PageFilters, linked_titles, read_pages, read_site_info
from textsimp.extras.wikidump.settings import DumpConfig, DumpFiles


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of two pairs."""
    monkeypatch.setattr(extraction, "BLOCK", 2)


def written(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def test_extraction(tmp_path: Path) -> None:
    """Shards of exactly three pairs, in order, with clean sentences; every page and pair is accounted for."""
    files = write_dumps(tmp_path / "in")
    report = extract(files, tmp_path / "out")
    assert [*contents(tmp_path / "out")] == ["extraction.json", *(f"shard-{number:05d}.jsonl" for number in range(3))]
    found = [list(read_pairs(path)) for path in sorted((tmp_path / "out").glob("shard-*"))]
    assert [len(shard) for shard in found] == [3, 3, 2]
    for number, (title, pair) in enumerate(zip(TITLES, sum(found, []), strict=True)):
        assert pair.id == pair.group == f"enwiki-{10 + 3 * number}_simplewiki-{100 + number}"
        assert (pair.corpus, pair.complex.level, pair.simple.level, pair.alignments) == ("wiki", 1, 0, None)
        assert pair.simple.paragraphs == ((f"{title} is the topic of this article.", "It says few things about it."),)
        assert pair.complex.sentences[0] == f"{title} of English is the topic of this article."
    simple = {"read": 9, "article": 8, "disambiguation": 1}
    assert report["pages"] == {"complex": {"read": 10, "article": 8, "unlinked": 2}, "simple": simple}
    assert report["pairing"] == {"wikidata": {"links": 8, "pairs": 8}}
    assert report["extraction"]["pairs"] == {"kept": 8, "kept, with one simple sentence": 0}
    assert report["extraction"]["simple sentences"] == {"kept": 16}
    assert report == read_json(tmp_path / "out" / "extraction.json")
    size = files.items.stat().st_size
    assert report["files"]["items"] == {"name": "items.sql.gz", "sha256": sha256(files.items), "bytes": size}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def test_same_shards_for_any_compression_parts_and_workers(tmp_path: Path, small_pieces: None) -> None:
    files = write_dumps(tmp_path / "in")
    text = bz2.decompress(files.complex[0].read_bytes()).decode()
    _, *pages = re.split(r"(?=  <page>)", text.removesuffix("</mediawiki>\n"))
    halves = [dump("enwiki", part) for part in (pages[:4], pages[4:])]
    streams = b"".join(bz2.compress(text.encode()[start : start + 1500]) for start in range(0, len(text), 1500))
    forms = {"plain": [text], "gz": [gzip.compress(text.encode())], "bz2": [streams], "two": halves}
    extract(files, tmp_path / "out")
    expected = {name: data for name, data in contents(tmp_path / "out").items() if name != "extraction.json"}
    for form, parts in forms.items():
        paths = tuple(written(tmp_path / f"{form}{number}", data) for number, data in enumerate(parts))
        extract(replace(files, complex=paths), tmp_path / "again", workers=len(parts))
        assert expected.items() <= contents(tmp_path / "again").items(), form


def test_ways_of_pairing(tmp_path: Path) -> None:
    """Titles are ambiguous (section 3.2): the item leads to the planet, the title to a page of meanings."""
    english = [article(1, "Ant"), article(2, "Mercury (planet)"), page(3, "Mercury", "It may be. {{disambiguation}}")]
    simple = [article(1, "Ant"), article(2, "Mercury"), article(3, "Alone")]
    items = [(1, 1, "enwiki", "Ant"), (2, 1, "simplewiki", "Ant"), (3, 2, "enwiki", "Mercury_(planet)")]
    items += [(4, 2, "simplewiki", "Mercury"), (5, 3, "enwiki", "Gone"), (6, 3, "simplewiki", "Alone")]
    high, low = (
        written(tmp_path / name, dump(name, pages)) for name, pages in (("enwiki", english), ("simplewiki", simple))
    )
    files = DumpFiles((high,), (low,), written(tmp_path / "items", sql(items)))
    for way, expected in (("wikidata", [(1, 1), (2, 2)]), ("title", [(1, 1)])):
        report = extract(files, tmp_path / way, replace(CONFIG, pairing=way))
        assert pairs(tmp_path / way) == [(f"enwiki-{c}", f"simplewiki-{s}") for c, s in expected]
        assert report["pairing"] == {way: {"links": 3, "pairs": len(expected)}}


def test_of_two_pages_with_one_title_the_older_counts(tmp_path: Path) -> None:
    old, new = (written(tmp_path / f"{n}", dump("enwiki", [article(n, "Ant")])) for n in (3, 7))
    simple = written(tmp_path / "simple", dump("simplewiki", [article(1, "Ant")]))
    for name, parts in (("a", (old, new)), ("b", (new, old))):
        extract(DumpFiles(parts, (simple,), None), tmp_path / name, replace(CONFIG, pairing="title"))
        assert pairs(tmp_path / name) == [("enwiki-3", "simplewiki-1")]


def test_stubs_and_unreadable_pages_are_counted(tmp_path: Path) -> None:
    texts = (
        "{{Infobox}}",
        "[[File:x.png]] One is all here.",
        "First is long enough. So is this.",
        "It is [[ open. " * 60,
    )
    extra = [page(number, f"S{number}", text) for number, text in enumerate(texts, 300)]
    files = write_dumps(tmp_path / "in", [article(number, f"S{number}") for number in range(300, 304)], extra)
    settings = replace(CONFIG, pairing="title", simple=replace(CONFIG.simple, min_sentences=2))
    counts = {"kept": 1, "kept, with one simple sentence": 0, "simple stub": 2, "simple unreadable": 1}
    assert extract(files, tmp_path / "out", settings)["extraction"]["pairs"] == counts
    assert pairs(tmp_path / "out") == [("enwiki-302", "simplewiki-302")]
    settings = replace(settings, simple=CONFIG.simple)
    assert extract(files, tmp_path / "out", settings)["extraction"]["pairs"]["kept, with one simple sentence"] == 1


def cut(files: DumpFiles) -> DumpFiles:
    written(files.complex[0], files.complex[0].read_bytes()[:-400])
    return files


BAD: dict[str, tuple[Callable[[DumpFiles], DumpFiles], dict, str]] = {
    "half the complex dump": (cut, {}, "the dump is cut or damaged"),
    "a part twice": (lambda files: replace(files, complex=files.complex * 2), {}, "is given twice"),
    "no items": (lambda files: replace(files, items=None), {}, "needs the wb_items_per_site dump"),
    "XML for SQL": (lambda files: replace(files, items=files.simple[0]), {}, "is no whole SQL dump"),
    "SQL for XML": (lambda files: replace(files, simple=(files.items,)), {}, "is not well-formed XML"),
    "another wiki": (lambda files: replace(files, simple=files.complex), {}, "is a dump of 'enwiki', not 'simplewiki'"),
    "an absent dump": (lambda files: replace(files, simple=(Path("absent.xml"),)), {}, "absent.xml: no such file"),
    "no common title": (lambda files: files, {"pairing": "title"}, "have no article pair by title"),
    "no sentence": (lambda files: files, {"min_tokens": 100}, "every article pair is dropped"),
}


@pytest.mark.parametrize(("name", "workers"), [*((name, 1) for name in BAD), ("half the complex dump", 2)])
def test_bad_input_is_one_line_and_writes_nothing(tmp_path: Path, name: str, workers: int) -> None:
    damage, changes, message = BAD[name]
    files = damage(write_dumps(tmp_path / "in"))
    with pytest.raises(InputError, match=re.escape(message)) as error:
        extract(files, tmp_path / "out", replace(CONFIG, **changes), workers)
    assert "\n" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pairing": "guess"}, "pairing: 'guess' is none of wikidata, title"),
        ({"title_filters": {"list": "("}}, "title_filters.list: '(' is no regular expression"),
        ({"simple": asdict(CONFIG.complex)}, "simple.site: 'enwiki' is the complex site too"),
    ],
)
def test_settings_are_checked(changes: dict, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        structured(asdict(CONFIG) | changes, DumpConfig)


def write_block_or_die(task: extraction.BlockTask) -> None:
    """`write_block`, but the process that comes to the third block kills itself, as a machine short of memory would."""
    if task.block.stem == "0000002":
        os.kill(os.getpid(), signal.SIGKILL)
    extraction.write_block(task)


def _never(task: object) -> None:
    raise AssertionError(f"done again: {task}")


KILLED = """
import sys
sys.path[:0] = {paths!r}
import test_dumps
from pathlib import Path
from textsimp.extras.wikidump import extraction
extraction.BLOCK = 2
extraction._run_all = lambda work, tasks, *others: [
    test_dumps.write_block_or_die(task) if work is extraction.write_block else work(task) for task in tasks
]
test_dumps.extract(test_dumps.write_dumps(Path({folder!r}) / "in"), Path({folder!r}) / "out")
"""


def test_a_killed_run_goes_on(tmp_path: Path, small_pieces: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed in the third of four blocks: the run after it reads no dump and writes the two blocks that are missing."""
    files = write_dumps(tmp_path / "in")
    paths = [str(Path(__file__).parent), str(Path(extraction.__file__).parents[3])]
    program = [sys.executable, "-c", KILLED.format(paths=paths, folder=str(tmp_path))]
    killed = subprocess.run(program, capture_output=True, text=True, check=False)
    assert killed.returncode == -9, killed.stderr
    work, done = partial_place(tmp_path / "out"), []
    assert work.is_dir() and not (tmp_path / "out").exists()
    write = extraction.write_block
    monkeypatch.setattr(extraction, "write_block", lambda task: (done.append(task.block.stem), write(task)))
    monkeypatch.setattr(extraction, "scan_dump", _never)
    monkeypatch.setattr(extraction, "linked_titles", _never)
    extract(files, tmp_path / "out")
    assert done == ["0000002", "0000003"]
    monkeypatch.undo()
    extract(files, tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    assert not work.exists()


def test_a_killed_worker_is_one_line_and_other_settings_begin_anew(
    tmp_path: Path, small_pieces: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = write_dumps(tmp_path / "in")
    with monkeypatch.context() as patch, pytest.raises(KilledError, match="killed 3 times, .*run again to go on"):
        patch.setattr(extraction, "write_block", write_block_or_die)
        extract(files, tmp_path / "out", workers=2)
    assert partial_place(tmp_path / "out").is_dir() and not (tmp_path / "out").exists()
    for folder in ("out", "whole"):
        extract(files, tmp_path / folder, replace(CONFIG, min_tokens=6))
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


# pages of XML


def pages_of(path: Path) -> list[Page]:
    read_site_info(path)
    return list(read_pages(path))


def test_page_fields(tmp_path: Path) -> None:
    text = "A < b & [[c]] &nbsp; <ref>x</ref>\n\n<page> \u200f\u05d0"
    marked = dump("enwiki", [page(3, "A & B", text, 4), page(5, "C", "#REDIRECT [[X]]")])
    path = written(tmp_path / "d.xml", f'\ufeff<?xml version="1.0"?>\n{marked}'.replace("\n", "\r\n"))
    first, second = pages_of(path)
    assert (first.id, first.title, first.namespace, first.redirect, first.text) == (3, "A & B", 4, False, text)
    assert (second.id, second.redirect, second.model) == (5, True, "wikitext")
    assert read_site_info(path) == ("enwiki", {-2: "Media", 0: "", 1: "Talk", 6: "File", 14: "Category"})


PAGES = [article(7 * number + 1, f"Title {number}", "é" * number) for number in range(40)]
WHOLE = dump("enwiki", PAGES).encode()
STREAMS = multistream("enwiki", PAGES)
BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "lol"}">' for n in range(10))
DAMAGED = {
    "half a plain dump": (WHOLE[: len(WHOLE) // 2], "ends without </mediawiki>"),
    "half a multistream": (STREAMS[: len(STREAMS) // 2], "does not decompress"),
    "streams missing": (STREAMS[: STREAMS.rindex(b"BZh9")], "ends without </mediawiki>"),
    "half a gzip": (gzip.compress(WHOLE)[:-20], "does not decompress"),
    "two dumps joined": (STREAMS + STREAMS, "goes on behind </mediawiki>; give joined dumps one by one"),
    "not UTF-8": (WHOLE.replace("é".encode(), b"\xe9", 1), "is not well-formed XML"),
    "an entity bomb": (
        f"<!DOCTYPE m [{BOMB}]>".encode() + WHOLE.replace(b"Title 7", b"&e9;"),
        "is not well-formed XML",
    ),
    "no number": (WHOLE.replace(b"<id>8</id>", b"<id>x</id>", 1), "is not as MediaWiki writes it"),
    "no id": (WHOLE.replace(b"<id>8</id>", b"", 1), "has no <id>"),
    "two revisions": (WHOLE.replace(b"</revision>", b"</revision><revision></revision>", 1), "has 2 revisions"),
    "another format": (b"<rss></rss>", "is not as MediaWiki writes it (another kind of XML)"),
    "no site": (WHOLE.replace(b"<dbname>enwiki</dbname>", b""), "does not name its wiki"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damage_of_a_dump_is_one_clear_line(tmp_path: Path, name: str) -> None:
    data, message = DAMAGED[name]
    path = written(tmp_path / "dump", data)
    with pytest.raises(InputError, match=re.escape(message)) as error:
        pages_of(path)
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)


FILTERS = PageFilters(CONFIG.title_filters, CONFIG.template_filters)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        ({"namespace": 10}, "namespace"),
        ({"redirect": True, "text": ""}, "redirect"),
        ({"model": "css"}, "model"),
        ({"text": " \n"}, "empty"),
        ({"title": "List of ants"}, "list"),
        ({"title": "Ant (disambiguation)"}, "disambiguation"),
        ({"title": "A disambiguation"}, None),
        ({"text": "x {{ disambiguation |geo}}"}, "disambiguation"),
        ({"text": "{{human_name  disambiguation\n|x}}"}, "disambiguation"),
        ({"text": "{{Disambiguation needed}} [[disambiguation]]"}, None),
        ({"text": "x <!-- {{disambiguation}} --> <nowiki>{{disambiguation}}</nowiki> y"}, None),
    ],
)
def test_page_filters(changes: dict, reason: str | None) -> None:
    fields = {"id": 1, "title": "Ant", "namespace": 0, "redirect": False, "model": "wikitext", "text": "An ant."}
    assert FILTERS.reason(Page(**fields | changes)) == reason


# rows of SQL

ROWS = [
    (1, 42, "enwiki", "Plain_title"),
    (2, 42, "simplewiki", 'O\'Neil, "Q" (a\\b); INSERT INTO `x` VALUES (1,2)'),
    (3, 43, "dewiki", "Übrig"),
    (4, 44, "simplewiki", "line\nbreak),(5,6,'enwiki','x'"),
    (5, 44, "enwiki", "עברית"),
    (6, 45, "enwiki", "alone"),
]
EXPECTED = {ROWS[1][3]: "Plain title", ROWS[3][3]: "עברית"}


@pytest.mark.parametrize("per_line", [1, 2, 100])
def test_rows(tmp_path: Path, per_line: int) -> None:
    """Plain, with CRLF, compressed, with one row per line, as newer versions write, and with other escapes."""
    text = sql(ROWS, per_line)
    by_row = text.replace(" VALUES (", " VALUES\n(", 1).replace("'),(2,", "'),\n(2,").replace("'),(3,", "'),\n(3,")
    for form in (text, text.replace("\n", "\r\n"), gzip.compress(text.encode()), by_row, text.replace("O\\'N", "O''N")):
        assert linked_titles(written(tmp_path / "s.sql", form), "enwiki", "simplewiki") == EXPECTED


TABLE = sql(ROWS, per_line=2)
FIRST = next(number for number, line in enumerate(TABLE.split("\n"), 1) if line.startswith("INSERT"))
BAD_TABLES: dict[str, tuple[str | bytes, int | None, str]] = {
    "cut in a title": (TABLE[: TABLE.index("O\\'Neil") + 4], FIRST, "a row cut in two"),
    "cut after a row": (TABLE[: TABLE.index("),(") + 1], FIRST, "a row cut in two"),
    "cut after a comma": (TABLE[: TABLE.index("),(") + 2], None, "is no whole SQL dump"),
    "too few values": (TABLE.replace("(1,42,", "(1,"), FIRST, "a row cut in two"),
    "other columns": (TABLE.replace("ips_site_page", "ips_page"), FIRST, "is no row of wb_items_per_site"),
    "another table": (TABLE.replace("wb_items_per_site", "langlinks"), None, "has no page of 'simplewiki'"),
    "no page of a wiki": (TABLE.replace("enwiki", "frwiki"), None, "has no page of 'enwiki'"),
    "half a gzip": (gzip.compress(TABLE.encode())[:-30], None, "does not decompress"),
    "nothing": ("", None, "is no whole SQL dump of wb_items_per_site"),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_damage_of_a_table_names_the_line(tmp_path: Path, name: str) -> None:
    text, line, message = BAD_TABLES[name]
    path = written(tmp_path / "s.sql", text)
    with pytest.raises(InputError, match=message) as error:
        linked_titles(path, "enwiki", "simplewiki")
    assert str(error.value).startswith(f"{path}: " if line is None else f"{path}:{line}: ")
