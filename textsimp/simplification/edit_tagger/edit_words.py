"""A sentence as the words that are kept, deleted and replaced; kept ones stay as they are written, spaces included."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(
    r"-[lr][rsc]b-"  # brackets of a treebank
    r"|``|''|\.\.\."
    r"|(?:[^\W\d_]\.){2,}"  # U.S.
    r"|\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s)?\b"
    r"|['’]s\b"
    r"|[^\W_]+(?:[-'’](?!s\b)[^\W_]+)*"
    r"|\S",
    re.IGNORECASE,
)
_FOLDED = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "``": '"', "''": '"', "“": '"', "”": '"', "’s": "'s"}


@dataclass(frozen=True)
class EditWord:
    """A word or a punctuation mark.

    Attributes:
        text: as written.
        folded: lower-cased, brackets and quotes as plain text has them: what rules and the encoder read.
        spaced: whether a space precedes it.
    """

    text: str
    folded: str
    spaced: bool

    @property
    def is_word(self) -> bool:
        """Whether it is more than a mark."""
        return self.folded[0].isalnum() or self.folded == "'s"


def edit_words(text: str) -> list[EditWord]:
    """The words and marks of a text, in order."""
    words = []
    for match in _WORD.finditer(text):
        word, start = match[0], match.start()
        lower = word.lower()
        words.append(EditWord(word, _FOLDED.get(lower, lower), start > 0 and text[start - 1].isspace()))
    return words


def folded(words: Sequence[EditWord]) -> list[str]:
    """The folded form of each."""
    return [word.folded for word in words]
