"""Sentence links derived from edits between two texts (F1; for SWiPE, Laban et al. 2023).

Nobody aligned SWiPE's sentences. What its edits say of them is taken as evidence:

- a word of an `equal` edit stands in one sentence of each text, and speaks for this pair of sentences;
- a group that inserts and deletes words and keeps the meaning (lexical, syntactic and discourse categories, a hypernym,
  a corrected fact, another format) renders the deleted words by the inserted ones. A word that is both deleted and
  inserted was moved and speaks for its two sentences; the other words are shared out among the pairs in proportion.

Each word weighs its inverse document frequency among the file's sentences, so that a shared "the" or comma says little.
The share of a sentence's weight that a pair explains, on either side, decides: a pair is linked if the larger of the
two shares reaches `link`, and aligned (section 3.1 of Jiang et al. 2020) if both reach `aligned`, else partial.

The weakness: edits are a minimal difference of words, made by a program and grouped by people. A sentence that was
written anew leaves few equal words, so that a true pair may have no link; words that two unrelated sentences happen to
share in the right order are "equal" too and may link them. Labels follow shares of words, not a judgement of meaning.
So these links are silver, not gold: systems that count words are favoured by a score against them.
"""

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from textsimp.errors import InputError
from textsimp.records import AlignmentLabel, Link

RENDERING = ("lexical_", "syntactic_", "discourse_", "semantic_hypernymy", "nonsim_fact", "nonsim_format")
"""How the categories begin whose groups keep the meaning; `_deletion` and elaborations replace nothing."""
_WORD = re.compile(r"\w+")
_SPACE = re.compile(r"\s+")
Cells = defaultdict[tuple[int, int], float]  # (simple, complex) -> weight


@dataclass(frozen=True)
class Edit:
    """One step from the complex to the simple text: `kind` equal, insert or delete, and its words."""

    kind: str
    text: str


@dataclass(frozen=True)
class Group:
    """Edits, by number, that people judged to be one change, and its category."""

    category: str
    members: tuple[int, ...]


@dataclass(frozen=True)
class Edits:
    """All steps from the complex to the simple text, and their groups."""

    steps: tuple[Edit, ...]
    groups: tuple[Group, ...]

    def spell(self, without: str) -> str:
        """The text that the steps spell, those of one kind left out, without white space."""
        return "".join(solid(step.text) for step in self.steps if step.kind != without)


@dataclass(frozen=True)
class LinkRule:
    """`link`: the share, of either sentence, from which a pair is linked; `aligned`: of both, for the label aligned."""

    link: float
    aligned: float

    def __post_init__(self) -> None:
        if not 0 < self.link <= self.aligned <= 1:
            raise InputError(f"link {self.link} and aligned {self.aligned}: not 0 < link <= aligned <= 1")


@dataclass(frozen=True)
class _Word:
    """A word of an edit: case-folded, its weight, and the sentences that it stands in (None: not in that text)."""

    text: str
    weight: float
    simple: int | None
    complex: int | None


def solid(text: str) -> str:
    """The text without white space."""
    return _SPACE.sub("", text)


def word_weights(sentences: Iterable[str]) -> dict[str, float]:
    """log(n / df) of each word, for n sentences of which df hold it."""
    counts: Counter[str] = Counter()
    n = 0
    for n, sentence in enumerate(sentences, 1):
        counts.update(set(_words(sentence)))
    return {word: math.log(n / df) for word, df in counts.items()}


