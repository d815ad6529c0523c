"""Cosine of TF-IDF vectors, used for alignment by Paetzold et al. 2017 (F2)."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array

from textsimp.alignment.similarity.base import count_matrix, vocabulary
from textsimp.errors import InputError
from textsimp.records import DocumentPair


class TfIdf:
    """Cosine of vectors of tf(w) * idf(w), idf(w) = ln((1 + N) / (1 + df(w))) + 1.

    tf counts the word in the sentence; N and df count the distinct sentences of the fitted corpus, both sides
    together, as news articles repeat sentences from level to level. The constants keep words that are in every
    sentence, and give words that the corpus lacks the idf of df = 0. 0 where a sentence has no word.
    """

    def __init__(self) -> None:
        self._idf: dict[str, float] | None = None
        self._unseen = 0.0

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Self:
        """The fitted similarity that `state` described; `InputError` where it is none."""
        if not isinstance(state, dict) or not isinstance(state.get("idf"), dict) or "unseen" not in state:
            raise InputError("not the word weights of an aligner; train it again")
        fitted = cls()
        fitted._idf, fitted._unseen = state["idf"], float(state["unseen"])
        return fitted

    def state(self) -> dict[str, Any]:
        """What a file keeps of the fitted similarity."""
        return {"idf": self._idf, "unseen": self._unseen}

    def fit(self, pairs: Sequence[DocumentPair]) -> Self:
        """Take the document frequencies from the sentences of these pairs."""
        documents = {id(side): side for pair in pairs for side in (pair.simple, pair.complex)}
        sentences = list(dict.fromkeys(text for document in documents.values() for text in document.sentences))
        known = vocabulary(sentences)
        frequency = count_matrix(sentences, known).sign().sum(0)  # (words,)
        idf = np.log((1 + len(sentences)) / (1 + frequency)) + 1
        self._idf = dict(zip(known, idf.tolist(), strict=True))
        self._unseen = float(np.log(1 + len(sentences)) + 1)
        return self

    def matrix(self, pair: DocumentPair) -> NDArray[np.float64]:
        """Shape: (m, n). Raises RuntimeError before `fit`."""
        known = vocabulary([*pair.simple.sentences, *pair.complex.sentences])
        idf = self.weights(known)
        simple, complex_ = (_unit(count_matrix(d.sentences, known), idf) for d in (pair.simple, pair.complex))
        return np.clip((simple @ complex_.T).toarray(), 0.0, 1.0)

    def weights(self, words: Iterable[str]) -> NDArray[np.float64]:
        """idf of each word. Shape: (words,). Raises RuntimeError before `fit`."""
        if self._idf is None:
            raise RuntimeError("TfIdf.fit comes first")
        return np.array([self._idf.get(word, self._unseen) for word in words])


def _unit(counts: csr_array, idf: NDArray[np.float64]) -> csr_array:
    """Rows weighted by idf and scaled to length 1; empty rows stay 0."""
    weighted = counts @ diags_array(idf)
    norms = np.sqrt((weighted * weighted).sum(1))  # (sentences,)
    return diags_array(np.divide(1.0, norms, out=np.zeros_like(norms), where=norms > 0)) @ weighted
