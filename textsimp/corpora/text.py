"""Tokens, comparable forms and lexical overlap of sentences, as the corpus filters and statistics use them."""

import re
import unicodedata
from functools import cache

from sacrebleu.metrics import BLEU

from textsimp.metrics.tokenisation import tokenise

_BRACKET_TOKENS = re.compile(r"-(?:lrb|rrb|lsb|rsb|lcb|rcb)-", re.IGNORECASE)
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")


def tokens(sentence: str) -> list[str]:
    """The sentence by the 13a tokenisation of mteval and sacrebleu: punctuation marks are tokens of their own."""
    return tokenise(sentence, "13a", lowercase=False)


def comparable(sentence: str) -> str:
    """The letters and digits of a sentence, case folded, for comparison across tokenisations and typography.

    Without spaces, punctuation and the bracket tokens of the Penn treebank (-LRB-), so that TURK's tokenised
    lower-case sentences meet their cased originals. Empty for a sentence of punctuation only.
    """
    text = _BRACKET_TOKENS.sub(" ", unicodedata.normalize("NFKC", sentence))
    return _NOT_ALPHANUMERIC.sub("", text.casefold())


def jaccard(first: str, second: str) -> float:
    """|A & B| / |A | B| of the two sentences' sets of case-folded tokens; 0 where both are empty."""
    left, right = ({token.casefold() for token in tokens(sentence)} for sentence in (first, second))
    union = left | right
    return len(left & right) / len(union) if union else 0.0


def bleu(complex_sentence: str, simple_sentence: str) -> float:
    """Sentence BLEU, from 0 to 1, of the complex sentence as hypothesis against the simple one as reference.

    sacrebleu's `sentence_score` with effective order, exponential smoothing, 13a tokens, and case kept
    (`bleu_signature`). The paper does not give its settings. This direction has no brevity penalty for a simple
    sentence that is much shorter; docs/corpora.md has the shares that either direction keeps.
    """
    return _bleu().sentence_score(complex_sentence, [simple_sentence]).score / 100


@cache
def bleu_signature() -> str:
    """sacrebleu's signature of `bleu`."""
    bleu("a", "a")
    return str(_bleu().get_signature())


@cache
def _bleu() -> BLEU:
    return BLEU(effective_order=True, smooth_method="exp", tokenize="13a", lowercase=False)
