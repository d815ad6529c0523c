"""Rules as a phrase table: what a rule is worth, and how much simpler its simple side is (Xu et al. 2016, section 4).

The paper adds to the features of PPDB length in characters and words, syllables, language model scores and the share of
common English words. Here these are differences between the two sides; the number of words is one of the search.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from textsimp.metrics.readability import count_syllables
from textsimp.simplification.interface import Runtime, stored_config
from textsimp.simplification.paraphrase import ParaphraseConfig
from textsimp.simplification.paraphrase.ppdb_rules import Rule
from textsimp.simplification.phrase_based.phrase_decoder import FURTHER
from textsimp.simplification.phrase_based.phrase_table import Features
from textsimp.simplification.phrase_based.trained_phrases import PhraseBased, sealed

FEATURES = (
    *("log p(simple|complex)", "log p(complex|simple)", "PPDB score", "characters / 10", "syllables"),
    *("common words", "frequency on the simple side", "frequency on the simple by the complex side", "changed"),
)
"""From the fourth on: those of the simple phrase minus those of the complex one; frequencies are logarithms of shares,
summed over words. `changed` is 1, and all are 0 where a word stays."""
HEADER = "complex\tsimple\t" + ", ".join(FEATURES)
START: Features = (0.1, 0.1, 0.1, -0.1, -0.1, 0.2, 0.1, 0.2, 0.0) + (0.5, 0.0, 0.0, 0.0)
"""The weights of a model that was not tuned."""
assert len(START) == len(FEATURES) + FURTHER
_DIGITS = 5


class Simplicity:
    """How simple words are, by the training corpus; `common`: so many words of the simple side."""

    def __init__(self, complex_: Mapping[str, int], simple: Mapping[str, int], common: int) -> None:
        self._counts = complex_, simple
        # one more for words that were never seen
        self._sizes = [sum(counts.values()) + len(counts) + 1 for counts in self._counts]
        order = sorted(simple, key=lambda word: (-simple[word], word))
        self._common = frozenset(order[:common])

    def features(self, phrase: str) -> tuple[float, ...]:
        """Characters / 10, syllables, the share of common words, and both frequencies."""
        words = phrase.split()
        complex_, simple = (sum(self._share(word, side) for word in words) for side in (0, 1))
        common = sum(word in self._common for word in words) / len(words)
        return len(phrase) / 10, float(sum(map(count_syllables, words))), common, simple, simple - complex_

    def _share(self, word: str, side: int) -> float:
        return math.log((self._counts[side].get(word, 0) + 1) / self._sizes[side])


def paraphrase_table(rules: Iterable[Rule], simplicity: Simplicity, most: int) -> dict[str, list[tuple[str, Features]]]:
    """The phrase table of rules: of each complex phrase the `most` likeliest, and a word as itself."""
    by_complex: defaultdict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        by_complex[rule.complex].append(rule)
    table = {}
    for phrase in sorted(by_complex):
        own = simplicity.features(phrase)
        rows: list[tuple[str, Features]] = [] if " " in phrase else [(phrase, (0.0,) * len(FEATURES))]
        for rule in by_complex[phrase]:
            gains = (new - old for new, old in zip(simplicity.features(rule.simple), own, strict=True))
            values = (rule.forward, rule.backward, rule.score, *gains, 1.0)
            rows.append((rule.simple, tuple(round(value, _DIGITS) for value in values)))
        table[phrase] = sorted(rows, key=lambda row: (-row[1][0] - row[1][1], -row[1][6], row[0]))[: most + 1]
    return table


def counted(lines: Iterable[str]) -> Counter[str]:
    """How often each word stands in lines of words."""
    return Counter(word for line in lines for word in line.split())


def load(model: Path, runtime: Runtime) -> PhraseBased:
    """The model of a folder; `InputError` where a file is missing, damaged, or not the one that was tuned with."""
    config = stored_config(model, ParaphraseConfig)
    return sealed(model, HEADER, len(FEATURES), config.max_phrase, config.beam, corrects_articles=True)
