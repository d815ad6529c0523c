"""Lexical features of sentence pairs for logistic regression (Jiang et al. 2020, section 4.1).

The paper takes "lexical features from Stajner et al. 2018" and does not list them. Here they are the similarity of
character n-grams that is theirs (Stajner et al. 2017, section 3.2, C3G), overlaps of word n-grams, the TF-IDF cosine,
edit distances, lengths, numbers and names, and where it is asked for the relative place, which is not lexical. None of
them needs to know the language.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import LCSseq, Levenshtein
from scipy.sparse import csr_array

from textsimp.alignment.similarity.lexical import CharacterNgrams
from textsimp.alignment.similarity.similarity import Matrix
from textsimp.alignment.words import TfIdf, counted, numbered, words
from textsimp.core.records import DocumentPair
from textsimp.core.settings import NonNegative, structured

_ORDERS = (1, 2, 3)
"""Lengths of word n-grams."""
_CHARACTERS = 3
"""Length of character n-grams."""
_TOKEN = re.compile(r"\w+")

FEATURES = (
    *(f"{name}_{order}" for order in _ORDERS for name in ("jaccard", "simple_share", "complex_share")),
    *("tfidf", "characters", "edit", "subsequence", "length", "distance"),
    *("jaccard_numbers", "simple_share_numbers", "jaccard_names", "simple_share_names"),
)
"""The features in the order of their columns; `LexicalFeatures.planes` says what they are."""
_PLACE = "distance"


@dataclass(frozen=True)
class _Text:
    """A lower-cased text, its words, its tokens with a digit, and its capitalised tokens."""

    text: str
    words: list[str]
    numbers: list[str]
    names: list[str]


@dataclass(frozen=True)
class _Counts:
    """What a file keeps of fitted features."""

    words: dict[str, Any]
    grams: dict[str, NonNegative]
    sentences: NonNegative


class LexicalFeatures:
    """The features of every pair from two lists of texts. Document frequencies come from `fit`.

    Attributes:
        names: those of `FEATURES` that there are: without `position` all but `distance`.
    """

    def __init__(self, position: bool = False) -> None:
        self.names = tuple(name for name in FEATURES if position or name != _PLACE)
        self._words, self._grams = TfIdf(), CharacterNgrams(_CHARACTERS)

    @classmethod
    def from_state(cls, state: dict[str, Any], position: bool = False) -> Self:
        """The fitted features that `state` described; `InputError` where it describes none."""
        features, stored = cls(position), structured(state, _Counts)
        features._words = TfIdf.from_state(stored.words)
        features._grams.documents, features._grams.frequency = stored.sentences, stored.grams
        return features

    def state(self) -> dict[str, Any]:
        """What a file keeps of the fitted features."""
        grams = self._grams
        return {"words": self._words.state(), "grams": grams.frequency or {}, "sentences": grams.documents}

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Count in how many distinct sentences of these pairs each word and character n-gram is."""
        self._words.fit(pairs)
        self._grams.fit(pairs)
        return self

    def planes(self, rows: Sequence[str], columns: Sequence[str]) -> Iterator[Matrix]:
        """Each feature of each text of `rows` (simple) with each of `columns` (complex), both in document order.

        jaccard_N, simple_share_N, complex_share_N: the distinct word n-grams that both texts have, as a share of those
            that either has, that the simple one has, and that the complex one has.
        tfidf, characters: cosines of TF-IDF vectors of words and of character trigrams (C3G).
        edit: 1 - Levenshtein distance / length of the longer text, over the characters of the lower-cased texts.
        subsequence: longest common subsequence of words / words of the shorter text.
        length: ln((words of the complex text + 1) / (words of the simple text + 1)).
        distance: difference of the relative places in the two lists.
        jaccard and simple_share of numbers and names: of the distinct tokens with a digit, and of the capitalised ones
            that do not begin the text. A share is 1 where the simple text has none: it says nothing that the other
            does not.

        Yields:
            A matrix for each of `names`; 0 where a text has nothing to compare, but for these last shares.
            Shape: (rows, columns). Raises RuntimeError before `fit`.
        """
        left, right = ([_analyse(text) for text in texts] for texts in (rows, columns))
        for order in _ORDERS:
            yield from _overlaps(*([_ngrams(item.words, order) for item in side] for side in (left, right)))
        yield self._words.compare(rows, columns)
        yield self._grams.compare(rows, columns)
        yield _edit(left, right)
        yield _subsequence(left, right)
        yield _length(left, right)
        if _PLACE in self.names:
            yield _distance(len(rows), len(columns))
        yield from _shared([item.numbers for item in left], [item.numbers for item in right])
        yield from _shared([item.names for item in left], [item.names for item in right])

    def compare(self, rows: Sequence[str], columns: Sequence[str]) -> NDArray[np.float32]:
        """All `planes` together. Shape: (rows, columns, F)."""
        out = np.empty((len(rows), len(columns), len(self.names)), dtype=np.float32)
        for column, plane in enumerate(self.planes(rows, columns)):
            out[:, :, column] = plane
        return out


