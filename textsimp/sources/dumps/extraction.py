"""The extraction of article pairs from dumps, from its files to its shards (F1; section 3.2, appendix B).

Work in progress is in the hidden folder `.NAME.partial` beside the output: the index, the parts, the blocks. A killed
run goes on there, given the same files and settings. The output takes its name when it is complete.

Memory does not grow with the dumps beyond the index's cache: with spaCy about 130 MB and 240 MB for each worker, 589 MB
in all with two workers on a dump of a million pages (benchmarks/wikipedia_dumps.py).
"""

import logging
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from textsimp.errors import InputError, bad_input
from textsimp.sources.dumps import index as steps
from textsimp.sources.dumps import pairing
from textsimp.sources.dumps.blocks import BLOCK, BlockTask, Stored, counts_file, write_block
from textsimp.sources.dumps.config import SIDES, DumpConfig, DumpFiles
from textsimp.sources.dumps.pages import read_site_info
from textsimp.sources.dumps.parallel import KilledError, run_all
from textsimp.sources.dumps.parts import rows_file
from textsimp.sources.dumps.scan import ScanTask, scan_segment
from textsimp.sources.dumps.segments import DumpFile, inspect
from textsimp.textfiles import atomic_folder, atomic_write, partial_folder, read_json, write_json

REPORT = "extraction.json"
_log = logging.getLogger(__name__)


def extract_wikipedia(files: DumpFiles, output: Path, config: DumpConfig, workers: int) -> dict[str, Any]:
    """Write `output`/shard-00000.jsonl, ... and `output`/extraction.json, which is also returned.

    Args:
        files: the dumps.
        output: the folder to write.
        config: the settings.
        workers: processes; any number gives the same files.

    Raises:
        InputError: a file is absent, cut, damaged, of another wiki or another table; nothing is written then.
    """
    _check(files, output, config, workers)
    work = _Extraction(files, config, partial_folder(output), workers)
    try:
        report = work.run(output)
    except KilledError:
        raise
    except InputError:
        shutil.rmtree(work.folder, ignore_errors=True)
        raise
    shutil.rmtree(work.folder)
    return report


def _check(files: DumpFiles, output: Path, config: DumpConfig, workers: int) -> None:
    if workers < 1:
        raise InputError(f"workers: {workers} is less than 1")
    for side in SIDES:
        if not files.dumps(side):
            raise InputError(f"no {side} dump is given; name the pages-articles dump of {config.side(side).site}")
    if config.pairing == "wikidata" and files.items is None:
        raise InputError("pairing by Wikidata item needs the wb_items_per_site dump; name it or pair by title")
    if output.exists() and not (output / REPORT).is_file() and (output.is_file() or any(output.iterdir())):
        raise bad_input(output, None, "exists and is no earlier extraction", "name a new or empty folder")


