"""Paragraph alignment of Jiang et al. 2020: section 2.4, Algorithms 1-2 (Newsela), appendix A, 3-4 (Wikipedia).

A simple document of k paragraphs meets a complex one of l. Indexes are 0-based here; d(i, j) = |i/k - j/l| takes
them 1-based, as the paper prints them, so that the last paragraphs of both documents are at distance 0.

The paper selects the thresholds "using the dev set" and does not say how. Here: block coordinate ascent, two
thresholds that act together at a time, over a grid that comes from the similarities themselves, since encoders
differ in scale (the paper's own values are 0.9999).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.core.settings import NonNegativeNumber
from textsimp.metrics.links import components

# Algorithms 1-2, or 3-4 of the paper
Algorithm = Literal["newsela", "wikipedia"]
ALGORITHMS: tuple[Algorithm, ...] = get_args(Algorithm)
Paragraphs = Sequence[int] | NDArray[np.intp]


@dataclass(frozen=True)
class ParagraphThresholds:
    """The thresholds tau 1-5; what each one bounds depends on the algorithm.

    Newsela (Algorithm 2, values in Table 10): tau1 average similarity and tau2 distance of the most similar
    paragraph; tau3 highest similarity; tau4 similarity and tau5 distance of two consecutive paragraphs.
    Wikipedia (Algorithm 4, Table 11): tau1 similarity and tau2 distance of a candidate; tau3 (share of the complex
    document) and tau4 (paragraphs) width of the candidates; tau5 similarity that a far candidate must exceed.
    """

    tau1: NonNegativeNumber
    tau2: NonNegativeNumber
    tau3: NonNegativeNumber
    tau4: NonNegativeNumber
    tau5: NonNegativeNumber


@dataclass(frozen=True)
class ParagraphScores:
    """The input of the alignment algorithms: of one document pair, or of N pairs stacked with padding.

    Attributes:
        average, highest: simP[1] and simP[2] of Algorithm 1; -inf in the padding. Shape: (k, l) or (N, k, l).
        distance: d(i, j); infinite in the padding. Shape as above.
        complex_paragraphs: l. Shape: (1,) or (N, 1).
    """

    average: NDArray[np.float64]
    highest: NDArray[np.float64]
    distance: NDArray[np.float64]
    complex_paragraphs: NDArray[np.int64]


@dataclass(frozen=True)
class Block:
    """One input of the sentence aligner: a simple paragraph and merged complex paragraphs.

    Attributes:
        simple, complex: sentence indexes from 0 through the whole document, ascending.
    """

    simple: tuple[int, ...]
    complex: tuple[int, ...]


def in_document(pair: DocumentPair, blocks: Sequence[Block], matrices: Sequence[NDArray], kind: type) -> NDArray:
    """Return what is known of each block (S, N) as a matrix of the document pair, 0 elsewhere. Shape: (m, n)."""
    whole: NDArray = np.zeros((len(pair.simple.sentences), len(pair.complex.sentences)), dtype=kind)
    for block, values in zip(blocks, matrices, strict=True):
        whole[np.ix_(block.simple, block.complex)] = values
    return whole


def links_of(linked: NDArray[np.bool_], aligned: NDArray[np.bool_]) -> list[Link]:
    """Return sentence pairs as links, sorted: those that are not aligned are partial. Shapes: (m, n)."""
    labels = {True: AlignmentLabel.ALIGNED, False: AlignmentLabel.PARTIAL}
    return [Link(i, j, labels[bool(aligned[i, j])]) for i, j in np.argwhere(linked).tolist()]


def paragraph_scores(similarity: NDArray[np.float64], simple: Document, complex_: Document) -> ParagraphScores:
    """Return simP of Algorithms 1 and 3 (the latter has only the second plane), with the distances.

    simP[1, i, j] = avg over sentences p of S_i of max over q of C_j of simSent(s_p, c_q),
    simP[2, i, j] = max over p and q.

    Args:
        similarity: simSent. Shape: (m, n).
    """
    rows, columns = paragraph_starts(simple), paragraph_starts(complex_)
    best = np.maximum.reduceat(similarity, columns, axis=1)  # (m, l)
    sizes = np.diff(rows, append=len(best))[:, None]  # (k, 1)
    return planes(np.add.reduceat(best, rows, axis=0) / sizes, np.maximum.reduceat(best, rows, axis=0))


def paragraph_starts(document: Document) -> NDArray[np.intp]:
    """Return the first sentence of each paragraph. Shape: (paragraphs,)."""
    return np.flatnonzero(np.diff(document.paragraph_of, prepend=-1))


def planes(average: NDArray[np.float64], highest: NDArray[np.float64]) -> ParagraphScores:
    """Return the scores of the two planes of simP, (k, l) each, with d(i, j) = |i/k - j/l| (section 2.4)."""
    k, l = highest.shape  # noqa: E741 (the paper's name)
    distance = np.abs(np.arange(1, k + 1)[:, None] / k - np.arange(1, l + 1)[None, :] / l)
    return ParagraphScores(average, highest, distance, np.array([l]))


def stack_scores(scores: Sequence[ParagraphScores]) -> ParagraphScores:
    """Several pairs' scores padded to one size, for the algorithms to treat them at once."""
    return ParagraphScores(
        pad([item.average for item in scores], -np.inf),
        pad([item.highest for item in scores], -np.inf),
        pad([item.distance for item in scores], np.inf),
        np.stack([item.complex_paragraphs for item in scores]),
    )


