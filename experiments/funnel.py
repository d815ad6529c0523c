"""Coster and Kauchak's corpus (2011, sections 3 and 4) from dumps of the two Wikipedias, step by step.

Run from the repository's root:

    textsimp corpus wikipedia ARTICLES --complex enwiki.xml.bz2 --simple simplewiki.xml.bz2 --pairing title
    python experiments/funnel.py ARTICLES --output FOLDER

How much each step leaves: pages, article pairs, simple paragraphs with an aligned complex one, sentence pairs of the
six operations, those from .5 on, and those from .75 on, which they tried as well; beside it, what the paper prints of
dumps of May 2010. FOLDER gets funnel.md and the sentence pairs as pairs.50 and pairs.75, .complex and .simple.

As printed: articles paired by title, all similarities and thresholds. Our reading: sentences and paragraphs are those
of the extraction, whose settings say what is no article; the paper leaves out articles of a single line and stubs, too.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from experiments.recipes import PairOfTexts, sentence_pairs
from experiments.recipes_translation import markdown_table
from textsimp.alignment.neural.aligner_settings import Device
from textsimp.alignment.spec import SystemSpec
from textsimp.core.errors import bad_input, exit_on_bad_input
from textsimp.core.params import from_conf
from textsimp.core.progress import progress
from textsimp.core.reading import folder_files, read_json
from textsimp.core.records import SIDES, AlignmentLabel, Document, DocumentPair, Link, read_pairs
from textsimp.core.writing import atomic_write, write_lines
from textsimp.corpora.filters import comparable
from textsimp.metrics.rewriting.units import sentence_operations

REPORT = "extraction.json"
THRESHOLDS = (0.5, 0.75)
BLOCK = 100
PRINTED = {
    "simple articles": "110,000",
    "article pairs": "10,588",
    "aligned simple paragraphs": "75,000",
    "pairs from .5": "137,000",
    "pairs from .75": "90,000",
    "simple paragraphs that are not aligned (%)": "65",
    "identical pairs from .5 (%)": "27",
    "skip simple (%)": "27",
    "skip normal (%)": "23",
    "one normal to one simple (%)": "37",
    "one normal to two simple (%)": "8",
    "two normal to one simple (%)": "5",
}
"""What the paper has, by step."""


def extracted(folder: Path) -> tuple[dict[str, float], list[DocumentPair]]:
    """What the extraction counted, and its article pairs."""
    remedy = "give a folder that `textsimp corpus wikipedia` wrote"
    report = read_json(folder / REPORT, remedy)
    try:
        steps = {
            "simple pages": report["pages"]["simple"]["read"],
            "simple articles": report["pages"]["simple"]["article"],
            "articles of the same title": report["pairing"]["title"]["pairs"],
            "article pairs": report["extraction"]["pairs"]["kept"],
        }
    except (KeyError, TypeError):
        raise bad_input(folder / REPORT, None, "not the report of an extraction", remedy) from None
    pairs = [pair for path in folder_files(folder, "shard-*.jsonl", remedy) for pair in read_pairs(path)]
    return steps, pairs


def aligned(pairs: Sequence[DocumentPair]) -> tuple[int, int, list[DocumentPair]]:
    """Simple paragraphs with a partner, all of them, and the pairs with every link of the six operations, scored.

    Paragraphs without a partner are left out of the pairs.
    """
    system = SystemSpec.named("coster_kauchak").load(from_conf("runtime", Device), pairs)
    with_links, partners, paragraphs = [], 0, 0
    for start in progress(range(0, len(pairs), BLOCK), desc="aligned"):
        block = pairs[start : start + BLOCK]
        system.prepare(block)  # what it keeps of texts is dropped
        for pair in block:
            both = system.paragraph_alignment(pair)  # type: ignore[attr-defined]
            partners, paragraphs = partners + int(both.any(1).sum()), paragraphs + len(both)
            kept = [_kept(document, both.any(1 - side)) for side, document in enumerate((pair.simple, pair.complex))]
            scores = system.scores(pair, "task1")[np.ix_(*(rows for _, rows in kept))]
            linked = np.argwhere(scores > -np.inf).tolist()
            links = [Link(i, j, AlignmentLabel.ALIGNED, float(scores[i, j])) for i, j in linked]
            with_links.append(replace(pair, simple=kept[0][0], complex=kept[1][0], alignments=tuple(links)))
    return partners, paragraphs, with_links


def _kept(document: Document, marks: NDArray[np.bool_]) -> tuple[Document, list[int]]:
    """A document of its marked paragraphs, and the places that their sentences had."""
    paragraphs = tuple(part for part, mark in zip(document.paragraphs, marks, strict=True) if mark)
    return replace(document, paragraphs=paragraphs), [i for i, k in enumerate(document.paragraph_of) if marks[k]]


def from_threshold(pairs: Sequence[DocumentPair], threshold: float) -> Iterator[DocumentPair]:
    """The pairs with the links whose similarity is so high."""
    for pair in pairs:
        links = (link for link in pair.alignments or () if link.score is not None and link.score >= threshold)
        yield replace(pair, alignments=tuple(links))


def funnel(folder: Path) -> tuple[dict[str, float], dict[float, list[PairOfTexts]]]:
    """What each step leaves, and the sentence pairs by threshold."""
    steps, pairs = extracted(folder)
    partners, paragraphs, linked = aligned(pairs)
    steps["simple paragraphs"], steps["aligned simple paragraphs"] = paragraphs, partners
    steps["pairs of the six operations"] = len(sentence_pairs(linked, set()))
    corpora = {at: sentence_pairs(list(from_threshold(linked, at)), set()) for at in THRESHOLDS}
    for threshold, corpus in corpora.items():
        steps[f"pairs from {threshold:g}".replace("0.", ".")] = len(corpus)
    steps["simple paragraphs that are not aligned (%)"] = 100 * (1 - partners / max(1, paragraphs))
    for threshold, corpus in corpora.items():
        same = sum(comparable(a) == comparable(b) for a, b in corpus)
        steps[f"identical pairs from {threshold:g} (%)".replace("0.", ".")] = 100 * same / max(1, len(corpus))
    kept = from_threshold(linked, THRESHOLDS[0])
    operations = sentence_operations((pair, pair.alignments or ()) for pair in kept)
    total = max(1, sum(operations.values()))
    return steps | {f"{kind} (%)": 100 * count / total for kind, count in operations.items()}, corpora


def table(steps: dict[str, float]) -> str:
    """The steps beside the printed ones."""
    rows = [
        [name, f"{value:.1f}" if name.endswith("(%)") else f"{value:,.0f}", PRINTED.get(name, "–")]
        for name, value in steps.items()
    ]
    return markdown_table(rows, ["", "here", "printed"])


@exit_on_bad_input
def main() -> None:
    """Align, count, write, print."""
    parser = argparse.ArgumentParser(prog="python experiments/funnel.py", description=__doc__.splitlines()[0])
    parser.add_argument("articles", metavar="ARTICLES", type=Path, help="what textsimp corpus wikipedia wrote")
    parser.add_argument("--output", metavar="FOLDER", type=Path, required=True, help="for the table and the pairs")
    args = parser.parse_args()
    steps, corpora = funnel(args.articles)
    args.output.mkdir(parents=True, exist_ok=True)
    for threshold, corpus in corpora.items():
        for number, side in enumerate(SIDES):
            path = args.output / f"pairs.{round(100 * threshold)}.{side}"
            write_lines(path, [pair[number] for pair in corpus])
    with atomic_write(args.output / "funnel.md") as file:
        file.write(table(steps) + "\n")
    print(table(steps))


if __name__ == "__main__":
    main()
