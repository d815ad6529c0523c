"""Sentence similarities by name (F2): each turns a document pair into a matrix.

A new one is a class with `fit` and `matrix` (see `Similarity`), a module here, and a line in `SIMILARITIES`.
"""

from collections.abc import Callable

from textsimp.alignment.similarity.base import Similarity
from textsimp.alignment.similarity.jaccard import Jaccard
from textsimp.alignment.similarity.tfidf import TfIdf
from textsimp.errors import InputError

SIMILARITIES: dict[str, Callable[[], Similarity]] = {"jaccard": Jaccard, "tfidf": TfIdf}

__all__ = ["SIMILARITIES", "Jaccard", "Similarity", "TfIdf", "make_similarity"]


def make_similarity(name: str) -> Similarity:
    """The similarity of that name, not yet fitted; `InputError` lists the names where there is none."""
    if name not in SIMILARITIES:
        raise InputError(f"no similarity {name!r}; known: {', '.join(sorted(SIMILARITIES))}")
    return SIMILARITIES[name]()
