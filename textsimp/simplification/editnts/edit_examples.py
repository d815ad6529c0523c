"""Sentence pairs as numbers: what `binarize` writes and training and generation read.

A binarized folder holds `vocabulary.txt`, `train.safetensors` and `dev.safetensors` (all sentences end to end, with
their lengths), the text of dev (`dev.complex`, `dev.simple`), the `vectors.safetensors` of known words if word vectors
are given, and `settings.json`.

The encoder is given word classes, as Dong et al. 2019 (section 3.2) give it part-of-speech embeddings. Taggers by
name: `none`, `spacy` (the packaged pipeline), or another spaCy model. All use the universal tag set.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors.numpy import load_file, save_file

from textsimp.core.errors import bad_input
from textsimp.core.reading import read_aligned, read_json
from textsimp.core.tensors import check_tensors
from textsimp.core.word_vectors import known_vectors
from textsimp.core.writing import write_json, write_lines
from textsimp.simplification.editnts import EditNtsConfig
from textsimp.simplification.editnts.programs import Edit, Vocabulary, build_vocabulary, edit_program
from textsimp.simplification.interface import CorpusFiles, ParallelFiles
from textsimp.simplification.spacing import tokenise
from textsimp.simplification.spacy_models import trained_pipeline

TAGS = (
    *("X", "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT"),
    *("SCONJ", "SYM", "VERB", "SPACE"),
)
VECTORS = "vectors.safetensors"
# The parameters that shape a binarized folder.
BINARY_KEYS = (
    *("kind", "min_frequency", "min_add_frequency", "max_words", "max_length", "tagger"),
    *("embeddings", "embedding_size"),
)
_OWNERS = {"complex": "complex", "tags": "complex", "program": "program"}  # column -> the one whose lengths it has
_REMEDY = "binarize the corpus again"
log = logging.getLogger(__name__)
Tagger = Callable[[Sequence[str]], list[int]]


def load_tagger(name: str) -> Tagger:
    """Return the tagger of a name, for `none` one of zeros; `InputError` where no such spaCy model is installed."""
    if name == "none":
        return lambda words: [0] * len(words)
    from spacy.tokens import Doc

    pipeline = trained_pipeline(name, ["tagger", "morphologizer"], ["ner", "parser", "lemmatizer"])
    numbers = {tag: number for number, tag in enumerate(TAGS)}
    return lambda words: [numbers.get(token.pos_, 0) for token in pipeline(Doc(pipeline.vocab, words=list(words)))]


def save_vectors(source: str | None, binary: Path, vocabulary: Vocabulary, size: int) -> None:
    """Take the known words' vectors from `glove` or a file of word vectors, if given one.

    Raises:
        InputError: the file is absent, has no vector for any known word, or vectors of another size.
    """
    if source is None:
        return
    words, vectors = known_vectors(source, list(vocabulary.numbers))
    if vectors.shape[1] != size:
        what = f"vectors of {vectors.shape[1]} numbers, where `embedding_size` is {size}"
        raise bad_input(source, None, what, "set the size of the vectors")
    rows = np.array([vocabulary.numbers[word] for word in words], dtype=np.int32)
    save_file({"rows": rows, "vectors": vectors}, binary / VECTORS)


@dataclass(frozen=True)
class Example:
    """Numbers of the complex words, of their word classes and of the edits (empty where there is no reference)."""

    complex: Sequence[int]
    tags: Sequence[int]
    program: Sequence[int]


class _Pair(NamedTuple):
    """A sentence pair: the two texts, their words in their own case, and the program between them in lower case."""

    texts: Sequence[str]
    sides: list[list[str]]
    program: list[Edit]


def binarize(corpus: CorpusFiles, folder: Path, config: EditNtsConfig) -> None:
    """Tokenise the corpus, find its edit programs and write the folder; `InputError` for an empty or uneven file."""
    train, dev = (_read(files, config.max_length) for files in (corpus.train, corpus.dev))
    sentences = [words for pair in train for words in pair.sides]
    vocabulary = build_vocabulary(sentences, [pair.program for pair in train], config)
    vocabulary.save(folder / "vocabulary.txt")
    save_vectors(config.embeddings, folder, vocabulary, config.embedding_size)
    tagger = load_tagger(config.tagger)
    for name, pairs in (("train", train), ("dev", dev)):
        examples = [encode(pair.sides[0], vocabulary, tagger, pair.program) for pair in pairs]
        _save(folder / f"{name}.safetensors", examples)
    write_lines(folder / "dev.complex", [pair.texts[0] for pair in dev])
    write_lines(folder / "dev.simple", [pair.texts[1] for pair in dev])
    write_json(folder / "settings.json", {"config": _binary_settings(config), "tagger": config.tagger})


def _read(files: ParallelFiles, max_length: int) -> list[_Pair]:
    """Return the pairs of two files that are not too long; `InputError` where none is left."""
    rows = read_aligned([files.complex, files.simple])
    pairs = []
    for texts in rows:
        sides = [tokenise(text) for text in texts]
        if all(0 < len(words) <= max_length for words in sides):
            program = edit_program(*([word.lower() for word in words] for words in sides))
            pairs.append(_Pair(texts, sides, program))
    if len(pairs) < len(rows):
        log.info("%s: %d of %d pairs left out (empty or too long)", files.complex, len(rows) - len(pairs), len(rows))
    if not pairs:
        what = f"no sentence pair with 1 to {max_length} words on either side among {len(rows)}"
        raise bad_input(files.complex, None, what, "the corpus needs some; check its filters and max_length")
    return pairs


def encode(words: Sequence[str], vocabulary: Vocabulary, tagger: Tagger, program: Sequence[Edit] = ()) -> Example:
    """Return the example of a tokenised complex sentence and its program."""
    return Example(vocabulary.word_numbers(words), tagger(words), vocabulary.edit_numbers(program))


def _binary_settings(config: EditNtsConfig) -> dict[str, Any]:
    return {key: value for key, value in asdict(config).items() if key in BINARY_KEYS}


def check_binary(folder: Path, config: EditNtsConfig) -> str:
    """Return the tagger that a folder was binarized with; `InputError` where other parameters shaped it."""
    path = folder / "settings.json"
    settings, expected = read_json(path), _binary_settings(config)
    if not isinstance(settings, dict) or not isinstance(settings.get("config"), dict):
        raise bad_input(path, None, "not the settings of a binarized corpus", _REMEDY)
    if keys := [key for key in BINARY_KEYS if settings["config"].get(key) != expected[key]]:
        raise bad_input(path, None, f"binarized with other parameters ({', '.join(keys)})", _REMEDY)
    return str(settings["tagger"])


def _save(path: Path, examples: Sequence[Example]) -> None:
    arrays = {}
    for column, owner in _OWNERS.items():
        rows = [getattr(example, column) for example in examples]
        arrays[column] = np.array([number for row in rows for number in row], dtype=np.int32)
        arrays[f"{owner}_lengths"] = np.array([len(row) for row in rows], dtype=np.int32)
    save_file(arrays, path)


def load_examples(path: Path) -> list[Example]:
    """Return the examples of a file that `binarize` wrote; `InputError` where it is none."""
    check_tensors(path, _REMEDY)
    try:
        arrays = load_file(path)
        columns = [
            np.split(arrays[column], np.cumsum(arrays[f"{owner}_lengths"])[:-1]) for column, owner in _OWNERS.items()
        ]
    except (KeyError, ValueError) as error:
        raise bad_input(path, None, f"not a binarized file ({error})", _REMEDY) from None
    return [Example(*(part.tolist() for part in parts)) for parts in zip(*columns, strict=True)]
