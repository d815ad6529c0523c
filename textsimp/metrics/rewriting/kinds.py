"""Kinds of rewriting: a class for each unit, and how often each kind occurs.

The classes are those of the manual inspections in Figures 2 and 3 of Jiang et al. 2020, with `copy` beside them,
decided by few named thresholds. The figures are shares of 100 random pairs, sorted by hand; here all units are sorted,
in percent, as sums over units that are resampled and compared like any other score. Operations are counted over the
units that are aligned, as Coster and Kauchak 2011 counted theirs over aligned pairs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.rewriting import units
from textsimp.metrics.rewriting.units import AlignedUnit, EditOperations, Unit, WordOperations
from textsimp.metrics.rewriting.word_links import Word
from textsimp.metrics.scores import Counts, SegmentStatistics, Signature, quotient


class Rewriting(StrEnum):
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
        words_per_new: how many complex content words one new word can stand for.
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
    """Features of a unit, for the decision.

    Attributes:
        same: both sides have the same words in the same order, but for case, and have some.
        complex_words: content words of the complex side.
        conflicts: names and numbers lost that face as many new ones.
        lost: complex content words without a link.
        uncovered: those of them in whose place nothing new stands.
        new: simple content words without a link, and links to similar words; a word that the complex side has too
            is new only where it stands in the place of others.
        moved: share of the linked content words that changed places.
        splits: into how many more sentences the content was parted.
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
    """Return everything that the class of a unit depends on, but for the thresholds."""
    links, runs, splits = unit.content_links, unit.replacements, units.split_points(unit)
    words, simple = ([word.folded for word in side] for side in (unit.complex_words, unit.simple_words))
    known = set(words)
    # the parts of a split sentence name their subject again, and so do added words
    new_by_run = [
        [p for p in run.simple if unit.simple_words[p].folded not in known or (run.complex and not splits)]
        for run in runs
    ]
    lost = [unit.complex_words[p] for run in runs for p in run.complex]
    new = [unit.simple_words[p] for run in new_by_run for p in run]
    return Features(
        same=words == simple != [],
        complex_words=unit.content_words[0],
        sides=(
            _side(unit.complex_words, [link.complex for link in links]),
            _side(unit.simple_words, [link.simple for link in links]),
        ),
        conflicts=_conflicts(lost, new),
        lost=len(lost),
        uncovered=sum(len(run.complex) for run, new_words in zip(runs, new_by_run, strict=True) if not new_words),
        new=len(new) + unit.reworded,
        moved=unit.moved / max(len(links), 1),
        splits=splits,
    )


def decide(facts: Features, config: RewritingConfig) -> Rewriting:
    """Return the class of a unit with these features; one without any simple word is not aligned."""
    if facts.same and not facts.splits:
        return Rewriting.COPY
    coverage = max(side.coverage(config.name_weight) for side in facts.sides)
    if coverage == 0 or coverage < config.min_coverage or facts.conflicts > config.max_conflicts:
        return Rewriting.NOT_ALIGNED
    if facts.splits:
        return Rewriting.SPLITTING_PARAPHRASE if facts.new else Rewriting.SPLITTING
    paraphrase = bool(facts.new) or facts.moved >= config.min_moved
    deletion = _deletion(facts, config)
    if paraphrase:
        return Rewriting.DELETION_PARAPHRASE if deletion else Rewriting.PARAPHRASE
    return Rewriting.DELETION if deletion else Rewriting.COPY


def _deletion(facts: Features, config: RewritingConfig) -> bool:
    if not facts.new:
        return facts.lost > 0
    excess = max(facts.uncovered, facts.lost - config.words_per_new * facts.new)
    return excess > 0 and excess >= config.min_deleted * facts.complex_words


def _side(words: Sequence[Word], linked: Sequence[int]) -> Side:
    content = [word for word in words if not word.light]
    names, common = sum(word.name for word in content), sum(words[k].name for k in linked)
    return Side(names, len(content) - names, common, len(linked) - common)


def _conflicts(lost: list[Word], new: list[Word]) -> int:
    """Count numbers lost that face new numbers, and names lost that face new names."""
    numbers = min(sum(word.number for word in lost), sum(word.number for word in new))
    return numbers + min(sum(word.name for word in lost), sum(word.name for word in new))


