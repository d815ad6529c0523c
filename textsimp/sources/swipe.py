"""SWiPE: English and Simple English Wikipedia revisions with edits that people grouped (Laban et al. 2023).

A file is one JSON list. Each page has `r_content` (the English revision), `s_content` (the Simple English one),
`edits` that turn the first into the second (`type` equal, insert or delete, with the text in `text`, `insert` or
`delete`) and `annotations`: groups of edits (`opis`, their numbers) with a category. Nobody aligned the sentences:
links come from the edits (docs/formats.md, "Public releases"), so they are silver, and favour systems that count
words.
"""

import logging
import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from textsimp.core.errors import InputError, bad_input, check_choice
from textsimp.core.reading import read_json
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.core.settings import Share
from textsimp.sources.draws import SPLITS, ManualDraw, draw
from textsimp.sources.manual import COMPLEX_LEVEL, SIMPLE_LEVEL
from textsimp.sources.sentences import damage, member, split_document

SWIPE = Path("swipe", "swipe_val.json")
TEXT_KEYS = {"equal": "text", "insert": "insert", "delete": "delete"}
REPEATS = 3
"""A text in which one sentence stands so often is vandalised; in the other validation pages none stands twice."""
_REMEDY = "fetch the release again"
RENDERING = ("lexical_", "syntactic_", "discourse_", "semantic_hypernymy", "nonsim_fact", "nonsim_format")
"""How the categories begin whose groups keep the meaning; `_deletion` and elaborations replace nothing."""
_WORD = re.compile(r"\w+")
Cells = defaultdict[tuple[int, int], float]  # (simple, complex) -> weight
logger = logging.getLogger(__name__)


class Edit(NamedTuple):
    """One step from the complex to the simple text: `kind` equal, insert or delete, and its words."""

    kind: str
    text: str


class Group(NamedTuple):
    """Edits, by number, that people judged to be one change, and its category."""

    category: str
    members: tuple[int, ...]