class _Extraction:
    """One extraction: its files as `inspect` sees them, and the folder of its unfinished work."""

    def __init__(self, files: DumpFiles, config: DumpConfig, folder: Path, workers: int):
        self.files, self.config, self.folder, self.workers = files, config, folder, workers
        roles = files.named()
        _log.info("reading %d files once to check them: %s", len(roles), ", ".join(p.name for p in roles.values()))
        with ThreadPoolExecutor(workers) as pool:
            self.inspected = dict(zip(roles, pool.map(inspect, roles.values()), strict=True))
        self.namespaces = {side: self._namespaces(side) for side in SIDES}

    def run(self, output: Path) -> dict[str, Any]:
        """Go through all the steps that are not done, and write the output."""
        self._enter()
        with steps.open_index(self.folder / "index.sqlite") as index:
            self._read_sql(index)
            self._read_pages(index, "simple", None)
            steps.step(index, "wanted", steps.choose_wanted)
            self._read_pages(index, "complex", self.folder / "index.sqlite")
            steps.step(index, "pairs", lambda index: pairing.pair_pages(index, self.config.pairing))
            blocks = self._write_blocks(index)
            return self._publish(index, blocks, output)

    def _dumps(self, side: str) -> list[DumpFile]:
        return [self.inspected[f"{side}-{number}"] for number in range(len(self.files.dumps(side)))]

    def _namespaces(self, side: str) -> dict[int, str]:
        """The namespaces of a wiki; `InputError` where a dump is of another one."""
        spaces: dict[int, str] = {}
        for dump in self._dumps(side):
            info, site = read_site_info(dump.segments[0]), self.config.side(side).site
            if info.site != site:
                raise bad_input(dump.path, None, f"is a dump of {info.site!r}, not {site!r}", "give the other dump")
            spaces |= info.namespaces
        return spaces

    def _inputs(self) -> dict[str, Any]:
        """What determines the output, for the report and to know unfinished work again."""
        files = {
            role: {"name": dump.path.name, "sha256": dump.sha256, "bytes": dump.size}
            for role, dump in self.inspected.items()
        }
        return {"files": files, "settings": asdict(self.config)}

    def _enter(self) -> None:
        key = self.folder / "inputs.json"
        if key.is_file() and read_json(key) == self._inputs():
            _log.info("going on with the unfinished work in %s", self.folder.name)
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
        for name in ("parts", "blocks"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        write_json(key, self._inputs())

    def _read_sql(self, index: sqlite3.Connection) -> None:
        items = self.files.items
        if items:
            steps.step(index, "items", lambda index: steps.load_items(index, items, self.config))
        for side in SIDES:
            for name, path, load in (
                ("langlinks", self.files.langlinks(side), steps.load_langlinks),
                ("props", self.files.props(side), steps.load_props),
            ):
                if path:
                    work = partial(load, path=path, side=side, config=self.config)
                    steps.step(index, f"{name} {side}", work)

    def _read_pages(self, index: sqlite3.Connection, side: str, wanted: Path | None) -> None:
        dumps = [dump.segments for dump in self._dumps(side)]
        segments = list(chain(*dumps))
        parts = [self.folder / "parts" / f"{side}-{number:06d}" for number in range(len(segments))]
        config, other = self.config, self.config.side(steps.OTHER[side]).prefix
        # the end of a dump first: a cut one is found out at once
        ends = {segments[-1] for segments in dumps}
        order = sorted(range(len(segments)), key=lambda number: segments[number] not in ends)
        tasks = [
            ScanTask(segments[number], parts[number], wanted, other, config.title_filters, config.template_filters)
            for number in order
            if not rows_file(parts[number]).exists()
        ]
        if not steps.done(index, f"pages {side}"):
            run_all(scan_segment, tasks, len(tasks), self.workers, f"read the {side} dump", "segment")
        of_dumps = [(part, segment.path) for part, segment in zip(parts, segments, strict=True)]
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
        run_all(write_block, tasks, len(missing), self.workers, f"extract {total} article pairs", "block")
        return blocks

    def _block(self, index: sqlite3.Connection, number: int, block: Path) -> BlockTask:
        query = (
            "SELECT c.id, c.part, c.place, c.size, s.id, s.part, s.place, s.size FROM pair p"
            " JOIN page c ON c.side = 'complex' AND c.id = p.complex JOIN page s ON s.side = 'simple' AND s.id = p.simple"
            " WHERE p.number >= ? AND p.number < ? ORDER BY p.number"
        )
        rows = index.execute(query, (number * BLOCK, (number + 1) * BLOCK)).fetchall()
        pairs = tuple((self._stored("complex", row[:4]), self._stored("simple", row[4:])) for row in rows)
        return BlockTask(pairs, self.config, self.namespaces, block)

    def _stored(self, side: str, row: tuple[int, int, int, int]) -> Stored:
        page, part, place, size = row
        return Stored(page, self.folder / "parts" / f"{side}-{part:06d}", place, size)

    def _publish(self, index: sqlite3.Connection, blocks: list[Path], output: Path) -> dict[str, Any]:
        """Join the blocks into shards; `InputError` where the filters left nothing."""
        counts = _total(blocks)
        if not counts["pairs"].get("kept"):
            raise InputError(f"every article pair is dropped: {counts['pairs']}; lower min_sentences or min_characters")
        with atomic_folder(output) as folder:
            lines, shards = _lines(blocks), 0
            for first in lines:
                with atomic_write(folder / f"shard-{shards:05d}.jsonl") as file:
                    file.write(first)
                    file.writelines(islice(lines, self.config.pairs_per_shard - 1))
                shards += 1
            report = {
                **self._inputs(),
                "pages": pairing.page_counts(index),
                "pairing": pairing.pairing_counts(index),
                f"against {self.config.pairing}": pairing.agreement(index, self.config.pairing),
                "extraction": {**counts, "shards": shards},
            }
            write_json(folder / REPORT, report)
        return report


def _lines(blocks: list[Path]) -> Iterator[str]:
    for block in blocks:
        with block.open(encoding="utf-8", newline="\n") as file:
            yield from file


def _total(blocks: list[Path]) -> dict[str, dict[str, int]]:
    total: dict[str, Counter[str]] = {}
    for block in blocks:
        for group, counts in read_json(counts_file(block)).items():
            total.setdefault(group, Counter()).update(counts)
    return {group: dict(sorted(counts.items())) for group, counts in total.items()}
