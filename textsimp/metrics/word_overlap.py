"""Word-level scores against references: word-F1 and simple string accuracy (Coster and Kauchak 2011, section 5).

Each has a macro value (the mean over sentences) and a micro value (counts summed over the corpus); the score's value
is the macro one, and both are parts. Lower-cased tokens between spaces, in percent. The paper has one reference; of
several, each sentence is judged by the one that it comes nearest to.
"""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from textsimp.metrics.scores import Counts, SegmentStatistics, Signature, check_lines, quotient
from textsimp.metrics.tokens import tokenise


def word_f1_statistics(outputs: Sequence[str], references: Sequence[Sequence[str]]) -> SegmentStatistics:
    """F1 = 2c / (|output| + |reference|), where c is the overlap of the two as multisets of words.

    Two empty lines agree entirely. Raises ValueError where the numbers of lines differ or are 0.
    """
    return _statistics("WORD-F1", outputs, references, _common)


def simple_string_accuracy_statistics(
    outputs: Sequence[str], references: Sequence[Sequence[str]], floored: bool = False
) -> SegmentStatistics:
    """SSA = 1 - (insertions + deletions + substitutions) / |reference|, over words.

    It can be negative, or where `floored` is 0 for such a sentence, as in the paper's Table 3. An empty reference
    counts as one word. Raises ValueError where the numbers of lines differ or are 0.
    """
    return _statistics("SSA", outputs, references, _right_or_none if floored else _right)


def edit_distance(left: Sequence[str], right: Sequence[str]) -> int:
    """Levenshtein's distance between two sequences: the fewest insertions, deletions and substitutions."""
    codes = {token: code for code, token in enumerate(dict.fromkeys((*left, *right)))}
    return int(Levenshtein.distance([codes[token] for token in left], [codes[token] for token in right]))


def _common(output: list[str], reference: list[str]) -> tuple[int, int]:
    return 2 * (Counter(output) & Counter(reference)).total(), len(output) + len(reference)


def _right(output: list[str], reference: list[str]) -> tuple[int, int]:
    length = max(len(reference), 1)
    return length - edit_distance(output, reference), length


def _right_or_none(output: list[str], reference: list[str]) -> tuple[int, int]:
    right, length = _right(output, reference)
    return max(right, 0), length


def _statistics(
    name: str,
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    count: Callable[[list[str], list[str]], tuple[int, int]],
) -> SegmentStatistics:
    """Share of each segment, 1, and the two counts that the share is made of, for its best reference; K is 4."""
    check_lines(name, outputs, *references)
    rows = []
    for output, *goals in zip(outputs, *references, strict=True):
        words = tokenise(output)
        counts = [count(words, tokenise(goal)) for goal in goals]
        rows.append(max((part / whole if whole else 1.0, 1.0, part, whole) for part, whole in counts))
    settings: dict[str, str | int] = {"level": "sentence", "tok": "none", "case": "lc", "nrefs": len(references)}
    if count is _right_or_none:
        settings["floor"] = 0
    if len(references) > 1:
        settings["ref"] = "best"
    return SegmentStatistics(Signature.of(name, **settings), np.array(rows), _macro_and_micro, ("macro", "micro"))


def _macro_and_micro(sums: Counts) -> NDArray[np.float64]:
    """Shape: (..., 4) to (..., 3): macro as the score, macro, micro."""
    share, number, part, whole = (sums[..., column] for column in range(4))
    macro = 100 * share / number
    micro = 100 * quotient(part, whole, empty=1.0)
    return np.stack([macro, macro, micro], axis=-1)
