"""WIKI-AUTO: article pairs of English and Simple English Wikipedia (Jiang et al. 2020, section 3.2).

All data: one JSON object per file, pair id -> {"normal": SIDE, "simple": SIDE, perhaps "sentence_alignment"}, SIDE =
{"id", "title", "url", "content": {`normal-PAGE-PARAGRAPH-SENTENCE`: sentence}}. A file holds hundreds of megabytes,
so one pair is decoded at a time. The validation articles with the links of the authors' CRF (Cripwell et al. 2023): a
CSV with one row per complex sentence, whose `simple` is a list in Python's notation; without paragraphs, simple
sentences that nothing aligns to, and merges, so that another aligner's precision against these links means little.
"""

import ast
import json
import logging
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from textsimp.core.errors import InputError, bad_input
from textsimp.core.reading import folder_files, json_decoder, quoted, read_records, read_text
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link, SentencePair
from textsimp.core.writing import atomic_write
from textsimp.sources.manual import COMPLEX_LEVEL, SIMPLE_LEVEL, sentence_ids
from textsimp.sources.parallel import ParallelCorpus
from textsimp.sources.sentences import damage, member

WIKI_AUTO, WIKI_AUTO_VALID = "wiki-auto", "wiki_auto_valid"
VALID = "wikiauto_sents_valid.csv"
VALID_COLUMNS = ("title", "pair_id", "sent_id", "complex", "label", "simple")
_LEVELS = {"normal": COMPLEX_LEVEL, "simple": SIMPLE_LEVEL}
_SPACE = re.compile(r"\s*")
_ID = re.compile(r"(normal|simple)-(.+)-([0-9]{1,9})-([0-9]{1,9})")
_REMEDY = "fetch the release again"
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ArticlePair:
    """One entry: its key, the id of the simple page, both titles and documents.

    `links` holds (simple index, complex index) of the released sentence alignment, which has no labels; None where
    the entry has none.
    """

    key: str
    page: str
    titles: tuple[str, str]
    complex: Document
    simple: Document
    links: tuple[tuple[int, int], ...] | None = None


def read_wiki_auto(path: str | Path) -> Iterator[ArticlePair]:
    """Yield the article pairs of one file, in order; `InputError` names the file, the line and the pair at fault."""
    text = _Text(Path(path))
    for place, key, value in text.entries():
        try:
            pair = _pair(key, value)
        except InputError as error:
            text.place = place
            text.fail(f"pair {quoted(key)}: {error}")
        yield pair


def write_wiki_auto(path: str | Path, pairs: Iterable[ArticlePair]) -> None:
    """Write article pairs without alignments; the documents' ids are `normal-PAGE` and `simple-PAGE`."""
    rows = {
        pair.key: {
            side: {
                "id": pair.page,
                "title": title,
                "url": "",
                "content": dict(zip(sentence_ids(document), document.sentences, strict=True)),
            }
            for side, title, document in zip(_LEVELS, pair.titles, (pair.complex, pair.simple), strict=True)
        }
        for pair in pairs
    }
    with atomic_write(path) as file:
        json.dump(rows, file, ensure_ascii=False, indent=1)
        file.write("\n")


def wiki_auto_pairs(raw: Path, corpus: str) -> Iterator[DocumentPair]:
    """Yield the pairs of every file, with the released alignments, if there are any; bad pairs are left out, counted.

    WIKI-AUTO has no labels: a link is called aligned where neither of its sentences has another one. `InputError` where
    there is no file, or a damaged one.
    """
    paths = folder_files(raw / WIKI_AUTO, "*.json", "run the stage acquire again")
    if not paths:
        raise bad_input(raw / WIKI_AUTO, None, "no WIKI-AUTO file (*.json)", "run the stage acquire again")
    dropped = 0
    for pair in (pair for path in paths for pair in read_wiki_auto(path)):
        is_empty = not (pair.complex.sentences and pair.simple.sentences)
        fault = "a side without sentences" if is_empty else damage(*pair.complex.sentences, *pair.simple.sentences)
        if fault:
            dropped += 1
            logger.warning("dropped the article pair %s: %s", pair.key, fault)
        else:
            links = None if pair.links is None else _labelled(pair.links)
            yield DocumentPair(f"{pair.key}_{pair.page}", corpus, pair.page, pair.complex, pair.simple, links)
    logger.info("WIKI-AUTO: %d pairs left out, damaged or empty", dropped)


def _labelled(links: Iterable[tuple[int, int]]) -> tuple[Link, ...]:
    links = sorted(links)
    simple, complex_ = (Counter(link[side] for link in links) for side in (0, 1))
    labels = {True: AlignmentLabel.ALIGNED, False: AlignmentLabel.PARTIAL}
    return tuple(Link(i, j, labels[simple[i] == complex_[j] == 1]) for i, j in links)


def _pair(key: str, value: Any) -> ArticlePair:
    sides = {side: member(value, side, dict) for side in _LEVELS}
    normal, normal_index = _document(sides["normal"], "normal")
    simple, simple_index = _document(sides["simple"], "simple")
    titles = (str(sides["normal"].get("title", "")), str(sides["simple"].get("title", "")))
    links = None
    if "sentence_alignment" in value:
        rows = member(value, "sentence_alignment", list)
        try:
            links = tuple(sorted({(simple_index[low], normal_index[high]) for low, high in rows}))
        except (KeyError, TypeError, ValueError):
            raise InputError("an alignment names no simple and normal sentence id of this pair") from None
    return ArticlePair(key, str(sides["simple"]["id"]), titles, normal, simple, links)


