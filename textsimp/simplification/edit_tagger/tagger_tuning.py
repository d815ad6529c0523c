"""The biases of an edit tagger, chosen for SARI on dev by going up and down in one after the other.

SARI gives most to those who change much; `prior` is what a step away from zero has to gain, so that edits which the
network thinks unlikely are not made for a few hundredths of a point.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from textsimp.metrics.sari import SariRecipe, sari
from textsimp.simplification.edit_tagger.edit_candidates import KINDS
from textsimp.simplification.edit_tagger.edit_choice import Biases, choose
from textsimp.simplification.edit_tagger.edit_words import edit_words
from textsimp.simplification.edit_tagger.edited_text import edited
from textsimp.simplification.edit_tagger.trained_tagger import EditTagger

_UNCHANGED = "unchanged"
_STEP = 0.5
_PRIOR = 0.03
"""Points of SARI for a bias of 1."""
_ROUNDS = 3


@dataclass(frozen=True)
class TuningSet:
    """Sentences with R columns of references, and the SARI that is meant."""

    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    recipe: SariRecipe


def tune(tagger: EditTagger, sets: Sequence[TuningSet], max_bias: float, max_unchanged: float) -> Biases:
    """The biases, multiples of 0.5 up to the given ones, with the best mean SARI over the sets."""
    words = [[edit_words(" ".join(text.split())) for text in tuning_set.sources] for tuning_set in sets]
    offers = [tagger.judged(rows) for rows in words]

    def value(biases: Biases) -> float:
        total = 0.0
        for tuning_set, rows, judged in zip(sets, words, offers, strict=True):
            outputs = []
            for sentence, windows in zip(rows, judged, strict=True):
                edits = [edit for offered, z in windows for edit in choose(offered, z, biases, 1)[0].edits]
                outputs.append(edited(sentence, edits))
            score = sari(tuning_set.sources, outputs, tuning_set.references, tuning_set.recipe)
            total += score.value / len(sets)
        return total - _PRIOR * sum(map(abs, [*biases.kinds.values(), biases.unchanged]))

    best = Biases(dict.fromkeys(KINDS, 0.0), min(1.0, max_unchanged))
    if not sets or not all(tuning_set.sources for tuning_set in sets):
        return best
    reached = value(best)
    for _ in range(_ROUNDS):
        before = reached
        for name in (_UNCHANGED, *KINDS):
            limit = max_unchanged if name == _UNCHANGED else max_bias
            for direction in (_STEP, -_STEP):
                for moved in _moves(best, name, direction, limit):
                    gained = value(moved)
                    if gained <= reached:
                        break
                    best, reached = moved, gained
        if reached == before:
            break
    return best


def _moves(biases: Biases, name: str, step: float, limit: float) -> Iterator[Biases]:
    """One bias moved on, step after step."""
    while True:
        moved = (biases.unchanged if name == _UNCHANGED else biases.kinds[name]) + step
        if abs(moved) > limit or (name == _UNCHANGED and moved < 0):
            return
        if name == _UNCHANGED:
            biases = Biases(biases.kinds, moved)
        else:
            biases = Biases({**biases.kinds, name: moved}, biases.unchanged)
        yield biases
