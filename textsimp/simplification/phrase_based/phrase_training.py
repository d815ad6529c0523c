"""From pairs of sentences to a phrase-based model; each step's file in `partial` is there whole or not at all."""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textsimp.core.errors import bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import read_aligned, read_lines
from textsimp.core.records import SIDES
from textsimp.core.writing import copy_file, write_json, write_lines
from textsimp.simplification.casing import Casing
from textsimp.simplification.interface import CorpusFiles, Epoch, Runtime
from textsimp.simplification.phrase_based import PhraseBasedConfig, trained_phrases, weight_tuning
from textsimp.simplification.phrase_based.backoff_model import (
    LanguageModel,
    learn_language_model,
    read_language_model,
    write_language_model,
)
from textsimp.simplification.phrase_based.phrase_decoder import Decoder, Output
from textsimp.simplification.phrase_based.phrase_table import PhraseTable, build_table, read_table, write_table
from textsimp.simplification.phrase_based.trained_phrases import CASING, LANGUAGE, TABLE
from textsimp.simplification.phrase_based.word_alignment import Links, Words, align_words
from textsimp.simplification.spacing import tokenise

_LINKS = "links.txt"
logger = logging.getLogger(__name__)


def binarize(corpus: CorpusFiles, folder: Path, config: Any) -> None:
    """Words in lower case, as X.complex and X.simple; `InputError` where no training pair is left.

    `config` is of any kind with `max_words`: pairs with more on either side are left out.
    """
    for split, files in (("train", corpus.train), ("dev", corpus.dev)):
        rows = [list(map(tokenise, row)) for row in read_aligned([files.complex, files.simple])]
        kept = [row for row in rows if all(0 < len(words) <= config.max_words for words in row)]
        if not kept:
            what = f"no pair of sentences with 1 to {config.max_words} words on either side"
            raise bad_input(files.complex, None, what, f"give a corpus with {split} pairs")
        if split == "train":
            write_json(folder / CASING, Casing.learn(simple for _, simple in kept).to_json())
            logger.info("%d of %d training pairs kept", len(kept), len(rows))
        for side, column in zip(SIDES, zip(*kept, strict=True), strict=False):
            write_lines(folder / f"{split}.{side}", (" ".join(words).lower() for words in column))


def train(binary: Path, model: Path, partial: Path, config: PhraseBasedConfig, runtime: Runtime) -> list[Epoch]:
    """Make the tables, tune the weights, write the model; a row of the curve is a round of tuning (1 - metric / 100).

    `partial` keeps the alignment, the tables and the rounds of a killed run.
    """
    rows = read_aligned([binary / "train.complex", binary / "train.simple"])
    pairs = [(complex_.split(), simple.split()) for complex_, simple in rows]
    if not (partial / TABLE).is_file():
        links = _links(partial / _LINKS, pairs, config)
        aligned = progress(zip(*zip(*pairs, strict=True), links, strict=True), desc="phrases", total=len(pairs))
        table = build_table(aligned, config.max_phrase, config.min_count, config.max_options, config.deletion)
        write_table(partial / TABLE, table)
    fill_model(binary, partial, model, config.order)
    return sealed_best(model, _tuned(binary, model, config))


def fill_model(binary: Path, partial: Path, model: Path, order: int) -> None:
    """Make the language model of the simple side where `partial` has none yet; write all but the weights."""
    if not (partial / LANGUAGE).is_file():
        sentences = (line.split() for line in read_lines(binary / "train.simple"))
        write_language_model(partial / LANGUAGE, learn_language_model(sentences, order))
    for name in (TABLE, LANGUAGE):
        copy_file(partial / name, model / name)
    copy_file(binary / CASING, model / CASING)


def sealed_best(model: Path, rounds: Sequence[weight_tuning.Round]) -> list[Epoch]:
    """Write the weights of the round that is best on dev; the rounds as rows of a training curve."""
    best = max(rounds, key=lambda row: row.reached)
    trained_phrases.seal_weights(model, best.weights)
    return [Epoch(number, 1 - row.expected / 100, 1 - row.reached / 100) for number, row in enumerate(rounds, 1)]


def _links(path: Path, pairs: Sequence[tuple[Words, Words]], config: PhraseBasedConfig) -> list[Links]:
    """The word alignment as `i-j` (Pharaoh's format), made where it is not there yet."""
    if not path.is_file():
        logger.info("aligning the words of %d pairs", len(pairs))
        alignments = align_words(pairs, config.ibm1_iterations, config.hmm_iterations)
        write_lines(path, (" ".join(f"{i}-{j}" for i, j in links) for links in alignments))
    return [[(int(i), int(j)) for i, j in (link.split("-") for link in line.split())] for line in read_lines(path)]


def _tuned(binary: Path, model: Path, config: PhraseBasedConfig) -> list[weight_tuning.Round]:
    """The rounds of tuning on dev, with the tables as `load` will read them."""
    dev = read_aligned([binary / "dev.complex", binary / "dev.simple"])[: config.tuning_pairs]
    sources, references = zip(*dev, strict=True)
    table, language = read_table(model / TABLE), read_language_model(model / LANGUAGE)
    decode = decoding(sources, table, language, config)
    settings = weight_tuning.Tuning(config.tuning_metric, "mert", config.tuning_rounds)
    return list(weight_tuning.tune(sources, [[line] for line in references], settings, decode))


def decoding(sources: Sequence[str], table: PhraseTable, language: LanguageModel, config: Any) -> weight_tuning.Decode:
    """From weights to the hypotheses of each sentence; `config` is of any kind with these settings of the search."""

    def decode(weights: Sequence[float]) -> list[list[Output]]:
        decoder = Decoder(table, language, weights, config.max_phrase, config.beam)
        return [decoder.decode(line.split(), config.tuning_n_best) for line in progress(sources, desc="tuning")]

    return decode
