"""Logistic regression on lexical features: LR of Jiang et al. 2020, section 4.1.

The paper takes "lexical features from Stajner et al. 2018" and does not list them. Here they are the similarity of
character n-grams that is theirs (Stajner et al. 2017, section 3.2, C3G), overlaps of word n-grams, the TF-IDF cosine,
edit distances, lengths, numbers and names, and where it is asked for the relative place, which is not lexical. None of
them needs to know the language.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import LCSseq, Levenshtein
from scipy.special import expit

from textsimp.alignment.similarity.lexical import CharacterNgrams
from textsimp.alignment.similarity.similarity import Matrices, Matrix, TrainedSimilarity, best_f1
from textsimp.alignment.words import TfIdf, counted, numbered, place_distance, words
from textsimp.core.errors import InputError, bad_input
from textsimp.core.records import DocumentPair
from textsimp.core.settings import NonNegative, Positive, PositiveNumber, read_as
from textsimp.core.writing import write_json
from textsimp.metrics.links import TASKS, gold_mask, identical_mask

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
    """The part of fitted features that a file keeps."""

    words: TfIdf
    grams: dict[str, NonNegative]
    sentences: NonNegative


class LexicalFeatures:
    """The features of every pair from two lists of texts. Document frequencies come from `fit`.

    Attributes:
        names: those of `FEATURES` that there are: without `position` all but `distance`.
        counts: what was fitted, which a file may keep.
    """

    def __init__(self, position: bool = False) -> None:
        self.names = tuple(name for name in FEATURES if position or name != _PLACE)

    @property
    def counts(self) -> _Counts:
        return _Counts(self._words, self._grams.frequency, self._grams.documents)

    @counts.setter
    def counts(self, counts: _Counts) -> None:
        self._words, self._grams = counts.words, CharacterNgrams(_CHARACTERS)
        self._grams.frequency, self._grams.documents = counts.grams, counts.sentences

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Count in how many distinct sentences of these pairs each word and character n-gram is."""
        self._words, self._grams = TfIdf.fit(pairs), CharacterNgrams(_CHARACTERS).fit(pairs)
        return self

    def planes(self, rows: Sequence[str], columns: Sequence[str]) -> Iterator[Matrix]:
        """Each feature of each text of `rows` (simple) with each of `columns` (complex), both in document order.

        jaccard_N, simple_share_N, complex_share_N: the distinct word n-grams that both texts have, as a share of those
            that either has, that the simple one has, and that the complex one has.
        tfidf, characters: cosines of TF-IDF vectors of words and of character trigrams (C3G).
        edit: 1 - Levenshtein distance / length of the longer text, over the characters of the lower-cased texts;
            two empty texts are alike.
        subsequence: longest common subsequence of words / words of the shorter text.
        length: ln((words of the complex text + 1) / (words of the simple text + 1)).
        distance: difference of the relative places in the two lists.
        jaccard and simple_share of numbers and names: of the distinct tokens with a digit, and of the capitalised ones
            that do not begin the text. A share is 1 where the simple text has none: it says nothing that the other
            does not.

        Yields:
            A matrix for each of `names`; 0 where a text has nothing to compare, but for these last shares.
            Shape: (rows, columns).
        """
        left, right = ([_analyse(text) for text in texts] for texts in (rows, columns))
        for order in _ORDERS:
            yield from _overlaps(*([_ngrams(item.words, order) for item in side] for side in (left, right)))
        yield self._words.compare(rows, columns)
        yield self._grams.compare(rows, columns)
        plain = ([item.text for item in side] for side in (left, right))
        yield _cdist(*plain, scorer=Levenshtein.normalized_similarity, dtype=np.float32)
        yield _subsequence(left, right)
        simple, complex_ = (np.log1p([len(item.words) for item in side]) for side in (left, right))
        yield complex_[None, :] - simple[:, None]
        if _PLACE in self.names:
            yield place_distance(len(rows), len(columns))
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


