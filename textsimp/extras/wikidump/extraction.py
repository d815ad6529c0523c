"""The extraction of article pairs from dumps: two passes, each on all cores and without a dump in memory.

Work in progress is in the hidden folder `.NAME.partial` beside the output: the partners, a database of the wanted
articles of each dump, blocks of pairs. A killed run goes on there, given the same files and settings, without reading a
dump again that it has read.
"""

import sqlite3
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from textsimp.core import pool
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import is_written, iterate_lines
from textsimp.core.records import SIDES, Document, DocumentPair, write_pairs
from textsimp.core.settings import read_as
from textsimp.core.writing import (
    atomic_file,
    atomic_folder,
    atomic_write,
    check_is_ours,
    clear_stale,
    partial_place,
    remove,
    work_folder,
    write_json,
)
from textsimp.extras.wikidump.dumps import PageFilters, fingerprint, linked_titles, read_pages, read_site_info
from textsimp.extras.wikidump.settings import DumpConfig, DumpFiles
from textsimp.extras.wikidump.wikitext import Reader

REPORT, _KEY = "extraction.json", "inputs.json"
# article pairs in a block: what a killed run loses for each worker
BLOCK = 64
T = TypeVar("T")
Counts = dict[str, dict[str, int]]
Place = tuple[int, Path]
"""Id of an article, and the database that it is in."""


def extract(files: DumpFiles, output: Path, config: DumpConfig, workers: int) -> dict[str, Any]:
    """Write `output`/shard-00000.jsonl, ... and `output`/extraction.json, which is also returned.

    Any number of workers gives the same files. `InputError` where a file is absent, cut, damaged, of another wiki or
    another table; nothing is written then.
    """
    if config.pairing == "wikidata" and files.items is None:
        raise InputError("pairing by Wikidata item needs the wb_items_per_site dump; name it or pair by title")
    check_is_ours(output, REPORT)
    folder = partial_place(output)
    with work_folder(folder, ".work", _KEY):
        try:
            report = _extract(files, output, folder, config, workers)
        except pool.KilledError:
            raise
        except InputError:
            remove(folder)
            raise
        remove(folder, _KEY)
    return report


def _extract(files: DumpFiles, output: Path, folder: Path, config: DumpConfig, workers: int) -> dict[str, Any]:
    """Go through all the steps that are not done, and write the output."""
    named = {f"{side}-{number}": path for side in SIDES for number, path in enumerate(getattr(files, side))}
    named |= {"items": files.items} if files.items else {}
    inputs = {"files": {role: fingerprint(path) for role, path in named.items()}, "settings": asdict(config)}
    if not is_written(folder / _KEY, inputs):
        for path in folder.iterdir():
            if path.name != ".work":  # the lock
                remove(path)
        write_json(folder / _KEY, inputs)
    for name in ("parts", "blocks"):
        (folder / name).mkdir(exist_ok=True)
        clear_stale(folder / name)
    namespaces = {side: _namespaces(getattr(files, side), getattr(config, side).site) for side in SIDES}
    partners = _partners(files.items, folder / "partners.json", config)
    simple, simple_counts = _scan(files, folder, "simple", None if partners is None else set(partners), config, workers)
    partner_of = partners or {title: title for title in simple}
    wanted = {partner_of[title] for title in simple}
    found, complex_counts = _scan(files, folder, "complex", wanted, config, workers)
    counts: dict[str, Any] = {"pages": {"complex": complex_counts, "simple": simple_counts}}
    pairs = [(found[partner_of[title]], place) for title, place in simple.items() if partner_of[title] in found]
    if not pairs:
        what = f"the dumps have no article pair by {config.pairing}"
        raise bad_input(files.simple[0], None, what, "give dumps of the same time, or another --pairing")
    pairs.sort(key=lambda pair: pair[1][0])
    counts["pairing"] = {config.pairing: {"links": len(simple), "pairs": len(pairs)}}
    tasks = [
        BlockTask(pairs[first : first + BLOCK], config, namespaces, folder / "blocks" / f"{first // BLOCK:07d}.jsonl")
        for first in range(0, len(pairs), BLOCK)
    ]
    missing = [task for task in tasks if not task.block.exists()]
    _run_all(write_block, missing, workers, f"extract {len(pairs)} article pairs", "block")
    return _publish([task.block for task in tasks], output, {**inputs, **counts}, config)


