"""The word list of the edit tagger: what the simple side of the training pairs writes for words of the complex side.

The two sides of a pair are compared word by word (longest common blocks). A phrase of up to four words that another
phrase stands for becomes a rule if that happens often enough, and clearly more often than the reverse: `purchased` is
written as `bought`, not the other way round, while `in` for `of` goes both ways. Rules that would change facts are left
out: names (words mostly written with a capital), numbers, directions, negations, tenses of light verbs, pronouns.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from textsimp.simplification.edit_tagger.edit_words import EditWord, folded
from textsimp.simplification.edit_tagger.plain_words import plain_words
from textsimp.simplification.edit_tagger.word_classes import FACTS, LIGHT, OPTIONAL, OPTIONAL_ENDINGS, SPLITS, SUBJECTS

LONGEST = 4
"""Words of a rule's side."""
_MANY = 10
"""Pairs that follow a rule which needs no other evidence."""
_SOME = 5
"""Pairs that follow a rule which writes a light word, or whose phrase is hardly met without being rewritten."""
_STRICTER = 3


@dataclass(frozen=True)
class Rule:
    """One way to write a phrase.

    Attributes:
        source: words of the complex side, folded.
        target: what is written for them; empty where they are left out.
        applied, seen: pairs that follow the rule, and pairs with its source.
        sure: whether it is right in nearly every sentence.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    applied: int
    seen: int
    sure: bool = True

    @property
    def splits(self) -> bool:
        """Whether it ends a sentence and begins another."""
        return "." in self.target

    def to_json(self) -> list[object]:
        """The five fields."""
        return [" ".join(self.source), " ".join(self.target), self.applied, self.seen, self.sure]

    @property
    def rate(self) -> float:
        """Log odds of following the rule, smoothed."""
        return math.log((self.applied + 0.5) / (self.seen - self.applied + 5))


@dataclass(frozen=True)
class Comparison:
    """A pair of sentences and where they differ: (first word, end) of the complex and of the simple side."""

    complex: Sequence[EditWord]
    simple: Sequence[EditWord]
    kept: Sequence[bool]
    changes: Sequence[tuple[int, int, int, int]]


def compare(complex_words: Sequence[EditWord], simple_words: Sequence[EditWord]) -> Comparison:
    """Compare two sides by their longest common blocks."""
    matcher = SequenceMatcher(None, folded(complex_words), folded(simple_words), autojunk=False)
    kept = [False] * len(complex_words)
    changes = []
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind == "equal":
            kept[i:i_end] = [True] * (i_end - i)
        else:
            changes.append((i, i_end, j, j_end))
    return Comparison(complex_words, simple_words, kept, changes)


def learn_rules(comparisons: Sequence[Comparison], min_count: int, min_rate: float, max_rules: int) -> list[Rule]:
    """The most used rules of compared pairs, in a fixed order.

    Args:
        min_count, min_rate: pairs that follow a rule, and their share of the pairs with its source. A rule that leaves
            words out, or that few pairs follow for words that are rarer on the simple side, needs three times the rate.
    """
    forward = Counter(pair for comparison in comparisons for pair in set(_substitutions(comparison)))
    names = _names(comparisons)
    chosen = [
        (pair, count)
        for pair, count in forward.items()
        if count >= min_count and count > 2 * forward.get(pair[::-1], 0) and _is_sound(*pair, names)
    ]
    chosen = sorted(chosen, key=lambda item: (-item[1], item[0]))[:max_rules]
    seen = _occurrences(comparisons, {source for (source, _), _ in chosen})
    frequency = Counter(word.folded for comparison in comparisons for word in comparison.simple)
    rules = []
    for (source, target), count in chosen:
        rule = Rule(source, target, count, max(seen[source], count))
        plainer = min((frequency[word] for word in target), default=0) >= min(frequency[word] for word in source)
        strict = not target or (not plainer and count < _MANY) or count <= min_count
        is_light = len(source) == 1 and target and LIGHT.issuperset(target)
        is_hardly_met = len(source) > 1 and rule.seen <= 2 * count
        is_proven = count >= _SOME or not (is_light or is_hardly_met)
        is_followed = count >= min_rate * (_STRICTER if strict else 1) * rule.seen
        if rule.splits or (is_proven and is_followed):
            rules.append(rule)
    return rules


def read_rules_of(comparisons: Sequence[Comparison]) -> list[Rule]:
    """The rewritings that people have read, counted in compared pairs."""
    forward = Counter(pair for comparison in comparisons for pair in set(_substitutions(comparison)))
    rewritings = plain_words()
    seen = _occurrences(comparisons, {source for source, _ in rewritings})
    return [Rule(*pair, forward[pair], max(seen[pair[0]], forward[pair]), sure) for pair, sure in rewritings.items()]


def _substitutions(comparison: Comparison) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    complex_words, simple_words = folded(comparison.complex), folded(comparison.simple)
    for i, i_end, j, j_end in comparison.changes:
        if i < i_end and i_end - i <= LONGEST and j_end - j <= LONGEST:
            yield tuple(complex_words[i:i_end]), tuple(simple_words[j:j_end])


def _names(comparisons: Iterable[Comparison]) -> set[str]:
    """Words that are mostly written with a capital inside a sentence."""
    capital: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for comparison in comparisons:
        for words in (comparison.complex, comparison.simple):
            for word in words[1:]:
                seen[word.folded] += 1
                capital[word.folded] += word.text[0].isupper()
    return {word for word, count in seen.items() if capital[word] > 0.3 * count}


def _is_sound(source: tuple[str, ...], target: tuple[str, ...], names: set[str]) -> bool:
    words = {*source, *target}
    if words & names or any(character.isdigit() for word in words for character in word):
        return False
    if "." in target:
        return " ".join(source) in SPLITS and target[0] == "." and " ".join(target[1:]) in SUBJECTS
    if not all(word.isascii() and word.replace("-", "").isalpha() for word in words):
        return not target and source[1:] == (",",) and (source[0] in OPTIONAL or source[0].endswith("ly"))
    if (set(source) ^ set(target)) & FACTS:
        return False
    if not target:
        return len(source) <= 2 and (source[-1] in OPTIONAL or source[-1].endswith(OPTIONAL_ENDINGS))
    if len(source) == len(target) == 1 and _stem(source[0]) == _stem(target[0]):
        return False
    # light words alone change tense or sense, and a light word for a content word is mostly a wrong match
    return not LIGHT.issuperset(source) and len("".join(target)) <= 2 * len("".join(source))


def _stem(word: str) -> str:
    """A word without the endings of inflection, roughly."""
    for ending in ("ing", "ed", "es", "s", "d", "e"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending)
    return word


def _occurrences(comparisons: Iterable[Comparison], phrases: set[tuple[str, ...]]) -> Counter[tuple[str, ...]]:
    occurrences: Counter[tuple[str, ...]] = Counter()
    for comparison in comparisons:
        words = folded(comparison.complex)
        phrases_here = {
            phrase
            for size in range(1, LONGEST + 1)
            for start in range(len(words) - size + 1)
            if (phrase := tuple(words[start : start + size])) in phrases
        }
        occurrences.update(phrases_here)
    return occurrences
