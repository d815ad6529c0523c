"""Sentences that people rate, drawn from outputs in the lines of a file, or from links of aligners and corpora."""

import logging
import random
from collections.abc import Iterator, Mapping
from pathlib import Path

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import read_aligned
from textsimp.corpora.pairs import linked_pairs
from textsimp.extras.annotation.agreement import matched
from textsimp.extras.annotation.annotated import Annotated, iterate_annotated
from textsimp.extras.human.guidelines import ALIGNMENTS, INSPECTION, OUTPUTS, guidelines
from textsimp.extras.human.study import Study, make_items, make_study
from textsimp.metrics.line_order import order_doubt

Drawn = Iterator[tuple[int, str, list[tuple[str, str]]]]
"""Number, original, and systems with what they have beside it."""
logger = logging.getLogger(__name__)


def draw_study(
    complex_file: Path, outputs: Mapping[str, Path], count: int, seed: int, raters: int, kind: str = OUTPUTS
) -> Study:
    """Return a study of sentences drawn from a file, with the outputs under blind names; everybody rates everything.

    Args:
        complex_file: complex sentences, one per line.
        outputs: line-aligned output of each system, by name.
        count: sentences to draw. They differ from each other: of a repeated one, only one line is drawn.
        seed: same seed and same complex sentences, same draw, whatever the systems.

    Raises:
        InputError: a kind that is about links, no output, an empty or too few sentences.
    """
    guidelines(kind)
    if kind == ALIGNMENTS:
        raise InputError(f"--kind {kind}: is about links; give files of links, as --links NAME=FILE")
    if not outputs:
        raise InputError("--output: none given; name the output of one system at least, as NAME=FILE")
    # single spaces alone: raters should not rate what they cannot see
    rows = [[" ".join(text.split()) for text in row] for row in read_aligned([complex_file, *outputs.values()])]
    for place, name in enumerate(outputs, 1):
        if doubt := order_doubt([row[0] for row in rows], [row[place] for row in rows]):
            logger.warning("warning: %s: %s", name, doubt)
    shuffled = list(enumerate(rows, 1))
    random.Random(f"{seed}/sentences").shuffle(shuffled)
    first = {row[0]: line for line, row in reversed(shuffled)}
    if "" in first:
        line = [row[0] for row in rows].index("") + 1
        raise bad_input(complex_file, line, "an empty complex sentence", "remove the line from all files")
    if len(first) < count:
        what = f"{len(first)} different sentences, fewer than the {count} to be drawn"
        raise bad_input(complex_file, None, what, "ask for fewer, by --count or in the settings file")
    lines = sorted([line for line, row in shuffled if first[row[0]] == line][:count])
    drawn = ((line, rows[line - 1][0], list(zip(outputs, rows[line - 1][1:], strict=True))) for line in lines)
    return make_study(kind, seed, tuple(outputs), raters, [item for row in drawn for item in make_items(*row, seed)])


def draw_links(links: Mapping[str, Path], count: int, seed: int, raters: int, kind: str) -> Study:
    """Return a study of sentences drawn with their partners by one or several alignments, under blind names.

    Where alignments are rated: different simple sentences that one of them links, each with every complex sentence that
    is linked to it. In an inspection: of each file as many pairs, a pair being all sentences that links connect.

    Args:
        links: document pairs with links, by the name of the aligner or the corpus; aligners have the same documents.
        count: sentences, or pairs of each corpus.

    Raises:
        InputError: another kind, aligners of different documents, fewer linked sentences than are to be drawn.
    """
    guidelines(kind)
    if kind not in (ALIGNMENTS, INSPECTION):
        raise InputError(f"--kind {kind}: is about outputs; give --complex and --output, or --kind {ALIGNMENTS}")
    draw = _linked if kind == ALIGNMENTS else _connected
    items = [item for drawn in draw(links, count, seed) for item in make_items(*drawn, seed)]
    return make_study(kind, seed, tuple(links), raters, items)


def linked_by(links: Mapping[str, Path]) -> dict[str, list[Annotated]]:
    """Return the document pairs of each aligner in the order of the first one's; `InputError` where they differ."""
    read = {name: list(iterate_annotated(path)) for name, path in links.items()}
    first = next(iter(read.values()))
    return {name: matched(first, annotated) for name, annotated in read.items()}


def _linked(links: Mapping[str, Path], count: int, seed: int) -> Drawn:
    first, by_aligner = next(iter(links.values())), linked_by(links)
    different: dict[str, list[tuple[str, str]]] = {}  # texts at several levels repeat sentences
    for opinions in zip(*by_aligner.values(), strict=True):
        versions: dict[int, list[tuple[str, str]]] = {}
        for aligner, one in zip(by_aligner, opinions, strict=True):
            for link in one.links:
                versions.setdefault(link.simple, []).append((aligner, one.pair.complex.sentences[link.complex]))
        for simple in sorted(versions):
            different.setdefault(opinions[0].pair.simple.sentences[simple], versions[simple])
    sentences = list(different.items())
    for number in _sample(len(sentences), count, seed, f"{first}: {len(sentences)} different linked simple sentences"):
        yield number + 1, *sentences[number]


def _connected(links: Mapping[str, Path], count: int, seed: int) -> Drawn:
    pairs: dict[tuple[str, str], list[str]] = {}
    for name, path in links.items():
        groups = (group for one in iterate_annotated(path) for group in linked_pairs(one.pair, "group"))
        different = list(dict.fromkeys((group.complex, group.simple) for group in groups))
        for number in _sample(len(different), count, seed, f"{path}: {len(different)} different linked pairs"):
            pairs.setdefault(different[number], []).append(name)
    for line, ((complex_, simple), names) in enumerate(pairs.items(), 1):
        yield line, complex_, [(name, simple) for name in names]


def _sample(size: int, count: int, seed: int, what: str) -> list[int]:
    if size < count:
        raise InputError(f"{what}, fewer than the {count} to be drawn; ask for fewer, by --count")
    return sorted(random.Random(f"{seed}/sentences").sample(range(size), count))
