"""What SARI counts for each segment and order (Xu et al. 2016, section 4, equations 3 to 8).

Notation: for an n-gram g of one segment, I(g) is its count in the complex sentence, O(g) in the output and R(g) its
count summed over the r references. Keep and delete compare r*I and r*O with R, so that an n-gram kept by half of
the references counts half.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.ngrams import Integers, NgramCounts
from textsimp.metrics.statistics import f1, quotient


@dataclass(frozen=True)
class _SourceNgrams:
    """The n-grams of the complex sentences: how often the output and the references keep and delete each; (G,).

    `kept` = min(rI, rO), `keepable` = min(rI, R), `deleted` = max(rI - rO, 0), `deletable` = max(rI - R, 0).
    """

    segment: Integers
    references: Integers
    kept: Integers
    keepable: Integers
    deleted: Integers
    deletable: Integers

    @classmethod
    def of(cls, counts: NgramCounts) -> "_SourceNgrams":
        rows = np.flatnonzero(counts.source)
        source, output = counts.source[rows] * counts.reference_count, counts.output[rows] * counts.reference_count
        references = counts.references[rows]
        kept, keepable = np.minimum(source, output), np.minimum(source, references)
        return cls(counts.segment[rows], references, kept, keepable, source - kept, source - keepable)


def sentence_operations(counts: NgramCounts, deletion: str) -> NDArray[np.float64]:
    """Add, keep and del of each segment for one order, with 0 for a quotient without n-grams.

        add:  F1 of |A & R| / |A| and |A & R| / |R - I|, over distinct n-grams, A = those of O that I has not
        keep: F1 of mean over K of min(rI, rO, R) / min(rI, rO) and mean over K' of the same / min(rI, R)
        del:  mean over D of max(rI - rO - R, 0) / (rI - rO), where D are the n-grams with I > O
        del as F1: with the mean over D' of the same / (rI - R), where D' are the n-grams with rI > R, as its recall

    Args:
        deletion: `precision` or `f1`.

    Returns:
        Shape: (3, N).
    """
    old = _SourceNgrams.of(counts)
    added = _additions(counts)
    add = f1(quotient(added[0], added[1]), quotient(added[0], added[2]))
    kept = np.minimum(old.kept, old.references)
    keep = f1(*(_mean_share(old.segment, kept, whole, counts.segments) for whole in (old.kept, old.keepable)))
    # a deletion that output and references share only in part counts less here than at the corpus level
    gone = np.maximum(old.deleted - old.references, 0)
    delete = _mean_share(old.segment, gone, old.deleted, counts.segments)
    if deletion == "f1":
        delete = f1(delete, _mean_share(old.segment, gone, old.deletable, counts.segments))
    return np.stack([add, keep, delete])


def corpus_counts(counts: NgramCounts) -> NDArray[np.float64]:
    """What the corpus level sums up, for each segment and one order.

        add:  |A & R|, |A|, |R - I| over distinct n-grams, A = those of O that I has not
        keep: sums of min(rI, rO, R), min(rI, rO), min(rI, R)
        del:  sums of min(rI - rO, rI - R), rI - rO, rI - R, each 0 where it would be negative

    Returns:
        Shape: (3, 3, N), the operations and then the three counts.
    """
    old = _SourceNgrams.of(counts)
    keep = (np.minimum(old.kept, old.references), old.kept, old.keepable)
    delete = (np.minimum(old.deleted, old.deletable), old.deleted, old.deletable)
    sums = [[np.bincount(old.segment, values, counts.segments) for values in triple] for triple in (keep, delete)]
    return np.stack([_additions(counts), *map(np.stack, sums)])


def _additions(counts: NgramCounts) -> NDArray[np.float64]:
    """N-grams that output and references add, that the output adds, that the references add. Shape: (3, N)."""
    new = counts.source == 0
    added, addable = new & (counts.output > 0), new & (counts.references > 0)
    masks = (added & addable, added, addable)
    return np.stack([np.bincount(counts.segment[mask], minlength=counts.segments) for mask in masks]).astype(float)


def _mean_share(segment: Integers, part: Integers, whole: Integers, segments: int) -> NDArray[np.float64]:
    """The mean of part / whole over each segment's n-grams with whole > 0. Shape: (G,) to (N,)."""
    rows = np.flatnonzero(whole)
    total = np.bincount(segment[rows], part[rows] / whole[rows], segments)
    return quotient(total, np.bincount(segment[rows], minlength=segments).astype(float))
