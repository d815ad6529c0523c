"""Manual annotation: the TSV of NEWSELA-MANUAL and WIKI-MANUAL (Jiang et al. 2020, sections 3.1 and 3.2).

One row is one sentence pair: label, simple sentence id, complex sentence id, simple sentence, complex sentence and,
in WIKI-MANUAL, GLEU. All m x n pairs of a document pair are there, in any order, so that the documents can be built
again from the ids `ARTICLE-LEVEL-PARAGRAPH-SENTENCE`. Newsela's ARTICLE is `SLUG.LANG`, its level 0 is the original;
Wikipedia's is `PAIR_PAGE`, with the id of the simple page.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, groupby
from pathlib import Path
from typing import NamedTuple

from textsimp.core.errors import InputError, bad_input, none_of
from textsimp.core.reading import quoted, read_lines
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.core.writing import write_lines
from textsimp.sources.draws import SPLITS
from textsimp.sources.sentences import check_text

NEWSELA_MANUAL, WIKI_MANUAL = Path("newsela-manual", "all"), Path("wiki-manual")
NEWSELA_LEVELS = range(5)
SIMPLE_LEVEL, COMPLEX_LEVEL = 0, 1
"""Of Wikipedia."""

LABELS = {"aligned": AlignmentLabel.ALIGNED, "partialAligned": AlignmentLabel.PARTIAL, "notAligned": None}
_NAMES = {label: name for name, label in LABELS.items()}
_ID = re.compile(r"(?P<article>\S+)-(?P<level>[0-9]{1,9})-(?P<paragraph>[0-9]{1,9})-(?P<sentence>[0-9]{1,9})")
_REMEDY = "fetch the release again, or correct the row"

Position = tuple[int, int]  # paragraph, sentence
Links = tuple[Link, ...]
Levels = tuple[int, int]


class SentenceId(NamedTuple):
    """`ARTICLE-LEVEL-PARAGRAPH-SENTENCE`."""

    article: str
    level: int
    paragraph: int
    sentence: int

    def __str__(self) -> str:
        return f"{self.article}-{self.level}-{self.paragraph}-{self.sentence}"


class _Rows(NamedTuple):
    """The knowledge of one document pair while its rows are read."""

    first_line: int
    labels: dict[tuple[Position, Position], AlignmentLabel | None]


def _parse_id(text: str) -> SentenceId:
    match = _ID.fullmatch(text)
    if not match:
        raise InputError(f"sentence id {quoted(text)} is not ARTICLE-LEVEL-PARAGRAPH-SENTENCE")
    return SentenceId(match["article"], int(match["level"]), int(match["paragraph"]), int(match["sentence"]))


class _Reader:
    """Reads one TSV of a format, which is the numbers of columns that it may have and a check of the two ids.

    The pairs of documents, whose ids are `ARTICLE-LEVEL`, have ids and groups that are the article's.
    """

    def __init__(self, path: Path, corpus: str, columns: tuple[int, ...], check: Callable[..., None]) -> None:
        self.path, self.corpus, self.columns, self.check_ids = path, corpus, columns, check
        self.sentences: dict[tuple[str, int], dict[Position, tuple[str, int]]] = {}  # text and its first line
        self.pairs: dict[tuple[str, int, int], _Rows] = {}

    def read(self) -> list[DocumentPair]:
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
        documents = {key: self._document(*key) for key in self.sentences}
        return [self._pair(key, rows, documents) for key, rows in self.pairs.items()]

    def _row(self, number: int, cells: list[str]) -> None:
        if cells[0] not in LABELS:
            raise InputError(none_of(f"label {quoted(cells[0])} is", LABELS))
        simple, complex_ = _parse_id(cells[1]), _parse_id(cells[2])
        self.check_ids(simple, complex_)
        positions = (self._sentence(number, simple, cells[3]), self._sentence(number, complex_, cells[4]))
        try:
            list(map(float, cells[5:]))
        except ValueError:
            raise InputError(f"GLEU {quoted(cells[5])} is no number") from None
        labels = self.pairs.setdefault((simple.article, complex_.level, simple.level), _Rows(number, {})).labels
        if labels.setdefault(positions, LABELS[cells[0]]) is not LABELS[cells[0]]:
            raise InputError(f"{cells[1]} and {cells[2]} had another label before")

    def _sentence(self, number: int, identity: SentenceId, text: str) -> Position:
        sentences = self.sentences.setdefault((identity.article, identity.level), {})
        position = (identity.paragraph, identity.sentence)
        if position not in sentences:
            sentences[position] = (check_text(self.path, number, text), number)
        elif sentences[position][0] != text:
            raise InputError(f"sentence {identity} has another text than in line {sentences[position][1]}")
        return position

    def _document(self, article: str, level: int) -> Document:
        """Paragraph numbers may skip (empty paragraphs of the source); sentence numbers within one may not."""
        paragraphs: dict[int, list[str]] = {}
        for (paragraph, sentence), (text, line) in sorted(self.sentences[article, level].items()):
            texts = paragraphs.setdefault(paragraph, [])
            if sentence != len(texts):
                missing = SentenceId(article, level, paragraph, len(texts))
                what = f"sentence {sentence} of a paragraph whose sentence {missing} is absent"
                raise bad_input(self.path, line, what, _REMEDY)
            texts.append(text)
        return Document(f"{article}-{level}", level, tuple(map(tuple, paragraphs.values())))

    def _pair(self, key: tuple[str, int, int], rows: _Rows, documents: dict[tuple[str, int], Document]) -> DocumentPair:
        article, complex_level, simple_level = key
        complex_, simple = documents[article, complex_level], documents[article, simple_level]
        expected = len(complex_.sentences) * len(simple.sentences)
        if len(rows.labels) != expected:
            what = f"{simple.id} and {complex_.id} have {len(rows.labels)} rows, not all {expected} sentence pairs"
            raise bad_input(self.path, rows.first_line, what, _REMEDY)
        low_index, high_index = (
            {position: number for number, position in enumerate(sorted(self.sentences[article, level]))}
            for level in (simple_level, complex_level)
        )
        links = [Link(low_index[low], high_index[high], label) for (low, high), label in rows.labels.items() if label]
        return DocumentPair(article, self.corpus, article, complex_, simple, tuple(sorted(links)))


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
    """Return the ids `DOCUMENT-PARAGRAPH-SENTENCE` of a document's sentences."""
    return [
        f"{document.id}-{paragraph}-{sentence}"
        for paragraph, sentences in enumerate(document.paragraphs)
        for sentence in range(len(sentences))
    ]