def derive_links(
    complex_: Sequence[str], simple: Sequence[str], edits: Edits, weights: Mapping[str, float], rule: LinkRule
) -> tuple[Link, ...]:
    """The links between the sentences of two texts that the edits between them imply, sorted.

    Args:
        complex_: the sentences of the text before; without white space they are the text that the edits spell.
        simple: the sentences of the text after, likewise.
        edits: the edits.
        weights: of words (`word_weights`); a word without weight counts as the rarest.
        rule: the thresholds.
    """
    rarest = max(weights.values(), default=1.0) or 1.0
    steps = _placed(complex_, simple, edits, lambda word: weights.get(word, rarest))
    shares = _evidence(steps, edits.groups)
    totals = [[sum(weights.get(word, rarest) for word in _words(text)) for text in side] for side in (simple, complex_)]
    links = []
    for i, j in sorted(shares[0].keys() | shares[1].keys()):
        low, high = sorted((_share(shares[0][i, j], totals[0][i]), _share(shares[1][i, j], totals[1][j])))
        if high >= rule.link:
            links.append(Link(i, j, AlignmentLabel.ALIGNED if low >= rule.aligned else AlignmentLabel.PARTIAL))
    return tuple(links)


def _placed(
    complex_: Sequence[str], simple: Sequence[str], edits: Edits, weight: Callable[[str], float]
) -> list[list[_Word]]:
    """The words of each edit, with the sentences that they stand in, by counting characters that are no white space."""
    ends = [list(accumulate(len(solid(sentence)) for sentence in side)) for side in (simple, complex_)]
    position = [0, 0]
    placed = []
    for step in edits.steps:
        inside = (step.kind != "delete", step.kind != "insert")
        words = []
        for start, text in _solid_words(step.text):
            sides = [bisect_right(ends[side], position[side] + start) if inside[side] else None for side in (0, 1)]
            words.append(_Word(text, weight(text), *sides))
        placed.append(words)
        length = len(solid(step.text))
        position = [at + length * there for at, there in zip(position, inside, strict=True)]
    return placed


def _evidence(steps: Sequence[Sequence[_Word]], groups: Iterable[Group]) -> tuple[Cells, Cells]:
    """The weight that each pair of sentences explains of the simple one, and of the complex one."""
    explained: tuple[Cells, Cells] = (defaultdict(float), defaultdict(float))
    for step in steps:
        for word in step:
            if word.simple is not None and word.complex is not None:
                _add(explained, word.simple, word.complex, word.weight, word.weight)
    for group in groups:
        if group.category.startswith(RENDERING) and not group.category.endswith("_deletion"):
            words = [word for member in sorted(set(group.members)) for word in steps[member]]
            inserted = [word for word in words if word.complex is None]
            deleted = [word for word in words if word.simple is None]
            _render(explained, inserted, deleted)
    return explained


def _render(explained: tuple[Cells, Cells], inserted: list[_Word], deleted: list[_Word]) -> None:
    """Moved words speak for their two sentences; the others are shared out in proportion to the other side's weight."""
    waiting: defaultdict[str, list[_Word]] = defaultdict(list)
    for word in deleted:
        waiting[word.text].append(word)
    rest: dict[int, float] = defaultdict(float)
    for word in inserted:
        if waiting[word.text]:
            _add(explained, word.simple, waiting[word.text].pop(0).complex, word.weight, word.weight)
        else:
            rest[word.simple] += word.weight
    lost: dict[int, float] = defaultdict(float)
    for word in (word for words in waiting.values() for word in words):
        lost[word.complex] += word.weight
    new, old = sum(rest.values()), sum(lost.values())
    if new and old:
        for i, inside in rest.items():
            for j, outside in lost.items():
                _add(explained, i, j, inside * outside / old, outside * inside / new)


def _add(explained: tuple[Cells, Cells], simple: int, complex_: int, weight: float, other: float) -> None:
    explained[0][simple, complex_] += weight
    explained[1][simple, complex_] += other


def _share(part: float, total: float) -> float:
    return min(1.0, part / total) if total else 0.0


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _solid_words(text: str) -> list[tuple[int, str]]:
    """The words, case-folded, each with the number of characters before it that are no white space."""
    found, spaces, end = [], 0, 0
    for match in _WORD.finditer(text):
        spaces += sum(map(str.isspace, text[end : match.start()]))
        end = match.end()
        found.append((match.start() - spaces, match[0].casefold()))
    return found
