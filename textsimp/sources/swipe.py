"""SWiPE: English and Simple English Wikipedia revisions with edits that people grouped (F1; Laban et al. 2023).

A file is one JSON list. Each page has `r_content` (the English revision), `s_content` (the Simple English one),
`edits` that turn the first into the second (in order; `type` equal, insert or delete, with the text in `text`,
`insert` or `delete`) and `annotations`: groups of edits (`opis`, their numbers) with a category. The edits spell the
two revisions up to white space and dashes; a page whose edits do not is dropped and counted, and so is one with an
empty side, damaged text or a sentence many times over (vandalism). Sentence links are no part of the release:
textsimp.sources.swipe_links derives them.
"""

import json
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.errors import InputError, bad_input
from textsimp.records import Document, DocumentPair, Link
from textsimp.sources.checks import damage
from textsimp.sources.sentences import split_sentences
from textsimp.sources.swipe_links import Edit, Edits, Group, LinkRule, derive_links, solid, word_weights
from textsimp.sources.wiki_manual import COMPLEX_LEVEL, SIMPLE_LEVEL
from textsimp.textfiles import read_text

TEXT_KEYS = {"equal": "text", "insert": "insert", "delete": "delete"}
REPEATS = 3
"""A text in which one sentence stands so often is vandalised; in the other validation pages none stands twice."""
_REMEDY = "fetch the release again"
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Page:
    """One page pair: its id, both titles, both texts (complex first), and the edits between them."""

    id: str
    titles: tuple[str, str]
    texts: tuple[str, str]
    edits: Edits


@dataclass(frozen=True)
class SwipeCorpus:
    """Document pairs with derived links, and how many pages were dropped for each reason."""

    pairs: list[DocumentPair]
    dropped: dict[str, int]


def read_swipe(path: str | Path) -> list[Page]:
    """The pages of a file, in its order.

    Raises:
        InputError: the file is absent, cut short, not UTF-8 or of another structure; the text names file and page.
    """
    try:
        rows = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise bad_input(path, error.lineno, f"damaged or truncated JSON ({error.msg})", _REMEDY) from None
    if not isinstance(rows, list) or not rows:
        raise bad_input(path, None, "not a JSON list of pages", _REMEDY)
    pages: dict[str, Page] = {}
    for number, row in enumerate(rows):
        try:
            page = _page(row)
            if page.id in pages:
                raise InputError(f"id {page.id!r} stands here twice")
        except InputError as error:
            raise bad_input(path, None, f"page {number} of the list: {error}", _REMEDY) from None
        pages[page.id] = page
    return list(pages.values())


def swipe_pairs(pages: Sequence[Page], corpus: str, rule: LinkRule) -> SwipeCorpus:
    """Document pairs with the links that the edits imply; lines are paragraphs, sentences are split by rules.

    Args:
        pages: from `read_swipe`. Word weights are computed over all of them, so give a whole file.
        corpus: the name that the pairs carry. Their `group` is the title of the English page.
        rule: when two sentences are linked.
    """
    dropped: Counter[str] = Counter()
    kept: list[tuple[Page, Document, Document]] = []
    for page in pages:
        documents = tuple(_document(page, side) for side in (0, 1))
        if fault := _fault(page, documents):
            dropped[fault] += 1
            logger.warning("dropped the page pair %s (%s): %s", page.id, page.titles[0], fault)
        else:
            kept.append((page, *documents))
    weights = word_weights(sentence for _, *sides in kept for side in sides for sentence in side.sentences)
    pairs = [
        DocumentPair(page.id, corpus, page.titles[0], complex_, simple, _links(page, complex_, simple, weights, rule))
        for page, complex_, simple in kept
    ]
    return SwipeCorpus(pairs, dict(sorted(dropped.items())))


def _links(
    page: Page, complex_: Document, simple: Document, weights: dict[str, float], rule: LinkRule
) -> tuple[Link, ...]:
    return derive_links(complex_.sentences, simple.sentences, page.edits, weights, rule)


def _document(page: Page, side: int) -> Document:
    lines = (" ".join(line.split()) for line in page.texts[side].splitlines())
    paragraphs = tuple(tuple(split_sentences(line)) for line in lines if line)
    name, level = (("complex", COMPLEX_LEVEL), ("simple", SIMPLE_LEVEL))[side]
    return Document(f"{page.id}-{name}", level, paragraphs)


def _fault(page: Page, documents: Sequence[Document]) -> str | None:
    """Why a page cannot be used; None where it can."""
    if not all(document.sentences for document in documents):
        return "a side without text"
    if any(damage(sentence) for document in documents for sentence in document.sentences):
        return "damaged text"
    if any(Counter(document.sentences).most_common(1)[0][1] >= REPEATS for document in documents):
        return "a sentence many times over"
    spelled = (page.edits.spell("insert"), page.edits.spell("delete"))
    if any(len(solid(text)) != len(spelt) for text, spelt in zip(page.texts, spelled, strict=True)):
        return "edits that do not spell the two texts"
    return None


def _page(row: Any) -> Page:
    titles = (_get(row, "r_page", str), _get(row, "s_page", str))
    texts = (_get(row, "r_content", str), _get(row, "s_content", str))
    edits = tuple(_edit(number, edit) for number, edit in enumerate(_get(row, "edits", list)))
    groups = tuple(_group(group, len(edits)) for group in _get(row, "annotations", list))
    return Page(_get(row, "_id", str), titles, texts, Edits(edits, groups))


def _edit(number: int, row: Any) -> Edit:
    kind = _get(row, "type", str)
    if kind not in TEXT_KEYS:
        raise InputError(f"edit {number}: type {kind!r} is none of {', '.join(TEXT_KEYS)}")
    if _get(row, "idx", int) != number:
        raise InputError(f"edit {number}: its 'idx' is {row['idx']}; the edits are not in order")
    return Edit(kind, _get(row, TEXT_KEYS[kind], str))


def _group(row: Any, size: int) -> Group:
    members = _get(row, "opis", list)
    for member in members:
        if not isinstance(member, int) or isinstance(member, bool) or not 0 <= member < size:
            raise InputError(f"annotation names edit {member!r}; the page has edits 0 to {size - 1}")
    return Group(_get(row, "category", str), tuple(members))


def _get(row: Any, key: str, kind: type) -> Any:
    value = row.get(key) if isinstance(row, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InputError(f"{key!r} is absent or not {kind.__name__}")
    return value
