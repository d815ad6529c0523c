"""The extraction of article pairs from dumps: two passes, each over bounded pieces and on all cores.

Work in progress is in the hidden folder `.NAME.partial` beside the output: the index, the parts, the blocks. A killed
run goes on there, given the same files and settings. The output takes its name when it is complete. Memory does not
grow with the dumps beyond the index's cache (benchmarks/wikipedia_dumps.py).
"""

import logging
import re
import sqlite3
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from textsimp.core import pool
from textsimp.core.errors import InputError, bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import is_written, iterate_lines, read_json
from textsimp.core.records import SIDES, Document, DocumentPair, write_pairs
from textsimp.core.writing import (
    atomic_folder,
    atomic_write,
    check_is_ours,
    clear_stale,
    partial_folder,
    remove,
    work_folder,
    write_json,
)
from textsimp.extras.wikidump import index as steps
from textsimp.extras.wikidump.dumps import DumpFile, PageFilters, Segment, inspect, read_pages, read_site_info
from textsimp.extras.wikidump.settings import DumpConfig, DumpFiles
from textsimp.extras.wikidump.wikitext import Reader

REPORT, _KEY = "extraction.json", "inputs.json"
BLOCK = 64
"""Article pairs in a block: what a killed run loses for each worker."""

MOST_WORKERS = 1000
"""More than any machine has use for."""

T = TypeVar("T")
_log = logging.getLogger(__name__)


def extract_wikipedia(files: DumpFiles, output: Path, config: DumpConfig, workers: int) -> dict[str, Any]:
    """Write `output`/shard-00000.jsonl, ... and `output`/extraction.json, which is also returned.

    Any number of workers gives the same files. An InputError where a file is absent, cut, damaged, of another wiki or
    another table; nothing is written then.
    """
    _check(files, output, config, workers)
    folder = partial_folder(output)
    with work_folder(folder, ".work", _KEY):
        try:
            work = _Extraction(files, config, folder, workers)
            try:
                report = work.run(output)
            except pool.KilledError:
                raise
            except InputError as error:
                if not work.is_resumed:
                    raise
                _log.warning("begun anew, as the unfinished work cannot be used: %s", error)
                work.forget()
                report = work.run(output)
        except pool.KilledError:
            raise
        except InputError:
            remove(folder)
            raise
        remove(folder, _KEY)
    return report


def _check(files: DumpFiles, output: Path, config: DumpConfig, workers: int) -> None:
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


@dataclass(frozen=True)
class ScanTask:
    """The scan of one segment: the part to write, and the index that says which pages are wanted; None for all.

    `prefix` is how the other wiki is linked to: `simple` in [[simple:Title]].
    """

    segment: Segment
    part: Path
    index: Path | None
    prefix: str
    config: DumpConfig

    def __str__(self) -> str:
        return f"{self.segment.path}, part {self.part.name}"


def scan_segment(task: ScanTask) -> None:
    """The first pass: every page of one segment, filtered and looked up; `InputError` where the dump is damaged."""
    with steps.read_only(task.index) if task.index else nullcontext() as index:
        steps.write_part(task.part, _scanned(task, index), task.segment.path)


def _scanned(task: ScanTask, index: sqlite3.Connection | None) -> Iterator[steps.PartRow]:
    filters = PageFilters(task.config.title_filters, task.config.template_filters)
    link = re.compile(rf"\[\[ *{re.escape(task.prefix)} *:([^\[\]|\n]+)\]\]", re.IGNORECASE)
    for page in read_pages(task.segment):
        match = link.search(page.text) if page.namespace == 0 else None
        title = steps.clean_title(page.title)
        if match or index is None or steps.is_wanted(index, title, page.id):
            reason, target = filters.reason(page), steps.clean_title(match[1]) if match else None
            yield page.id, reason, title, target, None if reason else zlib.compress(page.text.encode("utf-8"), 1)
        else:
            # no pairing can use the page, so that its text is not filtered
            reason = "namespace" if page.namespace else "redirect" if page.redirect else "unlinked"
            yield page.id, reason, None, None, None


@dataclass(frozen=True)
class BlockTask:
    """One block of article pairs, the file to write: page id and part of (complex, simple), namespaces by side."""

    pairs: tuple[tuple[tuple[int, Path], tuple[int, Path]], ...]
    config: DumpConfig
    namespaces: Mapping[str, Mapping[int, str]]
    block: Path

    def __str__(self) -> str:
        return f"block {self.block.stem} of article pairs"


