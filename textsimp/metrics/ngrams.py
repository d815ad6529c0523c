"""N-gram counts of sources, outputs and references: all that BLEU and any variant of SARI need, counted once.

Everything is an integer in a sorted array. A word is tokenised once for each chunk of sentences in which it occurs,
and an n-gram is one 64-bit key of its segment, its tokens and the side that it stands on, so that equal n-grams of a
segment lie side by side after sorting. A Python loop over n-grams takes ten times as long (benchmarks/metrics.py).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.tokens import Tokenisation, tokenise

Integers: TypeAlias = NDArray[np.int64]

MAX_ORDER = 4
SOURCE, OUTPUT, REFERENCE = range(3)
"""The sides of a segment; the references are the last of them."""
_END = 0
"""Code of the end of a line, which is in no n-gram."""
_BLOCK = 256
CHUNK_CHARACTERS = 1 << 19
"""Text that is counted at a time; memory is about 120 bytes for each of its characters."""


@dataclass(frozen=True)
class NgramCounts:
    """Counts of one order: one row for each of the G distinct n-grams of the N segments, in any of their texts.

    Attributes:
        segment: the segment of each row, ascending. Shape: (G,).
        source, output: how often the segment's source or output has the n-gram. Shape: (G,).
        references: the same, summed over the references. Shape: (G,).
        most: how often that reference has the n-gram which has it most often. Shape: (G,).
        segments, reference_count: N, and the references of each segment. Shape: (N,).
    """

    segment: Integers
    source: Integers
    output: Integers
    references: Integers
    most: Integers
    segments: int
    reference_count: Integers

    def per_segment(self, values: Integers) -> NDArray[np.float64]:
        """Return the sums of a value of each row. Shape: (G,) to (N,)."""
        return np.bincount(self.segment, values, self.segments).astype(np.float64)


def chunks_of_lines(sides: Sequence[Iterable[str]]) -> Iterator[list[tuple[str, ...]]]:
    """Yield line-aligned sides in chunks of about `CHUNK_CHARACTERS`; `ValueError` where they differ in length."""
    return chunks_of_rows(zip(*sides, strict=True))


def chunks_of_rows(rows: Iterable[tuple[str, ...]]) -> Iterator[list[tuple[str, ...]]]:
    """Yield the columns of rows in such chunks, each a tuple of lines."""
    rows = iter(rows)
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


class Segments:
    """N segments: source, output and R references, read once for all the ways in which they become tokens."""

    def __init__(
        self,
        source: Sequence[str],
        output: Sequence[str],
        references: Sequence[Sequence[str]],
        some_missing: bool = False,
    ) -> None:
        sides = [source, output, *references]
        self.size, self.references, self.some_missing = len(source), len(references), some_missing
        known = [[not some_missing or bool(line.strip()) for line in of] for of in references]
        self.has_reference = np.array(known, dtype=bool).reshape(len(references), len(source))
        """Whether a segment has a reference: an empty one is none where `some_missing`. Shape: (R, N)."""
        end = "\0"
        text = "".join(chain.from_iterable(sides))
        while end in text:  # no word may pass for the end of a line
            end += "\0"
        self._vocabulary, self._codes = _Numbers(end), _Numbers(end)
        self._words = [_read_words(lines, end, self._vocabulary) for lines in sides]
        self._tables: dict[Tokenisation, tuple[Integers, Integers]] = {}
        self._tokens: dict[tuple[int, Tokenisation], tuple[Integers, Integers]] = {}
        self._counts: dict[tuple[Tokenisation, ...], tuple[NgramCounts, ...]] = {}

    @property
    def nrefs(self) -> int | str:
        """The number of references, for a signature."""
        return "var" if self.some_missing else self.references

    def counts(self, *how: Tokenisation) -> tuple[NgramCounts, ...]:
        """Return the counts of orders 1 to 4, by how the source, the output and the references become tokens.

        An order that no segment has is empty.
        """
        if how not in self._counts:
            self._counts[how] = tuple(self._count(how))
        return self._counts[how]

    def lengths(self, side: int, how: Tokenisation) -> Integers:
        """Return the tokens of each segment's source, output, first reference, second reference ... Shape: (N,)."""
        return self._tokens_of(side, how)[1] - 1

    def _tokens_of(self, side: int, how: Tokenisation) -> tuple[Integers, Integers]:
        """The codes of the tokens of a side, with an `_END` after each line, and their number. Shapes: (T,), (N,)."""
        if (side, how) not in self._tokens:
            if how.words not in self._tables:
                self._tables[how.words] = _token_table(self._vocabulary, how, self._codes)
            code = _tokens_of_words(self._words[side], *self._tables[how.words])
            lengths = np.diff(np.flatnonzero(code == _END), prepend=-1)
            if how.max_tokens is not None and lengths.max() > how.max_tokens:
                code[_count_up(lengths) >= how.max_tokens] = _END
            self._tokens[side, how] = code, lengths
        return self._tokens[side, how]

    def _count(self, how: Sequence[Tokenisation]) -> Iterator[NgramCounts]:
        sides = len(self._words)
        parts = [self._tokens_of(number, how[min(number, REFERENCE)]) for number in range(sides)]
        code = np.concatenate([codes for codes, _ in parts])
        segment = np.concatenate([np.repeat(np.arange(self.size), lengths) for _, lengths in parts])
        side = np.repeat(np.arange(sides), [len(codes) for codes, _ in parts])
        bits, side_bits = int(code.max(initial=0)).bit_length(), (sides - 1).bit_length()
        real = code != _END
        number = self.has_reference.sum(0)

        def counted(ngrams: Integers, segments: Integers, by_side: Integers) -> NgramCounts:
            goals = by_side[REFERENCE:]
            source, output = by_side[SOURCE], by_side[OUTPUT]
            return NgramCounts(segments, source, output, goals.sum(0), goals.max(0), self.size, number)

        def counts(keys: Integers, segments: Integers, shift: int) -> NgramCounts:
            ngrams, _, by_side = _group(np.sort(keys), sides)
            return counted(ngrams, segments[ngrams >> shift], by_side)

        unigrams = segment << bits | code
        yield counts((unigrams << side_bits | side)[real], np.arange(self.size), bits)
        places = np.flatnonzero(real[:-1] & real[1:])
        keys = (unigrams[places] << bits | code[places + 1]) << side_bits | side[places]
        order = np.argsort(keys)
        ngrams, group, by_side = _group(keys[order], sides)
        bigrams = counted(ngrams, ngrams >> 2 * bits, by_side)
        yield bigrams
        # four tokens are too many for a key of 64 bits, two bigrams by their numbers are not; these imply the segment
        bigram = np.full_like(code, -1)
        bigram[places[order]] = group
        whole = bigram >= 0
        keys = (bigram[:-2] << bits | code[2:]) << side_bits | side[:-2]
        yield counts(keys[whole[:-2] & whole[1:-1]], bigrams.segment, bits)
        bits = len(ngrams).bit_length()
        keys = (bigram[:-3] << bits | bigram[2:-1]) << side_bits | side[:-3]
        yield counts(keys[whole[:-3] & whole[1:-2] & whole[2:-1]], bigrams.segment, bits)


