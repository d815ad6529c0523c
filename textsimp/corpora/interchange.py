"""Links in the formats of other aligners: hunalign's ladder and text, the index lists of vecalign and bertalign.

All of them cut two texts into segments, each with the sentences of either side that belong together. A ladder
(https://github.com/danielvarga/hunalign, "File formats") has a rung `COMPLEX SIMPLE SCORE` for each segment, the
numbers of sentences before it, and a last rung with the numbers of all. Its text form has the sentences themselves,
joined by ` ~~~ `. Both keep the order of the texts. Index lists `[0, 1]:[0]:COST` (vecalign) may stand in any order;
low costs are good, so that the cost is 1 less the score. None of them has labels.
"""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, count, groupby, islice, pairwise, product
from pathlib import Path

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import quoted, read_sentences, read_table
from textsimp.core.records import SIDES, AlignmentLabel, Document, DocumentPair, Link
from textsimp.core.text_form import line_as_read
from textsimp.corpora.pairs import link_groups
from textsimp.sources.plain import CORPUS
from textsimp.sources.sentences import check_text
from textsimp.sources.text_folders import readable_name

LADDER, BITEXT, INDEX = "ladder", "bitext", "index"
INTERCHANGE = (LADDER, BITEXT, INDEX)
PARAGRAPH = "<p>"
"""The line that parts paragraphs in hunalign's texts."""
_JOINER = " ~~~ "
_LIST = r"\[\s*((?:\d{1,9}\s*,\s*)*\d{1,9})?\s*\]"
_INDEX_LINE = re.compile(rf"\s*{_LIST}\s*:\s*{_LIST}\s*(?::\s*(\S+)\s*)?:?\s*")
_RUNG = re.compile(r"\s*(\d{1,9})\t\s*(\d{1,9})\s*(?:\t\s*(\S+)\s*)?")
_COLUMNS = (
    frozenset("complex source src original normal standard hard input".split()),
    frozenset("simple target tgt simplified simplification easy plain output reference".split()),
    frozenset("score probability similarity".split()),
)
"""Names of columns with the complex sentence, the simple one, and their score."""
_NOUN = re.compile(r"[ _-](?:sentences?|texts?|side|line)$|^(?:sentences?|texts?)[ _-]")
_MOST = 10_000
"""Pairs of sentences in a segment; where there are more, something was not aligned."""
_OTHER_TEXTS = "give the texts as they were aligned: with --lines auto (and --language) if by `textsimp align`"
_ELSE = "use --format jsonl, tsv or parquet"


@dataclass(frozen=True)
class Segment:
    """Places of sentences that belong together, from 0; one side may be empty. `line` is that of the file, from 1."""

    complex: Sequence[int]
    simple: Sequence[int]
    score: float | None = None
    line: int | None = None

    def __str__(self) -> str:
        return f"{list(self.complex)}:{list(self.simple)}"


def segments_of(pair: DocumentPair) -> list[Segment]:
    """Return the whole document pair as segments, in the order of the complex document as far as links allow it.

    `InputError` where of sentences that links connect some are not linked to all of the other side.
    """
    linked = []
    for links in link_groups(pair.alignments or ()):
        sides = sorted({link.complex for link in links}), sorted({link.simple for link in links})
        if len(links) != len(sides[0]) * len(sides[1]):
            what = f"document pair {quoted(pair.id)}: of complex {sides[0]} and simple {sides[1]} not all are linked"
            raise InputError(f"{what} to each other, which this format cannot say; {_ELSE}")
        scores = [link.score for link in links if link.score is not None]
        linked.append(Segment(tuple(sides[0]), tuple(sides[1]), min(scores) if len(scores) == len(links) else None))
    taken = [{index for segment in linked for index in getattr(segment, side)} for side in SIDES]
    alone = [Segment((index,), ()) for index in range(len(pair.complex.sentences)) if index not in taken[0]]
    waiting = [index for index in reversed(range(len(pair.simple.sentences))) if index not in taken[1]]
    segments = []
    for segment in sorted([*linked, *alone], key=lambda segment: segment.complex[0]):
        while segment.simple and waiting and waiting[-1] < segment.simple[0]:
            segments.append(Segment((), (waiting.pop(),)))
        segments.append(segment)
    return [*segments, *(Segment((), (index,)) for index in reversed(waiting))]


