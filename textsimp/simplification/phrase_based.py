"""The kind `phrase_based`: phrase-based statistical machine translation from complex to simple English.

As Coster and Kauchak 2011 (section 5) use Moses: words are aligned in both directions, pairs of phrases are taken from
the symmetrised alignment, and a decoder looks for the sentence with the highest log-linear score of phrase table,
language model of the simple side, words and phrases. With `deletion`, the table also has phrases that leave nothing
(their later extension). The word alignment is the package sil-thot's; see docs/simplifiers.md for why the rest is not.

Each step of training leaves its file in `partial` whole or not at all.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from textsimp.core.errors import bad_input
from textsimp.core.progress import progress
from textsimp.core.reading import read_aligned, read_json, read_lines, sha256
from textsimp.core.records import SIDES
from textsimp.core.settings import NonNegative, Positive
from textsimp.core.writing import copy_file, write_json, write_lines
from textsimp.simplification import weight_tuning
from textsimp.simplification.backoff_model import LANGUAGE, LanguageModel
from textsimp.simplification.interface import CorpusFiles, Epoch, Hypothesis, Runtime, stored_config
from textsimp.simplification.phrase_decoder import Decoder, Output
from textsimp.simplification.phrase_table import Links, Words, align_words, build_table, read_table, write_table
from textsimp.simplification.spacing import Casing, detokenise, is_tokenised, tokenise
from textsimp.simplification.word_forms import with_articles

# What weights are chosen by: BLEU or SARI of the corpus, or SARI's mean over sentences (Xu et al. 2016).
Metric = Literal["bleu", "sari", "sari_sentence"]
TABLE, WEIGHTS, CASING = "phrases.tsv", "weights.json", "casing.json"  # files of a model folder
_LINKS = "links.txt"
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class PhraseBasedConfig:
    """The tables, the search and the tuning."""

    kind: str
    max_words: Positive  # training pairs with more words on either side are left out
    ibm1_iterations: Positive  # of the word alignment, in each direction
    hmm_iterations: NonNegative
    max_phrase: Positive  # words of a phrase, on either side
    min_count: Positive  # pairs of phrases that are seen less often are left out, but for those of one complex word
    deletion: bool  # whether a phrase may be left out as a whole
    max_options: Positive  # so many simple phrases of a complex one take part in the search, the likeliest first
    order: Positive  # of the language model
    beam: Positive  # so many hypotheses are extended at each place of a sentence
    tuning_metric: Metric  # what the weights are chosen by, on the first `tuning_pairs` of dev; 0: no tuning
    tuning_pairs: NonNegative
    # how often dev is decoded, and the length of its lists of hypotheses
    tuning_rounds: NonNegative
    tuning_n_best: Positive


def binarize(corpus: CorpusFiles, folder: Path, config: Any) -> None:
    """Write words in lower case, as X.complex and X.simple; `InputError` where no pair of a split is left.

    Args:
        config: of any kind with `max_words`: pairs with more on either side are left out.
    """
    for split, files in (("train", corpus.train), ("dev", corpus.dev)):
        rows = [list(map(tokenise, row)) for row in read_aligned([files.complex, files.simple])]
        kept = [row for row in rows if all(0 < len(words) <= config.max_words for words in row)]
        if not kept:
            what = f"no pair of sentences with 1 to {config.max_words} words on either side"
            raise bad_input(files.complex, None, what, f"give a corpus with {split} pairs")
        if split == "train":
            write_json(folder / CASING, Casing.learn(simple for _, simple in kept).forms)
            logger.info("%d of %d training pairs kept", len(kept), len(rows))
        for side, column in zip(SIDES, zip(*kept, strict=True), strict=False):
            write_lines(folder / f"{split}.{side}", (" ".join(words).lower() for words in column))


def train(binary: Path, model: Path, partial: Path, config: PhraseBasedConfig, runtime: Runtime) -> list[Epoch]:
    """Make the tables, tune the weights, write the model; a row of the curve is a round of tuning (1 - metric / 100).

    `partial` keeps the alignment and the tables of a killed run.
    """
    pairs = [(complex_.split(), simple.split()) for complex_, simple in _read(binary, "train")]
    if not (partial / TABLE).is_file():
        links = _links(partial / _LINKS, pairs, config)
        aligned = progress(zip(*zip(*pairs, strict=True), links, strict=True), desc="phrases", total=len(pairs))
        table = build_table(aligned, config.max_phrase, config.min_count, config.max_options, config.deletion)
        write_table(partial / TABLE, table)
    dev = _read(binary, "dev")[: config.tuning_pairs]
    settings = weight_tuning.Tuning(config.tuning_metric, "mert", config.tuning_rounds)
    return finished(binary, model, partial, config, [row[0] for row in dev], [[row[1]] for row in dev], settings)


def _read(binary: Path, split: str) -> list[tuple[str, ...]]:
    return read_aligned([binary / f"{split}.{side}" for side in SIDES])


def _links(path: Path, pairs: Sequence[tuple[Words, Words]], config: PhraseBasedConfig) -> list[Links]:
    """Return the word alignment, kept as `i-j` (Pharaoh's format)."""
    if not path.is_file():
        logger.info("aligning the words of %d pairs", len(pairs))
        alignments = align_words(pairs, config.ibm1_iterations, config.hmm_iterations)
        write_lines(path, (" ".join(f"{i}-{j}" for i, j in links) for links in alignments))
    return [[(int(i), int(j)) for i, j in (link.split("-") for link in line.split())] for line in read_lines(path)]


def finished(
    binary: Path,
    model: Path,
    partial: Path,
    config: Any,
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    settings: weight_tuning.Tuning,
    start: tuple[float, ...] = weight_tuning.START,
) -> list[Epoch]:
    """Complete a model whose phrase table lies in `partial`: language model, weights; return the curve.

    Args:
        config: of any kind with `order`, `max_phrase`, `beam` and `tuning_n_best`.
        sources, references: of dev, to tune on.
        start: the weights that tuning begins with.
    """
    if not (partial / LANGUAGE).is_file():
        sentences = (line.split() for line in read_lines(binary / "train.simple"))
        LanguageModel.learn(sentences, config.order).write(partial / LANGUAGE)
    for name, folder in ((TABLE, partial), (LANGUAGE, partial), (CASING, binary)):
        copy_file(folder / name, model / name)
    table = read_table(model / TABLE)  # as `load` will read it
    language = LanguageModel.of(model / LANGUAGE)

    def decode(weights: Sequence[float]) -> list[list[Output]]:
        decoder = Decoder(table, language, weights, config.max_phrase, config.beam)
        return [decoder.decode(line.split(), config.tuning_n_best) for line in progress(sources, desc="tuning")]

    untuned = [weight_tuning.Round(start, 0.0, 0.0)]
    rounds = list(weight_tuning.tune(sources, references, settings, decode, start)) if sources else untuned
    best = max(rounds, key=lambda row: row.reached)
    digests = {name: sha256(model / name) for name in (TABLE, LANGUAGE)}  # which the weights were tuned with
    write_json(model / WEIGHTS, {"weights": list(best.weights), "tables": digests})
    return [Epoch(number, 1 - row.expected / 100, 1 - row.reached / 100) for number, row in enumerate(rounds, 1)]


@dataclass(frozen=True)
class PhraseBased:
    """The decoder with the capitals of its corpus; `a` and `an` are made to fit new neighbours where asked for."""

    decoder: Decoder
    casing: Casing
    corrects_articles: bool = False

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """See `TrainedSimplifier`; the score is the weighted sum of the features, per word, and at most 0."""
        return [self._simplify(sentence, n_best) for sentence in sentences]

    def _simplify(self, sentence: str, n_best: int) -> list[Hypothesis]:
        written = tokenise(sentence)
        source = [word.lower() for word in written]
        scores: dict[str, float] = {}
        for output in self.decoder.decode(source, n_best):
            words = self.casing.write(output.words, source, written)
            words = with_articles(words, source) if self.corrects_articles else words
            text = detokenise(words, is_tokenised(sentence))
            scores.setdefault(text, min(0.0, output.score / len(words)))
        return [Hypothesis(text, round(score, 6)) for text, score in scores.items()]


def load(model: Path, runtime: Runtime) -> PhraseBased:
    """Load a model folder."""
    return load_tables(model, stored_config(model, PhraseBasedConfig))


def load_tables(model: Path, config: Any, corrects_articles: bool = False) -> PhraseBased:
    """Do as `load` does, for any kind with `max_phrase` and `beam`."""
    table, language = read_table(model / TABLE), LanguageModel.of(model / LANGUAGE)
    decoder = Decoder(table, language, read_json(model / WEIGHTS)["weights"], config.max_phrase, config.beam)
    return PhraseBased(decoder, Casing.of(model / CASING), corrects_articles)
