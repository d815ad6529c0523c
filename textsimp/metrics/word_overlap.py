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

    Two empty lines agree entirely.
    """

    def in_common(output: list[str], reference: list[str]) -> tuple[int, int]:
        return 2 * (Counter(output) & Counter(reference)).total(), len(output) + len(reference)

    return _statistics("WORD-F1", outputs, references, in_common)


def simple_string_accuracy_statistics(
    outputs: Sequence[str], references: Sequence[Sequence[str]], floored: bool = False
) -> SegmentStatistics:
    """SSA = 1 - (insertions + deletions + substitutions) / |reference|, over words.

    It can be negative, or where `floored` is 0 for such a sentence, as in the paper's Table 3. An empty reference
    counts as one word.
    """

    def right(output: list[str], reference: list[str]) -> tuple[int, int]:
        length = max(len(reference), 1)
        part = length - int(Levenshtein.distance(output, reference))
        return max(part, 0) if floored else part, length

    return _statistics("SSA", outputs, references, right, **({"floor": 0} if floored else {}))


def _statistics(
    name: str,
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    count: Callable[[list[str], list[str]], tuple[int, int]],
    **settings: int,
) -> SegmentStatistics:
    """Share of each segment, 1, and the two counts that the share is made of, for its best reference; K is 4."""
    check_lines(name, outputs, *references)
    rows = []
    for output, *goals in zip(outputs, *references, strict=True):
        words = tokenise(output)
        counts = [count(words, tokenise(goal)) for goal in goals]
        rows.append(max((part / whole if whole else 1.0, 1.0, part, whole) for part, whole in counts))
    signature = Signature.of(name, level="sentence", tok="none", case="lc", nrefs=len(references), **settings)
    if len(references) > 1:
        signature = signature.including(ref="best")
    return SegmentStatistics(signature, np.array(rows), _macro_and_micro, ("macro", "micro"))


def _macro_and_micro(sums: Counts) -> NDArray[np.float64]:
    """Shape: (..., 4) to (..., 3): macro as the score, macro, micro."""
    share, number, part, whole = np.moveaxis(sums, -1, 0)
    macro = 100 * share / number
    return np.stack([macro, macro, 100 * quotient(part, whole, empty=1.0)], axis=-1)
