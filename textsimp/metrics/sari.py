"""SARI (Xu et al. 2016, section 4): n-grams rightly added, kept and deleted, in the variants in use.

Sentence level is what the tables of Jiang et al. 2020 print: a score for each sentence, then their mean; deletion
is precision only. Corpus level is what the EASSE package prints: counts are summed over the corpus, then one F1 for
each operation. The two rank systems differently, and each carries its own signature.

Notation: for an n-gram g of one segment, I(g) is its count in the complex sentence, O(g) in the output and R(g) its
count summed over the r references. Keep and delete compare r*I and r*O with R, so that an n-gram kept by half of
the references counts half.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from textsimp.metrics.ngrams import MAX_ORDER, Integers, NgramCounts, Segments, chunks_of_lines
from textsimp.metrics.scores import Counts, Score, SegmentStatistics, Signature, check_lines, concatenated, f1, quotient
from textsimp.metrics.tokens import Tokenisation

PAPER_MAX_TOKENS = 80
OPERATIONS = ("add", "keep", "del")


@dataclass(frozen=True)
class SariRecipe:
    """A variant of SARI.

    Attributes:
        level: `sentence`: the mean of the sentences' scores; `corpus`: the score of the summed counts.
        deletion: whether deletion is judged by its `precision` alone, as in Xu et al. 2016, or by `f1`.
        source, output, references: how each side becomes tokens.
        keep_recall: at the sentence level, whether the recall of keep is a mean over distinct n-grams (`types`), as in
            the script of Xu et al. 2016, or a share of all of them (`tokens`).
        empty: at the sentence level, what precision or recall is where it has no n-grams: 0, or 1 so that an output
            which rightly does nothing is not punished.
    """

    level: str
    deletion: str
    source: Tokenisation
    output: Tokenisation
    references: Tokenisation
    keep_recall: str = "types"
    empty: int = 0

    def signature(self, references: int | str) -> Signature:
        """Return the signature, which also names what differs from the variant's usual recipe."""
        tokeniser = self.output.tokeniser
        if self.source.tokeniser != tokeniser:
            tokeniser += "-but-source"
        settings: dict[str, str | int] = {"level": self.level, "del": self.deletion, "tok": tokeniser}
        settings["case"] = "lc" if self.output.lowercase else "mixed"
        if self.output.max_tokens != (PAPER_MAX_TOKENS if self.level == "sentence" else None):
            settings["cut"] = "none" if self.output.max_tokens is None else self.output.max_tokens
        if self.keep_recall != "types":
            settings["keep"] = self.keep_recall
        if self.empty:
            settings["empty"] = self.empty
        return Signature.of("SARI", **settings, nrefs=references)


def sentence_recipe(max_tokens: int | None = PAPER_MAX_TOKENS, deletion: str = "precision") -> SariRecipe:
    """SARI per sentence as in Jiang et al. 2020: lower-cased, split at white space, outputs cut after `max_tokens`."""
    plain = Tokenisation()
    return SariRecipe("sentence", deletion, plain, Tokenisation(max_tokens=max_tokens), plain)


def corpus_recipe(legacy: bool = False, deletion: str = "f1") -> SariRecipe:
    """SARI over the corpus as in EASSE: lower-cased 13a tokens; legacy: cased, and the complex side not tokenised."""
    tokens = Tokenisation("13a", lowercase=not legacy)
    return SariRecipe("corpus", deletion, Tokenisation(lowercase=False) if legacy else tokens, tokens, tokens)


def evaluate_recipe() -> SariRecipe:
    """SARI per sentence as in Hugging Face's `evaluate`: lower-cased 13a tokens, nothing cut, 0/0 is 1.

    An empty sentence has no token here; there it is one empty token, which counts as added.
    """
    tokens = Tokenisation("13a")
    return SariRecipe("sentence", "precision", tokens, tokens, tokens, keep_recall="tokens", empty=1)


VARIANTS: dict[str, Callable[[int | None], SariRecipe]] = {
    "sari": sentence_recipe,
    "sari_del_f1": lambda max_tokens: sentence_recipe(max_tokens, "f1"),
    "sari_corpus": lambda _: corpus_recipe(),
    "sari_corpus_del_precision": lambda _: corpus_recipe(deletion="precision"),
    "sari_corpus_legacy": lambda _: corpus_recipe(legacy=True),
    "sari_evaluate": lambda _: evaluate_recipe(),
}
"""The variants by name, as recipes, given the number of tokens after which outputs are cut."""


def sari(
    sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]], recipe: SariRecipe
) -> Score:
    """Return SARI with the parts `add`, `keep` and `del`, in percent."""
    return sari_statistics(sources, outputs, references, recipe).score()


def sari_statistics(
    sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]], recipe: SariRecipe
) -> SegmentStatistics:
    """Return the statistics of SARI, for sentence scores and for resampling; the parts are `add`, `keep` and `del`.

    The operations are averaged over n = 1..4, at the sentence level then over the sentences, and then with each other;
    see `sentence_operations` and `corpus_counts`. K is 13 at the sentence level (the operations of each order, and 1)
    and 36 at the corpus level.
    """
    check_lines("SARI", sources, outputs, *references or [[]])
    chunks = chunks_of_lines([sources, outputs, *references])
    return concatenated([statistics_of_segments(Segments(old, new, goals), recipe) for old, new, *goals in chunks])


def statistics_of_segments(segments: Segments, recipe: SariRecipe) -> SegmentStatistics:
    """As `sari_statistics`, of segments whose n-grams other metrics share."""
    counts, function = _counts_of_segments(segments, recipe), partial(_sari_and_parts, recipe=recipe)
    is_mean = recipe.level == "sentence"
    return SegmentStatistics(recipe.signature(segments.nrefs), counts, function, OPERATIONS, is_mean=is_mean)