def interchange_lines(pair: DocumentPair, form: str) -> list[str]:
    """Return the lines of a document pair in one of `INTERCHANGE`; unlinked sentences have segments of their own.

    `InputError` where the format cannot hold the links (`segments_of`; links that cross or leave sentences between them
    out, in a ladder or a bitext), or a sentence that has the format's own signs.
    """
    segments = segments_of(pair)
    has_scores = any(segment.score is not None for segment in segments)
    if form == INDEX:
        costs = [0.0 if segment.score is None else 1 - segment.score for segment in segments]
        rows = zip(segments, costs, strict=True)
        return [f"{segment}:{cost:.6f}" if has_scores else str(segment) for segment, cost in rows]
    _check_order(pair, segments)
    scores = [f"\t{segment.score or 0:.6f}" if has_scores else "" for segment in segments]
    if form == BITEXT:
        return [
            f"{_joined(pair, pair.complex, segment.complex)}\t{_joined(pair, pair.simple, segment.simple)}{score}"
            for segment, score in zip(segments, scores, strict=True)
        ]
    # how many sentences of either side are before each segment, and before the end
    before = [accumulate([len(getattr(segment, side)) for segment in segments], initial=0) for side in SIDES]
    last = f"\t{0:.6f}" if has_scores else ""
    return [f"{left}\t{right}{score}" for left, right, score in zip(*before, [*scores, last], strict=True)]


def _check_order(pair: DocumentPair, segments: Sequence[Segment]) -> None:
    """`InputError` names the first segment whose sentences do not follow those before it."""
    expected = {"complex": 0, "simple": 0}
    for segment in segments:
        for side in expected:
            for index in getattr(segment, side):
                if index != expected[side]:
                    what = f"document pair {quoted(pair.id)}: the links {segment} (complex:simple) cross others, or "
                    raise InputError(
                        f"{what}leave a sentence between them out ({side} {index} comes where {expected[side]} "
                        f"should), which ladders and bitexts cannot say; use --format {INDEX}, or jsonl, tsv or parquet"
                    )
                expected[side] += 1


def _joined(pair: DocumentPair, document: Document, indexes: Iterable[int]) -> str:
    sentences = [document.sentences[index] for index in indexes]
    for sentence in sentences:
        if _JOINER.strip() in sentence or sentence == PARAGRAPH or any(char in sentence for char in "\t\n\r"):
            what = f"document pair {quoted(pair.id)}: a sentence of {quoted(document.id)} has a tab, a line break, "
            raise InputError(f"{what}{_JOINER.strip()} or {PARAGRAPH}, which part sentences here; {_ELSE}")
    return _JOINER.join(sentences)


def read_links(path: Path, texts: "Numbered") -> DocumentPair:
    """Return the document pair with the links of a ladder or of index lists, whichever the file is by its first line.

    One sentence on either side of a segment is aligned, several are partial. `InputError` where it is neither of both;
    a segment names a line that a text does not have, or a link for the second time; index lists leave a sentence out,
    or a ladder does not end where the texts do.
    """
    lines = [(number, line) for number, line in enumerate(read_sentences(path), 1) if line.strip()]
    if not lines:
        raise bad_input(path, None, "holds no links", "give a ladder (0<TAB>0<TAB>0.5) or index lists ([0]:[0]:0.5)")
    if lines[0][1].lstrip().startswith("["):
        lists = [_of_index_line(path, number, line) for number, line in lines]
        pair = with_links(texts, lists, path)
        _check_is_whole(texts, lists, path)
        return pair
    rungs = [_of_rung(path, number, line) for number, line in lines]
    if rungs[0][:2] != (0, 0):
        raise bad_input(path, lines[0][0], "the first rung of a ladder is 0 and 0", "write the whole ladder")
    if rungs[-1][:2] != (ends := (len(texts.complex), len(texts.simple))):
        first, second = texts.names
        what = f"ends at {rungs[-1][0]} and {rungs[-1][1]}, {first} at {ends[0]} and {second} at {ends[1]}"
        raise bad_input(path, lines[-1][0], what, _OTHER_TEXTS)
    segments = []
    for (number, _), (start, end) in zip(lines[1:], pairwise(rungs), strict=True):
        if end[0] < start[0] or end[1] < start[1]:
            raise bad_input(path, number, "a rung before the one above it", "ladders ascend; give index lists instead")
        segments.append(Segment(range(start[0], end[0]), range(start[1], end[1]), start[2], number))
    return with_links(texts, segments, path)


