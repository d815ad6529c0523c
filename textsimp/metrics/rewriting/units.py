"""One unit of rewriting: a complex text and the simple sentences made of it, aligned, with what was done to the words.

Between two content words that are kept, a run of complex words without a partner that faces a run of simple ones was
put in other words; one that faces nothing was deleted, and a simple run that faces nothing was inserted. Light words
are passed over, so that `looking for` can stand for `seeking`. Counts are of content words unless named otherwise:
light words come and go with the grammar.

Tables 1 and 2 of Coster and Kauchak 2011 count operations on sentences and on words. Their dynamic programme chooses
among five operations on sentences. Here they are read from any alignment: a connected component of its links is one
operation, and one unit of rewriting. What their programme does not know (one to three, two to two) is `other`.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair, Link
from textsimp.metrics.links import components
from textsimp.metrics.rewriting import word_links
from textsimp.metrics.rewriting.word_links import LONGEST, Match, Word, WordLink


@dataclass(frozen=True)
class Unit:
    """A complex text, mostly one sentence, and the sentence or sentences that simplify it."""

    complex: str
    simple: tuple[str, ...]


Run = tuple[int, ...]
"""Positions of consecutive content words without a link."""


class Replacement(NamedTuple):
    """Complex words and the simple words that stand in their place; one side is empty in a deletion or insertion."""

    complex: Run
    simple: Run


@dataclass(frozen=True)
class AlignedUnit:
    """The words of both sides, over all their sentences, the links between them (see `align_words`), and how many
    sentences the simple side has.
    """

    complex_words: tuple[Word, ...]
    simple_words: tuple[Word, ...]
    links: tuple[WordLink, ...]
    simple_sentences: int

    @cached_property
    def content_links(self) -> tuple[WordLink, ...]:
        """The links of words that carry content."""
        return tuple(link for link in self.links if not self.complex_words[link.complex].light)

    @cached_property
    def replacements(self) -> tuple[Replacement, ...]:
        """The content words without a link, run by run; deletions and replacements in order, then insertions."""
        return _replacements(self)

    @property
    def reworded(self) -> int:
        """Return the number of content words that became a similar one."""
        return sum(link.match >= Match.SIMILAR for link in self.content_links)

    @property
    def moved(self) -> int:
        """Return the number of linked content words that left the common order."""
        return moved([link.simple for link in self.content_links])

    @property
    def content_words(self) -> tuple[int, int]:
        """Return the numbers of content words of the complex and of the simple side."""
        complex_, simple = (sum(not word.light for word in words) for words in (self.complex_words, self.simple_words))
        return complex_, simple


def align_unit(unit: Unit) -> AlignedUnit:
    """Return the unit with its words linked; `InputError` for a side of more than `LONGEST` words."""
    if word_links.is_too_long(unit.complex) or word_links.is_too_long(" ".join(unit.simple)):
        raise InputError(f"kinds of rewriting: a line of more than {LONGEST} words; give sentences, not documents")
    sides = [word_links.sentences_of(texts) for texts in ([unit.complex], unit.simple)]
    first, second = map(word_links.words_of, sides)
    joined = (word_links.join_compounds(first, second), word_links.join_compounds(second, first))
    return AlignedUnit(tuple(joined[0]), tuple(joined[1]), word_links.align_words(*joined), len(sides[1]))


def units_of(complex_lines: Sequence[str], simple_lines: Sequence[str]) -> list[Unit]:
    """Line-aligned files as units; an empty simple line is a unit whose sentence was left out."""
    return [Unit(a, (b,) if b.strip() else ()) for a, b in zip(complex_lines, simple_lines, strict=True)]


def _replacements(unit: AlignedUnit) -> tuple[Replacement, ...]:
    partner = {link.complex: link.simple for link in unit.content_links}
    facing = _runs_by_edges(unit.simple_words, {simple: simple for simple in partner.values()})
    used: set[Run] = set()
    replaced = []
    for (before, after), run in _runs_by_edges(unit.complex_words, partner).items():
        options = [edges for edges, run_of_simple in facing.items() if run_of_simple not in used]
        # a run that has both neighbours in common, else the one before, else the one after
        same = [edges for edges in options if edges == (before, after)]
        same = same or [edges for edges in options if edges[0] == before]
        same = same or [edges for edges in options if edges[1] == after]
        counterpart = facing[same[0]] if same else ()
        used.add(counterpart)
        replaced.append(Replacement(run, counterpart))
    replaced += [Replacement((), run) for run in facing.values() if run not in used]
    return tuple(replaced)


def _runs_by_edges(words: Sequence[Word], partner: dict[int, int]) -> dict[tuple[int, int], Run]:
    """Return each run without a link by the simple positions of the linked words around it; -1 and -2 for the ends."""
    runs: dict[tuple[int, int], Run] = {}
    before, run = -1, []
    for position in [*(k for k, word in enumerate(words) if not word.light), len(words)]:
        if position < len(words) and position not in partner:
            run.append(position)
            continue
        after = partner.get(position, -2)
        if run:
            runs[before, after] = tuple(run)
        before, run = after, []
    return runs


def moved(positions: Sequence[int]) -> int:
    """Return how many of the simple positions, in the complex order, have to move for the order to be the same."""
    # patience sorting: tails[k] ends the lowest increasing sequence of length k + 1
    tails: list[int] = []
    for position in positions:
        index = bisect_left(tails, position)
        tails[index : index + 1] = [position]
    return len(positions) - len(tails)


def split_points(unit: AlignedUnit) -> int:
    """Return into how many more sentences the content of the complex side was parted.

    A simple sentence counts if a content word of it is linked. One without any may still say what the linked ones
    left out: it counts where the complex side has lost more words than the linked sentences have new ones. Where
    nothing is lost it is an added explanation, and no split.
    """
    linked_simple = {unit.simple_words[link.simple].sentence for link in unit.content_links}
    linked_complex = {unit.complex_words[link.complex].sentence for link in unit.content_links}
    simple_links = {link.simple for link in unit.content_links}
    new = sum(
        not word.light and word.sentence in linked_simple and position not in simple_links
        for position, word in enumerate(unit.simple_words)
    )
    lost = unit.content_words[0] - len(unit.content_links)
    others = unit.simple_sentences - len(linked_simple)
    parts = len(linked_simple) + (others if lost > new else 0)
    return max(0, parts - max(1, len(linked_complex)))


@dataclass(frozen=True)
class EditOperations:
    """Counts of one unit, of content words.

    Attributes:
        complex_words, simple_words: of both sides.
        kept: complex words that stay, in whatever case, spelling and form.
        substituted, deleted: complex words in whose place other words (a similar one) stand, or nothing.
        moved: kept words that left the common order.
        inserted, written: simple words that stand in the place of nothing, or of others.
    """

    complex_words: int = 0
    simple_words: int = 0
    kept: int = 0
    substituted: int = 0
    deleted: int = 0
    moved: int = 0
    inserted: int = 0
    written: int = 0


@dataclass(frozen=True)
class WordOperations:
    """The operations of Coster and Kauchak's Table 2 that occur in a unit; they do not exclude each other.

    Attributes:
        rewordings: a complex word became a different simple word, another form of it included.
        deletions: a complex word has no counterpart.
        reorders: the alignment is not monotonic.
        splits: a complex word became several simple ones.
        merges: several complex words became one.
    """

    rewordings: bool = False
    deletions: bool = False
    reorders: bool = False
    splits: bool = False
    merges: bool = False


def edit_operations(unit: AlignedUnit, words_per_new: float) -> EditOperations:
    """Count the operations of one unit, in which one simple word can stand for so many complex ones, and no more."""
    runs = unit.replacements
    replaced = sum(_replaced(run, words_per_new) for run in runs)
    return EditOperations(
        *unit.content_words,
        kept=len(unit.content_links) - unit.reworded,
        substituted=unit.reworded + replaced,
        deleted=sum(len(run.complex) for run in runs) - replaced,
        moved=unit.moved,
        inserted=sum(len(run.simple) for run in runs if not run.complex),
        written=unit.reworded + sum(len(run.simple) for run in runs if run.complex),
    )


def word_operations(unit: AlignedUnit, words_per_new: float) -> WordOperations:
    """Find the word operations of Coster and Kauchak's Table 2, by our alignment instead of GIZA++'s."""
    facing = [run for run in unit.replacements if run.complex and run.simple]
    joined = [(unit.complex_words[link.complex].parts, unit.simple_words[link.simple].parts) for link in unit.links]
    return WordOperations(
        rewordings=bool(facing) or any(link.match >= Match.INFLECTION for link in unit.content_links),
        deletions=any(len(run.complex) > _replaced(run, words_per_new) for run in unit.replacements),
        reorders=unit.moved > 0,
        splits=any(b > a for a, b in joined) or any(len(run.simple) > len(run.complex) for run in facing),
        merges=any(a > b for a, b in joined) or any(len(run.complex) > len(run.simple) for run in facing),
    )


def _replaced(run: Replacement, words_per_new: float) -> int:
    """Return how many of a run's complex words the simple words in their place can stand for."""
    return min(len(run.complex), int(words_per_new * len(run.simple)))


