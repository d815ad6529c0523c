"""A sentence and its simplification, parsed by spaCy's packaged pipeline: which word has a counterpart in the other."""

import unicodedata
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rapidfuzz.fuzz import ratio

from textsimp.core.errors import InputError
from textsimp.core.params import read_yaml
from textsimp.core.word_vectors import GLOVE, PretrainedVectors
from textsimp.simplification.spacy_models import PACKAGED, trained_pipeline

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

LEFT_OUT = "left out"
_KEPT = 8192  # parsed texts that are remembered
_CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "NUM"))
# Letters of a common beginning, and similarity of letters in percent, that make two words forms of one.
_STEM, _LIKE = 5, 80
_NEAR = 0.55  # cosine of GloVe's vectors from which two words may stand for each other
_ROWS = read_yaml(Path(__file__).with_name("closed_words.yaml"))
LIMITS: tuple[str, ...] = tuple(_ROWS["limits"])
_docs: dict[tuple[str, bool], "Doc"] = {}


class Finding(NamedTuple):
    """Something that an output says otherwise: its kind, whether it is lost or invented, the words."""

    kind: str
    change: str
    text: str


@cache
def words(name: str, of: str = "") -> frozenset[str]:
    """Return the words of a row of closed_words.yaml, or of a class in it."""
    return frozenset(word.replace("_", " ") for word in (_ROWS[name][of] if of else _ROWS[name]).split())


@cache
def _pipeline() -> Any:
    return trained_pipeline(PACKAGED, ["parser"], ["senter"])


def parse(texts: Iterable[str], entities: bool) -> dict[str, "Doc"]:
    """Return the parsed texts; some are remembered. Entities are looked for where they are asked for."""
    distinct = list(dict.fromkeys(texts))
    if len(_docs) > _KEPT:
        _docs.clear()
    missing = [text for text in distinct if (text, entities) not in _docs]
    docs = _pipeline().pipe(missing, batch_size=128, disable=[] if entities else ["ner"])
    _docs.update(((text, entities), doc) for text, doc in zip(missing, docs, strict=True))
    return {text: _docs[text, entities] for text in distinct}


@cache
def glove() -> PretrainedVectors | None:
    """Return GloVe; without it words are compared by their letters alone."""
    try:
        return PretrainedVectors(GLOVE)
    except InputError:
        return None


@cache
def _vector(word: str) -> Any:
    vectors = glove()
    vector = vectors.lookup([word])[0][0] if vectors else np.zeros(1, np.float32)
    return vector / max(float(np.linalg.norm(vector)), 1e-9)


def cosine(word: str, other: str) -> float:
    """Return the cosine of two words; 0 without GloVe."""
    return float(_vector(word) @ _vector(other))


def is_content(token: "Token") -> bool:
    """Return whether a word says something of its own."""
    return token.pos_ in _CONTENT and not token.is_stop and token.lemma_.lower() not in words("light")


def following(token: "Token") -> str:
    """Return the next word in lower case; an empty text behind the last."""
    return token.nbor().lower_ if token.i + 1 < len(token.doc) else ""


def _is_form(word: str, other: str) -> bool:
    """Return whether two words in lower case are forms of one, or one is a slip of the pen of the other."""
    shortest = min(len(word), len(other))
    if word == other or (shortest >= 4 and word[:_STEM] == other[:_STEM]):
        return True
    return shortest >= 5 and (word in other or other in word or ratio(word, other) >= _LIKE)


def _is_of_people(word: str) -> bool:
    return len(word) > 4 and word.removesuffix("s").endswith(("an", "ish", "ese", "ic", "i"))


def _plain(token: "Token") -> str:
    """Return a word in lower case without accents."""
    if token.text.isascii():
        return token.lower_
    return unicodedata.normalize("NFKD", token.lower_).encode("ascii", "ignore").decode()


