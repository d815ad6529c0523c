"""What an output does to its source, without references: the quality estimates that the EASSE package reports.

Each is computed for a sentence on lower-cased 13a tokens, and then the mean is taken over the sentences.
"""

from collections import Counter
from collections.abc import Sequence

from rapidfuzz.distance import LCSseq

from textsimp.metrics.score import Score, Signature
from textsimp.metrics.sentences import split_sentences
from textsimp.metrics.statistics import SegmentStatistics, mean_of_segments
from textsimp.metrics.tokenisation import tokenise

ESTIMATES = (
    *("compression_ratio", "sentence_splits", "levenshtein_similarity"),
    *("exact_copies", "additions", "deletions"),
)


def quality_estimates(sources: Sequence[str], outputs: Sequence[str]) -> dict[str, Score]:
    """Six means over N sentences, as ratios and not in percent.

    - `compression_ratio`: characters of the output per character of the source;
    - `sentence_splits`: sentences of the output per sentence of the source;
    - `levenshtein_similarity`: 2 L / (|source| + |output|), L the longest common subsequence of characters;
    - `exact_copies`: 1 where the output is the source;
    - `additions`, `deletions`: words of the output that the source lacks, and the reverse, as multisets, per word of
      the longer of the two.

    Raises:
        ValueError: the numbers of lines differ, or are 0.
    """
    return {name: found.score() for name, found in quality_statistics(sources, outputs).items()}


def quality_statistics(sources: Sequence[str], outputs: Sequence[str]) -> dict[str, SegmentStatistics]:
    """The six estimates of each sentence; see `quality_estimates`."""
    if len(sources) != len(outputs) or not sources:
        raise ValueError(f"as many outputs as sources, one at least; got {len(outputs)} and {len(sources)}")
    rows = [
        _estimates(tokenise(source, "13a"), tokenise(output, "13a"))
        for source, output in zip(sources, outputs, strict=True)
    ]
    signatures = {
        name: Signature.of(name.upper().replace("_", "-"), level="sentence", tok="13a", case="lc") for name in ESTIMATES
    }
    return {name: mean_of_segments([row[name] for row in rows], signatures[name]) for name in ESTIMATES}


def _estimates(source: list[str], output: list[str]) -> dict[str, float]:
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
