"""Words as the word aligner sees them, and the sentences that they stand in (F1)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from textsimp.metrics.rewriting.languages import Language
from textsimp.metrics.sentences import split_sentences

_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|\d+(?:[.,]\d+)*|'s\b|[^\W\d_]+")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "`": "'"})
_BRACKET = re.compile(r"-[lr][rsc]b-", re.IGNORECASE)
# only what stands before a name: `ill .` may be Illinois, but is more often the end of a sentence
_BEFORE_NAMES = frozenset(
    ["capt", "col", "dr", "gen", "gov", "lt", "mr", "mrs", "ms", "prof", "rep", "rev", "sen", "sgt", "st", "vs"]
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


@dataclass(frozen=True)
class Word:
    """One word of a sentence pair's complex or simple side.

    Attributes:
        text: as written.
        folded: lower-cased, thousands without commas.
        sentence: index of its sentence on its side.
        light: whether it carries grammar rather than content.
        name: whether it is written like a name: a capital inside the sentence, or at its beginning before another.
        parts: how many written words it joins; above 1 where the other side writes them as one.
    """

    text: str
    folded: str
    sentence: int
    light: bool
    name: bool
    parts: int = 1

    @property
    def number(self) -> bool:
        """Whether it is written in digits."""
        return self.folded[0].isdigit()


def sentences_of(texts: Sequence[str]) -> list[str]:
    """Every sentence of one side: texts split further, tokenised text included; marks alone are no sentence."""
    found = [sentence for text in texts for sentence in _rejoined(split_sentences(text))]
    return [sentence for sentence in found if _WORD.search(sentence)]


def words_of(sentences: Sequence[str], language: Language) -> list[Word]:
    """The words of one side in order; punctuation is none."""
    return [word for index, sentence in enumerate(sentences) for word in _sentence_words(sentence, index, language)]


def _sentence_words(sentence: str, index: int, language: Language) -> list[Word]:
    text = language.open_clitics(_BRACKET.sub(" ", sentence.translate(_QUOTES)))
    found = _WORD.findall(text)
    capital = [word[0].isupper() for word in found]
    # a sentence of capitals only (a heading) marks no names
    cased = not all(capital) or len(found) == 1
    words = []
    for k, word in enumerate(found):
        folded = _THOUSANDS.sub("", word.lower())
        light = language.is_light(folded)
        inside = k > 0 or (len(found) > 1 and capital[1])
        words.append(Word(word, folded, index, light, cased and capital[k] and inside and not light))
    return words


def _rejoined(sentences: Sequence[str]) -> list[str]:
    """Sentences of which none ends in an abbreviation with its mark apart, as in tokenised `st . louis`."""
    whole: list[str] = []
    open_end = False
    for sentence in sentences:
        if open_end:
            whole[-1] = f"{whole[-1]} {sentence}"
        else:
            whole.append(sentence)
        last = sentence.split()[-2:]
        open_end = len(last) == 2 and last[1] == "." and _awaits_more(last[0].lower())
    return whole


def _awaits_more(word: str) -> bool:
    """Whether a mark after the word is its own: an initial, `u.s`, or what stands before a name."""
    return len(word) == 1 or "." in word or word in _BEFORE_NAMES


def join_compounds(words: Sequence[Word], other: Sequence[Word]) -> list[Word]:
    """Neighbouring words that the other side writes as one, joined (`rain water`, `rainwater`)."""
    vocabulary = {word.folded for word in other}
    joined: list[Word] = []
    k = 0
    while k < len(words):
        pair = words[k : k + 2]
        compound = "".join(word.folded for word in pair)
        if len(pair) == 2 and compound in vocabulary and pair[0].sentence == pair[1].sentence:
            text = " ".join(word.text for word in pair)
            joined.append(Word(text, compound, pair[0].sentence, pair[1].light, pair[0].name, parts=2))
            k += 2
        else:
            joined.append(words[k])
            k += 1
    return joined
