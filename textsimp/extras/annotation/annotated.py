"""Files that come back from the page: document pairs with links, and under `annotation` what links cannot say.

`files.js` writes the lines. `alignments` are the links of both kinds; the object `annotation` has

    annotator   the name that the person gave
    round       `open`, `blind` or `adjudication`
    place       [number of the pair from 0, pairs of the page], so that a file that was cut is noticed
    paragraphs  linked ones, [simple, complex]
    not         sentence pairs that were called not aligned one by one, [simple, complex]
    settled     simple sentences all of whose other pairs are not aligned
    flags       sentence pairs to be looked at again; `resolved`: those that have been
    notes       [simple, complex or -1 for the simple sentence alone, text]
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import quoted, read_json_lines
from textsimp.core.records import AlignmentLabel, DocumentPair, Link, check_is_new, pair_from_json
from textsimp.core.settings import KeyFault, structured

# the rounds
OPEN, BLIND, ADJUDICATION = "open", "blind", "adjudication"
Ends = tuple[int, int]
_REMEDY = "download the file from the page again"


@dataclass(frozen=True)
class Annotation:
    """The object `annotation` of a line; see the module."""

    annotator: str
    round: str
    place: Ends
    paragraphs: frozenset[Ends]
    settled: frozenset[int]
    flags: frozenset[Ends]
    notes: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True)
class Annotated:
    """A document pair with one person's links. Without `annotation` it is labelled to the end.

    `source` is the line that it comes from, for messages.
    """

    pair: DocumentPair
    annotation: Annotation | None
    source: tuple[Path, int]

    @property
    def links(self) -> tuple[Link, ...]:
        """Return the links of both labels."""
        return self.pair.alignments or ()

    @property
    def labels(self) -> dict[Ends, AlignmentLabel]:
        """Return the label of each linked (simple, complex)."""
        return {(link.simple, link.complex): link.label for link in self.links}

    @property
    def paragraphs(self) -> frozenset[Ends]:
        """Return the paragraphs (simple, complex) that the annotator linked; without `annotation`, `connected`."""
        return self.connected if self.annotation is None else self.annotation.paragraphs

    @property
    def connected(self) -> frozenset[Ends]:
        """Return the paragraphs (simple, complex) that a link joins, or that the annotator linked."""
        simple_of, complex_of = self.pair.simple.paragraph_of, self.pair.complex.paragraph_of
        joined = {(simple_of[link.simple], complex_of[link.complex]) for link in self.links}
        return frozenset(joined) if self.annotation is None else self.annotation.paragraphs | joined

    @property
    def settled(self) -> frozenset[int]:
        """Return the simple sentences that are decided."""
        return frozenset(range(len(self.pair.simple.sentences))) if self.annotation is None else self.annotation.settled


def disputed(first: Annotated, second: Annotated) -> set[Ends]:
    """Return the sentence pairs (simple, complex) that two people labelled differently."""
    return {ends for ends, _ in first.labels.items() ^ second.labels.items()}


def read_annotated(path: Path) -> list[Annotated]:
    """Read the document pairs of a file from the page, or of any labelled one.

    Raises:
        InputError: with file and line, for what is no annotated pair, an id that comes twice, a number of no sentence
            or paragraph, a pair that nobody has begun; or the file has fewer pairs than the page had.
    """
    pairs = list(iterate_annotated(path, _REMEDY))
    for number, annotated in enumerate(pairs):
        if annotated.annotation is not None and annotated.annotation.place != (number, len(pairs)):
            written, total = annotated.annotation.place
            what = f"document pair {written + 1} of {total} where there are {len(pairs)} lines"
            raise bad_input(*annotated.source, f"{what}; the file is cut or edited", _REMEDY)
    return pairs


def iterate_annotated(path: Path, remedy: str = "see docs/formats.md") -> Iterator[Annotated]:
    """Yield what `read_annotated` returns, whatever the page had beside them: parts of several files may be joined."""
    seen: dict[str, str] = {}
    for line, row in read_json_lines(path, remedy):
        try:
            pair = pair_from_json(row)
            annotation = _annotation(row["annotation"], pair) if "annotation" in row else None
        except InputError as error:
            raise bad_input(path, line, str(error), remedy) from None
        check_is_new(pair, seen, path, line)
        if pair.alignments is None:
            what = f"document pair {quoted(pair.id)} has no 'alignments': nobody has begun it"
            raise bad_input(path, line, what, "annotate it, or align it, first")
        yield Annotated(pair, annotation, (path, line))
    if not seen:
        raise bad_input(path, None, "holds no document pairs", remedy)


def _annotation(row: Any, pair: DocumentPair) -> Annotation:
    """Return the object `annotation` of a line; raise `InputError` for one of another form, or of other documents."""
    try:
        found = structured(row, Annotation, is_closed=False)
    except KeyFault as fault:
        raise KeyFault(f"annotation.{fault.key}".strip("."), fault.what) from None
    sentences = len(pair.simple.sentences), len(pair.complex.sentences)
    named = {
        "paragraphs": (found.paragraphs, (len(pair.simple.paragraphs), len(pair.complex.paragraphs))),
        "settled": ({(simple, 0) for simple in found.settled}, sentences),
        "flags": (found.flags, sentences),
        "notes": ({(simple, 0 if other == -1 else other) for simple, other, _ in found.notes}, sentences),
    }
    for key, (all_ends, sizes) in named.items():
        for ends in all_ends:
            if not all(0 <= number < size for number, size in zip(ends, sizes, strict=True)):
                raise InputError(f"{key!r} names {list(ends)}, which is not there")
    return found