def _analyse(text: str) -> _Text:
    tokens = _TOKEN.findall(text)
    numbers = [token for token in tokens if any(map(str.isdigit, token))]
    names = [token.lower() for token in tokens[1:] if token[0].isupper()]
    return _Text(text.lower(), words(text), numbers, names)


def _ngrams(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    return list(zip(*(tokens[start:] for start in range(order)), strict=False))


def _sets(left: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> list[csr_array]:
    """Which things each text has, as 0 and 1. Shapes: (m, things), (n, things)."""
    columns = numbered([*left, *right])
    return [counted([list({columns[thing] for thing in row}) for row in side], columns) for side in (left, right)]


def _overlaps(left: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> Iterator[Matrix]:
    simple, complex_ = _sets(left, right)
    shared = (simple @ complex_.T).toarray()  # (m, n)
    sizes, others = simple.sum(1)[:, None], complex_.sum(1)[None, :]  # (m, 1), (1, n)
    for total in (sizes + others - shared, sizes, others):
        yield shared / np.maximum(total, 1)


def _shared(left: Sequence[Sequence[str]], right: Sequence[Sequence[str]]) -> Iterator[Matrix]:
    jaccard, share, _ = _overlaps(left, right)
    share[[not tokens for tokens in left]] = 1.0
    yield jaccard
    yield share


def _edit(left: Sequence[_Text], right: Sequence[_Text]) -> Matrix:
    """1 - Levenshtein distance / length of the longer text; two empty texts are alike. Shape: (m, n)."""
    texts = [[item.text for item in side] for side in (left, right)]
    return _cdist(*texts, scorer=Levenshtein.normalized_similarity, dtype=np.float32)


def _subsequence(left: Sequence[_Text], right: Sequence[_Text]) -> Matrix:
    """Longest common subsequence of words / words of the shorter text. Shape: (m, n)."""
    numbers = numbered([item.words for item in (*left, *right)])
    ids = [[[numbers[word] for word in item.words] for item in side] for side in (left, right)]
    lengths = [np.array([len(item.words) for item in side], dtype=np.int64) for side in (left, right)]
    shorter = np.minimum(lengths[0][:, None], lengths[1][None, :])  # (m, n)
    return _cdist(*ids, scorer=LCSseq.similarity, dtype=np.int32) / np.maximum(shorter, 1)


def _cdist(left: Sequence[Any], right: Sequence[Any], **options: Any) -> NDArray[Any]:
    return process.cdist(left, right, **options) if left and right else np.zeros((len(left), len(right)))


def _length(left: Sequence[_Text], right: Sequence[_Text]) -> Matrix:
    """ln of the quotient of the lengths in words, both raised by 1. Shape: (m, n)."""
    simple, complex_ = (np.log1p([len(item.words) for item in side]) for side in (left, right))
    return complex_[None, :] - simple[:, None]


def _distance(m: int, n: int) -> Matrix:
    """Difference of the relative places of two texts in their lists. Shape: (m, n)."""
    return np.abs((np.arange(m)[:, None] + 0.5) / max(m, 1) - (np.arange(n)[None, :] + 0.5) / max(n, 1))
