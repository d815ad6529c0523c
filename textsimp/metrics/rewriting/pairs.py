"""One unit of rewriting, aligned: a complex text and the simple sentences made of it (F1)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from textsimp.metrics.rewriting.languages import Language, language
from textsimp.metrics.rewriting.tokens import Word, join_compounds, sentences_of, words_of
from textsimp.metrics.rewriting.word_alignment import AlignerConfig, WordLink, align_words
from textsimp.metrics.rewriting.word_match import MatchConfig, Matcher, Vectors


@dataclass(frozen=True)
class Unit:
    """A complex text, mostly one sentence, and the sentence or sentences that simplify it."""

    complex: str
    simple: tuple[str, ...]


@dataclass(frozen=True)
class AlignedUnit:
    """The words of both sides and the links between them.

    Attributes:
        complex_words, simple_words: in order, over all sentences of the side.
        links: see `align_words`.
        complex_sentences, simple_sentences: how many sentences each side has.
    """

    complex_words: tuple[Word, ...]
    simple_words: tuple[Word, ...]
    links: tuple[WordLink, ...]
    complex_sentences: int
    simple_sentences: int

    @cached_property
    def content_links(self) -> tuple[WordLink, ...]:
        """The links of words that carry content."""
        return tuple(link for link in self.links if not self.complex_words[link.complex].light)


@dataclass
class UnitAligner:
    """Aligns units of one language.

    Attributes:
        language: of the texts.
        vectors: word vectors, to link words of like meaning; see `word_match.Vectors`.
        config, match: of the aligner; see there.
    """

    language: Language
    vectors: Vectors | None = None
    config: AlignerConfig = field(default_factory=AlignerConfig)
    match: MatchConfig = field(default_factory=MatchConfig)
    matcher: Matcher = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.matcher = Matcher(self.language, self.match, self.vectors)

    def align(self, unit: Unit) -> AlignedUnit:
        """The unit with its words linked."""
        sides = [sentences_of([unit.complex]), sentences_of(unit.simple)]
        words = [words_of(sentences, self.language) for sentences in sides]
        joined = (join_compounds(words[0], words[1]), join_compounds(words[1], words[0]))
        links = align_words(*joined, self.matcher, self.config)
        return AlignedUnit(tuple(joined[0]), tuple(joined[1]), links, len(sides[0]), len(sides[1]))


def unit_aligner(name: str, vectors: Vectors | None = None) -> UnitAligner:
    """The aligner of a language by its name; `InputError` where the name is none."""
    return UnitAligner(language(name), vectors)


def units_of(complex_lines: Sequence[str], simple_lines: Sequence[str]) -> list[Unit]:
    """Line-aligned files as units; an empty simple line is a unit whose sentence was left out."""
    return [Unit(a, (b,) if b.strip() else ()) for a, b in zip(complex_lines, simple_lines, strict=True)]
