"""Named filters of sentence pairs; every dropped pair is counted under the first filter that drops it.

Jiang et al. 2020, section 5.1 (levels, BLEU, no overlap with the test sets) and appendix B (short sentences,
sentences before a list, articles of one sentence). A filter is a function of a pair that says whether it stays.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from tqdm import tqdm

from textsimp.corpora.config import BuildConfig
from textsimp.corpora.pairs import LinkedPair
from textsimp.corpora.text import bleu, comparable, jaccard, tokens

Keep = Callable[[LinkedPair], bool]
Similarity = Callable[[LinkedPair], float | None]
LEAK = "leak"


def lexical_similarity(pair: LinkedPair) -> float:
    """The Jaccard coefficient of the two sides: the score of the one-sentence rule where no aligner gives one."""
    return jaccard(pair.complex, pair.simple)


def other_levels(excluded: Collection[str]) -> Keep:
    """Keep the pairs whose level combination is not excluded (section 5.1: without 0-1, 1-2 and 2-3)."""
    return lambda pair: pair.levels not in excluded


def long_enough(minimum: int) -> Keep:
    """Keep the pairs whose sides both have at least `minimum` tokens (appendix B: 4)."""
    return lambda pair: min(len(tokens(pair.complex)), len(tokens(pair.simple))) >= minimum


def no_colon(pair: LinkedPair) -> bool:
    """Keep the pairs of which neither side ends with a colon (appendix B)."""
    return not any(side.rstrip().endswith(":") for side in (pair.complex, pair.simple))


def not_repetitive(patterns: Sequence[str], threshold: float, similarity: Similarity) -> Keep:
    """Keep a pair of a one-sentence simple article only where it says something of its own (appendix B).

    Such a pair is dropped where its simple sentence matches a pattern (searched for; anchor it with ^ and $),
    or where its similarity is below the threshold. Pairs of longer simple articles always stay, and so does a
    pair without a score that matches no pattern.

    Args:
        patterns: regular expressions of repetitive sentences, such as `X is a city in Y`.
        threshold: on the scale of `similarity`.
        similarity: the score of a pair, or None where there is none. The paper's is its fine-tuned BERT.
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


def not_identical(pair: LinkedPair) -> bool:
    """Keep the pairs whose sides differ (section 3.2: "non-identical aligned and partially-aligned")."""
    return pair.complex != pair.simple


def bleu_between(low: float, high: float) -> Keep:
    """Keep the pairs whose BLEU is from `low` to `high` (section 5.1: not above 0.9 nor below 0.1)."""
    return lambda pair: low <= bleu(pair.complex, pair.simple) <= high


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
    """Keep the pairs of which no side is a protected sentence (section 5.1).

    Args:
        protected: comparable forms (`text.comparable`) of the sentences held out, as `protect` gives them.
    """
    return lambda pair: comparable(pair.complex) not in protected and comparable(pair.simple) not in protected


def protect(sentences: Iterable[str]) -> frozenset[str]:
    """The comparable forms of held-out sentences, without the empty form of those without any word."""
    return frozenset(map(comparable, sentences)) - {""}


def configured(config: BuildConfig, similarity: Similarity = lexical_similarity) -> list[tuple[str, Keep]]:
    """The filters that the configuration names, in its order."""
    makers: dict[str, Callable[[], Keep]] = {
        "levels": lambda: other_levels(frozenset(config.excluded_levels)),
        "tokens": lambda: long_enough(config.min_tokens),
        "colon": lambda: no_colon,
        "one_sentence": lambda: not_repetitive(
            config.one_sentence_patterns, config.one_sentence_similarity, similarity
        ),
        "identical": lambda: not_identical,
        "bleu": lambda: bleu_between(config.bleu_low, config.bleu_high),
        "duplicate": first_of_its_kind,
    }
    return [(name, makers[name]()) for name in config.filters]


def judge(pairs: Sequence[LinkedPair], filters: Sequence[tuple[str, Keep]]) -> list[str | None]:
    """For each pair the name of the first filter that drops it, or None where it stays."""
    return [
        next((name for name, keep in filters if not keep(pair)), None)
        for pair in tqdm(pairs, desc="filtering sentence pairs", disable=None)
    ]