def _namespaces(dumps: Sequence[Path], site: str) -> dict[int, str]:
    """Return the namespaces of a wiki; `InputError` where a dump is of another one, or given twice."""
    spaces: dict[int, str] = {}
    for path in dumps:
        dumped, namespaces = read_site_info(path)
        if dumped != site:
            raise bad_input(path, None, f"is a dump of {dumped!r}, not {site!r}", "give the other dump")
        if dumps.count(path) > 1:
            raise bad_input(path, None, "is given twice", "give each part of a dump once")
        spaces |= namespaces
    return spaces


def _partners(items: Path | None, file: Path, config: DumpConfig) -> dict[str, str] | None:
    """Return the complex title of each simple one by Wikidata, kept in a file; None where titles are the same."""
    if config.pairing == "title" or items is None:
        return None
    if not file.exists():
        write_json(file, linked_titles(items, config.complex.site, config.simple.site))
    return read_as(file, dict[str, str], "remove the unfinished work, and run again")


@dataclass(frozen=True)
class ScanTask:
    """The scan of a dump: the database to write, and the titles of the pages that are wanted; None for all."""

    dump: Path
    part: Path
    wanted: set[str] | None
    config: DumpConfig

    def __str__(self) -> str:
        return str(self.dump)


def scan_dump(task: ScanTask) -> None:
    """Keep the wanted articles of a dump, and count all its pages by the filter that drops them.

    The counts are written first: a database that exists is complete.
    """
    counts: Counter[str] = Counter()
    with atomic_file(task.part) as unfinished, database(Path(unfinished), "rwc") as part:
        # a journal would be taken for that of the next file of this name, after a kill
        part.execute("PRAGMA journal_mode = OFF")
        part.execute("CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT, text BLOB)")
        part.execute("BEGIN")
        part.executemany("INSERT OR REPLACE INTO page VALUES (?, ?, ?)", _articles(task, counts))
        part.execute("COMMIT")
        write_json(task.part.with_suffix(".json"), {"pages": dict(sorted(counts.items()))})


def _articles(task: ScanTask, counts: Counter[str]) -> Iterator[tuple[int, str, bytes]]:
    filters = PageFilters(task.config.title_filters, task.config.template_filters)
    for page in read_pages(task.dump):
        title = page.title.replace("_", " ").strip()
        is_wanted = task.wanted is None or title in task.wanted
        reason = filters.reason(page) if is_wanted else "unlinked"
        counts.update(("read", reason or "article"))
        if reason is None:
            yield page.id, title, zlib.compress(page.text.encode("utf-8"), 1)


def _scan(
    files: DumpFiles, folder: Path, side: str, wanted: set[str] | None, config: DumpConfig, workers: int
) -> tuple[dict[str, Place], dict[str, int]]:
    """Return the articles of a wiki by title, the older of two with one (moved during the dump); and page counts."""
    dumps = getattr(files, side)
    parts = [folder / "parts" / f"{side}-{number:04d}.sqlite" for number in range(len(dumps))]
    tasks = [ScanTask(path, part, wanted, config) for path, part in zip(dumps, parts, strict=True) if not part.exists()]
    _run_all(scan_dump, tasks, workers, f"read the {side} dump", "file")
    articles: dict[str, Place] = {}
    for path in parts:
        with database(path) as part:
            for page, title in part.execute("SELECT id, title FROM page ORDER BY id"):
                articles[title] = min((page, path), articles.get(title, (page, path)))
    counts = sum((Counter(_counts(part)["pages"]) for part in parts), Counter())
    return articles, dict(sorted(counts.items()))


