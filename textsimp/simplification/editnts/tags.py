"""Word classes for the encoder (Dong et al. 2019, section 3.2, have part-of-speech embeddings).

Taggers by name: `none`, `rules` (closed-class lists and endings; needs no model and errs on open classes), or a spaCy
model, such as `en_core_web_sm`. All use the universal tag set.
"""

import logging
import re
from collections.abc import Callable, Iterable, Sequence

from textsimp.errors import InputError

TAGS = (
    *("X", "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT"),
    *("SCONJ", "SYM", "VERB", "SPACE"),
)
log = logging.getLogger(__name__)

Tagger = Callable[[Sequence[str]], list[int]]

_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}
_CLOSED = {
    "DET": "a an the this that these those each every some any no all both another such",
    "ADP": "of in on at by for with from about into over after under between through during before against among "
    "toward towards without within along across behind beyond near since until upon off out up down",
    "PRON": "i you he she it we they me him her us them his its their our your my who whom which what whose itself "
    "himself herself themselves something someone anyone nobody everyone there mine yours",
    "AUX": "is are was were be been being am has have had having do does did can could will would may might must "
    "shall should 's don't doesn't didn't isn't aren't wasn't weren't can't won't",
    "CCONJ": "and or but nor yet",
    "SCONJ": "because although though while whereas if when as than whether unless so where once",
    "PART": "to not",
    "ADV": "also very too only just then now here still even never always often already again more most less however",
}
_CLASS = {word: tag for tag, words in _CLOSED.items() for word in words.split()}
_ENDINGS = (
    (re.compile(r"[$£€]?\d[\d.,]*\w*$"), "NUM"),
    (re.compile(r"\W+$"), "PUNCT"),
    (re.compile(r".{3,}ly$"), "ADV"),
    (re.compile(r".{3,}(ing|ed|ise|ize)$"), "VERB"),
    (re.compile(r".{3,}(ous|ful|less|ive|able|ible|al|ic|ish)$"), "ADJ"),
)


def available_tagger(name: str) -> str:
    """The name itself, or `rules` and a warning where it is a spaCy model that is not installed."""
    if name in ("none", "rules"):
        return name
    import spacy

    if spacy.util.is_package(name):
        return name
    log.warning("no spaCy model %s is installed: words are classed by rule (editnts/tags.py)", name)
    return "rules"


def load_tagger(name: str) -> Tagger | None:
    """The tagger of a name, None for `none`; `InputError` where no such spaCy model is installed."""
    if name == "none":
        return None
    return tag_by_rules if name == "rules" else _spacy_tagger(name)


def tag_by_rules(words: Sequence[str]) -> list[int]:
    """Tag numbers from lists of closed classes, capitals inside the sentence, and endings."""
    return [_NUMBERS[_rule(word, position)] for position, word in enumerate(words)]


def tag_all(tagger: Tagger | None, sentences: Iterable[Sequence[str]]) -> list[list[int]]:
    """Tag numbers of all sentences; all zero without a tagger."""
    return [[0] * len(words) if tagger is None else tagger(words) for words in sentences]


def _rule(word: str, position: int) -> str:
    lower = word.lower()
    if lower in _CLASS:
        return _CLASS[lower]
    for pattern, tag in _ENDINGS[:2]:
        if pattern.match(lower):
            return tag
    if position and word[:1].isupper():
        return "PROPN"
    return next((tag for pattern, tag in _ENDINGS[2:] if pattern.match(lower)), "NOUN")


def _spacy_tagger(name: str) -> Tagger:
    import spacy
    from spacy.tokens import Doc

    try:
        pipeline = spacy.load(name, exclude=["ner", "parser", "lemmatizer"])
    except OSError:
        raise InputError(
            f"simplifier tagger {name!r}: no such spaCy model is installed; install it, or binarize the corpus again"
        ) from None

    def tag(words: Sequence[str]) -> list[int]:
        document = pipeline(Doc(pipeline.vocab, words=list(words)))
        return [_NUMBERS.get(token.pos_, 0) for token in document]

    return tag
