"""Sentences as words, and words as a sentence again: where spaces and capitals stand.

The tokeniser is for models that work on words. Punctuation is cut off the edges of what stands between spaces; what
is inside stays (`don't`, `3.5`, `bean-shaped`), but the possessive `'s` is cut off. As in the Penn Treebank, straight
quotes become "``" and "`" where they open and "''" and "'" where they close, so that the way back needs no guessing.
Text that comes with its punctuation set apart by spaces is split there only, and stays so.

`Spacing` puts the spaces back between the words that a model in fairseq generates, as the corpus sets them ("Paris,
3.5" in plain text, "Paris , 3.5" in a treebank). In this order: as the source sentence has it where the same two words
meet there; a straight quotation mark by whether it opens or closes; as the training corpus mostly has it for this mark
and the kind of its neighbour; a space.

`Casing` gives capitals to the words of a model that knows none. In this order: as the complex sentence writes the word
elsewhere than at a sentence's start; as the simple sentences of the training corpus mostly write it inside a sentence;
as the complex sentence writes it at its start. A sentence then begins with a capital where the complex one does.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from textsimp.core.settings import NonNegative, read_as

_QUOTE = '"'
_PLAIN = ("a", "0", "000")  # kinds of words that spacing takes for any word
_OPENING = frozenset("([{“‘«$£€#")
_CLOSING = frozenset(")]}”’»,.;:!?…%'")
_OPEN_QUOTES = {'"': "``", "'": "`"}
_CLOSE_QUOTES = {'"': "''", "'": "'"}
_WRITTEN = {"``": '"', "`": "'", "''": '"'}
_POSSESSIVES = frozenset(("'s", "’s"))
_SET_APART = frozenset((",", ".", "?", "!", "'s"))
_SENTENCE_END = frozenset(".!?")
_EDGES = re.compile(r"^([\"'(\[{“‘«$£€#]*)(.*?)([)\]}”’»,.;:!?…%\"']*)$", re.DOTALL)
_MARKS = re.compile(r"\.\.\.|.", re.DOTALL)
_POSSESSIVE = re.compile(r"^(.+)(['’][sS])$", re.DOTALL)
_DASHES = re.compile(r"([—–]|--+)")


def tokenise(text: str) -> list[str]:
    """Return the words and punctuation marks of one sentence or more, in their own case."""
    if is_tokenised(text):
        return text.split()
    tokens: list[str] = []
    open_quotes = 0
    for chunk in text.split():
        if chunk == '"':  # only counting tells which side it is
            tokens.append(_CLOSE_QUOTES[chunk] if open_quotes % 2 else _OPEN_QUOTES[chunk])
        else:
            tokens.extend(_split(chunk))
        open_quotes += chunk.count('"')
    return tokens


def detokenise(tokens: Sequence[str], spaced: bool = False) -> str:
    """Join tokens: punctuation to its word and quotes straight, or all as it is where `spaced`."""
    if spaced:
        return " ".join(tokens)
    text = ""
    glued = True  # whether the next token joins what stands before it
    for token in tokens:
        mark = token[0] if len(set(token)) == 1 else ""
        joins_left = token == "''" or mark in _CLOSING or token.lower() in _POSSESSIVES
        text += ("" if glued or joins_left else " ") + _WRITTEN.get(token, token)
        glued = token in ("``", "`") or mark in _OPENING
    return text


def is_tokenised(text: str) -> bool:
    """Return whether the text came with its punctuation set apart by spaces."""
    return not _SET_APART.isdisjoint(text.split())


def sentence_starts(tokens: Sequence[str]) -> list[int]:
    """Return the positions of the first word of every sentence; quotes and brackets before it are passed over."""
    starts: list[int] = []
    awaited = True
    for index, token in enumerate(tokens):
        if awaited and token[:1].isalnum():
            starts.append(index)
            awaited = False
        elif token in _SENTENCE_END:
            awaited = True
    return starts


def capitalise(tokens: Sequence[str]) -> list[str]:
    """Return the tokens with the first word of every sentence capitalised."""
    result = list(tokens)
    for index in sentence_starts(tokens):
        result[index] = tokens[index][:1].upper() + tokens[index][1:]
    return result


def _split(chunk: str) -> list[str]:
    if not any(character.isalnum() for character in chunk):
        return [chunk] if len(set(chunk)) == 1 else _MARKS.findall(chunk)
    ((before, inside, after),) = _EDGES.findall(chunk)
    parts = [part for part in _DASHES.split(inside) if part]
    if (possessive := _POSSESSIVE.match(parts[-1])) is not None:
        parts[-1:] = possessive.groups()
    opening = [_OPEN_QUOTES.get(mark, mark) for mark in before]
    closing = [_CLOSE_QUOTES.get(mark, mark) for mark in _MARKS.findall(after)]
    return [*opening, *parts, *closing]


@dataclass(frozen=True)
class Token:
    """A word of a sentence, and whether a space precedes it there."""

    text: str
    spaced: bool


class Spacing:
    """The spacing habits of a corpus: for a junction of two words, how often with and without a space."""

    def __init__(self, counts: dict[str, list[int]]) -> None:
        self.counts = counts
        self._shares = {key: spaced / (spaced + joined) for key, (spaced, joined) in counts.items()}

    @classmethod
    def learn(cls, sentences: Iterable[Sequence[Token]]) -> "Spacing":
        """Count the junctions at which at least one of the words is no plain word."""
        spaced: Counter[str] = Counter()
        joined: Counter[str] = Counter()
        for tokens in sentences:
            for left, right in pairwise(tokens):
                for key in _keys(left.text, right.text):
                    (spaced if right.spaced else joined)[key] += 1
        return cls({key: [spaced[key], joined[key]] for key in sorted(spaced.keys() | joined.keys())})

    @classmethod
    def of(cls, path: Path) -> "Spacing":
        """Read the counts of a file; `InputError` where it holds anything else."""
        counts = read_as(path, dict[str, tuple[NonNegative, NonNegative]])
        return cls({key: list(pair) for key, pair in counts.items() if any(pair)})

    def join(self, words: Sequence[str], source: Sequence[Token]) -> str:
        """Return one line of text from words; `source` is the complex sentence that they simplify."""
        if not words:
            return ""
        seen = _junctions(source)
        text = words[0]
        quotes = text.count(_QUOTE)
        for left, right in pairwise(words):
            spaced = seen.get((left.lower(), right.lower()))
            if spaced is None and (spaced := self._quoted(left, right, quotes % 2 == 1)) is None:
                spaced = next((self._shares[key] >= 0.5 for key in _keys(left, right) if key in self._shares), True)
            text += " " + right if spaced else right
            quotes += right.count(_QUOTE)
        return text

    def _quoted(self, left: str, right: str, inside: bool) -> bool | None:
        """Return whether a space goes beside a straight quotation mark; None where the mark does not settle it."""
        if _QUOTE not in (left, right) or self._sets_quotes_off():
            return None
        if right == _QUOTE:
            return not inside
        return False if inside else (True if _kind(right) in _PLAIN else None)

    def _sets_quotes_off(self) -> bool:
        """Return whether the corpus has spaces on both sides of a quotation mark, as treebanks do."""
        return all(self._shares.get(key, 0) > 0.9 for key in (f"{_QUOTE}|w", f"*|{_QUOTE}"))


def _junctions(source: Sequence[Token]) -> dict[tuple[str, str], bool | None]:
    """Return neighbours in lower case -> whether a space is between them; None where it is so once and not again."""
    seen: dict[tuple[str, str], bool | None] = {}
    for left, right in pairwise(source):
        pair = (left.text.lower(), right.text.lower())
        seen[pair] = right.spaced if seen.get(pair, right.spaced) == right.spaced else None
    return seen


def _keys(left: str, right: str) -> list[str]:
    """Return the classes of a junction, the most specific first; none for two plain words.

    A mark stands for itself, a plain word for `a`, a number for `0` or `000`, each of these for `w`, anything for `*`.
    """
    kinds = (_kind(left), _kind(right))
    exact = "|".join(kinds)
    if kinds[1] not in _PLAIN:
        return [exact, f"*|{kinds[1]}"]
    return [exact, f"{kinds[0]}|w"] if kinds[0] not in _PLAIN else []


def _kind(word: str) -> str:
    if word.replace(" ", "").isalpha():
        return "a"
    if word.isdigit() and len(word) == 3:
        return "000"  # mostly the end of 1,000
    return "0" if word[:1].isdigit() else word


class Casing:
    """Forms of words inside a sentence: word in lower case -> how it is written."""

    def __init__(self, forms: Mapping[str, str]) -> None:
        self.forms = forms

    @classmethod
    def learn(cls, sentences: Iterable[Sequence[str]]) -> "Casing":
        """Learn the most frequent form of each word that stands inside a sentence; ties by code point."""
        forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for words in sentences:
            starts = set(sentence_starts(words))
            for position, word in enumerate(words):
                if position not in starts:
                    forms[word.lower()][word] += 1
        rows = sorted(forms.items())
        return cls({word: min(counts, key=lambda form: (-counts[form], form)) for word, counts in rows})

    @classmethod
    def of(cls, path: Path) -> "Casing":
        """Read the forms of a file; `InputError` where it holds anything else."""
        return cls(read_as(path, dict[str, str]))

    def names(self) -> set[str]:
        """Return words in lower case that are mostly written otherwise."""
        return {word for word, written in self.forms.items() if word != written}

    def write(self, words: Sequence[str], source: Sequence[str], written: Sequence[str]) -> list[str]:
        """Return words with their capitals.

        Args:
            words: mostly in lower case.
            source, written: words of the complex sentence as the model read them, and as they are written.
        """
        starts = sentence_starts(written)
        seen = {source[start]: written[start] for start in starts}
        seen |= {word: self.forms[word] for word in seen if word in self.forms}
        seen |= {word: written[index] for index, word in enumerate(source) if index not in starts}
        result = [seen.get(word, self.forms.get(word, word)) if word.islower() else word for word in words]
        return capitalise(result) if starts and written[starts[0]][:1].isupper() else result
