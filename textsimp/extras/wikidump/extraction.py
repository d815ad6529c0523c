"""The extraction of article pairs from dumps: two passes, each on all cores and without a dump in memory.

Work in progress is in the hidden folder `.NAME.partial` beside the output: the dumps' parts, the index, blocks of
pairs. A killed run goes on there, given the same files and settings, without reading a dump again that it has read.
"""

import logging
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from sqlite3 import Connection
from typing import Any, TypeVar

from textsimp.core import pool
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import is_written, iterate_lines
from textsimp.core.records import SIDES, Document, DocumentPair, write_pairs
from textsimp.core.settings import read_as
from textsimp.core.writing import (
    atomic_folder,
    atomic_write,
    check_is_ours,
    clear_stale,
    partial_place,
    remove,
    work_folder,
    write_json,
)
from textsimp.extras.wikidump import pairing
from textsimp.extras.wikidump.dumps import PageFilters, fingerprint, read_pages, read_site_info
from textsimp.extras.wikidump.settings import DumpConfig, DumpFiles
from textsimp.extras.wikidump.wikitext import Reader

REPORT, _KEY, _INDEX = "extraction.json", "inputs.json", "index.sqlite"
# article pairs in a block: what a killed run loses for each worker; more workers than any machine has use for
BLOCK, MOST_WORKERS = 64, 1000
T = TypeVar("T")
_log = logging.getLogger(__name__)


def extract_wikipedia(files: DumpFiles, output: Path, config: DumpConfig, workers: int) -> dict[str, Any]:
    """Write `output`/shard-00000.jsonl, ... and `output`/extraction.json, which is also returned.

    Any number of workers gives the same files.

    Raises:
        InputError: a file is absent, cut, damaged, of another wiki or another table; nothing is written then.
    """
    if not 1 <= workers <= MOST_WORKERS:
        raise InputError(f"workers: {workers} is not from 1 to {MOST_WORKERS}")
    for side in SIDES:
        if not files.dumps(side):
            raise InputError(f"no {side} dump is given; name the pages-articles dump of {config.side(side).site}")
    if config.pairing == "wikidata" and files.items is None:
        raise InputError("pairing by Wikidata item needs the wb_items_per_site dump; name it or pair by title")
    if output.is_file():
        raise bad_input(output, None, "is a file, not a folder", "name a new or empty folder")
    check_is_ours(output, REPORT)
    folder = partial_place(output)
    with work_folder(folder, ".work", _KEY):
        try:
            inputs = {"files": {role: fingerprint(path) for role, path in files.named().items()}}
            inputs["settings"] = asdict(config)
            is_resumed = is_written(folder / _KEY, inputs)
            try:
                report = _extract(files, output, config, workers, inputs)
            except pool.KilledError:
                raise
            except InputError as error:
                if not is_resumed:
                    raise
                _log.warning("begun anew, as the unfinished work cannot be used: %s", error)
                remove(folder / _KEY)
                report = _extract(files, output, config, workers, inputs)
        except pool.KilledError:
            raise
        except InputError:
            remove(folder)
            raise
        remove(folder, _KEY)
    return report


