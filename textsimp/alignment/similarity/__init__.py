"""Sentence similarities by name (F2): each turns a document pair into a matrix.

A new one is a class with `fit` and `compare` (see `TextSimilarity`), a module here, and a line in `SIMILARITIES`;
its parameters are the options that a system's YAML may give.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from textsimp.alignment.options import checked_call
from textsimp.alignment.resources import Resources
from textsimp.alignment.similarity.base import Similarity, TextSimilarity, Trained
from textsimp.alignment.similarity.char_ngrams import CharacterNgrams
from textsimp.alignment.similarity.contextual import BertEmbedding, BertScore
from textsimp.alignment.similarity.cwasa import Cwasa
from textsimp.alignment.similarity.encoder import FineTunedEncoder
from textsimp.alignment.similarity.esim import Esim
from textsimp.alignment.similarity.hwang import WeightedWordSimilarity
from textsimp.alignment.similarity.infersent import InferSent
from textsimp.alignment.similarity.jaccard import Jaccard
from textsimp.alignment.similarity.logistic import LogisticRegression
from textsimp.alignment.similarity.tfidf_cosine import TfIdfSimilarity
from textsimp.alignment.similarity.wmd import WordMoversDistance
from textsimp.alignment.similarity.word_alignment import AverageAlignment, HungarianAlignment, MaximumAlignment
from textsimp.alignment.similarity.word_average import WordAverage
from textsimp.errors import InputError

_NEEDS: dict[str, Callable[[Resources], Any]] = {
    "vectors": lambda resources: resources.vectors,
    "encoder": lambda resources: resources.sentence_encoder,
    "aligner": lambda resources: resources.trained_aligner("the similarity `encoder`"),
}
"""What a class may ask for as its first parameter, by that parameter's name."""

SIMILARITIES: dict[str, Callable[..., Similarity]] = {
    "average_alignment": AverageAlignment,
    "bert_embedding": BertEmbedding,
    "bertscore": BertScore,
    "char_ngrams": CharacterNgrams,
    "cwasa": Cwasa,
    "encoder": FineTunedEncoder,
    "esim": Esim,
    "hungarian_alignment": HungarianAlignment,
    "infersent": InferSent,
    "jaccard": Jaccard,
    "logistic": LogisticRegression,
    "maximum_alignment": MaximumAlignment,
    "tfidf": TfIdfSimilarity,
    "weighted_words": WeightedWordSimilarity,
    "word_average": WordAverage,
    "word_movers_distance": WordMoversDistance,
}

__all__ = ["SIMILARITIES", "Similarity", "TextSimilarity", "Trained", "make_similarity", "needs_of"]


def make_similarity(name: str, options: Mapping[str, Any], resources: Resources) -> Similarity:
    """The similarity of that name, not yet fitted; `InputError` lists the names or options where there is none such."""
    need = needs_of(name)
    fixed = [_NEEDS[need](resources)] if need else []
    return checked_call(f"similarity {name}", SIMILARITIES[name], options, *fixed)


def needs_of(name: str) -> str | None:
    """What a similarity needs beside its options: `vectors`, `encoder`, `aligner` or nothing."""
    if name not in SIMILARITIES:
        raise InputError(f"no similarity {name!r}; known: {', '.join(sorted(SIMILARITIES))}")
    first = next(iter(inspect.signature(SIMILARITIES[name]).parameters), None)
    return first if first in _NEEDS else None
