"""Sentence similarities by name: each turns a document pair into a matrix.

A new one is a class with `fit` and `compare` (see `TextSimilarity`), a module here, and a line in `SIMILARITIES`;
its parameters are the options that a system's YAML may give.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from textsimp.alignment.parts import checked_call
from textsimp.alignment.similarity.contextual import BertEmbedding, BertScore, FineTunedEncoder
from textsimp.alignment.similarity.lexical import CharacterNgrams, Jaccard, TfIdfSimilarity, WeightedWordSimilarity
from textsimp.alignment.similarity.logistic import LogisticRegression
from textsimp.alignment.similarity.pair_training import Esim, InferSent
from textsimp.alignment.similarity.similarity import Similarity, TextSimilarity, Trained
from textsimp.alignment.similarity.word_pairs import (
    AverageAlignment,
    Cwasa,
    HungarianAlignment,
    MaximumAlignment,
    WordAverage,
    WordMoversDistance,
)
from textsimp.core.errors import InputError

if TYPE_CHECKING:
    from textsimp.alignment.systems import Cache

_NEEDS: dict[str, Callable[["Cache"], Any]] = {
    "vectors": lambda cache: cache.vectors,
    "encoder": lambda cache: cache.sentence_encoder,
    "aligner": lambda cache: cache.trained_aligner("the similarity `encoder`"),
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


def make_similarity(name: str, options: Mapping[str, Any], cache: "Cache") -> Similarity:
    """The similarity of that name, not yet fitted; `InputError` lists the names or options where there is none such."""
    need = needs_of(name)
    fixed = [_NEEDS[need](cache)] if need else []
    return checked_call(f"similarity {name}", SIMILARITIES[name], options, *fixed)


def needs_of(name: str) -> str | None:
    """What a similarity needs beside its options: `vectors`, `encoder`, `aligner` or nothing."""
    if name not in SIMILARITIES:
        raise InputError(f"no similarity {name!r}; known: {', '.join(sorted(SIMILARITIES))}")
    first = next(iter(inspect.signature(SIMILARITIES[name]).parameters), None)
    return first if first in _NEEDS else None
