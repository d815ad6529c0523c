"""Sentences of dev and test sets that stand in training pairs, by the set that has them (F2).

Jiang et al. 2020, section 5.1: no sentence of a test set may be trained on. The filter `leak` drops such pairs; here it
is counted whose sentences they had.
"""

from collections.abc import Iterable, Mapping

from textsimp.corpora.filters import protect
from textsimp.corpora.text import comparable
from textsimp.errors import InputError

Protected = Mapping[str, frozenset[str]]
"""By set, the comparable forms of its sentences."""


def protected_sets(sets: Mapping[str, Iterable[str]]) -> Protected:
    """The comparable forms of the sentences of each set (`EvaluationSet.sentences`: those of all sides).

    Raises:
        InputError: a set without sentences, which would protect nothing.
    """
    forms = {name: protect(sentences) for name, sentences in sets.items()}
    if empty := [name for name, known in forms.items() if not known]:
        raise InputError(f"held-out set {empty[0]}: no sentences; acquire it again")
    return forms


def everything(protected: Protected) -> frozenset[str]:
    """The forms of all sets together."""
    return frozenset().union(*protected.values())


def count_leaks(pairs: Iterable[tuple[str, str]], protected: Protected) -> dict[str, int]:
    """By set, how many pairs have a sentence of it on either side; a pair counts for every set that has its sentence.

    Args:
        pairs: (complex, simple).
        protected: see `protected_sets`.
    """
    counts = dict.fromkeys(protected, 0)
    for pair in pairs:
        sides = set(map(comparable, pair))
        for name, known in protected.items():
            counts[name] += not known.isdisjoint(sides)
    return counts
