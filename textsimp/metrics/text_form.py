"""The form of a test set's text: as it was released, or as TURK's, so that other texts can be held against it.

TURK and the outputs released for it are lower-case Penn Treebank tokens. ASSET has the same sentences cased and
untokenised: split at white space, hardly a word at a full stop or comma would equal one of TURK's.
"""

from collections.abc import Sequence

from textsimp.errors import InputError
from textsimp.metrics.sentences import split_sentences, split_words

RELEASED, TREEBANK = "released", "treebank"
FORMS = (RELEASED, TREEBANK)
_WRITTEN = {
    **{"``": '"', "''": '"'},
    **{"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"},
}


def checked_form(name: str) -> str:
    """The name of a form; `InputError` where there is none of this name."""
    if name not in FORMS:
        raise InputError(f"text form {name!r}: unknown; there is {', '.join(FORMS)}")
    return name


def in_form(lines: Sequence[str], form: str) -> list[str]:
    """Lines in one of `FORMS`; `InputError` for another name."""
    return [treebank_form(line) for line in lines] if checked_form(form) == TREEBANK else list(lines)


def treebank_form(line: str) -> str:
    """A line as TURK has it: Penn Treebank tokens parted by spaces, in lower case, straight quotes, `-lrb-` for `(`.

    Lines that have this form keep it, but for rare ones: an abbreviation that no list has loses its full stop.
    """
    words = (word for sentence in split_sentences(line) for word in split_words(sentence))
    return " ".join(_WRITTEN.get(word, word) for word in words).lower()


def lines_of_other_form(lines: Sequence[str]) -> int:
    """How many lines `treebank_form` would change."""
    return sum(treebank_form(line) != line for line in lines)