CLASSES = tuple(kind.value for kind in Rewriting)
_PARAPHRASES = {Rewriting.PARAPHRASE, Rewriting.DELETION_PARAPHRASE, Rewriting.SPLITTING_PARAPHRASE}
GROUPS: Mapping[str, frozenset[Rewriting]] = {
    "complex rewrites": frozenset({Rewriting.DELETION_PARAPHRASE, Rewriting.SPLITTING_PARAPHRASE}),
    "any paraphrase or deletion": frozenset(_PARAPHRASES | {Rewriting.DELETION}),
}
"""Classes that Jiang et al. 2020 take together: in the caption of Figure 2, and in section 5.3.2 about Figure 3."""

_WORDS, _EDITS = tuple(WordOperations.__dataclass_fields__), tuple(EditOperations.__dataclass_fields__)
_LENGTHS, _RATES = _EDITS[:2], _EDITS[2:]
PARTS: Mapping[str, tuple[str, ...]]
PARTS = {"classes": CLASSES, "groups": tuple(GROUPS), "word_operations": _WORDS, "edit_rates": _RATES}
"""Measures, all in percent: classes and groups of all units, word operations of the aligned ones, edit rates of
their content words: kept, substituted, deleted and moved per complex word, inserted and written per simple word.
Results name a part `classes.copy`."""


@dataclass(frozen=True)
class Rewritings:
    """The class and the operations of each unit, in order; operations are counted in aligned units only."""

    classes: list[Rewriting]
    edits: list[EditOperations]
    words: list[WordOperations]


def rewritings(texts: Iterable[Unit]) -> Rewritings:
    """Return classes and operations of all units, by the default thresholds."""
    config = RewritingConfig()
    found = Rewritings([], [], [])
    for aligned in map(units.align_unit, texts):
        found.classes.append(decide(features(aligned), config))
        counted = found.classes[-1] != Rewriting.NOT_ALIGNED
        found.edits.append(units.edit_operations(aligned, config.words_per_new) if counted else EditOperations())
        found.words.append(units.word_operations(aligned, config.words_per_new) if counted else WordOperations())
    return found


def rewriting_statistics(versions: Sequence[Rewritings]) -> SegmentStatistics:
    """Return the statistics of what was done to N units, in one version or in several references that count alike.

    The score is the percent of the units that are aligned, the parts are those of `PARTS`, as in `classes.copy`.
    """
    counts = np.mean([_counts(version) for version in versions], axis=0)  # (N, K)
    parts = tuple(f"{group}.{name}" for group, names in PARTS.items() for name in names)
    return SegmentStatistics(recipe(), counts, _percent, parts, "aligned")


def recipe() -> Signature:
    """Return the signature of everything that is told of kinds of rewriting."""
    return Signature.of("rewriting", language="english", **asdict(RewritingConfig()))


def _counts(rewritten: Rewritings) -> Counts:
    """For each unit: the classes, the word operations, the edits and lengths, and 1. Shape: (N, 7 + 5 + 6 + 2 + 1)."""
    columns = [[kind == name for kind in rewritten.classes] for name in CLASSES]
    columns += [[getattr(unit, name) for unit in rewritten.words] for name in _WORDS]
    columns += [[getattr(unit, name) for unit in rewritten.edits] for name in (*_RATES, *_LENGTHS)]
    return np.array([*columns, [1] * len(rewritten.classes)], dtype=np.float64).T


def _percent(sums: Counts) -> NDArray[np.float64]:
    """Return the percent of aligned units, then the parts. Shape: (..., K) to (..., 1 + P)."""
    ends = np.cumsum([len(CLASSES), len(_WORDS), len(_RATES), len(_LENGTHS)])
    classes, words, edits, lengths, number = np.split(sums, ends, axis=-1)
    aligned = number - classes[..., [CLASSES.index(Rewriting.NOT_ALIGNED)]]  # (..., 1)
    groups = [classes[..., [kind in kinds for kind in CLASSES]].sum(-1) for kinds in GROUPS.values()]
    of_simple = np.array([name in ("inserted", "written") for name in _RATES])
    per = np.where(of_simple, lengths[..., 1:], lengths[..., :1])  # (..., edit rates)
    shares = (aligned, classes, np.stack(groups, axis=-1))
    parts = [*(quotient(share, number) for share in shares), quotient(words, aligned), quotient(edits, per)]
    return 100 * np.concatenate(parts, axis=-1)
