"""The manual annotation's TSV, common to NEWSELA-MANUAL and WIKI-MANUAL (F1).

One row is one sentence pair: label, simple sentence id, complex sentence id, simple sentence, complex sentence and,
in WIKI-MANUAL, GLEU. No header, no quoting. All m x n pairs of a document pair are there, so that the documents can be
built again from the sentence ids `ARTICLE-LEVEL-PARAGRAPH-SENTENCE`, whose numbers start from zero; the order
of the rows means nothing.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from textsimp.errors import InputError, bad_input
from textsimp.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.sources.checks import check_text
from textsimp.sources.gleu import sentence_gleu
from textsimp.textfiles import quoted, read_lines, write_lines

LABELS = {"aligned": AlignmentLabel.ALIGNED, "partialAligned": AlignmentLabel.PARTIAL, "notAligned": None}
_NAMES = {label: name for name, label in LABELS.items()}
_ID = re.compile(r"(?P<article>\S+)-(?P<level>[0-9]{1,9})-(?P<paragraph>[0-9]{1,9})-(?P<sentence>[0-9]{1,9})")
_REMEDY = "fetch the release again, or correct the row"

Position = tuple[int, int]  # paragraph, sentence


@dataclass(frozen=True)
class SentenceId:
    """`ARTICLE-LEVEL-PARAGRAPH-SENTENCE`."""

    article: str
    level: int
    paragraph: int
    sentence: int

    def __str__(self) -> str:
        return f"{self.article}-{self.level}-{self.paragraph}-{self.sentence}"


@dataclass(frozen=True)
class ManualPair:
    """A labelled pair of documents whose ids are `ARTICLE-LEVEL`."""

    article: str
    complex: Document
    simple: Document
    links: tuple[Link, ...]


@dataclass
class _Rows:
    """What is known of one document pair while its rows are read."""

    first_line: int
    labels: dict[tuple[Position, Position], AlignmentLabel | None] = field(default_factory=dict)


Sentences = dict[Position, tuple[str, int]]  # text and the line where it first stands


def parse_id(text: str) -> SentenceId:
    """A sentence id; `InputError` where it is malformed."""
    match = _ID.fullmatch(text)
    if not match:
        raise InputError(f"sentence id {quoted(text)} is not ARTICLE-LEVEL-PARAGRAPH-SENTENCE")
    return SentenceId(match["article"], int(match["level"]), int(match["paragraph"]), int(match["sentence"]))


class ManualReader:
    """Reads one TSV; a format is a subclass that says how many columns there may be and which ids belong together."""

    columns: tuple[int, ...]

    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.sentences: dict[tuple[str, int], Sentences] = {}
        self.pairs: dict[tuple[str, int, int], _Rows] = {}

    def check_ids(self, simple: SentenceId, complex_: SentenceId) -> None:
        """Raise `InputError` where two ids cannot stand in one row."""
        raise NotImplementedError

    def read(self) -> list[ManualPair]:
        """All document pairs in the order of their first rows; `InputError` with file and line for a bad one."""
        width = None
        for number, line in enumerate(read_lines(self.path), 1):
            cells = line.split("\t")
            width = width or len(cells)
            if len(cells) not in self.columns or len(cells) != width:
                wanted = " or ".join(map(str, self.columns)) if width not in self.columns else str(width)
                raise bad_input(self.path, number, f"{len(cells)} columns, not {wanted}", _REMEDY)
            try:
                self._row(number, cells)
            except InputError as error:
                raise bad_input(self.path, number, str(error), _REMEDY) from None
        if not self.pairs:
            raise bad_input(self.path, None, "no rows", _REMEDY)
        documents = {key: self._document(key, sentences) for key, sentences in self.sentences.items()}
        return [self._pair(key, rows, documents) for key, rows in self.pairs.items()]

    def _row(self, number: int, cells: list[str]) -> None:
        if cells[0] not in LABELS:
            raise InputError(f"label {quoted(cells[0])} is none of {', '.join(LABELS)}")
        simple, complex_ = parse_id(cells[1]), parse_id(cells[2])
        self.check_ids(simple, complex_)
        positions = tuple(
            self._sentence(number, identity, text)
            for identity, text in zip((simple, complex_), cells[3:5], strict=True)
        )
        if len(cells) > 5:
            _check_number(cells[5])
        rows = self.pairs.setdefault((simple.article, complex_.level, simple.level), _Rows(number))
        if rows.labels.setdefault(positions, LABELS[cells[0]]) is not LABELS[cells[0]]:
            raise InputError(f"{cells[1]} and {cells[2]} had another label before")

    def _sentence(self, number: int, identity: SentenceId, text: str) -> Position:
        known = self.sentences.setdefault((identity.article, identity.level), {})
        position = (identity.paragraph, identity.sentence)
        if position not in known:
            known[position] = (check_text(self.path, number, text), number)
        elif known[position][0] != text:
            raise InputError(f"sentence {identity} has another text than in line {known[position][1]}")
        return position

    def _document(self, key: tuple[str, int], sentences: Sentences) -> Document:
        """Paragraph numbers may skip (empty paragraphs of the source); sentence numbers within one may not."""
        paragraphs: dict[int, list[str]] = {}
        for (paragraph, sentence), (text, line) in sorted(sentences.items()):
            known = paragraphs.setdefault(paragraph, [])
            if sentence != len(known):
                missing = SentenceId(*key, paragraph, len(known))
                raise bad_input(
                    self.path, line, f"sentence {sentence} of a paragraph whose sentence {missing} is absent", _REMEDY
                )
            known.append(text)
        return Document(f"{key[0]}-{key[1]}", key[1], tuple(map(tuple, paragraphs.values())))

    def _pair(self, key: tuple[str, int, int], rows: _Rows, documents: dict[tuple[str, int], Document]) -> ManualPair:
        article, complex_level, simple_level = key
        complex_, simple = documents[article, complex_level], documents[article, simple_level]
        expected = len(complex_.sentences) * len(simple.sentences)
        if len(rows.labels) != expected:
            what = f"{simple.id} and {complex_.id} have {len(rows.labels)} rows, not all {expected} sentence pairs"
            raise bad_input(self.path, rows.first_line, what, _REMEDY)
        index = {
            level: {position: number for number, position in enumerate(sorted(self.sentences[article, level]))}
            for level in (complex_level, simple_level)
        }
        links = sorted(
            Link(index[simple_level][low], index[complex_level][high], label)
            for (low, high), label in rows.labels.items()
            if label is not None
        )
        return ManualPair(article, complex_, simple, tuple(links))


def write_manual(path: str | Path, pairs: Iterable[DocumentPair], with_gleu: bool) -> None:
    """Write labelled pairs whose documents' ids are `ARTICLE-LEVEL`: all m x n rows, by simple sentence."""
    write_lines(path, ("\t".join(row) for pair in pairs for row in _rows(pair, with_gleu)))


def _rows(pair: DocumentPair, with_gleu: bool) -> Iterator[list[str]]:
    labels = {(link.simple, link.complex): link.label for link in pair.alignments or ()}
    complex_ = list(zip(sentence_ids(pair.complex), pair.complex.sentences, strict=True))
    for low, (simple_id, simple) in enumerate(zip(sentence_ids(pair.simple), pair.simple.sentences, strict=True)):
        for high, (complex_id, sentence) in enumerate(complex_):
            row = [_NAMES[labels.get((low, high))], simple_id, complex_id, simple, sentence]
            yield row + [f"{sentence_gleu(simple, sentence):.4f}"] if with_gleu else row


def sentence_ids(document: Document) -> list[str]:
    """The ids `DOCUMENT-PARAGRAPH-SENTENCE` of a document's sentences."""
    return [
        f"{document.id}-{paragraph}-{sentence}"
        for paragraph, sentences in enumerate(document.paragraphs)
        for sentence in range(len(sentences))
    ]


def _check_number(text: str) -> None:
    try:
        float(text)
    except ValueError:
        raise InputError(f"GLEU {quoted(text)} is no number") from None
