"""Filters of sentence pairs, by name, and the measures of sentences that they use.

Jiang et al. 2020, section 5.1 and appendix B. A filter says of a pair whether it stays; every dropped pair is counted
under the first filter that drops it.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache

from sacrebleu.metrics import BLEU
from tqdm import tqdm

from textsimp.core.records import AlignmentLabel
from textsimp.corpora.config import BuildConfig
from textsimp.corpora.pairs import LinkedPair
from textsimp.metrics.tokens import tokenise

Keep = Callable[[LinkedPair], bool]
Similarity = Callable[[LinkedPair], float | None]
Named = tuple[str, Keep]
_BRACKET_TOKENS = re.compile(r"-(?:lrb|rrb|lsb|rsb|lcb|rcb)-", re.IGNORECASE)
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")


def tokens(sentence: str) -> list[str]:
    """Return the tokens of mteval's and sacrebleu's 13a tokenisation: punctuation marks are tokens of their own."""
    return tokenise(sentence, "13a", lowercase=False)


def comparable(sentence: str) -> str:
    """Return the letters and digits of a sentence, case folded, for comparison across tokenisations and typography.

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
    """Return sentence BLEU, from 0 to 1, of the complex sentence as hypothesis against the simple one as reference.

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


def lexical_similarity(pair: LinkedPair) -> float:
    """Return the Jaccard coefficient of the two sides: the one-sentence rule's score where no aligner gives one."""
    return jaccard(pair.complex, pair.simple)


def not_repetitive(patterns: Sequence[str], threshold: float, similarity: Similarity) -> Keep:
    """Keep a pair of a one-sentence simple article only where it says something of its own (appendix B).

    Such a pair is dropped where its simple sentence matches a pattern such as `X is a city in Y` (searched for; anchor
    it with ^ and $), or where its similarity is below the threshold; a similarity of None is not. Pairs of longer
    simple articles always stay. The paper's similarity is its fine-tuned BERT.
    """
    compiled = [re.compile(pattern) for pattern in patterns]

    def keep(pair: LinkedPair) -> bool:
        if pair.simple_length != 1:
            return True
        if any(pattern.search(pair.simple) for pattern in compiled):
            return False
        score = similarity(pair)
        return score is None or score >= threshold

    return keep


def first_of_its_kind() -> Keep:
    """Keep the first of the pairs whose two sides are comparable to each other's; a new filter for each use."""
    seen: set[tuple[str, str]] = set()

    def keep(pair: LinkedPair) -> bool:
        key = (comparable(pair.complex), comparable(pair.simple))
        if key in seen:
            return False
        seen.add(key)
        return True

    return keep


def no_leak(protected: Collection[str]) -> Keep:
    """Keep the pairs of which no side is a protected sentence, as `protect` gives them (section 5.1)."""
    return lambda pair: comparable(pair.complex) not in protected and comparable(pair.simple) not in protected


def protect(sentences: Iterable[str]) -> frozenset[str]:
    """Return the comparable forms of held-out sentences, without the empty form of those without any word."""
    return frozenset(map(comparable, sentences)) - {""}


def configured(config: BuildConfig, similarity: Similarity = lexical_similarity) -> list[Named]:
    """Return the filters that the configuration names, in its order.

    Section 5.1: without the levels 0-1, 1-2 and 2-3, without BLEU above 0.9 or below 0.1; section 3.2: no identical
    sides; appendix B: at least 4 tokens, no colon at an end.
    """
    filters: dict[str, Keep] = {
        "levels": lambda pair: pair.levels not in config.excluded_levels,
        "partial": lambda pair: pair.pair.label is AlignmentLabel.ALIGNED,
        "tokens": lambda pair: min(len(tokens(pair.complex)), len(tokens(pair.simple))) >= config.min_tokens,
        "colon": lambda pair: not any(side.rstrip().endswith(":") for side in (pair.complex, pair.simple)),
        "one_sentence": not_repetitive(config.one_sentence_patterns, config.one_sentence_similarity, similarity),
        "identical": lambda pair: pair.complex != pair.simple,
        "bleu": lambda pair: config.bleu_low <= bleu(pair.complex, pair.simple) <= config.bleu_high,
        "duplicate": first_of_its_kind(),
    }
    return [(name, filters[name]) for name in config.filters]


def judge(pairs: Sequence[LinkedPair], filters: Sequence[Named]) -> list[str | None]:
    """Return for each pair the name of the first filter that drops it, or None where it stays."""
    return [
        next((name for name, keep in filters if not keep(pair)), None)
        for pair in tqdm(pairs, desc="filtering sentence pairs", disable=None)
    ]
