"""The class of a unit: what kind of rewriting it is, by few named thresholds (F1).

The classes are those of the manual inspections in Figures 2 and 3 of Jiang et al. 2020, with `copy` beside them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from textsimp.metrics.rewriting.pairs import AlignedUnit
from textsimp.metrics.rewriting.runs import moved, replacements, split_points
from textsimp.metrics.rewriting.tokens import Word
from textsimp.metrics.rewriting.word_match import Match


class Rewriting(str, Enum):
    """Classes, in the order in which they are reported."""

    COPY = "copy"
    DELETION = "deletion"
    PARAPHRASE = "paraphrase"
    SPLITTING = "splitting"
    DELETION_PARAPHRASE = "deletion + paraphrase"
    SPLITTING_PARAPHRASE = "splitting + paraphrase"
    NOT_ALIGNED = "not aligned"


@dataclass(frozen=True)
class RewritingConfig:
    """Thresholds. The defaults are what `python -m tools.rewriting_agreement` finds best on the development half.

    Attributes:
        min_coverage: least weighted share of content words in common, of the side that has more of its words in
            common; below it the unit is not aligned.
        name_weight: weight of names in it, where other content words have 1: sentences about one thing share its name.
        max_conflicts: as many names and numbers may be exchanged for others; beyond that the unit is not aligned.
        min_moved: least share of the kept content words that changed places for a reordering to be a paraphrase.
        words_per_new: so many complex content words one new word can stand for.
        min_deleted: least share of the complex content words that is lost beyond what new words can stand for, where
            there are new words. Without new words one lost word is a deletion.
    """

    min_coverage: float = 0.15
    name_weight: float = 0.0
    max_conflicts: int = 1
    min_moved: float = 0.05
    words_per_new: float = 1.0
    min_deleted: float = 0.25


@dataclass(frozen=True)
class Side:
    """Content words of one side: names and others, all of them and those in common with the other side."""

    names: int
    others: int
    common_names: int
    common_others: int

    def coverage(self, name_weight: float) -> float:
        """Weighted share of the words in common; where all are names, of the names; 0 without words."""
        weight = name_weight if self.others else 1.0
        total = self.others + weight * self.names
        return (self.common_others + weight * self.common_names) / total if total else 0.0


@dataclass(frozen=True)
class Features:
    """What the decision looks at.

    Attributes:
        same: both sides have the same words in the same order, but for case.
        complex_words: content words of the complex side.
        sides: the complex and the simple side.
        conflicts: names and numbers lost that face as many new ones.
        lost: complex content words without a link.
        uncovered: those of them in whose place nothing new stands.
        new: simple content words without a link, and links to similar words; a word that the complex side has too
            is new only where it stands in the place of others.
        moved: share of the linked content words that changed places.
        splits: see `split_points`.
    """

    same: bool
    complex_words: int
    sides: tuple[Side, Side]
    conflicts: int
    lost: int
    uncovered: int
    new: int
    moved: float
    splits: int


def features(unit: AlignedUnit) -> Features:
    """Everything that the class of a unit depends on, but for the thresholds."""
    links, runs = unit.content_links, replacements(unit)
    splits = split_points(unit)
    known = {word.folded for word in unit.complex_words}
    # the parts of a split sentence name their subject again, and so do added words
    new_by_run = [
        [p for p in run.simple if unit.simple_words[p].folded not in known or (run.complex and not splits)]
        for run in runs
    ]
    lost = [unit.complex_words[p] for run in runs for p in run.complex]
    new = [unit.simple_words[p] for run in new_by_run for p in run]
    reworded = sum(link.match >= Match.SIMILAR for link in links)
    complex_words = sum(not word.light for word in unit.complex_words)
    return Features(
        same=[word.folded for word in unit.complex_words] == [word.folded for word in unit.simple_words],
        complex_words=complex_words,
        sides=(
            _side(unit.complex_words, [link.complex for link in links]),
            _side(unit.simple_words, [link.simple for link in links]),
        ),
        conflicts=_conflicts(lost, new),
        lost=len(lost),
        uncovered=sum(len(run.complex) for run, new_words in zip(runs, new_by_run, strict=True) if not new_words),
        new=len(new) + reworded,
        moved=moved([link.simple for link in links]) / max(len(links), 1),
        splits=splits,
    )


def decide(found: Features, config: RewritingConfig) -> Rewriting:
    """The class of a unit with these features."""
    if found.same and not found.splits:
        return Rewriting.COPY
    if _not_aligned(found, config):
        return Rewriting.NOT_ALIGNED
    if found.splits:
        return Rewriting.SPLITTING_PARAPHRASE if found.new else Rewriting.SPLITTING
    paraphrase = bool(found.new) or found.moved >= config.min_moved
    deletion = _deletion(found, config)
    if paraphrase:
        return Rewriting.DELETION_PARAPHRASE if deletion else Rewriting.PARAPHRASE
    return Rewriting.DELETION if deletion else Rewriting.COPY


def classify(unit: AlignedUnit, config: RewritingConfig) -> Rewriting:
    """The class of a unit; one without any simple word is not aligned."""
    return decide(features(unit), config)


def _not_aligned(found: Features, config: RewritingConfig) -> bool:
    coverage = max(side.coverage(config.name_weight) for side in found.sides)
    return coverage == 0 or coverage < config.min_coverage or found.conflicts > config.max_conflicts


def _deletion(found: Features, config: RewritingConfig) -> bool:
    if not found.new:
        return found.lost > 0
    excess = max(found.uncovered, found.lost - config.words_per_new * found.new)
    return excess > 0 and excess >= config.min_deleted * found.complex_words


def _side(words: Sequence[Word], linked: Sequence[int]) -> Side:
    content = [word for word in words if not word.light]
    names, common = sum(word.name for word in content), sum(words[k].name for k in linked)
    return Side(names, len(content) - names, common, len(linked) - common)


def _conflicts(lost: list[Word], new: list[Word]) -> int:
    """Numbers lost that face new numbers, and names lost that face new names."""
    numbers = min(sum(word.number for word in lost), sum(word.number for word in new))
    return numbers + min(sum(word.name for word in lost), sum(word.name for word in new))
