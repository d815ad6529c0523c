"""What a lexical sentence similarity is, and the words and counts that they share (F2)."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from textsimp.records import DocumentPair

_WORD = re.compile(r"\w+")


class Similarity(Protocol):
    """A similarity of every simple with every complex sentence of a document pair."""

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Collect what it needs from the corpus at hand, labels aside. Returns itself."""
        ...

    def matrix(self, pair: DocumentPair) -> NDArray[np.float64]:
        """Similarities from 0 to 1. Shape: (m simple sentences, n complex sentences)."""
        ...


def words(sentence: str) -> list[str]:
    """Lower-cased runs of letters, digits and underscores (`\\w+`), in order.

    The rule knows no language: "don't" gives two words, and scripts that write no spaces give whole runs.
    """
    return _WORD.findall(sentence.lower())


def count_matrix(sentences: Sequence[str], columns: Mapping[str, int]) -> csr_array:
    """How often each word occurs in each sentence; words without a column are left out. Shape: (sentences, words)."""
    found = [[columns[word] for word in words(sentence) if word in columns] for sentence in sentences]
    ends = np.cumsum([0, *map(len, found)])
    flat = np.array([column for row in found for column in row], dtype=np.int64)
    counts = csr_array((np.ones(len(flat)), flat, ends), shape=(len(sentences), len(columns)))
    counts.sum_duplicates()
    return counts


def vocabulary(sentences: Sequence[str]) -> dict[str, int]:
    """A column for each word, in the order of first occurrence."""
    return {word: column for column, word in enumerate(dict.fromkeys(w for s in sentences for w in words(s)))}
