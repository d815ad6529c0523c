"""A sentence and its simplification, parsed by spaCy's packaged pipeline: which word has a counterpart in the other."""

from collections.abc import Iterable
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from rapidfuzz.fuzz import ratio

from textsimp.core.errors import InputError
from textsimp.core.word_vectors import GLOVE, PretrainedVectors
from textsimp.simplification.checks.closed_words import LIGHT
from textsimp.simplification.spacy_models import PACKAGED, trained_pipeline

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# Parsed texts that are remembered.
_KEPT = 8192
_CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "NUM"))
# Letters of a common beginning, and similarity of letters in percent, that make two words forms of one.
_STEM, _LIKE = 5, 80
# Cosine of GloVe's vectors from which two words may stand for each other.
_NEAR = 0.55
_docs: dict[tuple[str, bool], "Doc"] = {}


@cache
def _pipeline() -> Any:
    return trained_pipeline(PACKAGED, ["parser"], ["senter"])


def parse(texts: Iterable[str], entities: bool) -> dict[str, "Doc"]:
    """Return the parsed texts; some are remembered. Entities are looked for where they are asked for."""
    distinct = list(dict.fromkeys(texts))
    if len(_docs) > _KEPT:
        _docs.clear()
    missing = [text for text in distinct if (text, entities) not in _docs]
    if missing:
        docs = _pipeline().pipe(missing, batch_size=128, disable=[] if entities else ["ner"])
        _docs.update(((text, entities), doc) for text, doc in zip(missing, docs, strict=True))
    return {text: _docs[text, entities] for text in distinct}


@cache
def _glove() -> PretrainedVectors | None:
    try:
        return PretrainedVectors(GLOVE)
    except InputError:  # not installed: words are compared by their letters alone
        return None


@cache
def _vector(word: str) -> Any:
    """Return the unit vector of a word, 0 where it is unknown. Shape: (D,)."""
    glove = _glove()
    vector = glove.lookup([word])[0][0] if glove else np.zeros(1, np.float32)
    return vector / max(float(np.linalg.norm(vector)), 1e-9)


def cosine(word: str, others: Iterable[str]) -> float:
    """Return the greatest cosine of a word to others; 0 without GloVe."""
    rows = [_vector(other) for other in others]
    return float((np.stack(rows) @ _vector(word)).max()) if rows else 0.0


def has_vectors() -> bool:
    """Return whether GloVe is installed."""
    return _glove() is not None


def is_content(token: "Token") -> bool:
    """Return whether a word says something of its own."""
    return token.pos_ in _CONTENT and not token.is_stop and token.lemma_.lower() not in LIGHT


def is_form(word: str, other: str) -> bool:
    """Return whether two words in lower case are forms of one, or one is a slip of the pen of the other."""
    if word == other:
        return True
    shortest = min(len(word), len(other))
    if shortest >= 4 and (word[:_STEM] == other[:_STEM] or (shortest >= 5 and (word in other or other in word))):
        return True
    return shortest >= 5 and ratio(word, other) >= _LIKE


class Side:
    """A parsed text, and what it has in common with the other one, which `face` says.

    Attributes:
        words: in lower case, and lemmas.
    """

    def __init__(self, doc: "Doc") -> None:
        self.doc = doc
        self.words = frozenset(form for token in doc for form in (token.lower_, token.lemma_.lower()))
        self.content = [token for token in doc if is_content(token)]
        self.text = " ".join(token.lower_ for token in doc)
        self._found: dict[str, bool] = {}

    def face(self, other: "Side") -> None:
        """Set the text that this one is compared with."""
        self.other = other

    @cached_property
    def content_lemmas(self) -> tuple[str, ...]:
        """Return the lemmas of its content words."""
        return tuple(dict.fromkeys(token.lemma_.lower() for token in self.doc if token.is_alpha or token.pos_ == "NUM"))

    def has(self, token: "Token") -> bool:
        """Return whether a word of the other text, a form of it or a word near it in meaning is in this one."""
        lemma = token.lemma_.lower()
        if lemma not in self._found:
            self._found[lemma] = (
                lemma in self.words
                or token.lower_ in self.words
                or any(is_form(token.lower_, word) for word in self.words)
                or (self.has_name(token) if token.pos_ == "PROPN" else cosine(lemma, self.content_lemmas) >= _NEAR)
            )
        return self._found[lemma]

    def has_name(self, token: "Token") -> bool:
        """Return whether this text has a name, its adjective, its acronym, or a name that it is the acronym of."""
        word = token.lower_.removesuffix("s") or token.lower_
        initials = "".join(other.lower_[0] for other in self.doc if other.is_title or other.is_upper)
        if token.is_upper and len(token) > 1 and all(letter in initials for letter in token.lower_ if letter.isalpha()):
            return True
        for other in self.doc:
            known = other.lower_
            if is_form(word, known) or known[:4] == word[:4] or (other.is_upper and len(other) > 1 and word[0] in known):
                return True
            if known[:2] == word[:2] and cosine(word, [known]) >= _NEAR:
                return True
        return False

    def keeps(self, tokens: Iterable["Token"], share: float = 0.5) -> bool:
        """Return whether this text has so many of the content words of the other one, and any; else of the verbs."""
        words = list(tokens)
        kept = [self.has(token) for token in [*filter(is_content, words)] or words if token.pos_ not in ("PRON", "AUX", "PUNCT")]
        return bool(kept) and sum(kept) >= share * len(kept)


def clause(token: "Token") -> list["Token"]:
    """Return the content word that a word belongs to, what depends on that, and its head."""
    head = token.head
    while not is_content(head) and head.head.i != head.i and head.pos_ not in ("VERB", "AUX"):
        head = head.head
    near = [head, head.head, *head.children]
    near += [below for child in head.children if child.pos_ in ("VERB", "ADJ", "ADP") for below in child.children]
    return [other for other in near if other.i != token.i]
