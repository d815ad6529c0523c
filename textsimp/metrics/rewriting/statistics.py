"""Kinds of rewriting as sums over units, so that they are resampled and compared like any other score (F1)."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.rewriting.classes import Rewriting
from textsimp.metrics.rewriting.distribution import CLASSES, Rewritings
from textsimp.metrics.rewriting.operations import EditOperations, WordOperations
from textsimp.metrics.score import Signature
from textsimp.metrics.statistics import Counts, SegmentStatistics, quotient

Parts: TypeAlias = dict[str, tuple[str, ...]]

_PARAPHRASES = {Rewriting.PARAPHRASE, Rewriting.DELETION_PARAPHRASE, Rewriting.SPLITTING_PARAPHRASE}
GROUPS: Mapping[str, frozenset[Rewriting]] = {
    "complex rewrites": frozenset({Rewriting.DELETION_PARAPHRASE, Rewriting.SPLITTING_PARAPHRASE}),
    "any paraphrase or deletion": frozenset(_PARAPHRASES | {Rewriting.DELETION}),
}
"""Classes that Jiang et al. 2020 take together: in the caption of Figure 2, and in section 5.3.2 about Figure 3."""

_WORDS = tuple(WordOperations.__dataclass_fields__)
_RATES = tuple(EditOperations().rates())
_LENGTHS = ("complex_words", "simple_words")
PARTS: Parts = {
    "classes": tuple(kind.value for kind in CLASSES),
    "groups": tuple(GROUPS),
    "word_operations": _WORDS,
    "edit_rates": _RATES,
}
"""What is measured, all in percent: classes and groups of all units, word operations of the aligned ones, edit rates of
their content words (see `EditOperations.rates`)."""

ALIGNED = "aligned"


def rewriting_statistics(versions: Sequence[Rewritings], recipe: Signature) -> SegmentStatistics:
    """The statistics of what was done to N units.

    Args:
        versions: of the same units; several for several references, of which each counts alike.

    Returns:
        The score is the percent of the units that are aligned, the parts are those of `PARTS`.

    Raises:
        ValueError: there is no unit or no version, or their numbers of units differ.
    """
    if not versions or not versions[0].classes or len({len(found.classes) for found in versions}) > 1:
        raise ValueError("needs as many units in every version, one at least")
    counts = np.mean([_counts(found) for found in versions], axis=0)  # (N, K)
    return SegmentStatistics(recipe, counts, _percent, tuple(name for names in PARTS.values() for name in names))


def _counts(found: Rewritings) -> Counts:
    """For each unit: the classes, the word operations, the edits and lengths, and 1. Shape: (N, 7 + 5 + 6 + 2 + 1)."""
    columns = [[kind == name for kind in found.classes] for name in CLASSES]
    columns += [[getattr(unit, name) for unit in found.words] for name in _WORDS]
    columns += [[getattr(unit, name) for unit in found.edits] for name in (*_RATES, *_LENGTHS)]
    return np.array([*columns, [1] * len(found.classes)], dtype=np.float64).T


def _percent(sums: Counts) -> NDArray[np.float64]:
    """Percent of aligned units, then the parts. Shape: (..., K) to (..., 1 + P)."""
    ends = np.cumsum([len(CLASSES), len(_WORDS), len(_RATES), len(_LENGTHS)])
    classes, words, edits, lengths, units = np.split(sums, ends, axis=-1)
    aligned = units - classes[..., [CLASSES.index(Rewriting.NOT_ALIGNED)]]  # (..., 1)
    groups = [classes[..., [kind in kinds for kind in CLASSES]].sum(-1) for kinds in GROUPS.values()]
    of_simple = np.array([name in ("inserted", "written") for name in _RATES])
    per = np.where(of_simple, lengths[..., 1:], lengths[..., :1])  # (..., edit rates)
    shares = (aligned, classes, np.stack(groups, axis=-1))
    parts = [*(quotient(share, units) for share in shares), quotient(words, aligned), quotient(edits, per)]
    return 100 * np.concatenate(parts, axis=-1)
