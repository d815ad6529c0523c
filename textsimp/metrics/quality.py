"""Comparison of an output with its source, without references: the quality estimates that the EASSE package reports.

Each is computed for a sentence on 13a tokens, lower-cased here and cased by default in EASSE, and then the mean is
taken over the sentences. And how many outputs are distinct, which tells a system that has not learnt from one that has.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from textsimp.metrics.scores import Counts, SegmentStatistics, Signature, check_lines, first_per_unit, mean_of_segments
from textsimp.metrics.tokens import split_sentences, tokenise

ESTIMATES = tuple("compression_ratio sentence_splits levenshtein_similarity exact_copies additions deletions".split())


def quality_statistics(
    name: str, sources: Sequence[str], outputs: Sequence[str], lowercase: bool = True
) -> SegmentStatistics:
    """Return one of `ESTIMATES` for each of N sentences; the score is the mean, a ratio and not in percent.

    - `compression_ratio`: characters of the output per character of the source;
    - `sentence_splits`: sentences of the output per sentence of the source;
    - `levenshtein_similarity`: 2 L / (|source| + |output|), L the longest common subsequence of characters;
    - `exact_copies`: 1 where the output is the source;
    - `additions`, `deletions`: words of the output that the source lacks, and the reverse, as multisets, per word of
      the longer of the two.
    """
    check_lines(name, sources, outputs)
    case = "lc" if lowercase else "mixed"
    signature = Signature.of(name.upper().replace("_", "-"), level="sentence", tok="13a", case=case)
    values = [_estimates(source, output, lowercase)[name] for source, output in zip(sources, outputs, strict=True)]
    return mean_of_segments(values, signature)


def distinct_statistics(sources: Sequence[str], outputs: Sequence[str]) -> SegmentStatistics:
    """Distinct outputs in percent of distinct sources: near 0 for a system that gives the same output for every input.

    Each segment counts 1/n where its line occurs n times; K is 2.
    """
    check_lines("distinct", sources, outputs)
    columns = [[1 / times[line] for line in lines] for lines in (outputs, sources) for times in [Counter(lines)]]
    return distinct_of_shares(np.stack(columns, axis=1))


def distinct_of_shares(shares: Counts) -> SegmentStatistics:
    """The same, given 1/n of each segment, or the sums over units: of the output, and of the source. Shape: (N, 2)."""
    return SegmentStatistics(Signature.of("DISTINCT", level="corpus"), shares, _percent_of_sources)


def _percent_of_sources(sums: Counts) -> NDArray[np.float64]:
    """Shape: (..., 2) to (..., 1)."""
    return 100 * first_per_unit(sums)


@lru_cache(maxsize=1 << 14)
def _estimates(source_line: str, output_line: str, lowercase: bool) -> dict[str, float]:
    source, output = (tokenise(line, "13a", lowercase) for line in (source_line, output_line))
    before, after = " ".join(source), " ".join(output)
    old, new = Counter(source), Counter(output)
    longer = max(len(source), len(output), 1)
    characters = len(before) + len(after)
    return {
        "compression_ratio": len(after) / max(len(before), 1),
        "sentence_splits": len(split_sentences(after)) / max(len(split_sentences(before)), 1),
        "levenshtein_similarity": 2 * LCSseq.similarity(before, after) / characters if characters else 1.0,
        "exact_copies": float(before == after),
        "additions": (new - old).total() / longer,
        "deletions": (old - new).total() / longer,
    }