def _check_is_whole(texts: "Numbered", lists: Sequence[Segment], path: Path) -> None:
    """`InputError` where a sentence is in no list: most likely the texts were split in another way."""
    for side, lines, name in texts.sides:
        named = {index for segment in lists for index in getattr(segment, side)}
        if missing := [index for index, sentence in enumerate(lines) if sentence is not None and index not in named]:
            what = f"no list has {side} sentence {missing[0]} (from 0) of {name}, which has {len(lines)}"
            raise bad_input(path, None, what, _OTHER_TEXTS)


def _of_index_line(path: Path, number: int, line: str) -> Segment:
    if not (match := _INDEX_LINE.fullmatch(line)):
        raise bad_input(path, number, "not two lists of indexes", "write lines such as [0, 1]:[0]:0.25")
    left, right = (tuple(map(int, text.split(","))) if text else () for text in match.groups()[:2])
    cost = _number(path, number, match[3])
    return Segment(left, right, None if cost is None else round(1 - cost, 6), number)


def _of_rung(path: Path, number: int, line: str) -> tuple[int, int, float | None]:
    if not (match := _RUNG.fullmatch(line)):
        raise bad_input(path, number, "not a rung of a ladder", "write lines such as 2<TAB>1<TAB>0.75")
    return int(match[1]), int(match[2]), _number(path, number, match[3])


def _number(path: Path, number: int, text: str | None) -> float | None:
    if text is None:
        return None
    try:
        if math.isfinite(value := float(text)):
            return value
    except ValueError:
        pass
    raise bad_input(path, number, f"{quoted(text)} is no number", "write a score such as 0.75")


@dataclass(frozen=True)
class Numbered:
    """Two texts and the places in other tools' files: the sentence of each line, None for a line that has none.

    `names` are those of the files with the complex and the simple text, for messages.
    """

    pair: DocumentPair
    complex: Sequence[int | None]
    simple: Sequence[int | None]
    names: tuple[Path, Path]

    @property
    def sides(self) -> tuple[tuple[str, Sequence[int | None], Path], ...]:
        """Name, lines and file of the complex and the simple side."""
        return ("complex", self.complex, self.names[0]), ("simple", self.simple, self.names[1])

    @classmethod
    def of(cls, pair: DocumentPair, *files: Path) -> "Numbered":
        """Make one of a document pair whose sentences are numbered as they are; from one file, or from two."""
        names = files[0], files[-1]
        return cls(pair, range(len(pair.complex.sentences)), range(len(pair.simple.sentences)), names)

    @classmethod
    def read(cls, complex_file: Path, simple_file: Path) -> "Numbered":
        """Make one of two texts with a sentence in each line; blank lines and `<p>` count, and part paragraphs."""
        (complex_, left), (simple, right) = (
            _numbered(path, level) for level, path in enumerate((complex_file, simple_file))
        )
        pair = DocumentPair(f"{complex_.id}--{simple.id}", CORPUS, complex_.id, complex_, simple)
        return cls(pair, left, right, (complex_file, simple_file))


def _numbered(path: Path, level: int) -> tuple[Document, list[int | None]]:
    lines = [" ".join(line.split()) for line in read_sentences(path)]
    for number, line in enumerate(lines, 1):
        if line:
            check_text(path, number, line)
    return _document(readable_name(path.stem), level, lines, path)


def _document(name: str, level: int, lines: Iterable[str], path: Path) -> tuple[Document, list[int | None]]:
    """Return a document of sentences, and the sentence of each line."""
    paragraphs: list[tuple[str, ...]] = []
    places: list[int | None] = []
    numbers = count()
    for is_sentence, block in groupby(lines, lambda line: line not in ("", PARAGRAPH)):
        rows = tuple(block)
        places += [next(numbers) if is_sentence else None for _ in rows]
        paragraphs += [rows] if is_sentence else []
    if not paragraphs:
        raise bad_input(path, None, "a text without sentences", "give a file with text in it")
    return Document(name, level, tuple(paragraphs)), places


