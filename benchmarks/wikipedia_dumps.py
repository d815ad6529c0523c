"""Benchmark of the extraction from Wikipedia dumps: seconds of each pass, and the memory of all processes at most.

Run from the repository's root:

    python -m benchmarks.wikipedia_dumps FOLDER [--pages 1000000] [--pairs 20000] [--words 120] [--workers 2]

It writes made-up dumps in their true format to FOLDER: a multistream bzip2 dump of `--pages` complex pages, of which a
third redirect, a dump of `--pairs` simple pages, and Wikidata's sitelinks, ten for each of the complex pages; then it
extracts. `peak_mb` is the largest sum of the proportional set sizes of the parent and its workers (memory that
processes share is counted once), `largest_mb` that of one process, looked at twice a second.
"""

import argparse
import bz2
import gzip
import json
import random
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import psutil

from textsimp.core.params import read_settings
from textsimp.extras.wikidump import extraction
from textsimp.extras.wikidump.settings import SETTINGS, DumpConfig, DumpFiles

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="en">
  <siteinfo><sitename>Wikipedia</sitename><dbname>{site}</dbname><namespaces>
    <namespace key="6" case="first-letter">File</namespace>
    <namespace key="14" case="first-letter">Category</namespace>
  </namespaces></siteinfo>
"""
PAGE = """  <page><title>{title}</title><ns>0</ns><id>{number}</id>{redirect}<revision><id>{number}</id>
    <model>wikitext</model><text xml:space="preserve">{text}</text></revision></page>
"""
TABLE = """-- Host: localhost    Database: wikidatawiki
CREATE TABLE `wb_items_per_site` (
  `ips_row_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `ips_item_id` int(10) unsigned NOT NULL,
  `ips_site_id` varbinary(32) NOT NULL,
  `ips_site_page` varbinary(310) NOT NULL,
) ENGINE=InnoDB;
"""
VOCABULARY = ["".join(letters) for letters in zip("bdfgklmnpr" * 500, "aeiou" * 1000, "stxzvhj" * 715, strict=False)]


def text(draw: random.Random, title: str, words: int) -> str:
    """Wikitext of about `words` words, with templates, links and references."""
    sentences = [f"&lt;ref&gt;{{{{cite|x={title}}}}}&lt;/ref&gt; '''{title}''' is a [[thing|{title}]]."]
    for _ in range(words // 12):
        sentences.append(" ".join(draw.choices(VOCABULARY, k=10)).capitalize() + " [[at|in]] {{nowrap|it}}.")
    return "{{Infobox|name=x}}\n" + " ".join(sentences)


def pages(site: str, count: int, words: int) -> Iterator[str]:
    """The pages of a wiki; of the complex one, every third redirects."""
    draw = random.Random(site)
    for number in range(count):
        redirect = site == "enwiki" and number % 3 == 2
        body = "#REDIRECT [[Page 1]]" if redirect else text(draw, f"Page {number}", words)
        mark = '<redirect title="Page 1" />' if redirect else ""
        yield PAGE.format(title=f"Page {number}", number=number + 1, redirect=mark, text=body)


def write_dump(path: Path, site: str, count: int, words: int) -> None:
    """A multistream dump of 100 pages a stream."""
    with path.open("wb") as file:
        file.write(bz2.compress(HEAD.format(site=site).encode()))
        source = pages(site, count, words)
        while group := list(islice(source, 100)):
            file.write(bz2.compress("".join(group).encode(), 1))
        file.write(bz2.compress(b"</mediawiki>\n"))


def write_items(path: Path, count: int, pairs: int) -> int:
    """Sitelinks of every complex page in ten languages, and the simple wiki's; returns how many."""
    rows, total = [], 0
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        file.write(TABLE)
        for number in range(count):
            sites = [
                "enwiki",
                *(f"{letter}xwiki" for letter in "abcdefghi"),
                *(["simplewiki"] if number < pairs else []),
            ]
            rows += [f"({total + k},{number + 1},'{site}','Page {number}')" for k, site in enumerate(sites, 1)]
            total += len(sites)
            if len(rows) > 20_000 or number == count - 1:
                file.write(f"INSERT INTO `wb_items_per_site` VALUES {','.join(rows)};\n")
                rows = []
        file.write("UNLOCK TABLES;\n")
    return total


class Watch:
    """Looks at the memory of this process and its children until it is stopped."""

    def __init__(self) -> None:
        self.peak = self.largest = 0
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        own = psutil.Process()
        while not self.stopped.wait(0.5):
            sizes = []
            for process in [own, *own.children(recursive=True)]:
                try:
                    sizes.append(process.memory_full_info().pss)
                except psutil.Error:
                    continue
            self.peak, self.largest = max(self.peak, sum(sizes)), max(self.largest, *sizes)


def timed_passes() -> dict[str, float]:
    """Let `extraction._run_all` and the steps of the index note the seconds of each of their calls."""
    seconds: dict[str, float] = {}

    def timing(work: Any, name: Any) -> Any:
        def timed(*values: Any) -> None:
            start = time.perf_counter()
            work(*values)
            seconds[name(values)] = round(time.perf_counter() - start, 1)

        return timed

    extraction._run_all = timing(extraction._run_all, lambda values: values[4])
    pairing = extraction.pairing
    pairing.load_table = timing(pairing.load_table, lambda values: f"index: {values[1]}")
    pairing.load_pages = timing(pairing.load_pages, lambda values: f"index: {values[1]} pages")
    pairing.pair_pages = timing(pairing.pair_pages, lambda values: "index: pairs")
    return seconds


def main() -> None:
    """Write the dumps, extract, print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    for name, value in (("pages", 1_000_000), ("pairs", 20_000), ("words", 120), ("workers", 2)):
        parser.add_argument(f"--{name}", type=int, default=value)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    items = given.folder / "items.sql.gz"
    files = DumpFiles((given.folder / "en.xml.bz2",), (given.folder / "simple.xml.bz2",), items)
    write_dump(files.complex[0], "enwiki", given.pages, given.words)
    write_dump(files.simple[0], "simplewiki", given.pairs, given.words)
    rows = write_items(items, given.pages, given.pairs)
    watch, seconds, start = Watch(), timed_passes(), time.perf_counter()
    watch.thread.start()
    report = extraction.extract_wikipedia(
        files, given.folder / "out", read_settings(SETTINGS, DumpConfig), given.workers
    )
    watch.stopped.set()
    figures = {
        "complex_pages": given.pages,
        "sitelinks": rows,
        "article_pairs": report["extraction"]["pairs"]["kept"],
        "seconds": seconds | {"all": round(time.perf_counter() - start, 1)},
        "peak_mb": round(watch.peak / 1e6),
        "largest_mb": round(watch.largest / 1e6),
        "workers": given.workers,
    }
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
