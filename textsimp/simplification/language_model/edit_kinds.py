"""The kinds of edits that make an output of a sentence, and how often readers found each kind right.

An edit is what is removed at one place and what is inserted there. Words of closed classes stand for themselves,
others for their class: `, which -> . this`, `ADV ->`. The weights of the kinds were fitted to read outputs, beside
those of the other measures of a confidence (`experiments/confidence.py`).
"""

from collections import defaultdict
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from textsimp.core.reading import read_json

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

EDIT_WEIGHTS = Path(__file__).with_name("edit_weights.json")
_CLOSED = frozenset(("ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "PUNCT", "SCONJ"))
_ONE = {"she": "he", "her": "his", "hers": "his", "him": "his"}  # what is said of women and men is judged alike
_LONGEST = 6  # tokens of an edit that is a kind as a whole
_MANY = 10  # longer edits count as this long


def edit_kinds(before: "Doc", after: "Doc") -> dict[str, float]:
    """Return what the edits between two parsed texts are like, as means over the edits; nothing without edits.

    A sum would prefer outputs of many edits, each of a good kind, over those of few.

    Returns:
        The share of edits of each kind as a whole (`, which -> . this`), of those that remove (`-which`) or insert
        (`+it`) a word or class, and of those that remove alone; and the tokens removed and inserted, in tens.
    """
    old, new = ([token for token in doc if not token.is_space] for doc in (before, after))
    kinds: dict[str, float] = defaultdict(float)
    matcher = SequenceMatcher(None, [token.lower_ for token in old], [token.lower_ for token in new], autojunk=False)
    edits = [places for tag, *places in matcher.get_opcodes() if tag != "equal"]
    for start, end, first, last in edits:
        removed, inserted = list(map(_form, old[start:end])), list(map(_form, new[first:last]))
        if len(removed) + len(inserted) <= _LONGEST:
            kinds[" ".join([*removed, "->", *inserted])] += 1
        for kind in sorted({f"-{form}" for form in removed} | {f"+{form}" for form in inserted}):
            kinds[kind] += 1
        kinds["deletion"] += not inserted
        for name, forms in (("removed", removed), ("inserted", inserted)):
            kinds[name] += min(len(forms) / _MANY, 1)
    return {kind: count / len(edits) for kind, count in kinds.items() if count}


def _form(token: "Token") -> str:
    return _ONE.get(token.lower_, token.lower_) if token.pos_ in _CLOSED else token.pos_


@cache
def _weights() -> dict[str, float]:
    weights: dict[str, float] = read_json(EDIT_WEIGHTS)
    return weights


def edit_score(before: "Doc", after: "Doc") -> float:
    """Return the mean weight of the edits between two parsed texts; kinds that were not read weigh nothing."""
    return sum(_weights().get(kind, 0.0) * count for kind, count in edit_kinds(before, after).items())
