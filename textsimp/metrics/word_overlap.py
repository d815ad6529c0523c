"""Word-level scores against one reference: word-F1 and simple string accuracy (Coster and Kauchak 2011, section 5).

Each has a macro value (the mean over sentences) and a micro value (counts summed over the corpus); the score's value
is the macro one, and both are parts. Lower-cased tokens between spaces, in percent.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from textsimp.metrics.score import Score, Signature
from textsimp.metrics.tokenisation import tokenise


def word_f1(outputs: Sequence[str], references: Sequence[str]) -> Score:
    """F1 = 2c / (|output| + |reference|), where c is the overlap of the two as multisets of words.

    Two empty lines agree entirely. Raises ValueError where the numbers of lines differ or are 0.
    """
    common, total = [], []
    for output, reference in _tokens(outputs, references):
        common.append(2 * (Counter(output) & Counter(reference)).total())
        total.append(len(output) + len(reference))
    return _score("WORD-F1", common, total)


def simple_string_accuracy(outputs: Sequence[str], references: Sequence[str]) -> Score:
    """SSA = 1 - (insertions + deletions + substitutions) / |reference|, over words; it can be negative.

    An empty reference counts as one word. Raises ValueError where the numbers of lines differ or are 0.
    """
    right, total = [], []
    for output, reference in _tokens(outputs, references):
        length = max(len(reference), 1)
        right.append(length - edit_distance(output, reference))
        total.append(length)
    return _score("SSA", right, total)


def edit_distance(left: Sequence[str], right: Sequence[str]) -> int:
    """Levenshtein's distance between two sequences: the fewest insertions, deletions and substitutions."""
    codes = {token: code for code, token in enumerate(dict.fromkeys((*left, *right)))}
    columns = np.array([codes[token] for token in right], dtype=np.int64)
    offsets = np.arange(len(right) + 1)
    row = offsets.copy()
    for number, token in enumerate(left, 1):
        change = np.empty_like(row)
        change[0] = number
        change[1:] = np.minimum(row[1:] + 1, row[:-1] + (columns != codes[token]))
        # insertions run along the row: the least of what came before plus the way from there
        row = np.minimum.accumulate(change - offsets) + offsets
    return int(row[-1])


def _tokens(outputs: Sequence[str], references: Sequence[str]) -> list[tuple[list[str], list[str]]]:
    if len(outputs) != len(references) or not outputs:
        raise ValueError(f"as many outputs as references, one at least; got {len(outputs)} and {len(references)}")
    return [(tokenise(output), tokenise(line)) for output, line in zip(outputs, references, strict=True)]


def _score(name: str, right: list[int], total: list[int]) -> Score:
    each = [part / whole if whole else 1.0 for part, whole in zip(right, total, strict=True)]
    macro, micro = 100 * float(np.mean(each)), 100 * (sum(right) / sum(total) if sum(total) else 1.0)
    return Score(macro, Signature.of(name, level="sentence", tok="none", case="lc"), {"macro": macro, "micro": micro})