def _document(side: dict[str, Any], name: str) -> tuple[Document, dict[str, int]]:
    """Return one side as a document, and the index of the sentence of each id."""
    page, content = str(member(side, "id", str, int)), member(side, "content", dict)
    positions: dict[str, tuple[int, int]] = {}
    for identity in content:
        match = _ID.fullmatch(identity)
        if not match or match[1] != name or match[2] != page:
            raise InputError(f"sentence id {quoted(identity)} is not {name}-{page}-PARAGRAPH-SENTENCE")
        positions[identity] = (int(match[3]), int(match[4]))
    order = sorted(positions, key=positions.__getitem__)
    paragraphs: dict[int, list[str]] = {}
    for identity in order:
        if not isinstance(content[identity], str):
            raise InputError(f"sentence {identity} is no text")
        paragraphs.setdefault(positions[identity][0], []).append(content[identity])
    document = Document(f"{name}-{page}", _LEVELS[name], tuple(map(tuple, paragraphs.values())))
    return document, {identity: index for index, identity in enumerate(order)}


class _Text:
    """The text of a JSON file, and the place up to which it is consumed."""

    def __init__(self, path: Path) -> None:
        self.path, self.text, self.place = path, read_text(path, _REMEDY), 0
        self.decoder = json_decoder()

    def entries(self) -> Iterator[tuple[int, str, Any]]:
        """Yield place, key and value of each entry of the one object, one entry at a time being held."""
        self.expect("{", "an opening brace")
        if not self.skip("}"):
            while True:
                place, key = self.place, self.decode()
                if not isinstance(key, str):
                    self.fail("damaged JSON: a value where a key belongs")
                self.expect(":", "a colon")
                yield place, key, self.decode()
                if not self.skip(","):
                    self.expect("}", "a comma or a closing brace")
                    break
                self.skip("")
        self.skip("")
        if self.place < len(self.text):
            self.fail("damaged JSON: more text after the last brace")

    def fail(self, what: str) -> NoReturn:
        raise bad_input(self.path, 1 + self.text.count("\n", 0, self.place), what, _REMEDY)

    def skip(self, mark: str) -> bool:
        """Pass over white space and then over `mark`, if the text goes on with it."""
        if space := _SPACE.match(self.text, self.place):
            self.place = space.end()
        follows = self.text.startswith(mark, self.place)
        self.place += len(mark) * follows
        return follows

    def expect(self, mark: str, name: str) -> None:
        if not self.skip(mark):
            self.fail(f"damaged or truncated JSON: {name} is missing")

    def decode(self) -> Any:
        """Take one JSON value."""
        self.skip("")
        try:
            value, self.place = self.decoder.raw_decode(self.text, self.place)
        except json.JSONDecodeError as error:
            self.place = error.pos
            self.fail(f"damaged or truncated JSON ({error.msg})")
        except RecursionError:
            self.fail("lists inside lists without end")
        except InputError as error:
            self.fail(str(error))
        except ValueError:
            self.fail("a number of thousands of digits")
        return value


def read_wiki_auto_valid(folder: str | Path, corpus: str) -> list[DocumentPair]:
    """Return the article pairs with their links, in the file's order.

    A pair's `id` is WIKI-AUTO's, its `group` the title, as for SWiPE: three pages are in both.

    WIKI-AUTO has no labels. A complex sentence with one simple sentence is called aligned here, one with several
    (a split) is partially aligned to each. `InputError` names file and line where the file is absent, not UTF-8, lacks
    a column, or has a bad row.
    """
    path = Path(folder) / VALID
    titles: dict[str, str] = {}
    sides: defaultdict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    links: defaultdict[str, list[Link]] = defaultdict(list)
    for line, row in read_records(path, VALID_COLUMNS, remedy=_REMEDY):
        key = row["pair_id"]
        titles.setdefault(key, row["title"])
        complex_, simple = sides[key]
        try:
            added = _simple_sentences(row, len(complex_))
        except InputError as error:
            raise bad_input(path, line, str(error), _REMEDY) from None
        label = AlignmentLabel.ALIGNED if len(added) == 1 else AlignmentLabel.PARTIAL
        links[key] += (Link(len(simple) + offset, len(complex_), label) for offset in range(len(added)))
        complex_.append(row["complex"].strip())
        simple += added
    empty = [key for key, (_, simple) in sides.items() if not simple]
    if empty or not sides:
        raise bad_input(path, None, f"pair {empty[0]} has no simple sentence" if empty else "no rows", _REMEDY)
    pairs = []
    for key, texts in sides.items():
        standard, plain = (
            Document(f"{name}-{key}", level, (tuple(sentences),))
            for (name, level), sentences in zip(_LEVELS.items(), texts, strict=True)
        )
        pairs.append(DocumentPair(key, corpus, titles[key], standard, plain, tuple(sorted(links[key]))))
    return pairs


def _simple_sentences(row: dict[str, Any], number: int) -> list[str]:
    """Return the simple sentences of the row of complex sentence `number`."""
    if row["sent_id"] != str(number):
        raise InputError(f"sent_id {row['sent_id']!r} where {number} follows")
    try:
        value = ast.literal_eval(row["simple"])
    except (ValueError, SyntaxError):
        value = None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f"simple {row['simple'][:40]!r} is no list of sentences")
    if fault := damage(row["complex"], *value):
        raise InputError(fault)
    return [item.strip() for item in value]


def wiki_auto_valid_sentences(raw: Path) -> ParallelCorpus:
    """Return every sentence pair that the authors' aligner linked."""
    pairs = []
    for pair in read_wiki_auto_valid(raw / WIKI_AUTO_VALID, WIKI_AUTO_VALID):
        complex_, simple = pair.complex.sentences, pair.simple.sentences
        pairs += [
            SentencePair(complex_[link.complex], simple[link.simple], link.label, pair.id, pair.group)
            for link in pair.alignments or ()
        ]
    return ParallelCorpus(pairs, {})