def write_block(task: BlockTask) -> None:
    """The second pass: the pairs of one block, from wikitext to sentences. A block that exists is complete.

    Before it, its counts are written beside it: what became of the pairs (`unreadable` by the parser, or a `stub`, on
    one side) and, by side, of the sentences.
    """
    readers = {side: Reader(task.config, task.namespaces[side]) for side in SIDES}
    counts: Counter[str] = Counter()
    pairs = []
    for stored in task.pairs:
        documents: list[Document] = []
        for side, (page, part) in zip(SIDES, stored, strict=True):
            document, reason = _document(task.config, readers[side], side, page, part)
            if document is None:
                counts[f"{side} {reason}"] += 1
                break
            documents.append(document)
        else:
            complex_document, simple_document = documents
            counts["kept"] += 1
            counts["kept, with one simple sentence"] += len(simple_document.sentences) == 1
            name = f"{complex_document.id}_{simple_document.id}"
            pairs.append(DocumentPair(name, task.config.corpus, name, complex_document, simple_document))
    sentences = {f"{side} sentences": dict(reader.counts) for side, reader in readers.items()}
    write_json(counts_file(task.block), {"pairs": dict(counts), **sentences})
    write_pairs(task.block, pairs)


def counts_file(block: Path) -> Path:
    """The counts of a block."""
    return block.with_suffix(".json")


def _document(config: DumpConfig, reader: Reader, side: str, page: int, part: Path) -> tuple[Document | None, str]:
    """A page as a document, or None and why it is dropped."""
    wiki = config.side(side)
    try:
        text = zlib.decompress(steps.read_text(part, page)).decode("utf-8")
    except (zlib.error, UnicodeDecodeError):
        raise bad_input(part, None, f"the text of the page {page} is damaged", "run again") from None
    try:
        paragraphs = reader.sentences(text)
    except ValueError:
        return None, "unreadable"
    document = Document(f"{wiki.site}-{page}", wiki.level, paragraphs)
    characters = sum(map(len, document.sentences))
    stub = len(document.sentences) < max(1, wiki.min_sentences) or characters < wiki.min_characters
    return (None, "stub") if stub else (document, "kept")