def operations_by_order(sums: Counts, recipe: SariRecipe) -> NDArray[np.float64]:
    """Add, keep and del of each order n, in percent, from summed counts. Shape: (..., K) to (..., 3, 4)."""
    return 100 * _operations(sums, recipe)


def _operations(sums: Counts, recipe: SariRecipe) -> NDArray[np.float64]:
    """Add, keep and del of each order n, as shares. Shape: (..., K) to (..., 3, 4)."""
    lead = sums.shape[:-1]
    if recipe.level == "sentence":
        return quotient(sums[..., :-1], sums[..., -1:]).reshape(*lead, 3, MAX_ORDER)
    counts = sums.reshape(*lead, 3, 3, MAX_ORDER)  # (..., operations, (right, done, to be done), orders)
    right, done, wanted = (counts[..., column, :] for column in range(3))
    whole = (done + wanted) / 2  # F1 is the right ones by the mean of those done and those to be done
    if recipe.deletion == "precision":
        whole[..., 2, :] = done[..., 2, :]
    return quotient(right, whole)


def _sari_and_parts(sums: Counts, recipe: SariRecipe) -> NDArray[np.float64]:
    """Return SARI, add, keep and del, in percent. Shape: (..., K) to (..., 4)."""
    if recipe.level == "sentence":
        # the orders' sums before the division: one mean over orders and sentences, to the last bit
        orders = sums[..., :-1].reshape(*sums.shape[:-1], 3, MAX_ORDER)
        add, keep, delete = np.moveaxis(100 * quotient(orders.mean(-1), sums[..., -1:]), -1, 0)
    else:
        add, keep, delete = np.moveaxis(100 * _operations(sums, recipe).mean(-1), -1, 0)
    return np.stack([(add + keep + delete) / 3, add, keep, delete], axis=-1)


def _counts_of_segments(segments: Segments, recipe: SariRecipe) -> Counts:
    """Return the counts of each segment. Shape: (N, K)."""
    orders = segments.counts(recipe.source, recipe.output, recipe.references)
    if recipe.level == "corpus":
        counts = np.stack([corpus_counts(order) for order in orders], axis=2)  # (3, 3, 4, N)
        return counts.reshape(-1, segments.size).T
    operations = np.stack([sentence_operations(order, recipe) for order in orders], axis=1)  # (3, 4, N)
    return np.concatenate([operations.reshape(-1, segments.size), np.ones((1, segments.size))]).T


@dataclass(frozen=True)
class _SourceNgrams:
    """Counts of the n-grams of the complex sentences, kept and deleted by output and references. Shape of each: (G,).

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
        times = counts.reference_count[counts.segment[rows]]
        source, output = counts.source[rows] * times, counts.output[rows] * times
        references = counts.references[rows]
        kept, keepable = np.minimum(source, output), np.minimum(source, references)
        return cls(counts.segment[rows], references, kept, keepable, source - kept, source - keepable)


def sentence_operations(counts: NgramCounts, recipe: SariRecipe) -> NDArray[np.float64]:
    """Return add, keep and del of each segment for one order, `recipe.empty` for a quotient without n-grams; (3, N).

    add:  F1 of |A & R| / |A| and |A & R| / |R - I|, over distinct n-grams, A = those of O that I has not
    keep: F1 of mean over K of min(rI, rO, R) / min(rI, rO) and mean over K' of the same / min(rI, R)
    keep by tokens: the recall is the sum over K' of the same / the sum over K' of min(rI, R)
    del:  mean over D of max(rI - rO - R, 0) / (rI - rO), where D are the n-grams with I > O
    del as F1: with the mean over D' of the same / (rI - R), where D' are the n-grams with rI > R, as its recall
    """
    old, empty = _SourceNgrams.of(counts), float(recipe.empty)
    share = partial(_mean_share, old.segment, segments=counts.segments, empty=empty)
    added = _additions(counts)
    add = f1(quotient(added[0], added[1], empty), quotient(added[0], added[2], empty))
    kept = np.minimum(old.kept, old.references)
    if recipe.keep_recall == "tokens":
        good, possible = (np.bincount(old.segment, values, counts.segments) for values in (kept, old.keepable))
        recall = quotient(good, possible, empty)
    else:
        recall = share(kept, old.keepable)
    keep = f1(share(kept, old.kept), recall)
    # a deletion that output and references share only in part counts less here than at the corpus level
    gone = np.maximum(old.deleted - old.references, 0)
    delete = share(gone, old.deleted)
    if recipe.deletion == "f1":
        delete = f1(delete, share(gone, old.deletable))
    return np.stack([add, keep, delete])


def corpus_counts(counts: NgramCounts) -> NDArray[np.float64]:
    """Return what the corpus level sums up, for each segment and one order: the operations, and the counts of each.

        add:  |A & R|, |A|, |R - I| over distinct n-grams, A = those of O that I has not
        keep: sums of min(rI, rO, R), min(rI, rO), min(rI, R)
        del:  sums of min(rI - rO, rI - R), rI - rO, rI - R, each 0 where it would be negative

    Shape: (3, 3, N).
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


def _mean_share(segment: Integers, part: Integers, whole: Integers, segments: int, empty: float) -> Counts:
    """The mean of part / whole over each segment's n-grams with whole > 0, `empty` without one. Shape: (G,) to (N,)."""
    rows = np.flatnonzero(whole)
    total = np.bincount(segment[rows], part[rows] / whole[rows], segments)
    return quotient(total, np.bincount(segment[rows], minlength=segments).astype(float), empty)
