"""Sentence-level GLEU (Google-BLEU), the sixth column of WIKI-MANUAL (F1)."""

from collections import Counter

MAX_ORDER = 4


def sentence_gleu(simple: str, complex_: str) -> float:
    """GLEU of two sentences: the smaller of n-gram precision and recall, n = 1 to 4 counted together.

    (Wu et al. 2016, "Google's Neural Machine Translation System", section 5.) Tokens are lower-case and split at
    spaces, as in the release: its two documented examples come out to the printed digit this way and no other.

    Returns:
        A number between 0 and 1; 0 where either sentence is empty.
    """
    left, right = _ngrams(simple), _ngrams(complex_)
    if not left or not right:
        return 0.0
    return (left & right).total() / max(left.total(), right.total())


def _ngrams(sentence: str) -> Counter[tuple[str, ...]]:
    tokens = sentence.lower().split()
    return Counter(
        tuple(tokens[start : start + order])
        for order in range(1, MAX_ORDER + 1)
        for start in range(len(tokens) - order + 1)
    )
