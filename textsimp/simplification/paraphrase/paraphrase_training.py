"""From paraphrase rules and a corpus to a model; each step's file in `partial` is there whole or not at all."""

import logging
from collections import defaultdict
from pathlib import Path

from textsimp.core.errors import InputError
from textsimp.core.reading import read_aligned, read_lines
from textsimp.core.records import SIDES
from textsimp.simplification.casing import Casing
from textsimp.simplification.interface import CorpusFiles, Epoch, Runtime
from textsimp.simplification.paraphrase import ParaphraseConfig
from textsimp.simplification.paraphrase.paraphrase_table import (
    FEATURES,
    HEADER,
    START,
    Simplicity,
    counted,
    paraphrase_table,
)
from textsimp.simplification.paraphrase.ppdb_rules import Corpus, Rule, read_rules
from textsimp.simplification.phrase_based import phrase_training, weight_tuning
from textsimp.simplification.phrase_based.backoff_model import read_language_model
from textsimp.simplification.phrase_based.phrase_table import Features, read_table, write_table
from textsimp.simplification.phrase_based.trained_phrases import CASING, LANGUAGE, TABLE

_RULES = "rules.tsv"
_RULES_HEADER = "complex\tsimple\tlog probabilities of simple and complex, PPDB score"
logger = logging.getLogger(__name__)


def binarize(corpus: CorpusFiles, folder: Path, config: ParaphraseConfig) -> None:
    """Words in lower case, as X.complex and X.simple, and rules.tsv; `InputError` where no pair or rule is left."""
    if config.rules is None:
        what = "simplifier.paraphrase.rules is not set"
        raise InputError(f"{what}; give a file of PPDB, or of two words a line (docs/simplifiers.md)")
    phrase_training.binarize(corpus, folder, config)
    rules = read_rules(Path(config.rules), config.max_phrase, corpus_of(folder))
    table: defaultdict[str, list[tuple[str, Features]]] = defaultdict(list)
    for rule in rules:
        table[rule.complex].append((rule.simple, (rule.forward, rule.backward, rule.score)))
    write_table(folder / _RULES, table, _RULES_HEADER)
    logger.info("%d rules for %d phrases", len(rules), len(table))


def corpus_of(folder: Path) -> Corpus:
    """The words of the training pairs of a binarized corpus; names are what its simple side mostly capitalises."""
    complex_, simple = ([line.split() for line in read_lines(folder / f"train.{side}")] for side in SIDES)
    return Corpus(complex_, simple, Casing.of(folder / CASING).names())


def train(binary: Path, model: Path, partial: Path, config: ParaphraseConfig, runtime: Runtime) -> list[Epoch]:
    """Make the tables, tune the weights, write the model; a row of the curve is a round of tuning (1 - metric / 100).

    `partial` keeps the tables of a killed run.
    """
    if not (partial / TABLE).is_file():
        complex_, simple = (counted(read_lines(binary / f"train.{side}")) for side in SIDES)
        simplicity = Simplicity(complex_, simple, config.common_words)
        stored = read_table(binary / _RULES, _RULES_HEADER, 3)
        rules = (Rule(phrase, simple, *values) for phrase, row in stored.items() for simple, values in row)
        write_table(partial / TABLE, paraphrase_table(rules, simplicity, config.max_options), HEADER)
    phrase_training.fill_model(binary, partial, model, config.order)
    return phrase_training.sealed_best(model, _tuned(binary, model, config))


def _tuned(binary: Path, model: Path, config: ParaphraseConfig) -> list[weight_tuning.Round]:
    """The rounds of tuning on dev, whose simple sentences of one complex sentence are its references."""
    references: defaultdict[str, list[str]] = defaultdict(list)
    for complex_, simple in read_aligned([binary / "dev.complex", binary / "dev.simple"]):
        references[complex_].append(simple)
    sources = list(references)[: config.tuning_sentences]
    table, language = read_table(model / TABLE, HEADER, len(FEATURES)), read_language_model(model / LANGUAGE)
    decode = phrase_training.decoding(sources, table, language, config)
    settings = weight_tuning.Tuning(config.tuning_metric, config.tuner, config.tuning_rounds)
    rows = [references[source] for source in sources]
    return list(weight_tuning.tune(sources, rows, settings, decode, START))
