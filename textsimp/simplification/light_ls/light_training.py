"""From a corpus to the model of LIGHT-LS: frequencies, word vectors, a language model. No pair is learnt from."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from textsimp.core.errors import bad_input
from textsimp.core.reading import read_lines
from textsimp.core.tensors import check_tensors
from textsimp.core.word_vectors import EncoderVectors, PretrainedVectors
from textsimp.core.writing import copy_file, write_lines
from textsimp.metrics.lexical_complexity import read_counts
from textsimp.simplification.casing import Casing
from textsimp.simplification.interface import CorpusFiles, Epoch, Runtime, stored_config
from textsimp.simplification.light_ls import LightLsConfig
from textsimp.simplification.light_ls.word_replacement import Choice, Floats, LightLs, Words
from textsimp.simplification.paraphrase.paraphrase_table import counted
from textsimp.simplification.paraphrase.paraphrase_training import corpus_of
from textsimp.simplification.paraphrase.ppdb_rules import read_rules
from textsimp.simplification.phrase_based import phrase_training
from textsimp.simplification.phrase_based.backoff_model import (
    END,
    LanguageModel,
    learn_language_model,
    read_language_model,
    write_language_model,
)
from textsimp.simplification.phrase_based.trained_phrases import CASING, LANGUAGE

COUNTS, VECTORS, VECTOR_WORDS = "frequencies.txt", "vectors.safetensors", "vector_words.txt"
_REMEDY = "restore the folder, or train again"
_ROUNDS = 10
"""Of retrofitting, as in Faruqui et al. 2015."""
_LEAST = 0.1
"""A smaller part of the words than this is known by vectors of any language: names, and what words look alike."""


def binarize(corpus: CorpusFiles, folder: Path, config: LightLsConfig) -> None:
    """Words in lower case, as X.complex and X.simple, frequencies and vectors; `InputError` of what is read."""
    phrase_training.binarize(corpus, folder, config)
    counts: dict[str, float] = dict(counted(read_lines(folder / "train.simple")))
    if config.frequencies is not None:
        counts = read_counts(Path(config.frequencies))
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[: config.vocabulary]
    write_lines(folder / COUNTS, (f"{word} {counts[word]:.0f}" for word in frequent))
    words, matrix = _vectors([word for word in frequent if word.isalpha()], config)
    unit = _unit(matrix)
    if config.synonyms is not None:
        rules = read_rules(Path(config.synonyms), 1, corpus_of(folder))
        unit = retrofitted(words, unit, [(rule.complex, rule.simple) for rule in rules])
    known = np.flatnonzero(np.linalg.norm(unit, axis=1))
    write_lines(folder / VECTOR_WORDS, (words[row] for row in known.tolist()))
    save_file({"vectors": unit[known].astype(np.float16)}, folder / VECTORS)


def _vectors(words: Sequence[str], config: LightLsConfig) -> tuple[Sequence[str], Floats]:
    """Return the words that may be candidates, and their vectors, 0 for those without. Shape: (W, D).

    Beside the words of the corpus these are the first words of the vectors' own, the most frequent.
    """
    if config.vectors is None:
        encoder = EncoderVectors(config.encoder)
        # a word of several pieces is near others of the same pieces, whatever they mean
        is_whole = np.array([len(pieces) == 1 for pieces in encoder.pieces(words)])
        return words, encoder.lookup(words)[0] * is_whole[:, None]
    vectors = PretrainedVectors(config.vectors)
    covered = int(vectors.lookup(words)[1].sum())
    if covered < _LEAST * len(words):
        what = f"vectors for {covered} of the {len(words)} words of the corpus; they are of another language"
        raise bad_input(config.vectors, None, what, "give vectors of the corpus's language in `vectors`")
    own = (word.lower() for word in vectors.words[: config.vocabulary] if word.isalpha())
    candidates = list(dict.fromkeys([*words, *own]))
    return candidates, vectors.lookup(candidates)[0]


def train(binary: Path, model: Path, partial: Path, config: LightLsConfig, runtime: Runtime) -> list[Epoch]:
    """Make the language model, write the model; the one row of the curve has its loss per word of train and dev.

    `partial` stays empty: there is little to be done again.
    """
    language = learn_language_model((line.split() for line in read_lines(binary / "train.simple")), config.order)
    write_language_model(model / LANGUAGE, language)
    for name in (VECTORS, VECTOR_WORDS, COUNTS, CASING):
        copy_file(binary / name, model / name)
    return [Epoch(1, *(_loss(language, binary / f"{split}.simple") for split in ("train", "dev")))]


def retrofitted(words: Sequence[str], matrix: Floats, pairs: Sequence[tuple[str, str]]) -> Floats:
    """Vectors moved towards those of their synonyms: q_i = (q̂_i + the mean of q_j) / 2, again and again.

    Shape of both matrices: (W, D), rows of length 1 or 0; what is 0 becomes the mean of its synonyms.
    """
    rows = {word: row for row, word in enumerate(words)}
    partners: defaultdict[int, list[int]] = defaultdict(list)
    for word, partner in pairs:
        if word in rows and partner in rows:
            partners[rows[word]].append(rows[partner])
    result = matrix.copy()
    for _ in range(_ROUNDS):
        for row, others in sorted(partners.items()):
            result[row] = (matrix[row] + result[others].mean(0)) / 2
    return _unit(result)


def _unit(matrix: Floats) -> Floats:
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.maximum(lengths, np.finfo(np.float32).tiny)).astype(np.float32)


def _loss(language: LanguageModel, path: Path) -> float:
    """Mean -log p of the words of a file and of its sentences' ends."""
    total, number = 0.0, 0
    for line in read_lines(path):
        words = [*line.split(), END]
        total -= language.words(language.begin(), words)[0]
        number += len(words)
    return total / number


def load(model: Path, runtime: Runtime) -> LightLs:
    """The model of a folder; `InputError` where a file is missing or damaged."""
    config = stored_config(model, LightLsConfig)
    words = read_lines(model / VECTOR_WORDS, _REMEDY)
    shapes = check_tensors(model / VECTORS, _REMEDY)
    if list(shapes) != ["vectors"] or len(shapes["vectors"]) != 2 or shapes["vectors"][0] != len(words):
        raise bad_input(model / VECTORS, None, f"not the vectors of the {len(words)} words of the model", _REMEDY)
    matrix = load_file(model / VECTORS)["vectors"].astype(np.float32)
    known = Words(words, matrix, read_counts(model / COUNTS))
    choice = Choice(config.candidates, config.context, config.min_similarity)
    return LightLs(known, read_language_model(model / LANGUAGE), Casing.of(model / CASING), choice)
