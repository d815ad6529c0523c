"""The words of a sentence and their counts, as all lexical similarities see them (F2)."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_array

from textsimp.metrics.words import words

__all__ = ["count_matrix", "vocabulary", "words"]


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
