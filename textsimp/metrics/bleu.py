"""Lower-cased BLEU over the corpus (Papineni et al. 2002), as sacrebleu counts and smooths it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.ngrams import OUTPUT, REFERENCE, Segments, chunks_of_lines
from textsimp.metrics.scores import Counts, SegmentStatistics, Signature, check_lines, concatenated, quotient
from textsimp.metrics.tokens import Tokenisation


def bleu_statistics(
    outputs: Sequence[str], references: Sequence[Sequence[str]], tokeniser: str = "13a"
) -> SegmentStatistics:
    """Return the statistics of BLEU: lengths of output and reference, n-grams right and in all; K is 10.

    The tokeniser is `13a`, or `none` for text that is tokenised already.
    """
    check_lines("BLEU", outputs, *references)
    parts = (Segments([""] * len(new), new, goals) for new, *goals in chunks_of_lines([outputs, *references]))
    return concatenated([statistics_of_segments(segments, tokeniser) for segments in parts])


def statistics_of_segments(segments: Segments, tokeniser: str = "13a", lowercase: bool = True) -> SegmentStatistics:
    """As `bleu_statistics`, of segments whose n-grams other metrics share.

    Of several references, an n-gram is right as often as the one that has it most often, and the length is that of the
    one that is nearest to the output's, of two the shorter.
    """
    how = Tokenisation(tokeniser, lowercase)
    orders = segments.counts(how, how, how)
    length = segments.lengths(OUTPUT, how)
    lengths = np.array([segments.lengths(REFERENCE + number, how) for number in range(segments.references)])
    # one that is missing is the farthest
    goals = np.sort(np.where(segments.has_reference, lengths, 1 << 40), axis=0)
    goal = np.take_along_axis(goals, np.abs(goals - length).argmin(0)[None], 0)[0]
    right = [order.per_segment(np.minimum(order.output, order.most)) for order in orders]
    counts = np.stack([length, goal, *right, *(order.per_segment(order.output) for order in orders)], axis=1)
    case = "lc" if lowercase else "mixed"
    signature = Signature.of("BLEU", level="corpus", tok=tokeniser, case=case, nrefs=segments.nrefs)
    return SegmentStatistics(signature, counts, bleu_of_sums)


def bleu_of_sums(sums: Counts) -> NDArray[np.float64]:
    """BLEU from summed counts, with sacrebleu's default smoothing. Shape: (..., 10) to (..., 1).

    Brevity penalty times the geometric mean of the four precisions; an order without a match, the k-th of such, has
    the precision 1 / (2^k n-grams); 0 where nothing matches or an order has no n-gram.
    """
    length, goal, right, total = sums[..., 0], sums[..., 1], sums[..., 2:6], sums[..., 6:]
    smoothed = np.where(right > 0, right, 0.5 ** np.cumsum(right == 0, axis=-1))
    possible = np.asarray((right > 0).any(-1) & (total > 0).all(-1))
    logarithms = np.log(np.where(possible[..., None], smoothed, 1) / np.where(total > 0, total, 1))
    penalty = np.minimum(1 - quotient(goal, length), 0)
    return np.where(possible, 100 * np.exp(penalty + logarithms.mean(-1)), 0)[..., None]
