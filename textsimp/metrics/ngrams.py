"""N-gram counts of sources, outputs and references: all that any variant of SARI needs, counted once.

Everything is an integer in a sorted array. A word is tokenised once for each chunk of sentences in which it occurs,
and an n-gram is one 64-bit key of its segment, its tokens and the side that it stands on, so that equal n-grams of a
segment lie side by side after sorting. A Python loop over n-grams takes ten times as long (benchmarks/metrics.py).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.tokens import Tokenisation, tokenise

Integers: TypeAlias = NDArray[np.int64]
Side: TypeAlias = tuple[Sequence[str], Tokenisation]
"""N lines, and how they become tokens."""

MAX_ORDER = 4
SOURCE, OUTPUT, REFERENCE = range(3)
_SIDE_BITS = 2
_END = 0
"""Code of the end of a line, which is in no n-gram."""
_BLOCK = 256
CHUNK_CHARACTERS = 1 << 19
"""Text that is counted at a time; memory is about 120 bytes for each of its characters."""


@dataclass(frozen=True)
class NgramCounts:
    """Counts of one order: one row for each distinct n-gram of a segment (of its source, output or references).

    Attributes:
        segment: the segment of each row, ascending. Shape: (G,).
        source, output: how often the segment's source or output has the n-gram. Shape: (G,).
        references: the same, summed over the references. Shape: (G,).
        segments, reference_count: numbers of segments N, and of references R of every segment.
    """

    segment: Integers
    source: Integers
    output: Integers
    references: Integers
    segments: int
    reference_count: int


@dataclass(frozen=True)
class _Tokens:
    """The tokens of all lines of a chunk, one line after the other, with an `_END` after each line.

    Attributes:
        code: of each token; equal tokens have equal codes, whichever their side. Shape: (T,).
        segment, side: where it stands. Shape: (T,).
    """

    code: Integers
    segment: Integers
    side: Integers


def chunks_of_lines(sides: Sequence[Iterable[str]]) -> Iterator[list[tuple[str, ...]]]:
    """Line-aligned sides in chunks of about `CHUNK_CHARACTERS`, each a tuple of lines for every side.

    Raises:
        ValueError: the sides have different numbers of lines.
    """
    rows = zip(*sides, strict=True)
    chunk: list[tuple[str, ...]] = []
    size = 0
    while block := list(islice(rows, _BLOCK)):
        chunk += block
        size += sum(map(len, chain.from_iterable(block))) + len(block)
        if size >= CHUNK_CHARACTERS:
            yield list(zip(*chunk, strict=True))
            chunk, size = [], 0
    if chunk:
        yield list(zip(*chunk, strict=True))


def count_ngrams(source: Side, output: Side, references: Sequence[Side]) -> Iterator[NgramCounts]:
    """The counts of orders 1 to 4; an order that no segment has is empty.

    Source, output and each of the R references have N lines.
    """
    tokens = _read_tokens([source, output, *references])
    code, side = tokens.code, tokens.side
    bits = int(code.max(initial=0)).bit_length()
    real = code != _END

    def counts(keys: Integers, segment: Integers, shift: int) -> NgramCounts:
        ngrams, _, (sources, outputs, goals) = _group(np.sort(keys))
        return NgramCounts(segment[ngrams >> shift], sources, outputs, goals, len(source[0]), len(references))

    segments = np.arange(len(source[0]))
    unigrams = tokens.segment << bits | code
    yield counts((unigrams << _SIDE_BITS | side)[real], segments, bits)
    places = np.flatnonzero(real[:-1] & real[1:])
    keys = (unigrams[places] << bits | code[places + 1]) << _SIDE_BITS | side[places]
    order = np.argsort(keys)
    ngrams, number, (sources, outputs, goals) = _group(keys[order])
    bigrams = NgramCounts(ngrams >> 2 * bits, sources, outputs, goals, len(segments), len(references))
    yield bigrams
    # four tokens are too many for a key of 64 bits, two bigrams by their numbers are not; these imply the segment
    bigram = np.full_like(code, -1)
    bigram[places[order]] = number
    whole = bigram >= 0
    keys = (bigram[:-2] << bits | code[2:]) << _SIDE_BITS | side[:-2]
    yield counts(keys[whole[:-2] & whole[1:-1]], bigrams.segment, bits)
    bits = len(ngrams).bit_length()
    keys = (bigram[:-3] << bits | bigram[2:-1]) << _SIDE_BITS | side[:-3]
    yield counts(keys[whole[:-3] & whole[1:-2] & whole[2:-1]], bigrams.segment, bits)


def _group(keys: Integers) -> tuple[Integers, Integers, Integers]:
    """Equal n-grams of a segment together, from sorted keys of n-gram and side.

    Returns:
        the distinct n-grams, shape (G,); which of them each key has, shape (T,); how often each stands in the
        source, the output and the references, shape (3, G).
    """
    ngrams = keys >> _SIDE_BITS
    is_first = np.ones(len(keys), dtype=bool)
    np.not_equal(ngrams[1:], ngrams[:-1], out=is_first[1:])
    number = np.cumsum(is_first) - 1
    distinct = ngrams[is_first]
    cells = (keys & (1 << _SIDE_BITS) - 1) * len(distinct) + number
    return distinct, number, np.bincount(cells, minlength=3 * len(distinct)).reshape(3, -1)


class _Numbers(defaultdict[str, int]):
    """Numbers of strings: looking up a new one gives it the next number, without a step of Python."""

    def __init__(self, first: str) -> None:
        super().__init__()
        self.default_factory = self.__len__
        self[first] = _END

    def of(self, strings: Iterable[str], count: int) -> Integers:
        """The numbers of `count` strings. Shape: (count,)."""
        return np.fromiter(map(self.__getitem__, strings), np.int64, count)


def _read_tokens(sides: Sequence[Side]) -> _Tokens:
    """The tokens of all sides, those of the first side first."""
    end = "\0"
    text = "".join(chain.from_iterable(lines for lines, _ in sides))
    while end in text:  # no word may pass for the end of a line
        end += "\0"
    vocabularies: dict[Tokenisation, _Numbers] = {}
    words = [_read_words(lines, end, vocabularies.setdefault(how.words, _Numbers(end))) for lines, how in sides]
    codes = _Numbers(end)
    tables = {how: _token_table(vocabulary, how, codes) for how, vocabulary in vocabularies.items()}
    parts = []
    for number, (row, (_, how)) in enumerate(zip(words, sides, strict=True)):
        code = _tokens_of_words(row, *tables[how.words])
        lengths = np.diff(np.flatnonzero(code == _END), prepend=-1)
        if how.max_tokens is not None and lengths.max() > how.max_tokens:
            code[_count_up(lengths) >= how.max_tokens] = _END
        parts.append((code, np.repeat(np.arange(len(lengths)), lengths), np.full(len(code), min(number, REFERENCE))))
    return _Tokens(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _read_words(lines: Sequence[str], end: str, vocabulary: _Numbers) -> Integers:
    """The words between white space, with the end mark after each line. Shape: (W,)."""
    # all lines at once: steps of Python for each line would cost more than all the counting
    words = f" {end} ".join([*lines, ""]).split()
    return vocabulary.of(words, len(words))


def _token_table(words: Collection[str], how: Tokenisation, codes: _Numbers) -> tuple[Integers, Integers]:
    """The tokens of each word, one after the other, and how many each has. Shapes: (tokens,), (words,)."""
    cased = map(str.lower, words) if how.lowercase else words
    if how.tokeniser == "none":
        return codes.of(cased, len(words)), np.ones(len(words), dtype=np.int64)
    tokens = [[word] if word.isalnum() else tokenise(word, how.tokeniser, lowercase=False) for word in cased]
    number = np.fromiter(map(len, tokens), np.int64, len(tokens))
    return codes.of(chain.from_iterable(tokens), int(number.sum())), number


def _tokens_of_words(words: Integers, table: Integers, tokens_of: Integers) -> Integers:
    """The tokens of a row of words, by the table of `_token_table`. Shape: (W,) to (T,)."""
    if (tokens_of == 1).all():
        return table[words]
    number = tokens_of[words]
    first = (np.cumsum(tokens_of) - tokens_of)[words]
    return table[np.repeat(first, number) + _count_up(number)]


def _count_up(lengths: Integers) -> Integers:
    """0, 1, ..., length - 1 for each length, one after the other."""
    return np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
