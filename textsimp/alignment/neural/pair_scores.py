"""The knowledge of the aligner of each sentence pair of a document pair: candidates, encoder scores, features."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import diags_array

from textsimp.alignment.neural.bert import PairEncoder, SentenceEncoder, TextPair
from textsimp.alignment.words import TfIdf, best_of_rows, count_matrix, place_distance, vocabulary
from textsimp.core.errors import InputError
from textsimp.core.progress import progress
from textsimp.core.reading import quoted
from textsimp.core.records import DocumentPair
from textsimp.metrics.links import identical_mask

Matrix = NDArray[np.float64]

_SURE = 8.0
"""Log-odds that stand for certainty: of identical sentences, and against pairs that are no candidates."""
_SURE_LABEL = 4.0
MOST_CELLS = 16_000_000
"""Sentence pairs of a document pair, such as 4,000 x 4,000: 2.5 GB, and minutes in the CRF."""
_LONG = 1_000
"""So many sentence pairs take seconds, and are shown on a terminal."""
_COLUMNS = {"encoder": (0, 1), "sentence": (2,), "lexical": (3, 4, 5, 6), "position": (7,)}
_SCALE = np.array([4.0, 4.0, 1, 1, 1, 1, 1, 1])


@dataclass(frozen=True)
class PairScores:
    """Numbers for every simple and complex sentence of a document pair. All matrices have shape (m, n).

    Attributes:
        link: log-odds of linked (aligned or partial) against not aligned; infinite for identical sentences.
        aligned: log-odds of aligned against partial, given that the pair is linked.
        candidate: the pairs that the encoder looked at.
        features: inputs of the emission network. Shape: (m, n, F).
    """

    link: Matrix
    aligned: Matrix
    candidate: NDArray[np.bool_]
    features: NDArray[np.float32]

    def linked_probability(self) -> Matrix:
        """P(aligned or partial): the similarity of Task 1, cut where the encoder is sure."""
        return 1 / (1 + np.exp(-np.clip(self.link, -_SURE, _SURE)))

    def similarity(self) -> Matrix:
        """simSent of Algorithms 1 and 3: P(aligned or partial) as it is, so that thresholds near 1 can be passed."""
        return 1 / (1 + np.exp(-self.link))

    def aligned_probability(self) -> Matrix:
        """P(aligned): the similarity of Task 2."""
        return self.linked_probability() / (1 + np.exp(-self.aligned))


def feature_columns(names: Sequence[str]) -> list[int]:
    """Return which columns of `PairScores.features` the named features take."""
    return [column for name in names for column in _COLUMNS[name]]


class PairScorer:
    """Computes `PairScores`; encoder outputs are kept, so that systems share them.

    Attributes:
        candidates: see `AlignerConfig.candidates`.
        sentences: None where only `choose` is asked for, by words alone.
    """

    def __init__(self, encoder: PairEncoder, sentences: SentenceEncoder | None, words: TfIdf, candidates: int) -> None:
        self.encoder, self.sentences, self.words, self.candidates = encoder, sentences, words, candidates
        self._kept: dict[TextPair, NDArray[np.float32]] = {}
        self._known: dict[TextPair, NDArray[np.float32]] = {}
        self._scores: dict[DocumentPair, PairScores] = {}

    def prepare(self, pairs: Sequence[DocumentPair], title: str | None = None) -> None:
        """Encode all new sentence pairs of these document pairs at once, where batches are fullest.

        Args:
            title: of a progress bar on standard error; where None, one that vanishes, on a terminal, for many pairs.
        """
        for pair in pairs:
            _check_size(pair)
        new = dict.fromkeys(
            texts for pair in pairs for texts in self._texts(pair, self.choose(pair)) if texts not in self._known
        )
        is_quiet = title is None and len(new) < _LONG
        with progress(range(len(new)), is_quiet, desc=title or "sentence pairs", unit="pair") as bar:
            rows = self.encoder.log_probabilities(list(new), bar)
        self._known.update(zip(new, rows, strict=True))

    def choose(self, pair: DocumentPair) -> NDArray[np.bool_]:
        """The candidates: the most similar ones of each sentence. Shape: (m, n).

        Similarity is the cosine of sentence embeddings plus the cosine of TF-IDF vectors. A simple sentence gets
        `candidates` of them, a complex one a single one, so that a merge is not lost.
        """
        if not self.candidates:
            return np.ones((len(pair.simple.sentences), len(pair.complex.sentences)), dtype=bool)
        similar = self.words.matrix(pair) + (0.0 if self.sentences is None else self._cosine(pair))  # (m, n)
        return best_of_rows(similar, self.candidates) | (similar == similar.max(0)) & (similar > similar.mean())

    def candidate(self, pair: DocumentPair) -> NDArray[np.bool_]:
        """`PairScores.candidate`, without asking the encoder. Shape: (m, n)."""
        return self._scores[pair].candidate if pair in self._scores else self.choose(pair) | identical_mask(pair)

    def scores(self, pair: DocumentPair) -> PairScores:
        """All numbers of one document pair; encodes what `prepare` has not."""
        if pair not in self._scores:
            _check_size(pair)
            self._scores[pair] = self._compute(pair)
        return self._scores[pair]

    def forget(self) -> None:
        """Drop what was computed, to bound memory over many document pairs; what a file held stays."""
        self.encoder.forget()
        if self.sentences is not None:
            self.sentences.forget()
        self._known.clear()
        self._known.update(self._kept)
        self._scores.clear()

    def computed(self) -> tuple[list[TextPair], NDArray[np.float32]]:
        """All encoder outputs at hand, for a file: text pairs, and log P(class). Shape: (N, 3)."""
        texts = list(self._known)
        return texts, np.stack([self._known[pair] for pair in texts]) if texts else np.zeros((0, 3), np.float32)

    def share(self, scorer: "PairScorer") -> None:
        """Take encoder and encoder outputs of another scorer, now and later, and give it one's own."""
        scorer._known.update(self._known)
        self.encoder, self._known = scorer.encoder, scorer._known

    def keep(self, texts: Sequence[TextPair], rows: NDArray[np.float32]) -> None:
        """Take encoder outputs from a file, so that they need not be computed again."""
        self._kept.update(zip(texts, rows, strict=True))
        self._known.update(self._kept)

    def _compute(self, pair: DocumentPair) -> PairScores:
        candidate = self.choose(pair)
        texts = list(self._texts(pair, candidate))
        if any(item not in self._known for item in texts):
            self.prepare([pair])
        same = identical_mask(pair)
        link, aligned = (np.full(candidate.shape, value) for value in (-_SURE, -_SURE_LABEL))
        for i, j in np.argwhere(candidate & ~same).tolist():
            none, partial, full = self._known[pair.simple.sentences[i], pair.complex.sentences[j]].astype(float)
            link[i, j] = np.logaddexp(partial, full) - none
            aligned[i, j] = np.clip(full - partial, -_SURE_LABEL, _SURE_LABEL)
        link[same], aligned[same] = np.inf, _SURE_LABEL
        planes = [np.clip(link, -_SURE, _SURE), aligned, self._cosine(pair), *self._overlap(pair)]
        planes.append(place_distance(*candidate.shape))
        features = np.empty((*link.shape, len(planes)), dtype=np.float32)  # (m, n, F)
        for column, plane in enumerate(planes):
            features[:, :, column] = plane / _SCALE[column]
        return PairScores(link, aligned, candidate | same, features)

    @staticmethod
    def _texts(pair: DocumentPair, candidate: NDArray[np.bool_]) -> list[TextPair]:
        simple, complex_ = pair.simple.sentences, pair.complex.sentences
        return [(simple[i], complex_[j]) for i, j in np.argwhere(candidate).tolist() if simple[i] != complex_[j]]

    def _cosine(self, pair: DocumentPair) -> Matrix:
        assert self.sentences is not None, "only `choose` is asked for without"
        simple, complex_ = (self.sentences.embed(side.sentences) for side in (pair.simple, pair.complex))
        return (simple @ complex_.T).astype(float)  # (m, n)

    def _overlap(self, pair: DocumentPair) -> list[Matrix]:
        """TF-IDF cosine, Jaccard, and what both have as a share of the idf of each sentence. Shapes: (m, n)."""
        sides = pair.simple.sentences, pair.complex.sentences
        known = vocabulary([*sides[0], *sides[1]])
        simple, complex_ = (count_matrix(sentences, known).sign() for sentences in sides)
        shared = (simple @ complex_.T).toarray()  # (m, n)
        union = simple.sum(1)[:, None] + complex_.sum(1)[None, :] - shared
        weights = self.words.weights(known)
        heavy = (simple @ diags_array(weights) @ complex_.T).toarray()  # (m, n)
        simple_weight, complex_weight = simple @ weights, complex_ @ weights  # (m,), (n,)
        return [
            self.words.matrix(pair),
            shared / np.maximum(union, 1),
            heavy / np.maximum(simple_weight, 1e-9)[:, None],
            heavy / np.maximum(complex_weight, 1e-9)[None, :],
        ]


def _check_size(pair: DocumentPair) -> None:
    m, n = len(pair.simple.sentences), len(pair.complex.sentences)
    if m * n > MOST_CELLS:
        what = f"{m:,} x {n:,} sentences, more than the {MOST_CELLS:,} sentence pairs that the neural CRF compares"
        raise InputError(f"document pair {quoted(pair.id)}: {what}; cut it into chapters, or take another --system")