class Edits(NamedTuple):
    """All steps from the complex to the simple text, and their groups."""

    steps: tuple[Edit, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class LinkRule:
    """`link`: the share, of either sentence, from which a pair is linked; `aligned`: of both, for the label aligned."""

    link: Share
    aligned: Share

    def __post_init__(self) -> None:
        if not 0 < self.link <= self.aligned <= 1:
            raise InputError(f"link {self.link} and aligned {self.aligned}: not 0 < link <= aligned <= 1")


class _Word(NamedTuple):
    """A word of an edit: case-folded, its weight, and the sentences that it stands in (None: not in that text)."""

    text: str
    weight: float
    simple: int | None
    complex: int | None


def _solid_length(text: str) -> int:
    """Return the number of characters that are no white space."""
    return sum(map(len, text.split()))


def word_weights(sentences: Collection[str]) -> dict[str, float]:
    """Return log(n / df) of each word, for n sentences of which df hold it."""
    counts = Counter(word for sentence in sentences for word in dict.fromkeys(_words(sentence)))
    return {word: math.log(len(sentences) / df) for word, df in counts.items()}


def derive_links(
    complex_: Sequence[str], simple: Sequence[str], edits: Edits, weights: Mapping[str, float], rule: LinkRule
) -> tuple[Link, ...]:
    """Return the links between the sentences of two texts that the edits between them imply, sorted.

    Without white space, the sentences are the texts that the edits spell. A word without weight counts as the rarest.
    """
    rarest = max(weights.values(), default=1.0) or 1.0
    steps = _placed(complex_, simple, edits, lambda word: weights.get(word, rarest))
    shares = _evidence(steps, edits.groups)
    totals = [[sum(weights.get(word, rarest) for word in _words(text)) for text in side] for side in (simple, complex_)]
    links = []
    for i, j in sorted(shares[0].keys() | shares[1].keys()):
        low, high = sorted(
            min(1.0, share[i, j] / total) if total else 0.0
            for share, total in zip(shares, (totals[0][i], totals[1][j]), strict=True)
        )
        if high >= rule.link:
            links.append(Link(i, j, AlignmentLabel.ALIGNED if low >= rule.aligned else AlignmentLabel.PARTIAL))
    return tuple(links)


def _placed(
    complex_: Sequence[str], simple: Sequence[str], edits: Edits, weight: Callable[[str], float]
) -> list[list[_Word]]:
    """Return the words of each edit with the sentences that they stand in, by counting characters but white space."""
    ends = [list(accumulate(map(_solid_length, side))) for side in (simple, complex_)]
    position = [0, 0]
    placed = []
    for step in edits.steps:
        inside = (step.kind != "delete", step.kind != "insert")
        words = []
        for start, text in _solid_words(step.text):
            sides = [bisect_right(ends[side], position[side] + start) if inside[side] else None for side in (0, 1)]
            words.append(_Word(text, weight(text), *sides))
        placed.append(words)
        length = _solid_length(step.text)
        position = [at + length * is_there for at, is_there in zip(position, inside, strict=True)]
    return placed


def _evidence(steps: Sequence[Sequence[_Word]], groups: Iterable[Group]) -> tuple[Cells, Cells]:
    """Return the weight that each pair of sentences explains of the simple one, and of the complex one."""
    explained: tuple[Cells, Cells] = (defaultdict(float), defaultdict(float))
    for step in steps:
        for word in step:
            if word.simple is not None and word.complex is not None:
                _add(explained, word.simple, word.complex, word.weight, word.weight)
    for category, members in groups:
        if category.startswith(RENDERING) and not category.endswith("_deletion"):
            _render(explained, [word for number in sorted(set(members)) for word in steps[number]])
    return explained


def _render(explained: tuple[Cells, Cells], words: Sequence[_Word]) -> None:
    """Moved words speak for their two sentences; the others are shared out in proportion to the other side's weight."""
    waiting: defaultdict[str, list[tuple[_Word, int]]] = defaultdict(list)
    for word in words:
        if word.simple is None and word.complex is not None:
            waiting[word.text].append((word, word.complex))
    rest: dict[int, float] = defaultdict(float)
    for word in words:
        if word.simple is None or word.complex is not None:
            continue
        if waiting[word.text]:
            _, j = waiting[word.text].pop(0)
            _add(explained, word.simple, j, word.weight, word.weight)
        else:
            rest[word.simple] += word.weight
    lost: dict[int, float] = defaultdict(float)
    for word, j in (left for words_left in waiting.values() for left in words_left):
        lost[j] += word.weight
    new, old = sum(rest.values()), sum(lost.values())
    if new and old:
        for i, inside in rest.items():
            for j, outside in lost.items():
                _add(explained, i, j, inside * outside / old, outside * inside / new)


def _add(explained: tuple[Cells, Cells], simple: int, complex_: int, of_simple: float, of_complex: float) -> None:
    explained[0][simple, complex_] += of_simple
    explained[1][simple, complex_] += of_complex


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _solid_words(text: str) -> list[tuple[int, str]]:
    """Return the words, case-folded, each with the number of characters before it that are no white space."""
    solid_before = [0, *accumulate(not character.isspace() for character in text)]
    return [(solid_before[match.start()], match[0].casefold()) for match in _WORD.finditer(text)]


class Page(NamedTuple):
    """One page pair: its id, both titles, both texts (complex first), and the edits between them."""

    id: str
    titles: tuple[str, str]
    texts: tuple[str, str]
    edits: Edits


class SwipeCorpus(NamedTuple):
    """Document pairs with derived links, and how many pages were dropped for each reason."""

    pairs: list[DocumentPair]
    dropped: dict[str, int]


def read_swipe(path: str | Path) -> list[Page]:
    """Return the pages of a file, in its order.

    `InputError` names file and page where it is absent, cut short, not UTF-8 or of another structure.
    """
    rows = read_json(path, _REMEDY)
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
    """Return document pairs with the links that the edits imply; lines are paragraphs, sentences are split by rules.

    Word weights are computed over all pages, so give a whole file. The `group` of a pair is the English page's title.
    """
    dropped: Counter[str] = Counter()
    usable: list[tuple[Page, Document, Document]] = []
    for page in pages:
        documents = (_document(page, 0), _document(page, 1))
        if fault := _fault(page, documents):
            dropped[fault] += 1
            logger.warning("dropped the page pair %s (%s): %s", page.id, page.titles[0], fault)
        else:
            usable.append((page, *documents))
    weights = word_weights([sentence for _, *sides in usable for side in sides for sentence in side.sentences])
    pairs = []
    for page, complex_, simple in usable:
        links = derive_links(complex_.sentences, simple.sentences, page.edits, weights, rule)
        pairs.append(DocumentPair(page.id, corpus, page.titles[0], complex_, simple, links))
    return SwipeCorpus(pairs, dict(sorted(dropped.items())))


def swipe_annotation(raw: Path, corpus: str, manual: ManualDraw, rule: LinkRule) -> dict[str, list[DocumentPair]]:
    """Return the page pairs of an acquired corpus with derived links, drawn for the splits by English page.

    `InputError` where the file is absent or bad, or has fewer pages than are to be drawn.
    """
    pages = swipe_pairs(read_swipe(raw / SWIPE), corpus, rule)
    logger.info("SWiPE: %d page pairs, dropped: %s", len(pages.pairs), pages.dropped)
    drawn = draw(sorted({pair.group for pair in pages.pairs}), manual)
    split_of = {name: split for split, names in drawn.items() for name in names}
    return {split: [pair for pair in pages.pairs if split_of[pair.group] == split] for split in SPLITS}


def _document(page: Page, side: int) -> Document:
    lines = (" ".join(line.split()) for line in page.texts[side].splitlines())
    name, level = (("complex", COMPLEX_LEVEL), ("simple", SIMPLE_LEVEL))[side]
    return split_document(f"{page.id}-{name}", level, filter(None, lines))


def _fault(page: Page, documents: Sequence[Document]) -> str | None:
    """Return why a page cannot be used; None where it can."""
    if not all(document.sentences for document in documents):
        return "a side without text"
    if any(damage(*document.sentences) for document in documents):
        return "damaged text"
    if any(Counter(document.sentences).most_common(1)[0][1] >= REPEATS for document in documents):
        return "a sentence many times over"
    for text, absent in zip(page.texts, ("insert", "delete"), strict=True):
        if _solid_length(text) != sum(_solid_length(step.text) for step in page.edits.steps if step.kind != absent):
            return "edits that do not spell the two texts"
    return None


def _page(row: Any) -> Page:
    titles = (member(row, "r_page", str), member(row, "s_page", str))
    texts = (member(row, "r_content", str), member(row, "s_content", str))
    edits = tuple(_edit(number, edit) for number, edit in enumerate(member(row, "edits", list)))
    groups = tuple(_group(group, len(edits)) for group in member(row, "annotations", list))
    return Page(member(row, "_id", str), titles, texts, Edits(edits, groups))


def _edit(number: int, row: Any) -> Edit:
    kind = member(row, "type", str)
    check_choice(f"edit {number}: type", kind, TEXT_KEYS)
    if member(row, "idx", int) != number:
        raise InputError(f"edit {number}: its 'idx' is {row['idx']}; the edits are not in order")
    return Edit(kind, member(row, TEXT_KEYS[kind], str))


def _group(row: Any, size: int) -> Group:
    members = member(row, "opis", list)
    for number in members:
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < size:
            raise InputError(f"annotation names edit {number!r}; the page has edits 0 to {size - 1}")
    return Group(member(row, "category", str), tuple(members))
