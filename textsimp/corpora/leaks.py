"""Sentences of test and tune sets out of training pairs that come without an alignment file (F2).

Jiang et al. 2020, section 5.1: no sentence of a test set may be trained on. `build` does this for aligned documents;
here it is done for pairs that a release gives directly, and the count of each set is reported.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from textsimp.corpora.filters import protect
from textsimp.corpora.text import comparable
from textsimp.errors import InputError
from textsimp.records import SentencePair


@dataclass(frozen=True)
class Protected:
    """What is left of training pairs, in their order.

    Attributes:
        pairs: the pairs of which no side is a held-out sentence.
        removed: by set, how many pairs a sentence of it removed; a pair counts for every set that has its sentence.
        total: how many pairs were removed; not the sum, where sets share sentences.
    """

    pairs: list[SentencePair]
    removed: dict[str, int]
    total: int


def without_held_out(pairs: Iterable[SentencePair], held_out: Mapping[str, Iterable[str]]) -> Protected:
    """Remove the pairs of which a side is, up to case, spacing, punctuation and brackets, a held-out sentence.

    Args:
        pairs: training pairs.
        held_out: by name of a test or tune set, its sentences of all sides (`EvaluationSet.sentences`).

    Raises:
        InputError: a set without sentences, which would protect nothing.
    """
    forms = {name: protect(sentences) for name, sentences in held_out.items()}
    if empty := [name for name, known in forms.items() if not known]:
        raise InputError(f"held-out set {empty[0]}: no sentences; acquire it again")
    kept, removed, total = [], dict.fromkeys(forms, 0), 0
    for pair in pairs:
        sides = {comparable(pair.complex), comparable(pair.simple)}
        found = [name for name, known in forms.items() if not known.isdisjoint(sides)]
        for name in found:
            removed[name] += 1
        if found:
            total += 1
        else:
            kept.append(pair)
    return Protected(kept, removed, total)
