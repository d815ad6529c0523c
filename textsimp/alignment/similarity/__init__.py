"""Sentence similarities by name: each turns a document pair into a matrix.

A new one is a class with `fit` and `compare` (see `TextSimilarity`), a module here, and a line in `SIMILARITIES`;
its parameters are the options that a system's YAML may give. A module is imported when one of its classes is asked
for: some need torch, which takes a second.
"""

import importlib
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from textsimp.alignment.similarity.similarity import Similarity
from textsimp.core.errors import InputError
from textsimp.core.settings import called

if TYPE_CHECKING:
    from textsimp.alignment.cache import Cache

_NEEDS: dict[str, Callable[["Cache"], Any]] = {
    "vectors": lambda cache: cache.vectors,
    "encoder": lambda cache: cache.sentence_encoder,
    "cache": lambda cache: cache,
}
"""What a class may ask for as its first parameter, by that parameter's name."""

SIMILARITIES = {
    "average_alignment": "word_pairs.AverageAlignment",
    "bert_embedding": "contextual.BertEmbedding",
    "bertscore": "contextual.BertScore",
    "candidates": "similarity.Candidates",
    "char_ngrams": "lexical.CharacterNgrams",
    "cwasa": "word_pairs.Cwasa",
    "encoder": "contextual.FineTunedEncoder",
    "esim": "pair_networks.Esim",
    "hungarian_alignment": "word_pairs.HungarianAlignment",
    "infersent": "pair_networks.InferSent",
    "jaccard": "lexical.Jaccard",
    "logistic": "logistic.LogisticRegression",
    "maximum_alignment": "word_pairs.MaximumAlignment",
    "tfidf": "lexical.TfIdfSimilarity",
    "weighted_words": "lexical.WeightedWordSimilarity",
    "word_average": "word_pairs.WordAverage",
    "word_movers_distance": "word_pairs.WordMoversDistance",
}
"""The module here and the class of each name."""


def make_similarity(name: str, options: Mapping[str, Any], cache: "Cache") -> Similarity:
    """The similarity of that name, not yet fitted; `InputError` lists the names or options where there is none such."""
    need = needs_of(name)
    fixed = [_NEEDS[need](cache)] if need else []
    similarity = called(f"similarity {name}", _class(name), options, *fixed)
    similarity.name = name
    return similarity


def needs_of(name: str) -> str | None:
    """Return what a similarity needs beside its options: `vectors`, `encoder`, `cache` or nothing."""
    if name not in SIMILARITIES:
        raise InputError(f"no similarity {name!r}; known: {', '.join(sorted(SIMILARITIES))}")
    first = next(iter(inspect.signature(_class(name)).parameters), None)
    return first if first in _NEEDS else None


def _class(name: str) -> Callable[..., Similarity]:
    module, _, kind = SIMILARITIES[name].partition(".")
    factory: Callable[..., Similarity] = getattr(importlib.import_module(f"{__name__}.{module}"), kind)
    return factory