OPERATIONS = {
    (0, 1): "skip simple",
    (1, 0): "skip normal",
    (1, 1): "one normal to one simple",
    (1, 2): "one normal to two simple",
    (2, 1): "two normal to one simple",
}
"""By the number of complex (normal) and simple sentences; the names are Table 1's."""
OTHER = "other"
Group = tuple[tuple[int, ...], tuple[int, ...]]
"""Complex and simple sentence indexes of a connected component of the links."""


def sentence_operations(pairs: Iterable[tuple[DocumentPair, Sequence[Link]]]) -> dict[str, int]:
    """Count each operation in document pairs with their links, by Table 1's names and then `other`."""
    groups = (group for pair, links in pairs for group in _groups(pair, links))
    counts = Counter(OPERATIONS.get((len(complexes), len(simples)), OTHER) for complexes, simples in groups)
    return {name: counts[name] for name in (*OPERATIONS.values(), OTHER)}


def corpus_units(pairs: Iterable[tuple[DocumentPair, Sequence[Link]]]) -> Iterator[Unit]:
    """Return the connected components of the links of aligned document pairs; sentences without a link are in none."""
    for pair, links in pairs:
        for complexes, simples in _groups(pair, links):
            if complexes and simples:
                text = " ".join(pair.complex.sentences[k] for k in complexes)
                yield Unit(text, tuple(pair.simple.sentences[k] for k in simples))


def _groups(pair: DocumentPair, links: Sequence[Link]) -> list[Group]:
    """Every sentence in one group, ordered by the first sentence, the complex side first."""
    complex_count = len(pair.complex.sentences)
    if not complex_count + len(pair.simple.sentences):
        return []
    ends = [(link.complex, link.simple) for link in links]
    members: dict[int, list[int]] = {}
    for sentence, label in enumerate(components(complex_count, len(pair.simple.sentences), ends).tolist()):
        members.setdefault(label, []).append(sentence)
    return [
        (tuple(k for k in group if k < complex_count), tuple(k - complex_count for k in group if k >= complex_count))
        for group in sorted(members.values())
    ]