def _check_wiki_ids(simple: SentenceId, complex_: SentenceId) -> None:
    if simple.article != complex_.article:
        raise InputError(f"{simple} and {complex_} are of different article pairs")
    page_of(simple.article)
    if (simple.level, complex_.level) != (SIMPLE_LEVEL, COMPLEX_LEVEL):
        raise InputError(f"{simple} is not at level {SIMPLE_LEVEL} or {complex_} not at level {COMPLEX_LEVEL}")


def _check_newsela_ids(simple: SentenceId, complex_: SentenceId) -> None:
    if not re.fullmatch(r".+\.[a-z]{2}", simple.article):
        raise InputError(f"article id {simple.article!r} is not SLUG.LANG")
    if simple.article != complex_.article:
        raise InputError(f"{simple} and {complex_} are of different article sets")
    if not (simple.level in NEWSELA_LEVELS and complex_.level < simple.level):
        raise InputError(f"{simple} is not at a simpler level (0 to {NEWSELA_LEVELS[-1]}) than {complex_}")


def page_of(article: str) -> str:
    """Return the page id in `PAIR_PAGE`, which names the article pair in every split."""
    match = re.fullmatch(r"[^_]+_(.+)", article)
    if not match:
        raise InputError(f"article id {article!r} is not PAIR_PAGE")
    return match[1]


def read_wiki_manual(path: Path, corpus: str) -> list[DocumentPair]:
    """Return the annotated document pairs of one file of WIKI-MANUAL; `InputError` with file and line for a bad row."""
    return _Reader(path, corpus, (5, 6), _check_wiki_ids).read()


def read_newsela_manual(path: Path, corpus: str) -> list[DocumentPair]:
    """Return the annotated document pairs of one file of NEWSELA-MANUAL; `InputError` as `read_wiki_manual`."""
    return _Reader(path, corpus, (5,), _check_newsela_ids).read()