class _Extraction:
    """One extraction: its files as `inspect` sees them, and the folder of its unfinished work."""

    def __init__(self, files: DumpFiles, config: DumpConfig, folder: Path, workers: int):
        self.files, self.config, self.folder, self.workers = files, config, folder, workers
        self.is_resumed = False
        roles = files.named()
        _log.info("reading %d files once to check them: %s", len(roles), ", ".join(p.name for p in roles.values()))
        with ThreadPoolExecutor(workers) as threads:
            self.inspected = dict(zip(roles, threads.map(inspect, roles.values()), strict=True))
        self.namespaces = {side: self._namespaces(side) for side in SIDES}

    def run(self, output: Path) -> dict[str, Any]:
        """Go through all the steps that are not done, and write the output."""
        self._enter()
        with steps.open_index(self.folder / "index.sqlite") as index:
            self._read_sql(index)
            self._read_pages(index, "simple", None)
            steps.step(index, "wanted", steps.choose_wanted)
            self._read_pages(index, "complex", self.folder / "index.sqlite")
            steps.step(index, "pairs", lambda index: steps.pair_pages(index, self.config.pairing))
            blocks = self._write_blocks(index)
            return self._publish(index, blocks, output)

    def _dumps(self, side: str) -> list[DumpFile]:
        return [self.inspected[f"{side}-{number}"] for number in range(len(self.files.dumps(side)))]

    def _namespaces(self, side: str) -> dict[int, str]:
        """The namespaces of a wiki; `InputError` where a dump is of another one."""
        spaces: dict[int, str] = {}
        for path in self.files.dumps(side):
            (dumped, namespaces), site = read_site_info(path), self.config.side(side).site
            if dumped != site:
                raise bad_input(path, None, f"is a dump of {dumped!r}, not {site!r}", "give the other dump")
            spaces |= namespaces
        return spaces

    def _inputs(self) -> dict[str, Any]:
        """What determines the output, for the report and to know unfinished work again."""
        files = {
            role: {"name": dump.path.name, "sha256": dump.sha256, "bytes": dump.size}
            for role, dump in self.inspected.items()
        }
        return {"files": files, "settings": asdict(self.config)}

    def _enter(self) -> None:
        key = self.folder / _KEY
        self.is_resumed = is_written(key, self._inputs())
        if self.is_resumed:
            _log.info("going on with the unfinished work in %s", self.folder.name)
        else:
            self.forget()
        for name in ("parts", "blocks"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
            clear_stale(self.folder / name)
        write_json(key, self._inputs())

    def forget(self) -> None:
        """Remove the unfinished work, but for the lock on it."""
        for path in self.folder.iterdir():
            if path.name != ".work":
                remove(path)

    def _read_sql(self, index: sqlite3.Connection) -> None:
        for name, path in self.files.tables().items():
            side, _, table = name.rpartition("_")
            load = {"items": steps.load_items, "langlinks": steps.load_langlinks, "props": steps.load_props}[table]
            steps.step(index, name, partial(load, path=path, side=side, config=self.config))

    def _part(self, side: str, number: int) -> Path:
        return self.folder / "parts" / f"{side}-{number:06d}.sqlite"

    def _read_pages(self, index: sqlite3.Connection, side: str, wanted: Path | None) -> None:
        dumps = [dump.segments for dump in self._dumps(side)]
        parts = [(self._part(side, number), segment) for number, segment in enumerate(chain(*dumps))]
        # the end of a dump first: a cut one is found out at once
        ends = {segments[-1] for segments in dumps}
        parts_in_order = sorted(parts, key=lambda part: part[1] not in ends)
        prefix = self.config.side(steps.OTHER[side]).prefix
        waiting = [(part, segment) for part, segment in parts_in_order if not part.exists()]
        tasks = [ScanTask(segment, part, wanted, prefix, self.config) for part, segment in waiting]
        if not steps.done(index, f"pages {side}"):
            _run_all(scan_segment, tasks, len(tasks), self.workers, f"read the {side} dump", "segment")
        of_dumps = [(part, segment.path) for part, segment in parts]
        steps.step(index, f"pages {side}", lambda index: steps.load_pages(index, side, of_dumps))

    def _write_blocks(self, index: sqlite3.Connection) -> list[Path]:
        total = index.execute("SELECT COUNT(*) FROM pair").fetchone()[0]
        if not total:
            what = f"the dumps have no article pair by {self.config.pairing}"
            remedy = "give dumps of the same time, or another --pairing"
            raise bad_input(self.files.simple[0], None, what, remedy)
        blocks = [self.folder / "blocks" / f"{number:07d}.jsonl" for number in range(-(-total // BLOCK))]
        missing = [number for number, block in enumerate(blocks) if not block.exists()]
        tasks = (self._block(index, number, blocks[number]) for number in missing)
        _run_all(write_block, tasks, len(missing), self.workers, f"extract {total} article pairs", "block")
        return blocks

    def _block(self, index: sqlite3.Connection, number: int, block: Path) -> BlockTask:
        rows = steps.pairs_between(index, number * BLOCK, (number + 1) * BLOCK)
        pairs = tuple(
            ((complex_id, self._part("complex", complex_part)), (simple_id, self._part("simple", simple_part)))
            for complex_id, complex_part, simple_id, simple_part in rows
        )
        return BlockTask(pairs, self.config, self.namespaces, block)

    def _publish(self, index: sqlite3.Connection, blocks: list[Path], output: Path) -> dict[str, Any]:
        """Join the blocks into shards; `InputError` where the filters left nothing."""
        counts = _total(blocks)
        if not counts["pairs"].get("kept"):
            raise InputError(f"every article pair is dropped: {counts['pairs']}; lower min_sentences or min_characters")
        with atomic_folder(output, REPORT) as folder:
            lines, shards = _lines(blocks), 0
            for first in lines:
                with atomic_write(folder / f"shard-{shards:05d}.jsonl") as file:
                    file.write(first)
                    file.writelines(islice(lines, self.config.pairs_per_shard - 1))
                shards += 1
            report = {
                **self._inputs(),
                "pages": steps.page_counts(index),
                "pairing": steps.pairing_counts(index),
                f"against {self.config.pairing}": steps.agreement(index, self.config.pairing),
                "extraction": {**counts, "shards": shards},
            }
            write_json(folder / REPORT, report)
        return report


def _run_all(work: Callable[[T], None], tasks: Iterable[T], total: int, workers: int, title: str, unit: str) -> None:
    """Do every task, with one worker here; the tasks write files of their own, in whatever order they end."""
    done = map(work, tasks) if workers == 1 else pool.run(pool.always(work), tasks, workers)
    for _ in progress(done, total=total, desc=title, unit=unit):
        pass


def _lines(blocks: list[Path]) -> Iterator[str]:
    for block in blocks:
        count = 0
        for line in iterate_lines(block):
            count += 1
            yield line + "\n"
        if count != read_json(counts_file(block))["pairs"].get("kept", 0):
            raise bad_input(block, None, "the unfinished work of the extraction is damaged", "run again")


def _total(blocks: list[Path]) -> dict[str, dict[str, int]]:
    total: dict[str, Counter[str]] = {}
    for block in blocks:
        groups = read_json(counts_file(block))
        is_whole = isinstance(groups, dict) and "pairs" in groups
        if not is_whole or not all(isinstance(counts, dict) for counts in groups.values()):
            raise bad_input(counts_file(block), None, "the unfinished work of the extraction is damaged", "run again")
        for group, counts in groups.items():
            total.setdefault(group, Counter()).update(counts)
    return {group: dict(sorted(counts.items())) for group, counts in total.items()}