def _group(keys: Integers, sides: int) -> tuple[Integers, Integers, Integers]:
    """Equal n-grams of a segment together, from sorted keys of n-gram and side.

    Returns:
        the distinct n-grams, shape (G,); which of them each key has, shape (T,); how often each stands on each side,
        shape (sides, G).
    """
    side_bits = (sides - 1).bit_length()
    ngrams = keys >> side_bits
    is_first = np.ones(len(keys), dtype=bool)
    np.not_equal(ngrams[1:], ngrams[:-1], out=is_first[1:])
    number = np.cumsum(is_first) - 1
    distinct = ngrams[is_first]
    cells = (keys & (1 << side_bits) - 1) * len(distinct) + number
    return distinct, number, np.bincount(cells, minlength=sides * len(distinct)).reshape(sides, -1)


class _Numbers(defaultdict[str, int]):
    """Numbers of strings: looking up a new one gives it the next number, without a step of Python."""

    def __init__(self, first: str) -> None:
        # not `self.__len__`: a dictionary that holds itself is freed late, and there is one for each chunk
        super().__init__(count(_END + 1).__next__)
        self[first] = _END

    def of(self, strings: Iterable[str], count: int) -> Integers:
        """Return the numbers of `count` strings. Shape: (count,)."""
        return np.fromiter(map(self.__getitem__, strings), np.int64, count)


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
    tokens = [(word,) if word.isalnum() else tokenise(word, how.tokeniser, lowercase=False) for word in cased]
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
