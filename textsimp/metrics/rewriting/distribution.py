"""How often each kind of rewriting occurs in a corpus or in a system's outputs, as Figures 2 and 3 show it (F1).

Figures 2 and 3 of Jiang et al. 2020 are shares of 100 random pairs, sorted by hand; these are shares of all units,
sorted by `classes`, in percent, with 95 percent bootstrap intervals over the units. Operations are counted over the
units that are aligned, as Coster and Kauchak 2011 counted theirs over aligned pairs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.resampling import Counts, Resampling, paired_bootstrap
from textsimp.metrics.rewriting.classes import Rewriting, RewritingConfig, classify
from textsimp.metrics.rewriting.operations import EditOperations, WordOperations, edit_operations, word_operations
from textsimp.metrics.rewriting.pairs import Unit, UnitAligner
from textsimp.metrics.score import Signature

CLASSES = tuple(Rewriting)
_NAMES = tuple(field.name for field in fields(WordOperations))


@dataclass(frozen=True)
class Rewritings:
    """What a corpus or a system did to its units.

    Attributes: for each unit, in order; both kinds of operations are counted in aligned units only.
        classes: the kind of rewriting.
        edits: edit operations.
        words: Coster and Kauchak's word operations.
    """

    classes: tuple[Rewriting, ...]
    edits: tuple[EditOperations, ...]
    words: tuple[WordOperations, ...]

    @property
    def aligned(self) -> int:
        """Units that are aligned."""
        return sum(kind != Rewriting.NOT_ALIGNED for kind in self.classes)


def rewritings(units: Iterable[Unit], aligner: UnitAligner, config: RewritingConfig) -> Rewritings:
    """Classes and operations of all units."""
    classes, edits, words = [], [], []
    for unit in units:
        aligned = aligner.align(unit)
        classes.append(classify(aligned, config))
        counted = classes[-1] != Rewriting.NOT_ALIGNED
        edits.append(edit_operations(aligned, config.words_per_new) if counted else EditOperations())
        words.append(word_operations(aligned, config.words_per_new) if counted else WordOperations())
    return Rewritings(tuple(classes), tuple(edits), tuple(words))


def shares(found: Rewritings, resampling: Resampling) -> dict[str, Any]:
    """Shares of the classes and rates of the operations, ready for JSON.

    Returns:
        `units`, `aligned`: counts. `classes`: `{class: {share, low, high}}`, percent of all units.
        `word_operations`: percent of the aligned units that have each of Coster and Kauchak's operations (Table 2).
        `edits`: counts, summed over the aligned units; `edit_rates`: see `EditOperations.rates`.

    Raises:
        ValueError: there is no unit.
    """
    if not found.classes:
        raise ValueError("no unit to take shares of")
    aligned, edits = found.aligned, sum(found.edits, EditOperations())
    words = {name: sum(getattr(unit, name) for unit in found.words) for name in _NAMES}
    return {
        "units": len(found.classes),
        "aligned": aligned,
        "classes": {kind.value: _share(found, kind, resampling) for kind in CLASSES},
        "word_operations": {name: 100 * count / max(aligned, 1) for name, count in words.items()},
        "edits": asdict(edits),
        "edit_rates": edits.rates(),
    }


def compare(systems: Mapping[str, Rewritings], resampling: Resampling) -> dict[str, Any]:
    """The shares of each system, and how far each is from the first one.

    Args:
        systems: by name, all for the same units.
        resampling: of the units, the same for both systems of a difference.

    Returns:
        `systems`: `{name: shares(...)}`. `differences`: `{name: {class: {difference, low, high, p}}}` for all but the
        first system, in percentage points.
    """
    first, *others = systems
    return {
        "systems": {name: shares(found, resampling) for name, found in systems.items()},
        "differences": {
            name: {kind.value: _difference(systems[name], systems[first], kind, resampling) for kind in CLASSES}
            for name in others
        },
    }


def signature(language: str, config: RewritingConfig) -> Signature:
    """The recipe of the shares."""
    return Signature.of("rewriting", language=language, **asdict(config))


def _share(found: Rewritings, kind: Rewriting, resampling: Resampling) -> dict[str, float]:
    """The interval is that of the difference to a system that never does it."""
    counts = _counts(found.classes, kind)
    never = counts * np.array([0.0, 1.0])
    difference = paired_bootstrap(counts, never, _percent, resampling.samples, resampling.seed)
    return {"share": difference.difference, "low": difference.low, "high": difference.high}


def _difference(a: Rewritings, b: Rewritings, kind: Rewriting, resampling: Resampling) -> dict[str, float]:
    counts = _counts(a.classes, kind), _counts(b.classes, kind)
    return paired_bootstrap(*counts, _percent, resampling.samples, resampling.seed).as_dict()


def _counts(classes: Sequence[Rewriting], kind: Rewriting) -> Counts:
    """Whether each unit is of that class, and 1. Shape: (units, 2)."""
    return np.array([[float(found == kind), 1.0] for found in classes])


def _percent(counts: Counts) -> NDArray[np.float64]:
    share: NDArray[np.float64] = 100 * counts[..., 0] / counts[..., 1]
    return share