@contextmanager
def database(path: Path, mode: str = "ro") -> Iterator[sqlite3.Connection]:
    """Open an SQLite file that several processes may read, or with the mode `rwc` make one.

    What SQLite says of it becomes an `InputError`: it is damaged, the disk is full, another program holds it.
    """
    try:
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as opened:
            yield opened
    except (sqlite3.Error, OverflowError) as error:
        what = f"the unfinished work of the extraction cannot be used ({error})"
        raise bad_input(path, None, what, "run again; free some space if the disk is full") from None


@dataclass(frozen=True)
class BlockTask:
    """One block of article pairs, complex article first, and the file to write; namespaces by side."""

    pairs: Sequence[tuple[Place, Place]]
    config: DumpConfig
    namespaces: Mapping[str, Mapping[int, str]]
    block: Path

    def __str__(self) -> str:
        return f"block {self.block.stem} of article pairs"


def write_block(task: BlockTask) -> None:
    """Write the pairs of one block, from wikitext to sentences. A block that exists is complete.

    Its counts are written beside it first: what became of the pairs (`unreadable` by the parser, or a `stub`, on one
    side) and, by side, of the sentences.
    """
    readers = {side: Reader(task.config, task.namespaces[side]) for side in SIDES}
    counts: Counter[str] = Counter()
    pairs = []
    for places in task.pairs:
        documents: list[Document] = []
        for side, place in zip(SIDES, places, strict=True):
            document = _document(task.config, readers[side], side, place)
            if isinstance(document, str):
                counts[f"{side} {document}"] += 1
                break
            documents.append(document)
        else:
            counts["kept"] += 1
            counts["kept, with one simple sentence"] += len(documents[1].sentences) == 1
            name = "_".join(document.id for document in documents)
            pairs.append(DocumentPair(name, task.config.corpus, name, documents[0], documents[1]))
    sentences = {f"{side} sentences": dict(reader.counts) for side, reader in readers.items()}
    write_json(task.block.with_suffix(".json"), {"pairs": dict(counts), **sentences})
    write_pairs(task.block, pairs)


def _document(config: DumpConfig, reader: Reader, side: str, place: Place) -> Document | str:
    """Return an article as a document, or why it is dropped."""
    wiki, (page, part) = getattr(config, side), place
    with database(part) as pages:
        (packed,) = pages.execute("SELECT text FROM page WHERE id = ?", (page,)).fetchone()
    try:
        paragraphs = reader.sentences(zlib.decompress(packed).decode("utf-8"))
    except ValueError:
        return "unreadable"
    document = Document(f"{wiki.site}-{page}", wiki.level, paragraphs)
    return document if len(document.sentences) >= wiki.min_sentences else "stub"


def _publish(blocks: list[Path], output: Path, report: dict[str, Any], config: DumpConfig) -> dict[str, Any]:
    """Join the blocks into shards; `InputError` where the filters left nothing."""
    total: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for block in blocks:
        for group, counts in _counts(block).items():
            total[group].update(counts)
    extracted = {group: dict(sorted(counts.items())) for group, counts in total.items()}
    if not total["pairs"]["kept"]:
        raise InputError(f"every article pair is dropped: {extracted['pairs']}; lower min_sentences")
    with atomic_folder(output, REPORT) as folder:
        lines, shards = (f"{line}\n" for block in blocks for line in iterate_lines(block)), 0
        for first in lines:
            with atomic_write(folder / f"shard-{shards:05d}.jsonl") as file:
                file.write(first)
                file.writelines(islice(lines, config.pairs_per_shard - 1))
            shards += 1
        report["extraction"] = {**extracted, "shards": shards}
        write_json(folder / REPORT, report)
    return report


def _counts(path: Path) -> Counts:
    return read_as(path.with_suffix(".json"), Counts, "remove the unfinished work, and run again")


def _run_all(work: Callable[[T], None], tasks: Sequence[T], workers: int, title: str, unit: str) -> None:
    """Do every task, with one worker here; the tasks write files of their own, in whatever order they end."""
    done: Iterable[Any] = map(work, tasks) if workers == 1 else pool.run(pool.always(work), tasks, workers)
    for _ in progress(done, total=len(tasks), desc=title, unit=unit):
        pass