def with_links(texts: Numbered, segments: Iterable[Segment], path: Path) -> DocumentPair:
    """Return the document pair with the links of segments; see `read_links`."""
    links: dict[tuple[int, int], Link] = {}
    for segment in segments:
        sides = []
        for side, lines, name in texts.sides:
            for index in getattr(segment, side):
                if index >= len(lines):
                    what = f"sentence {index} (from 0) of {name}, which has {len(lines)}"
                    raise bad_input(path, segment.line, what, _OTHER_TEXTS)
            sides.append([place for index in getattr(segment, side) if (place := lines[index]) is not None])
        if len(sides[0]) * len(sides[1]) > _MOST:
            what = f"{len(sides[0])} complex and {len(sides[1])} simple sentences in one segment"
            raise bad_input(path, segment.line, what, "align what lies between, or leave it unlinked")
        label = AlignmentLabel.ALIGNED if [len(side) for side in sides] == [1, 1] else AlignmentLabel.PARTIAL
        for left, right in product(*sides):
            if (right, left) in links:
                what = f"complex {left} and simple {right} for the second time"
                raise bad_input(path, segment.line, what, "name a pair of sentences once")
            links[right, left] = Link(right, left, label, segment.score)
    return replace(texts.pair, alignments=tuple(sorted(links.values())))


def header_of(line: str) -> tuple[str, list[int]] | None:
    """Return what parts the columns that a line names, and the places of complex, simple and score; None for others."""
    for delimiter in "\t;,":
        names = [_NOUN.sub("", cell.strip('"\ufeff ').lower()) for cell in line.rstrip("\r\n").split(delimiter)]
        roles = [next((role for role, known in enumerate(_COLUMNS) if name in known), None) for name in names]
        if sorted(role for role in roles if role is not None) in ([0, 1], [0, 1, 2]) and None not in roles:
            return delimiter, [roles.index(role) for role in range(len(roles))]
    return None


def _bitext_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each line, complex, simple and score, with its number."""
    lines = read_sentences(path)
    header = header_of(lines[0]) if lines else None
    if header is None:
        yield from ((number, line.split("\t")) for number, line in enumerate(lines, 1))
        return
    delimiter, order = header
    rows = enumerate((line.split("\t") for line in lines), 1) if delimiter == "\t" else read_table(path, delimiter)
    for number, cells in islice(rows, 1, None):
        cells = list(map(line_as_read, cells))
        yield number, [cells[place] for place in order] if len(cells) == len(order) else cells


def read_bitext(path: Path) -> DocumentPair:
    """Return the document pair of hunalign's text form, `COMPLEX<TAB>SIMPLE<TAB>SCORE` with ` ~~~ ` between sentences.

    A first line that names the columns is no pair: it says their order, and a comma or a semicolon may part them.
    """
    segments, texts = [], ([], [])  # type: tuple[list[Segment], tuple[list[str], list[str]]]
    for number, cells in _bitext_rows(path):
        if len(cells) not in (2, 3):
            what = f"{len(cells)} cells, not complex, simple and score"
            raise bad_input(path, number, what, "write one segment in each line, its cells parted by tabs")
        if not any(map(str.strip, cells)):
            continue
        if text := " ".join(" ".join(cells[:2]).split()):
            check_text(path, number, text)
        sides = []
        for known, cell in zip(texts, cells[:2], strict=True):
            sentences = [" ".join(text.split()) for text in cell.split(_JOINER)] if cell.strip() else []
            sides.append(tuple(range(len(known), len(known) + len(sentences))))
            known.extend(sentences)
        score = _number(path, number, cells[2].strip()) if cells[2:] else None
        segments.append(Segment(sides[0], sides[1], score, number))
    name = readable_name(path.stem)
    (complex_, left), (simple, right) = (
        _document(f"{name}.{side}", level, lines, path)
        for level, (side, lines) in enumerate(zip(SIDES, texts, strict=True))
    )
    pair = DocumentPair(name, CORPUS, name, complex_, simple)
    return with_links(Numbered(pair, left, right, (path, path)), segments, path)