def pad(matrices: Sequence[NDArray], value: float | bool) -> NDArray:
    """Matrices of different sizes in one array, filled up with `value`. Shape: (N, k, l)."""
    shape = np.max([matrix.shape for matrix in matrices], axis=0)
    padded = np.full((len(matrices), *shape), value, dtype=matrices[0].dtype)
    for target, matrix in zip(padded, matrices, strict=True):
        target[: matrix.shape[0], : matrix.shape[1]] = matrix
    return padded


def align_newsela(scores: ParagraphScores, thresholds: ParagraphThresholds) -> NDArray[np.bool_]:
    """Return alignP of Algorithm 2: the paragraphs that are aligned. Shape: (k, l), or (N, k, l) if stacked."""
    aligned = scores.highest > thresholds.tau3
    near = (scores.average > thresholds.tau1) & (scores.distance < thresholds.tau2)
    best = scores.average.argmax(-1)  # (..., k)
    aligned |= near & (np.arange(near.shape[-1]) == best[..., None])
    good = (scores.highest > thresholds.tau4) & (scores.distance < thresholds.tau5)
    consecutive = good[..., 1:] & good[..., :-1]  # (..., k, l - 1)
    aligned[..., 1:] |= consecutive
    aligned[..., :-1] |= consecutive
    return aligned


def align_wikipedia(scores: ParagraphScores, thresholds: ParagraphThresholds) -> NDArray[np.bool_]:
    """Return alignP of Algorithm 4. Shape: (k, l), or (N, k, l) if stacked.

    Where the candidates of a simple paragraph spread too far (range = last - first), only the one nearest in
    number and those above tau5 stay. The paper removes from the list that it loops over, which would skip some:
    here each candidate is judged. A simple paragraph without candidates is aligned to nothing.
    """
    candidates = (scores.highest > thresholds.tau1) & (scores.distance < thresholds.tau2)
    k, l = candidates.shape[-2:]  # noqa: E741
    # first and last are of no meaning where there is no candidate: `several` is then false
    first, last = candidates.argmax(-1), l - 1 - candidates[..., ::-1].argmax(-1)  # (..., k)
    span, several = last - first, candidates.sum(-1) > 1  # (..., k)
    wide = several & (span / scores.complex_paragraphs > thresholds.tau3) & (span > thresholds.tau4)
    steps = np.abs(np.arange(k)[:, None] - np.arange(l))  # (k, l)
    nearest = np.where(candidates, steps, k + l).argmin(-1)  # (..., k)
    close = (scores.highest > thresholds.tau5) | (np.arange(l) == nearest[..., None])
    return candidates & (close | ~wide[..., None])


def align_paragraphs(
    scores: ParagraphScores, algorithm: Algorithm, thresholds: ParagraphThresholds
) -> NDArray[np.bool_]:
    """alignP of the named algorithm. Shape: (k, l), or (N, k, l) if stacked."""
    return (align_newsela if algorithm == "newsela" else align_wikipedia)(scores, thresholds)


def gold_paragraphs(pair: DocumentPair) -> NDArray[np.bool_]:
    """The gold paragraph alignment: paragraphs that share a gold link. Shape: (k, l)."""
    aligned = np.zeros((len(pair.simple.paragraphs), len(pair.complex.paragraphs)), dtype=bool)
    simple, complex_ = pair.simple.paragraph_of, pair.complex.paragraph_of
    for link in pair.alignments or ():
        aligned[simple[link.simple], complex_[link.complex]] = True
    return aligned


def paragraph_blocks(aligned: NDArray[np.bool_], pair: DocumentPair, merge: str = "neighbours") -> list[Block]:
    """Return what the sentence aligner sees together.

    Args:
        aligned: alignP. Shape: (k, l).
        merge: `neighbours` joins complex paragraphs that follow each other, as the paper does: a simple paragraph is
            aligned once with each run of them, and a sentence may find a partner in several. `simple` joins all
            complex paragraphs of a simple one, `components` all paragraphs that links connect, as two-step systems do
            (Stajner et al. 2017, section 4; Coster and Kauchak 2011, section 3; Paetzold et al. 2017).

    Returns:
        Blocks in the order of simple, then complex paragraphs; none for a simple paragraph that is not aligned.
    """
    if merge == "components":
        labels = components(len(aligned), len(aligned.T), [(i, j) for i, j in np.argwhere(aligned).tolist()])
        simple, complex_ = np.split(labels, [len(aligned)])
        groups = dict.fromkeys(simple[aligned.any(1)].tolist())
        return [_block(pair, np.flatnonzero(simple == group), np.flatnonzero(complex_ == group)) for group in groups]
    blocks = []
    for i, row in enumerate(aligned):
        columns = np.flatnonzero(row)
        gaps = np.flatnonzero(np.diff(columns) > (1 if merge == "neighbours" else len(row)))
        blocks += [_block(pair, [i], run) for run in np.split(columns, gaps + 1) if len(run)]
    return blocks


