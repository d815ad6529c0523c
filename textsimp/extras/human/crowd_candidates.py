"""Sentence pairs that a crowd is asked about (Jiang et al. 2020, section 3.2): what several measures put first."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from textsimp.alignment.cache import Cache
from textsimp.alignment.neural.aligner_settings import AlignerConfig, Device, check_is_aligner
from textsimp.alignment.parts import Part
from textsimp.alignment.similarity.candidates import first_of_each
from textsimp.alignment.similarity.similarity import Matrix
from textsimp.alignment.spec import SystemSpec
from textsimp.core.errors import InputError
from textsimp.core.params import from_conf
from textsimp.core.progress import progress
from textsimp.core.records import DocumentPair
from textsimp.core.word_vectors import WordVectorConfig

# an alignment probability; the other measures are named as in `alignment.similarity`
ALIGNER = "aligner"
MEASURES: Mapping[str, Part | None] = {
    "char_ngrams": Part("char_ngrams", {"n": 3}),
    "tfidf": Part("tfidf", {"scope": "corpus"}),
    "bert_embedding": Part("bert_embedding", {}),
    ALIGNER: None,
}
Cells = set[tuple[int, int]]
"""Simple and complex sentence, from 0."""


def first_by(names: Sequence[str], pairs: Sequence[DocumentPair], model: Path | None = None) -> list[Cells]:
    """Return of each document pair the sentence pairs that one of the measures puts first for its simple sentence.

    Args:
        names: keys of `MEASURES`. `aligner` is P(aligned or partial): by the fine-tuned encoder of `model`, as in the
            paper, else by the aligner that the package brings.
        model: folder of a trained aligner.

    Raises:
        InputError: an unknown measure, or a folder of something else.
    """
    if unknown := sorted(set(names) - MEASURES.keys()):
        raise InputError(f"measures: no {unknown[0]!r}; known: {', '.join(MEASURES)}")
    if model is not None:
        check_is_aligner(model)
    if not names:
        return [set() for _ in pairs]
    measures = _matrices(names, pairs, model)
    shown = progress(pairs, desc="propose candidates", unit=" document pairs")
    chosen = (first_of_each([matrix(pair) for matrix in measures]) for pair in shown)
    return [{(simple, complex_) for simple, complex_ in np.argwhere(cells).tolist()} for cells in chosen]


def of_paragraphs(pair: DocumentPair, connected: Collection[tuple[int, int]]) -> Cells:
    """Return all sentence pairs of aligned paragraphs (simple, complex), the candidates for Newsela (section 3.1)."""
    return {
        (simple, complex_)
        for simple, left in enumerate(pair.simple.paragraph_of)
        for complex_, right in enumerate(pair.complex.paragraph_of)
        if (left, right) in connected
    }


def _matrices(
    names: Sequence[str], pairs: Sequence[DocumentPair], model: Path | None
) -> list[Callable[[DocumentPair], Matrix]]:
    device = from_conf("runtime", Device)
    aligner = None
    if model is not None and ALIGNER in names:
        from textsimp.alignment.neural.aligner import load_aligner  # torch is slow to import

        aligner = load_aligner(model, device)
    encoder = from_conf("aligner", AlignerConfig).encoder
    cache = Cache(pairs, from_conf("word_vectors", WordVectorConfig), encoder, device, aligner)
    measures: list[Callable[[DocumentPair], Matrix]] = []
    for name in names:
        if part := MEASURES[name] or (Part("encoder", {}) if aligner else None):
            measures.append(cache.similarity(part).matrix)
        else:
            measures.append(partial(SystemSpec.named(None).load(device, pairs).scores, task="task1"))
    return measures