def _extract(
    files: DumpFiles, output: Path, config: DumpConfig, workers: int, inputs: dict[str, Any]
) -> dict[str, Any]:
    """Go through all the steps that are not done, and write the output."""
    folder = partial_place(output)
    if not is_written(folder / _KEY, inputs):
        for path in folder.iterdir():
            if path.name != ".work":  # the lock
                remove(path)
    for name in ("parts", "blocks"):
        (folder / name).mkdir(parents=True, exist_ok=True)
        clear_stale(folder / name)
    write_json(folder / _KEY, inputs)
    namespaces = {side: _namespaces(files, side, config) for side in SIDES}
    parts = {
        side: [folder / "parts" / f"{side}-{number:04d}.sqlite" for number in range(len(files.dumps(side)))]
        for side in SIDES
    }
    with pairing.new_index(folder / _INDEX) as index:
        for name, path in files.tables().items():
            pairing.load_table(index, name, path, config)
        for side in reversed(SIDES):
            wanted, prefix = folder / _INDEX if side == "complex" else None, config.side(pairing.OTHER[side]).prefix
            both = list(zip(parts[side], files.dumps(side), strict=True))
            tasks = [ScanTask(dump, part, wanted, prefix, config) for part, dump in both if not part.exists()]
            _run_all(scan_dump, tasks, len(tasks), workers, f"read the {side} dump", "file")
            pairing.load_pages(index, side, both)
            if side == "simple":
                pairing.choose_wanted(index)
        pairing.pair_pages(index, config.pairing)
        counted = pairing.counts(index, config.pairing)
        total = counted["pairing"][config.pairing]["pairs"]
        if not total:
            what = f"the dumps have no article pair by {config.pairing}"
            raise bad_input(files.simple[0], None, what, "give dumps of the same time, or another --pairing")
        blocks = [folder / "blocks" / f"{number:07d}.jsonl" for number in range(-(-total // BLOCK))]
        missing = [number for number, block in enumerate(blocks) if not block.exists()]
        found = (
            BlockTask(pairing.pairs_between(index, number * BLOCK, BLOCK), parts, config, namespaces, blocks[number])
            for number in missing
        )
        _run_all(write_block, found, len(missing), workers, f"extract {total} article pairs", "block")
    return _publish(blocks, output, {**inputs, **counted}, config)


def _namespaces(files: DumpFiles, side: str, config: DumpConfig) -> dict[int, str]:
    """Return the namespaces of a wiki; `InputError` where a dump is of another one."""
    spaces: dict[int, str] = {}
    for path in files.dumps(side):
        (dumped, namespaces), site = read_site_info(path), config.side(side).site
        if dumped != site:
            raise bad_input(path, None, f"is a dump of {dumped!r}, not {site!r}", "give the other dump")
        spaces |= namespaces
    return spaces


@dataclass(frozen=True)
class ScanTask:
    """The scan of a dump: the part to write, and the index that says which pages are wanted; None for all.

    `prefix` is how the other wiki is linked to: `simple` in [[simple:Title]].
    """

    dump: Path
    part: Path
    index: Path | None
    prefix: str
    config: DumpConfig

    def __str__(self) -> str:
        return str(self.dump)


def scan_dump(task: ScanTask) -> None:
    """Filter and look up every page of a dump; `InputError` where it is damaged."""
    with pairing.database(task.index) if task.index else nullcontext() as index:
        pairing.write_part(task.part, _scanned(task, index), task.dump)


def _scanned(task: ScanTask, index: Connection | None) -> Iterator[pairing.PartRow]:
    filters = PageFilters(task.config.title_filters, task.config.template_filters)
    link = re.compile(rf"\[\[ *{re.escape(task.prefix)} *:([^\[\]|\n]+)\]\]", re.IGNORECASE)
    for page in read_pages(task.dump):
        match = link.search(page.text) if page.namespace == 0 else None
        title = pairing.clean_title(page.title)
        if match or index is None or pairing.is_wanted(index, title, page.id):
            reason, target = filters.reason(page), pairing.clean_title(match[1]) if match else None
            yield page.id, reason, title, target, None if reason else zlib.compress(page.text.encode("utf-8"), 1)
        else:
            # no pairing can use the page, so that its text is not filtered
            reason = "namespace" if page.namespace else "redirect" if page.redirect else "unlinked"
            yield page.id, reason, None, None, None


@dataclass(frozen=True)
class BlockTask:
    """One block of article pairs, the file to write: rows of `pairing.pairs_between`; parts and namespaces by side."""

    pairs: Sequence[tuple[int, int, int, int]]
    parts: Mapping[str, Sequence[Path]]
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
    for row in task.pairs:
        documents: list[Document] = []
        for side, (page, part) in zip(SIDES, (row[:2], row[2:]), strict=True):
            document, reason = _document(task.config, readers[side], side, page, task.parts[side][part])
            if document is None:
                counts[f"{side} {reason}"] += 1
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


def _document(config: DumpConfig, reader: Reader, side: str, page: int, part: Path) -> tuple[Document | None, str]:
    """Return a page as a document, or None and why it is dropped."""
    wiki = config.side(side)
    with pairing.database(part) as database:
        row = database.execute("SELECT text FROM page WHERE id = ?", (page,)).fetchone()
    try:
        text = zlib.decompress(row[0]).decode("utf-8")
    except (zlib.error, UnicodeDecodeError, TypeError):
        raise bad_input(part, None, f"the text of the page {page} is absent or damaged", "run again") from None
    try:
        paragraphs = reader.sentences(text)
    except ValueError:
        return None, "unreadable"
    document = Document(f"{wiki.site}-{page}", wiki.level, paragraphs)
    characters = sum(map(len, document.sentences))
    stub = len(document.sentences) < max(1, wiki.min_sentences) or characters < wiki.min_characters
    return (None, "stub") if stub else (document, "kept")


def _publish(blocks: list[Path], output: Path, report: dict[str, Any], config: DumpConfig) -> dict[str, Any]:
    """Join the blocks into shards; `InputError` where the filters left nothing."""
    total: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for block in blocks:
        for group, counts in _counts(block).items():
            total[group].update(counts)
    extracted = {group: dict(sorted(counts.items())) for group, counts in total.items()}
    if not total["pairs"]["kept"]:
        raise InputError(f"every article pair is dropped: {extracted['pairs']}; lower min_sentences or min_characters")
    with atomic_folder(output, REPORT) as folder:
        lines, shards = _lines(blocks), 0
        for first in lines:
            with atomic_write(folder / f"shard-{shards:05d}.jsonl") as file:
                file.write(first)
                file.writelines(islice(lines, config.pairs_per_shard - 1))
            shards += 1
        report["extraction"] = {**extracted, "shards": shards}
        write_json(folder / REPORT, report)
    return report


def _counts(block: Path) -> dict[str, dict[str, int]]:
    return read_as(block.with_suffix(".json"), dict[str, dict[str, int]], "remove the unfinished work, and run again")


def _lines(blocks: list[Path]) -> Iterator[str]:
    for block in blocks:
        count = 0
        for line in iterate_lines(block):
            count += 1
            yield line + "\n"
        if count != _counts(block)["pairs"].get("kept", 0):
            raise bad_input(block, None, "the unfinished work of the extraction is damaged", "run again")


def _run_all(work: Callable[[T], None], tasks: Iterable[T], total: int, workers: int, title: str, unit: str) -> None:
    """Do every task, with one worker here; the tasks write files of their own, in whatever order they end."""
    done = map(work, tasks) if workers == 1 else pool.run(pool.always(work), tasks, workers)
    for _ in progress(done, total=total, desc=title, unit=unit):
        pass
