"""The Flesch-Kincaid grade level as the EASSE package computes it, for numbers beside those of papers that use it.

It differs from `readability` (the script of Jiang et al. 2020) in three ways: words are what stands between spaces
after 13a tokenisation, syllables come from spelling rules alone, and the grade is never below 0.
"""

import re
from collections.abc import Iterable
from functools import lru_cache, partial

import numpy as np

from textsimp.metrics.readability import grade_level
from textsimp.metrics.score import Signature
from textsimp.metrics.sentences import split_sentences
from textsimp.metrics.statistics import SegmentStatistics
from textsimp.metrics.tokenisation import tokenise

_VOWEL_GROUP = re.compile("[aeiouy]+")
# The rules are those of Greg Fast's Lingua::EN::Syllable, which reached EASSE through several hands: a spelling that
# is heard as one syllable more than it has groups of vowels, or as one less. Each counts once in a word.
_ONE_MORE = tuple(
    map(
        re.compile,
        (
            *("ia", "riet", "dien", "iu", "io", "ii", "[aeiou]{3}"),
            *("[aeiouym]bl$", "ism$", "dnt$", "^mc", "^coa[dglx].", "[^l]llien"),
            r"(.)(?!\1)([aeiouy])\2l$",  # a doubled vowel before a final l
            r"(.)(?!\1)[gq]ua(.)(?!\2)[aeiou]",
        ),
    )
)
_ONE_LESS = tuple(map(re.compile, ("cial", "tia", "cius", "cious", "gui", "ion", "iou", "sia$", ".ely$")))
# exceptions of the same origin that the rules miss, by syllables
_EXCEPTIONS = {
    1: "the chummed peeped sheered mimes ms st foamed brutes h'm gaped lb flapped",
    2: "tottered moustaches bepatched caressed trespassed pencilled motioned poleman slandered sombre sidespring "
    "effaces mr mrs dr sr jr truckle clattered capered mangroves reclined effaced quivered deafened unstained "
    "stammered shivered gravesend 60 greyish",
    3: "shamefully messieurs sailmaker disinterred sepulchre hemispheres veriest manoeuvred discoloured unexpressed",
    4: "satiated etc sententiously",
    5: "particularized unostentatious",
    6: "propitiatory",
}
_SYLLABLES = {word: number for number, words in _EXCEPTIONS.items() for word in words.split()}


def fkgl_statistics(lines: Iterable[str]) -> SegmentStatistics:
    """FKGL from the sentences, words and syllables of each line, by lower-cased 13a tokens; K is 3."""
    counts = np.array([_count(line) for line in lines], dtype=np.float64).reshape(-1, 3)
    signature = Signature.of("FKGL", tok="13a", case="lc", sent="punkt", syl="rules", min=0)
    return SegmentStatistics(signature, counts, partial(grade_level, floor=0.0))


@lru_cache(maxsize=1 << 16)
def rule_syllables(word: str) -> int:
    """Syllables of a lower-case token by spelling; a token without vowels, a punctuation mark say, has none."""
    if word in _SYLLABLES:
        return _SYLLABLES[word]
    stem = word.rstrip("e")
    more = sum(rule.search(stem) is not None for rule in _ONE_MORE)
    return len(_VOWEL_GROUP.findall(stem)) + more - sum(rule.search(stem) is not None for rule in _ONE_LESS)


def _count(line: str) -> tuple[int, int, int]:
    sentences = [sentence.split() for sentence in split_sentences(" ".join(tokenise(line, "13a")))]
    words = [word for sentence in sentences for word in sentence]
    return len(sentences), len(words), sum(map(rule_syllables, words))