def _overlaps(left: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> Iterator[Matrix]:
    """Yield what both texts have as a share of what either has, the left one, and the right one. Shapes: (m, n)."""
    columns = numbered([*left, *right])
    sides = ([[columns[thing] for thing in row] for row in side] for side in (left, right))
    simple, complex_ = (counted(rows, columns).sign() for rows in sides)
    shared = (simple @ complex_.T).toarray()  # (m, n)
    sizes, others = simple.sum(1)[:, None], complex_.sum(1)[None, :]  # (m, 1), (1, n)
    for total in (sizes + others - shared, sizes, others):
        yield shared / np.maximum(total, 1)


def _shared(left: Sequence[Sequence[str]], right: Sequence[Sequence[str]]) -> Iterator[Matrix]:
    jaccard, share, _ = _overlaps(left, right)
    share[[not tokens for tokens in left]] = 1.0
    yield jaccard
    yield share


def _subsequence(left: Sequence[_Text], right: Sequence[_Text]) -> Matrix:
    """Longest common subsequence of words / words of the shorter text. Shape: (m, n)."""
    numbers = numbered([item.words for item in (*left, *right)])
    ids = [[[numbers[word] for word in item.words] for item in side] for side in (left, right)]
    lengths = [np.array([len(item.words) for item in side], dtype=np.int64) for side in (left, right)]
    shorter = np.minimum(lengths[0][:, None], lengths[1][None, :])  # (m, n)
    return _cdist(*ids, scorer=LCSseq.similarity, dtype=np.int32) / np.maximum(shorter, 1)


def _cdist(left: Sequence[Any], right: Sequence[Any], **options: Any) -> NDArray[Any]:
    return process.cdist(left, right, **options) if left and right else np.zeros((len(left), len(right)))


_FILE = "logistic.json"
_ITERATIONS = 1000


@dataclass(frozen=True)
class _Model:
    """The weights of a task."""

    offset: float
    weights: dict[str, float]


@dataclass(frozen=True)
class _Stored:
    """The form of the file."""

    models: dict[str, _Model]
    frequencies: _Counts


@dataclass(eq=False, repr=False)
class LogisticRegression(TrainedSimilarity):
    """One classifier for each task over standardised `LexicalFeatures`, fitted by L-BFGS without class weights.

    Identical sentences are not learned from, as they are not evaluated. Document frequencies come from the train split
    and are kept with the weights, so that the scores do not depend on what other documents are at hand.

    Attributes:
        penalty: weight of half the squared coefficients against the summed log loss.
        cells: unlinked sentence pairs to learn from at most; of more, so many are drawn, and weigh for all.
        seed: of that draw.
        position: whether the relative place of the two sentences is a feature too. It is not a lexical one.
    """

    penalty: PositiveNumber = 1.0
    cells: Positive = 300_000
    seed: NonNegative = 1
    position: bool = False

    def __post_init__(self) -> None:
        self._features = LexicalFeatures(self.position)
        self._weights: NDArray[np.float64]  # (2, F)
        self._offsets: NDArray[np.float64]  # (2,)

    def train(self, train: Sequence[DocumentPair], dev: Sequence[DocumentPair]) -> list[dict[str, Any]]:
        """`InputError` where a task has no linked or no unlinked pair to learn from."""
        from sklearn.linear_model import LogisticRegression as Classifier  # slow to import, and needed here only

        self._features.fit(train)
        features, marks, weights = self._examples(train)  # (N, F), (2, N), (N,)
        mean, spread = features.mean(0, dtype=np.float64), features.std(0, dtype=np.float64)
        spread[spread == 0] = 1.0
        scaled = (features - mean) / spread  # (N, F)
        coefficients, offsets, steps, losses = [], [], [], []
        for task, gold in zip(TASKS, marks, strict=True):
            if gold.all() or not gold.any():
                raise InputError(f"the train split has not both linked and unlinked pairs for {task}; LR cannot learn")
            model = Classifier(C=1 / self.penalty, max_iter=_ITERATIONS).fit(scaled, gold, weights)
            coefficients.append(model.coef_[0] / spread)
            offsets.append(model.intercept_[0] - coefficients[-1] @ mean)
            steps.append(int(model.n_iter_[0]))
            margins = scaled @ model.coef_[0] + model.intercept_[0]  # (N,)
            losses.append(np.average(np.logaddexp(0, np.where(gold, -margins, margins)), weights=weights))
        self._weights, self._offsets = np.array(coefficients), np.array(offsets)
        return [{"step": steps[0], "loss": float(losses[0]), "dev_f1": best_f1(self, dev)}]

    def both(self, rows: Sequence[str], columns: Sequence[str]) -> Matrices:
        scores = np.tile(self._offsets[:, None, None], (1, len(rows), len(columns)))  # (2, m, n)
        for plane, weights in zip(self._features.planes(rows, columns), self._weights.T, strict=True):
            for score, weight in zip(scores, weights, strict=True):
                score += weight * plane
        linked, aligned = expit(scores, out=scores)
        return linked, aligned

    def save(self, folder: Path) -> None:
        models = {
            task: {"offset": offset, "weights": dict(zip(self._features.names, row, strict=True))}
            for task, offset, row in zip(TASKS, self._offsets.tolist(), self._weights.tolist(), strict=True)
        }
        write_json(folder / _FILE, {"models": models, "frequencies": asdict(self._features.counts)})

    def load(self, folder: Path) -> None:
        path = folder / _FILE
        stored, names = read_as(path, _Stored, "train it again"), self._features.names
        rows = [stored.models[task] for task in TASKS if task in stored.models]
        if [set(row.weights) for row in rows] != [set(names)] * len(TASKS):
            raise bad_input(path, None, "not a logistic regression of these features", "train it again")
        self._weights = np.array([[row.weights[name] for name in names] for row in rows])
        self._offsets = np.array([row.offset for row in rows])
        self._features.counts = stored.frequencies
        self.forget()

    def _examples(self, pairs: Sequence[DocumentPair]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Features, gold marks of both tasks, and weights of sentence pairs. Shapes: (N, F), (2, N), (N,)."""
        draw = np.random.default_rng(self.seed)
        unlinked = sum(len(p.simple.sentences) * len(p.complex.sentences) - len(p.alignments or ()) for p in pairs)
        share = min(1.0, self.cells / max(unlinked, 1))
        features, marks, weights = [], [], []
        for pair in pairs:
            gold = np.stack([gold_mask(pair, task) for task in TASKS])  # (2, m, n)
            keep = ~identical_mask(pair) & (gold[0] | (draw.random(gold[0].shape) < share))  # (m, n)
            features.append(self._features.compare(pair.simple.sentences, pair.complex.sentences)[keep])
            marks.append(gold[:, keep])
            weights.append(np.where(marks[-1][0], 1.0, 1 / share))
        return np.concatenate(features), np.concatenate(marks, 1), np.concatenate(weights)