def _block(pair: DocumentPair, simple: Paragraphs, complex_: Paragraphs) -> Block:
    """Return the sentences of the chosen paragraphs of both sides."""
    sides = (pair.simple.paragraph_of, simple), (pair.complex.paragraph_of, complex_)
    return Block(*(tuple(np.flatnonzero(np.isin(of, chosen)).tolist()) for of, chosen in sides))


Grid = dict[str, Sequence[float]]
_TOGETHER = {
    "newsela": (("tau1", "tau2"), ("tau4", "tau5"), ("tau3",)),
    "wikipedia": (("tau1", "tau2"), ("tau3", "tau4"), ("tau5",)),
}
_QUANTILES = np.concatenate([[0.005, 0.01, 0.02, 0.04], np.linspace(0.0, 1.0, 13)])
_OFF = 1e-6
"""So far above the largest similarity lies the threshold that switches a rule off."""
_DISTANCES = (0.02, 0.05, 0.08, 0.11, 0.15, 0.2, 0.26, 0.34, 0.45, 0.6, 0.8, 1.0)
_ROUNDS = 10


@dataclass(frozen=True)
class ParagraphExample:
    """One document pair for tuning: its paragraph scores and its gold paragraph alignment (k, l)."""

    scores: ParagraphScores
    gold: NDArray[np.bool_]


def f_beta(beta: float, hits: int, false_alarms: int, misses: int) -> float:
    """F_beta from counts of true positives, false positives and false negatives; 0 where all are 0.

    Recall weighs beta times as much as precision. A paragraph pair that is missed loses its sentence pairs for
    good, one too many costs the sentence aligner only some more states: hence a beta above 1.
    """
    weight = beta * beta
    total = (1 + weight) * hits + weight * misses + false_alarms
    return (1 + weight) * hits / total if total else 0.0


def default_grid(examples: Sequence[ParagraphExample], algorithm: Algorithm) -> Grid:
    """Candidate values: quantiles of the similarities of gold and other paragraph pairs, and fixed distances.

    Thresholds lie halfway between two similarities, so that none hangs on a last bit: below quantiles of the gold
    paragraph pairs, above those of the others. Every similarity threshold may also switch its rule off.
    """
    gold = np.concatenate([example.gold.ravel() for example in examples])
    average = _levels(np.concatenate([example.scores.average.ravel() for example in examples]), gold)
    highest = _levels(np.concatenate([example.scores.highest.ravel() for example in examples]), gold)
    if algorithm == "newsela":
        return {"tau1": average, "tau2": _DISTANCES, "tau3": highest, "tau4": highest, "tau5": _DISTANCES}
    shares = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)
    return {"tau1": highest, "tau2": _DISTANCES, "tau3": shares, "tau4": (0, 1, 2, 3, 4, 5, 7, 10), "tau5": highest}


def tune_thresholds(
    examples: Sequence[ParagraphExample], algorithm: Algorithm, beta: float, grid: Grid | None = None
) -> tuple[ParagraphThresholds, float]:
    """Return the thresholds of the highest F_beta over all paragraph pairs of the examples together, and that F_beta.

    Deterministic: it begins with the last values of the grid (its strictest similarities), and a candidate replaces the
    present ones only where it scores higher, in the order of the grid, which is `default_grid` where None.
    """
    grid = grid or default_grid(examples, algorithm)
    best = ParagraphThresholds(**{name: float(values[-1]) for name, values in grid.items()})
    scores, gold = stack_scores([item.scores for item in examples]), pad([item.gold for item in examples], False)

    def f_of(thresholds: ParagraphThresholds) -> float:
        aligned = align_paragraphs(scores, algorithm, thresholds)  # (N, k, l)
        hits, found, wanted = (int(np.count_nonzero(mask)) for mask in (aligned & gold, aligned, gold))
        return f_beta(beta, hits, found - hits, wanted - hits)

    reached = f_of(best)
    for _ in range(_ROUNDS):
        before = best
        for names in _TOGETHER[algorithm]:
            for values in product(*(grid[name] for name in names)):
                candidate = replace(best, **{name: float(x) for name, x in zip(names, values, strict=True)})
                value = f_of(candidate)
                if value > reached:
                    best, reached = candidate, value
        if best == before:
            break
    return best, reached


def _levels(values: NDArray[np.float64], gold: NDArray[np.bool_]) -> list[float]:
    seen = np.unique(values)
    # the limit at k lies below the similarity at k and above that at k - 1
    limits = np.concatenate([[0.0], (seen[1:] + seen[:-1]) / 2, [seen[-1] + _OFF]])
    parts = [
        np.searchsorted(seen, np.quantile(part, _QUANTILES, method="lower")) + shift
        for part, shift in ((values[gold], 0), (values[~gold], 1))
        if part.size
    ]
    return [float(value) for value in limits[np.unique(np.concatenate([*parts, [len(seen)]]))]]
