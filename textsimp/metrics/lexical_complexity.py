"""Lexical complexity: the rarity of the words of an output, by a given table of word frequencies.

The measure of the EASSE package (from Martin et al. 2018), which takes ranks from the order of word vectors and leaves
out NLTK's stop words; here the table is the user's and all its words count, so that the numbers are not EASSE's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from textsimp.core.errors import bad_input
from textsimp.core.reading import read_lines, sha256
from textsimp.metrics.scores import SegmentStatistics, Signature, mean_of_segments
from textsimp.metrics.tokens import tokenise

_QUANTILE = 0.75
_MOST = 1e15
"""No corpus has so many words."""


@dataclass(frozen=True)
class FrequencyTable:
    """Ranks of lower-case words, 0 for the most frequent; `digest` tells tables apart in signatures."""

    ranks: Mapping[str, int]
    digest: str


def read_frequencies(path: Path) -> FrequencyTable:
    """Return a table of ranks from a file; `InputError` as `read_counts`."""
    counts = read_counts(path)
    # words that are equally frequent stay in the order of the file
    ordered = sorted(counts, key=counts.__getitem__, reverse=True)
    return FrequencyTable({word: rank for rank, word in enumerate(ordered)}, sha256(path)[:8])


def read_counts(path: Path) -> dict[str, float]:
    """Return counts of lower-case words from a file: a word and its count a line with white space between them.

    `InputError` where the file is absent or empty, or a line is no word and count.
    """
    counts: dict[str, float] = {}
    for number, line in enumerate(read_lines(path), 1):
        match line.split():
            case [word, count] if count.replace(".", "", 1).isdecimal() and float(count) < _MOST:
                counts[word.lower()] = counts.get(word.lower(), 0) + float(count)
            case []:
                continue
            case _:
                raise bad_input(path, number, f"{line[:40]!r} is no word and count", "write `WORD COUNT` in each line")
    if not counts:
        raise bad_input(path, None, "has no words", "give a table of word frequencies")
    return counts


def lexical_complexity_statistics(outputs: Sequence[str], table: FrequencyTable) -> SegmentStatistics:
    """Return the mean over sentences of the third quartile of log(1 + rank) over the words that the table has.

    A sentence without any such word gets log(1 + size of the table). Lower-cased 13a tokens.
    """
    signature = Signature.of("LEXICAL-COMPLEXITY", level="sentence", tok="13a", case="lc", quantile=_QUANTILE)
    values = [_complexity(tokenise(line, "13a"), table.ranks) for line in outputs]
    return mean_of_segments(values, signature.including(table=table.digest))


def _complexity(words: Sequence[str], ranks: Mapping[str, int]) -> float:
    known = [ranks[word] for word in words if word in ranks]
    return float(np.quantile(np.log1p(known), _QUANTILE)) if known else float(np.log1p(len(ranks)))