def wiki_annotation(raw: Path, corpus: str) -> dict[str, list[DocumentPair]]:
    """Return the labelled pairs of each split of WIKI-MANUAL, by article; `InputError` for an absent or bad file."""
    annotation = {}
    for split in SPLITS:
        pairs = read_wiki_manual(raw / WIKI_MANUAL / f"{split}.tsv", corpus)
        annotation[split] = [replace(pair, group=page_of(pair.id)) for pair in sorted(pairs, key=lambda pair: pair.id)]
    return annotation


def newsela_annotation(raw: Path, corpus: str) -> dict[str, list[DocumentPair]]:
    """Return the labelled pairs of each split of NEWSELA-MANUAL: all combinations of the levels of each article set.

    `InputError` where a file is absent or bad, or an article set lacks rows for neighbouring levels.
    """
    annotation: dict[str, list[DocumentPair]] = {}
    for split in SPLITS:
        path = raw / NEWSELA_MANUAL / f"{split}.tsv"
        pairs = sorted(read_newsela_manual(path, corpus), key=lambda pair: pair.group)
        sets = groupby(pairs, key=lambda pair: pair.group)
        annotation[split] = [pair for article, of_set in sets for pair in _article_set(path, article, list(of_set))]
    return annotation


def _article_set(path: Path, article: str, pairs: list[DocumentPair]) -> Iterator[DocumentPair]:
    documents = {document.level: document for pair in pairs for document in (pair.complex, pair.simple)}
    annotated = {(pair.complex.level, pair.simple.level): pair.alignments or () for pair in pairs}
    try:
        derived = derive_levels(annotated, documents)
    except KeyError as error:
        what = f"{article} has no rows for levels {error.args[0]}, which are neighbours there"
        raise bad_input(path, None, what, "fetch the release again, or drop the article set") from None
    slug = article.rpartition(".")[0]
    for (high, low), links in derived.items():
        yield DocumentPair(f"{article}.{high}-{low}", pairs[0].corpus, slug, documents[high], documents[low], links)


def sentence_gleu(simple: str, complex_: str) -> float:
    """Return GLEU of two sentences, the sixth column of WIKI-MANUAL, from 0 to 1; 0 where either sentence is empty.

    The smaller of n-gram precision and recall, n = 1 to 4 counted together (Wu et al. 2016, "Google's Neural Machine
    Translation System", section 5). Tokens are lower-case and split at spaces, as in the release: its two documented
    examples come out to the printed digit this way and no other. It belongs to a file format; the filter of the
    corpora has BLEU, as section 5.1 of Jiang et al. 2020 asks (`textsimp.corpora.filters.bleu`).
    """
    from nltk.translate.gleu_score import sentence_gleu as nltk_gleu

    return float(nltk_gleu([complex_.lower().split()], simple.lower().split()))


def compose(upper: Iterable[Link], lower: Iterable[Link]) -> Links:
    """Return the links between levels a and c from those between a and b (`upper`) and between b and c (`lower`).

    A path is aligned if both its steps are, else partial; where several paths join two sentences, the pair is
    aligned if any path is. (The best of the paths, a path as good as its worst step: so the order in which more
    than two steps are composed does not matter.)
    """
    above: dict[int, list[Link]] = {}
    for link in upper:
        above.setdefault(link.simple, []).append(link)
    best: dict[tuple[int, int], AlignmentLabel] = {}
    for low in lower:
        for high in above.get(low.complex, ()):
            key = (low.simple, high.complex)
            if low.label is high.label is AlignmentLabel.ALIGNED:
                best[key] = AlignmentLabel.ALIGNED
            else:
                best.setdefault(key, AlignmentLabel.PARTIAL)
    return tuple(sorted(Link(simple, complex_, label) for (simple, complex_), label in best.items()))


def derive_levels(known: Mapping[Levels, Links], levels: Iterable[int]) -> dict[Levels, Links]:
    """Return the links of every combination (complex level, simple level) of an article set's levels.

    What is annotated (`known`) is kept, also between levels that are no neighbours. KeyError: neighbours without it.
    """
    order = sorted(levels)
    result: dict[Levels, Links] = {}
    for first, last in combinations(range(len(order)), 2):
        pair = (order[first], order[last])
        if pair in known or last == first + 1:
            result[pair] = known[pair]
        else:  # (first, last - 1) came before, in the order of combinations
            result[pair] = compose(result[order[first], order[last - 1]], known[order[last - 1], order[last]])
    return result
