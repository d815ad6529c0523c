"""SARI (Xu et al. 2016, section 4): n-grams rightly added, kept and deleted, in the two variants in use.

Sentence level is what the tables of Jiang et al. 2020 print: a score for each sentence, then their mean; deletion
is precision only. Corpus level is what the EASSE package prints: counts are summed over the corpus, then one F1 for
each operation. The two rank systems differently, and each carries its own signature.

Notation: for an n-gram g of one segment, I(g) is its count in the complex sentence, O(g) in the output and R(g) its
count summed over the r references. Keep and delete compare r*I and r*O with R, so that an n-gram kept by half of
the references counts half.
"""

from collections.abc import Sequence

import numpy as np

from textsimp.metrics.ngrams import NgramCounts, count_ngrams
from textsimp.metrics.score import Score, Signature
from textsimp.metrics.tokenisation import tokenise

PAPER_MAX_TOKENS = 80


def sari_sentence(
    sources: Sequence[str],
    outputs: Sequence[str],
    references: Sequence[Sequence[str]],
    max_tokens: int | None = PAPER_MAX_TOKENS,
) -> Score:
    """SARI per sentence and then the mean, in percent (Jiang et al. 2020, tables 5 and 8).

    Per sentence and order n (Xu et al. 2016, equations 3 to 8), with 0 for a quotient without n-grams:

        add:  F1 of |A & R| / |A| and |A & R| / |R - I|, over distinct n-grams, A = those of O that I has not
        keep: F1 of mean over K of min(rI, rO, R) / min(rI, rO) and mean over K' of the same / min(rI, R)
        del:  mean over D of max(rI - rO - R, 0) / (rI - rO), where D are the n-grams with I > O

    then the mean over n = 1..4, over the sentences, and over the three operations. No tokenisation: the lines are
    lower-cased and split at white space.

    Args:
        sources: N complex sentences.
        outputs: N system outputs.
        references: R sets of N reference sentences.
        max_tokens: outputs are cut there, as the paper's script does; None cuts nothing.

    Returns:
        A score with the parts `add`, `keep` and `del`.

    Raises:
        ValueError: the numbers of lines differ, or there is no line or no reference.
    """
    _check(sources, outputs, references)
    counts = count_ngrams(
        [tokenise(line) for line in sources],
        [tokenise(line)[:max_tokens] for line in outputs],
        [[tokenise(line) for line in lines] for lines in references],
    )
    per_order = np.array([_sentence_operations(order) for order in counts])  # (4, 3, N)
    settings: dict[str, str | int] = {"level": "sentence", "del": "precision", "tok": "none", "case": "lc"}
    if max_tokens != PAPER_MAX_TOKENS:
        settings["cut"] = "none" if max_tokens is None else max_tokens
    return _score(per_order.mean(axis=(0, 2)), Signature.of("SARI", **settings, nrefs=len(references)))


def sari_corpus(
    sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]], legacy: bool = False
) -> Score:
    """SARI over the corpus, in percent: numerators and denominators summed over all n-grams, then one F1 each.

    Per order n, sums over all segments and their n-grams:

        add:  F1 of sum |A & R| / sum |A| and sum |A & R| / sum |R - I|, over distinct n-grams
        keep: F1 of sum min(rI, rO, R) / sum min(rI, rO) and the same / sum min(rI, R)
        del:  F1 of sum max(min(rI - rO, rI - R), 0) / sum max(rI - rO, 0) and the same / sum max(rI - R, 0)

    then the mean over n = 1..4 and over the operations. Lower-cased 13a tokens on all sides.

    Args:
        sources, outputs, references: as for `sari_sentence`.
        legacy: an older recipe: cased, and the complex side not tokenised.

    Raises:
        ValueError: the numbers of lines differ, or there is no line or no reference.
    """
    _check(sources, outputs, references)
    lowercase = not legacy
    counts = count_ngrams(
        [tokenise(line, "none" if legacy else "13a", lowercase) for line in sources],
        [tokenise(line, "13a", lowercase) for line in outputs],
        [[tokenise(line, "13a", lowercase) for line in lines] for lines in references],
    )
    per_order = np.array([_corpus_operations(order) for order in counts])  # (4, 3)
    signature = Signature.of(
        "SARI",
        **{"level": "corpus", "del": "f1", "tok": "13a-but-source" if legacy else "13a"},
        case="mixed" if legacy else "lc",
        nrefs=len(references),
    )
    return _score(per_order.mean(axis=0), signature)


def _sentence_operations(counts: NgramCounts) -> np.ndarray:
    """Add, keep and del of each segment for one order. Shape: (3, N)."""
    total = counts.per_segment
    adds, added, addable = _added(counts)
    kept, kept_well, keepable = _kept(counts)
    deleted, _ = _deleted(counts)
    deleted_well = np.maximum(deleted - counts.references, 0)
    add = _f1(_quotient(total(added), total(adds)), _quotient(total(added), total(addable)))
    keep = _f1(
        _quotient(total(_quotient(kept_well, kept)), total(kept > 0)),
        _quotient(total(_quotient(kept_well, keepable)), total(keepable > 0)),
    )
    delete = _quotient(total(_quotient(deleted_well, deleted)), total(deleted > 0))
    return np.stack([add, keep, delete])


def _corpus_operations(counts: NgramCounts) -> np.ndarray:
    """Add, keep and del over all segments for one order. Shape: (3,)."""
    adds, added, addable = _added(counts)
    kept, kept_well, keepable = _kept(counts)
    deleted, deletable = _deleted(counts)
    triples = (
        (added, adds, addable),
        (kept_well, kept, keepable),
        (np.minimum(deleted, deletable), deleted, deletable),
    )
    return np.array([_f1(_quotient(a.sum(), b.sum()), _quotient(a.sum(), c.sum())) for a, b, c in triples])


def _added(counts: NgramCounts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Whether the output adds the n-gram, whether it and a reference do, whether a reference does. Shape: (G,)."""
    new = counts.source == 0
    adds, addable = new & (counts.output > 0), new & (counts.references > 0)
    return adds, adds & addable, addable


def _kept(counts: NgramCounts) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How often the output keeps the n-gram, it and the references do, the references do. Shape: (G,)."""
    source, output = counts.source * counts.reference_count, counts.output * counts.reference_count
    kept = np.minimum(source, output)
    return kept, np.minimum(kept, counts.references), np.minimum(source, counts.references)


def _deleted(counts: NgramCounts) -> tuple[np.ndarray, np.ndarray]:
    """How often the output deletes the n-gram, and how often the references do. Shape: (G,)."""
    source, output = counts.source * counts.reference_count, counts.output * counts.reference_count
    return np.maximum(source - output, 0), np.maximum(source - counts.references, 0)


def _quotient(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Elementwise quotient, 0 where the denominator is 0."""
    return np.divide(numerator, denominator, out=np.zeros(np.shape(denominator)), where=np.asarray(denominator) > 0)


def _f1(precision: np.ndarray, recall: np.ndarray) -> np.ndarray:
    return _quotient(2 * precision * recall, precision + recall)


def _score(operations: np.ndarray, signature: Signature) -> Score:
    add, keep, delete = (100 * float(value) for value in operations)
    return Score((add + keep + delete) / 3, signature, {"add": add, "keep": keep, "del": delete})


def _check(sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    lengths = [len(sources), len(outputs), *map(len, references)]
    if len(set(lengths)) != 1 or not sources or not references:
        raise ValueError(f"SARI needs as many lines everywhere, one at least; got {lengths} (source, output, refs)")
