"""BERT embedding, BERTScore and BERT finetune of Jiang et al. 2020, Table 3.

The first two take a pre-trained encoder without fine-tuning (BERTScore: Evaluating Text Generation with BERT, Zhang et
al. 2020, section 3), the last the fine-tuned pair encoder of a trained aligner.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from textsimp.alignment.neural.bert import SentenceEncoder, TokenEncoder
from textsimp.alignment.similarity.similarity import Matrices, Matrix, Similarity, TextSimilarity
from textsimp.alignment.words import distinct_sentences, runs
from textsimp.core.records import DocumentPair

if TYPE_CHECKING:
    from textsimp.alignment.cache import Cache

_CELLS = 1 << 23
"""Cosines of word pieces that are in memory at a time (32 MiB), unless a single text has more."""


class BertEmbedding(TextSimilarity):
    """cos of the mean last hidden states of both texts, special tokens among them; 0 where a text is blank.

    The encoder cuts a long text, such as a paragraph, to its `max_length`.
    """

    def __init__(self, encoder: SentenceEncoder) -> None:
        self.encoder = encoder

    def compare(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        if not rows or not columns:
            return np.zeros((len(rows), len(columns)))
        cosine = (self.encoder.embed(rows) @ self.encoder.embed(columns).T).astype(np.float64)
        written = [np.array([bool(text.strip()) for text in texts]) for texts in (rows, columns)]
        return np.where(np.outer(*written), np.clip(cosine, -1.0, 1.0), 0.0)

    def forget(self) -> None:
        super().forget()
        self.encoder.forget()


@dataclass(frozen=True)
class _Pieces:
    """The word pieces of those texts that have some of weight.

    Attributes:
        places: index of each such text among all texts. Shape: (k,).
        starts: of each text among the word pieces; the end follows. Shape: (k + 1,).
        states: of length 1. Shape: (W, width).
        shares: idf of each word piece by the sum over its text. Shape: (W,).
    """

    places: NDArray[np.int64]
    starts: NDArray[np.int64]
    states: NDArray[np.float32]
    shares: NDArray[np.float64]


class BertScore(TextSimilarity):
    """F1 of BERTScore with the simple text x as the reference and the complex text y as the candidate.

        R = sum_i idf(x_i) max_j cos(x_i, y_j) / sum_i idf(x_i)
        P = sum_j idf(y_j) max_i cos(x_i, y_j) / sum_j idf(y_j)
        F = 2 P R / (P + R)

    over the hidden states of word pieces. idf(w) = -log((df(w) + 1) / (N + 1)), where df counts those of the N distinct
    sentences of the fitted corpus that have w; the paper has the references of a test set, here both sides count, as in
    all similarities. 0 where P or R is not positive, or a text has no word piece with an idf over 0.

    Special tokens have no part, as in the paper's formulas. (In the program of the paper's authors they weigh nothing
    either, but other tokens may be matched to them.) Nor is F rescaled by a baseline: thresholds are tuned. The paper
    chooses a layer for each model by its agreement with human judgements; the last is there in every model.
    """

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._tokens = TokenEncoder(encoder)
        self._idf: NDArray[np.float64]

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Take the document frequencies from the sentences of these pairs."""
        sentences = distinct_sentences(pairs)
        pieces = [piece for row in self._tokens.pieces(sentences) for piece in set(row)]
        frequency = np.bincount(np.array(pieces, dtype=np.int64), minlength=len(self._tokens.encoder.tokenizer))
        self._idf = -np.log((frequency + 1) / (len(sentences) + 1))  # (vocabulary,)
        return self

    def compare(self, rows: Sequence[str], columns: Sequence[str]) -> Matrix:
        simple, complex_ = self._pieces(rows), self._pieces(columns)
        result = np.zeros((len(rows), len(columns)))
        if simple.places.size and complex_.places.size:
            scores = [_f1(*_precision_recall(part, complex_)) for part in _parts(simple, len(complex_.shares))]
            result[np.ix_(simple.places, complex_.places)] = np.concatenate(scores)
        return result

    def forget(self) -> None:
        super().forget()
        self._tokens.forget()

    def _pieces(self, texts: Sequence[str]) -> _Pieces:
        weighted = [(known.states, self._idf[known.ids]) for known in self._tokens.states(texts)]
        places = [index for index, (_, idf) in enumerate(weighted) if idf.any()]
        if not places:
            return _Pieces(np.zeros(0, np.int64), np.zeros(1, np.int64), np.zeros((0, 0), np.float32), np.zeros(0))
        states, weights = zip(*(weighted[index] for index in places), strict=True)
        shares = np.concatenate([idf / idf.sum() for idf in weights])
        return _Pieces(np.array(places), np.cumsum([0, *map(len, weights)]), np.concatenate(states), shares)


def _parts(pieces: _Pieces, columns: int) -> Iterator[_Pieces]:
    for first, last in runs(pieces.starts, _CELLS // columns):
        part = slice(pieces.starts[first], pieces.starts[last])
        starts = pieces.starts[first : last + 1] - pieces.starts[first]
        yield _Pieces(pieces.places[first:last], starts, pieces.states[part], pieces.shares[part])


def _precision_recall(simple: _Pieces, complex_: _Pieces) -> tuple[Matrix, Matrix]:
    """P and R of each simple text with each complex text. Shape: (k, l) each."""
    rows, columns = simple.starts[:-1], complex_.starts[:-1]
    cosine = simple.states @ complex_.states.T  # (word pieces, word pieces)
    of_complex = np.maximum.reduceat(cosine, rows, axis=0)  # (k, word pieces)
    of_simple = np.maximum.reduceat(cosine, columns, axis=1)  # (word pieces, l)
    precision = np.add.reduceat(of_complex * complex_.shares, columns, axis=1)
    recall = np.add.reduceat(of_simple * simple.shares[:, None], rows, axis=0)
    return precision, recall


def _f1(precision: Matrix, recall: Matrix) -> Matrix:
    positive = (precision > 0) & (recall > 0)
    mean = np.divide(2 * precision * recall, precision + recall, out=np.zeros_like(precision), where=positive)
    return np.minimum(mean, 1.0)


class FineTunedEncoder(Similarity):
    """P(aligned or partial) for Task 1 and P(aligned) for Task 2 (section 2.2, appendix A.1).

    Pairs that the encoder does not look at are near 0.

    Args:
        trained_on: the key of `encoders` whose encoder it is; where None, the one of the trained aligner.
    """

    def __init__(self, cache: "Cache", trained_on: str | None = None) -> None:
        self._scorer = cache.pair_scorer(trained_on)

    def matrices(self, pair: DocumentPair) -> Matrices:
        scores = self._scorer.scores(pair)
        return scores.linked_probability(), scores.aligned_probability()