class Side:
    """A parsed text: its tokens, and the words and lemmas in lower case."""

    def __init__(self, doc: "Doc") -> None:
        self.doc, self.tokens = doc, list(doc)
        self.words = frozenset(form for token in doc for form in (token.lower_, token.lemma_.lower(), _plain(token)))
        self.lemmas = tuple(dict.fromkeys(token.lemma_.lower() for token in doc if token.is_alpha or token.like_num))
        self._found: dict[str, bool] = {}

    @cached_property
    def rows(self) -> dict[str, list["Token"]]:
        """Return the words, lemmas, and rows of two and three words (a number as `#`), with their places."""
        lower = [token.lower_ for token in self.tokens]
        rows: dict[str, list[Token]] = {}
        for i, token in enumerate(self.tokens):
            counts = f"{lower[i]} #" if i + 1 < len(lower) and self.tokens[i + 1].like_num else lower[i]
            for row in {" ".join(lower[i : i + 3]), " ".join(lower[i : i + 2]), counts, lower[i], token.lemma_.lower()}:
                if " " in row or (token.pos_ != "PROPN" and (row, *lower[i - 1 : i]) != ("only", "not")):
                    rows.setdefault(row, []).append(token)
        return rows

    def says(self, rows: frozenset[str]) -> tuple["Token", str] | None:
        """Return one of these words or rows of words where the text has any, the longest, with its first token."""
        said = sorted(rows & self.rows.keys(), key=lambda row: (-row.count(" "), self.rows[row][0].i, row))
        return (self.rows[said[0]][0], said[0]) if said else None

    def count(self, rows: frozenset[str]) -> int:
        """Return at how many places the text has one of these words or rows of words."""
        return len({token.i for row in rows & self.rows.keys() for token in self.rows[row]})

    def has(self, token: "Token") -> bool:
        """Return whether a word of the other text, a form of it or a word near it in meaning is in this one."""
        lemma = token.lemma_.lower()
        if lemma not in self._found:
            self._found[lemma] = bool({lemma, token.lower_, _plain(token)} & self.words) or self._is_like(token, lemma)
        return self._found[lemma]

    def _is_like(self, token: "Token", lemma: str) -> bool:
        if token.pos_ == "PROPN":
            return self._is_name_here(token)
        return any(_is_form(token.lower_, word) for word in self.words) or self.nearness(lemma) >= _NEAR

    def _is_name_here(self, token: "Token") -> bool:
        """Return whether a word here begins a name or goes on after it, is its acronym, or one of both is of a people.

        Letters that are alike are no sign: Austria is not Australia, and June not July.
        """
        name = token.lower_
        initials = {other.lower_[0] for other in self.tokens if other.text[0].isupper()}
        if token.is_upper and len(token) > 1 and initials.issuperset(name[:2]):
            return True
        for other in self.tokens:
            word = other.lower_
            if min(len(name), len(word)) >= 3 and (name.startswith(word) or word.startswith(name)):
                return True
            if other.is_upper and len(other) > 1 and name[0] in word:
                return True
            is_near = name[:4] == word[:4] or (name[:2] == word[:2] and cosine(name, word) >= _NEAR)
            if _is_of_people(name) != _is_of_people(word) and is_near:  # Canada, Canadian; Denmark, Danish
                return True
        return False

    @cached_property
    def _matrix(self) -> Any:
        return np.stack([_vector(lemma) for lemma in self.lemmas or [""]])  # (W, D)

    def nearness(self, lemma: str) -> float:
        """Return the greatest cosine of a lemma to those of this text; 0 without GloVe."""
        return float((self._matrix @ _vector(lemma)).max())

    def keeps(self, tokens: Iterable["Token"], share: float = 0.5) -> bool:
        """Return whether this text has so many of the content words of the other one; else of all its words."""
        said = [token for token in tokens if token.pos_ not in ("PRON", "AUX", "PUNCT")]
        kept = [self.has(token) for token in list(filter(is_content, said)) or said]
        return bool(kept) and sum(kept) >= share * len(kept)


def clause(token: "Token") -> list["Token"]:
    """Return the content word that a word belongs to, what depends on that, and its head."""
    head = token.head
    while not is_content(head) and head.head.i != head.i and head.pos_ not in ("VERB", "AUX"):
        head = head.head
    near = [head, head.head, *head.children]
    near += [below for child in head.children if child.pos_ in ("VERB", "ADJ", "ADP") for below in child.children]
    return [other for other in near if other.i != token.i]
