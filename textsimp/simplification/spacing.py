"""Putting the spaces back between generated words, as the corpus sets them.

A generated sentence is a list of words; whether a space belongs between two of them depends on the corpus (plain
text has "Paris, 3.5", treebank text "Paris , 3.5"). In this order: as the source sentence has it, where the same two
words meet there; a straight quotation mark by whether it opens or closes; as the training corpus mostly has it for
this mark and the kind of its neighbour; a space.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

QUOTE = '"'
PLAIN = ("a", "0", "000")


@dataclass(frozen=True)
class Token:
    """A word of a sentence, and whether a space precedes it there."""

    text: str
    spaced: bool


class Spacing:
    """The spacing habits of a corpus: for a junction of two words, how often with and without a space."""

    def __init__(self, counts: dict[str, list[int]]) -> None:
        self._counts = counts

    @classmethod
    def learn(cls, sentences: Iterable[Sequence[Token]]) -> "Spacing":
        """Count the junctions at which at least one of the words is no plain word."""
        spaced: Counter[str] = Counter()
        joined: Counter[str] = Counter()
        for tokens in sentences:
            for left, right in zip(tokens[:-1], tokens[1:], strict=True):
                for key in _keys(left.text, right.text):
                    (spaced if right.spaced else joined)[key] += 1
        return cls({key: [spaced[key], joined[key]] for key in sorted(spaced.keys() | joined.keys())})

    def to_json(self) -> dict[str, list[int]]:
        """The counts, for the constructor."""
        return self._counts

    def join(self, words: Sequence[str], source: Sequence[Token]) -> str:
        """One line of text from words; `source` is the complex sentence that they simplify."""
        if not words:
            return ""
        seen = _junctions(source)
        text = words[0]
        quotes = text.count(QUOTE)
        for left, right in zip(words[:-1], words[1:], strict=True):
            spaced = seen.get((left.lower(), right.lower()))
            if spaced is None:
                spaced = self._quoted(left, right, quotes % 2 == 1)
            if spaced is None:
                spaced = self._majority(left, right)
            text += " " + right if spaced else right
            quotes += right.count(QUOTE)
        return text

    def _quoted(self, left: str, right: str, inside: bool) -> bool | None:
        """Whether a space goes beside a straight quotation mark; None where the mark does not settle it.

        `inside` says whether a quotation is open behind `left`.
        """
        if QUOTE not in (left, right) or self._sets_quotes_off():
            return None
        if right == QUOTE:
            return not inside
        return False if inside else (True if _kind(right) in PLAIN else None)

    def _sets_quotes_off(self) -> bool:
        """Whether the corpus has spaces on both sides of a quotation mark, as treebanks do."""
        keys = (f"{QUOTE}|w", f"*|{QUOTE}")
        return all(key in self._counts and self._share(key) > 0.9 for key in keys)

    def _majority(self, left: str, right: str) -> bool:
        for key in _keys(left, right):
            if key in self._counts:
                return self._share(key) >= 0.5
        return True

    def _share(self, key: str) -> float:
        """How often a junction of this class has a space, from 0 to 1; 1 where it was never met."""
        spaced, joined = self._counts.get(key, (1, 0))
        return spaced / (spaced + joined)


def _junctions(source: Sequence[Token]) -> dict[tuple[str, str], bool | None]:
    """Pairs of neighbours in lower case -> whether a space is between them; None where it is so once and not again."""
    seen: dict[tuple[str, str], bool | None] = {}
    for left, right in zip(source[:-1], source[1:], strict=True):
        pair = (left.text.lower(), right.text.lower())
        seen[pair] = right.spaced if seen.get(pair, right.spaced) == right.spaced else None
    return seen


def _keys(left: str, right: str) -> list[str]:
    """The classes of a junction, the most specific first; none for two plain words.

    A mark stands for itself, a plain word for `a`, a number for `0` or `000`, each of these for `w`, anything for `*`.
    """
    kinds = (_kind(left), _kind(right))
    exact = "|".join(kinds)
    if kinds[1] not in PLAIN:
        return [exact, f"*|{kinds[1]}"]
    return [exact, f"{kinds[0]}|w"] if kinds[0] not in PLAIN else []


def _kind(word: str) -> str:
    if word.replace(" ", "").isalpha():
        return "a"
    if word.isdigit() and len(word) == 3:
        return "000"  # mostly the end of 1,000
    return "0" if word[:1].isdigit() else word
