"""Benchmark of the alignment browser: how large a page is, and how long a reader waits for it.

Run from the repository's root:

    python -m benchmarks.report_page [--pairs 10000] [--complex 15] [--simple 12] [--systems 5] [--keep PAGE.html]

Document pairs of invented words, as many sentences a side as the arguments say, with gold links and links of several
systems, become one page, which headless Chromium opens as a reader would, from a file. Printed: seconds to write the
page and its size; seconds until it can be used; milliseconds until the first pair is found by a search (the texts are
parsed then) and by later ones, to open a pair, to choose another system and to sort; MiB of the page's heap.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.reporting.browser import browser_page
from textsimp.reporting.texts import Example

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from browser_driver import Browser, start  # noqa: E402

VOCABULARY = 20_000
WORDS = {"complex": 22, "simple": 15}
"""Words of a sentence."""
SEED = 1
TIMED = """(() => {
  const part = (name) => document.querySelector(`[data-part="${name}"]`);
  const change = (name, value) => { part(name).value = value; part(name).dispatchEvent(new Event("change")); };
  const begin = performance.now();
  ACTION;
  part("view").offsetHeight; // laid out
  return performance.now() - begin;
})()"""
ACTIONS = {
    "first search": ["part('search').value = 'qu'; change('order', 'file')"],
    "later search": [f"part('search').value = '{word}'; change('order', 'file')" for word in ("the", "ab", "zzzz")],
    "no search": ["part('search').value = ''; change('order', 'file')"],
    "open a pair": ["part('next').click()"] * 15,
    "other system": ["change('system', 1)", "change('system', 0)"],
    "most errors first": ["change('order', 'errors')"],
    "pairs with a missed link": ["change('errors', 'missed')"],
}


def invented(pairs: int, sizes: dict[str, int], systems: int) -> Iterator[Example]:
    """Document pairs whose sentences are linked in order, with some links changed for every system."""
    draw = random.Random(SEED)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 10))) for _ in range(VOCABULARY)]

    def document(name: str, side: str) -> Document:
        sentences = [" ".join(draw.choices(words, k=WORDS[side])) + "." for _ in range(sizes[side])]
        paragraphs = tuple(tuple(sentences[start : start + 3]) for start in range(0, len(sentences), 3))
        return Document(f"{name}-{side}", int(side == "complex"), paragraphs)

    def links() -> tuple[Link, ...]:
        ends = {(index, min(index + draw.randint(0, 2), sizes["complex"] - 1)) for index in range(sizes["simple"])}
        return tuple(Link(*end, draw.choice(list(AlignmentLabel))) for end in sorted(ends) if draw.random() < 0.9)

    for number in range(pairs):
        name = f"article-{number}"
        sides = {side: document(name, side) for side in sizes}
        pair = DocumentPair(name, "invented", name, **sides, alignments=links())
        yield Example(pair, {f"system {system + 1}": links() for system in range(systems)})


def measured(browser: Browser, page: Path) -> Iterator[tuple[str, str]]:
    """What a reader waits for, and the memory in the end."""
    browser.resize(1200, 900)
    begin = time.monotonic()
    browser.open(page)
    yield "opened", f"{time.monotonic() - begin:.2f} s"
    for name, actions in ACTIONS.items():
        times = [browser.evaluate(TIMED.replace("ACTION", action)) for action in actions]
        yield name, f"{median(times):.0f} ms" + (f" (at most {max(times):.0f})" if len(times) > 1 else "")
    heap = browser.call("Runtime.getHeapUsage")["usedSize"]
    yield "heap", f"{heap / 2**20:.0f} MiB"


def main() -> None:
    """Print a line for each number."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report_page", description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--complex", type=int, default=15, help="sentences of a complex document")
    parser.add_argument("--simple", type=int, default=12, help="sentences of a simple document")
    parser.add_argument("--systems", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="where to leave the page")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = args.keep or Path(folder) / "page.html"
        examples = list(invented(args.pairs, {"complex": args.complex, "simple": args.simple}, args.systems))
        begin = time.monotonic()
        page.write_text(browser_page("Benchmark", examples, {}, args.pairs), encoding="utf-8")
        print(f"{args.pairs} pairs written in {time.monotonic() - begin:.1f} s, {page.stat().st_size / 2**20:.1f} MiB")
        browser = start(Path(folder))
        for name, value in measured(browser, page):
            print(f"{name}: {value}")
        browser.close()


if __name__ == "__main__":
    main()
