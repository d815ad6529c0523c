"""What is learned from but not made: edits that are right elsewhere, where their neighbours speak against them."""

from collections.abc import Sequence

from textsimp.simplification.edit_tagger.edit_candidates import KINDS, Edit
from textsimp.simplification.edit_tagger.word_classes import (
    CONJUNCTIONS,
    MARKS,
    PAST_VERBS,
    PREPOSITIONS,
    RELATIVES,
    VERBS,
)

_MISREAD = frozenset(
    "again contemporary continued developed especially form formed generated just now occur occurs original particular"
    " portrayed portrays represents then widespread".split()
)
"""Words that the list has where the sentence says so, and that were wrong in most of the sentences that were read."""
_INSIDE = frozenset("/@_#&=")
"""What stands between the words of an address."""
_AFTER_NOUN = VERBS | PREPOSITIONS | CONJUNCTIONS | RELATIVES | MARKS


def is_doubtful(edit: Edit, texts: Sequence[str]) -> bool:
    """Whether the folded words of a sentence speak against an edit.

    `required to` is no need, an `individual` before a noun no person, and what follows a new full stop no sentence if
    all that could be its verb is a participle (`a device strapped to his back`).
    """
    after = texts[edit.end] if edit.end < len(texts) else "."
    last = texts[edit.end - 1]
    if edit.start and texts[edit.start - 1] in _INSIDE or after in _INSIDE:
        return True
    if (last == "required" and after == "to") or (last == "individual" and after not in _AFTER_NOUN):
        return bool(edit.target)
    if KINDS[edit.kind] == "judged" and (last in _MISREAD or texts[max(0, edit.start - 1)] in ("best", "better")):
        return True
    if KINDS[edit.kind] != "split" or len(edit.target) > 1:
        return False
    rest = texts[edit.end :]
    finite = VERBS | PAST_VERBS
    return not any(
        word in finite or (word.endswith("ed") and following not in PREPOSITIONS | {"to", "by", "of"})
        for word, following in zip(rest, [*rest[1:], "."], strict=True)
    )
