"""The kind `paraphrase`: statistical translation with paraphrase rules, tuned for SARI (Xu et al. 2016, SBMT).

The phrase table is not learnt from aligned pairs: it is made of the rules of a file of PPDB (`ppdb_rules`), and of each
word as itself. A rule has the probabilities of PPDB and how much simpler its simple side is, by length, syllables and
frequency in the training corpus; the language model is of the corpus's simple side, and the weights are tuned on dev
for SARI by pairwise ranking. The grammar is flat: rules with slots are left out, and categories are not compared with a
parse of the sentence, as the paper's decoder does. Table, search and language model are those of `phrase_based`.

The paper (section 4) adds to the features of PPDB length in characters and words, syllables, language model scores and
the share of common English words. Here these are differences between the two sides; the number of words is one of the
search.
"""

import logging
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Literal

from textsimp.core.errors import InputError
from textsimp.core.reading import read_aligned, read_lines
from textsimp.core.records import SIDES
from textsimp.core.settings import NonNegative, Positive
from textsimp.metrics.readability import count_syllables
from textsimp.simplification import phrase_based
from textsimp.simplification.interface import CorpusFiles, Epoch, Runtime, stored_config
from textsimp.simplification.phrase_based import TABLE, Metric, PhraseBased
from textsimp.simplification.phrase_decoder import FURTHER
from textsimp.simplification.phrase_table import Features, read_table, write_table
from textsimp.simplification.ppdb_rules import Rule, corpus_of, read_rules
from textsimp.simplification.weight_tuning import Tuning

# From the fourth on: those of the simple phrase minus those of the complex one; frequencies are logarithms of shares,
# summed over words. `changed` is 1, and all are 0 where a word stays.
FEATURES = (
    *("log p(simple|complex)", "log p(complex|simple)", "PPDB score", "characters / 10", "syllables"),
    *("common words", "frequency on the simple side", "frequency on the simple by the complex side", "changed"),
)
_HEADER = "complex\tsimple\t" + ", ".join(FEATURES)
# The weights of a model that was not tuned.
_START: Features = (0.1, 0.1, 0.1, -0.1, -0.1, 0.2, 0.1, 0.2, 0.0) + (0.5, 0.0, 0.0, 0.0)
assert len(_START) == len(FEATURES) + FURTHER
_DIGITS = 5
_RULES = "rules.tsv"
_RULES_HEADER = "complex\tsimple\tlog probabilities of simple and complex, PPDB score"
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ParaphraseConfig:
    """The rules, the search and the tuning."""

    kind: str
    rules: str | None  # a file of PPDB, .gz or not, or one with two words a line; see `ppdb_rules`
    max_words: Positive  # training pairs with more words on either side are left out
    max_phrase: Positive  # words of a rule, on either side
    max_options: Positive  # so many simple phrases of a complex one take part in the search, the likeliest first
    common_words: Positive  # so many most frequent words of the simple side are common English
    order: Positive  # of the language model
    beam: Positive  # so many hypotheses are extended at each place of a sentence
    # what is tuned for, and how weights are looked for by it; see `weight_tuning`
    tuning_metric: Metric
    tuner: Literal["pro", "mert"]
    # the first so many different complex sentences of dev; one that stands there with several simple ones has several
    # references
    tuning_sentences: Positive
    # how often dev is decoded, and the length of its lists of hypotheses
    tuning_rounds: NonNegative
    tuning_n_best: Positive

    def __post_init__(self) -> None:
        """Check what does not go together; `InputError` names the key."""
        if self.tuner == "pro" and self.tuning_metric == "bleu":
            raise InputError("paraphrase: tuning_metric: bleu ranks no single sentences; set sari, or tuner: mert")


def binarize(corpus: CorpusFiles, folder: Path, config: ParaphraseConfig) -> None:
    """Write words in lower case, as X.complex and X.simple, and rules.tsv.

    Raises:
        InputError: no file of rules is named, it cannot be read, or no pair or rule is left.
    """
    if config.rules is None:
        what = "simplifier.paraphrase.rules is not set"
        raise InputError(f"{what}; give a file of PPDB, or of two words a line (docs/simplifiers.md)")
    phrase_based.binarize(corpus, folder, config)
    rules = read_rules(Path(config.rules), config.max_phrase, corpus_of(folder))
    table = {
        phrase: [(rule.simple, rule[2:]) for rule in facing] for phrase, facing in groupby(rules, attrgetter("complex"))
    }
    write_table(folder / _RULES, table, _RULES_HEADER)
    logger.info("%d rules for %d phrases", len(rules), len(table))


def train(binary: Path, model: Path, partial: Path, config: ParaphraseConfig, runtime: Runtime) -> list[Epoch]:
    """Make the tables, tune the weights, write the model; a row of the curve is a round of tuning (1 - metric / 100).

    `partial` keeps the tables of a killed run.
    """
    if not (partial / TABLE).is_file():
        complex_, simple = (counted(read_lines(binary / f"train.{side}")) for side in SIDES)
        simplicity = Simplicity(complex_, simple, config.common_words)
        stored = read_table(binary / _RULES)
        rules = (Rule(phrase, simple, *values) for phrase, row in stored.items() for simple, values in row)
        write_table(partial / TABLE, paraphrase_table(rules, simplicity, config.max_options), _HEADER)
    references: defaultdict[str, list[str]] = defaultdict(list)
    for complex_text, simple_text in read_aligned([binary / f"dev.{side}" for side in SIDES]):
        references[complex_text].append(simple_text)
    sources = list(references)[: config.tuning_sentences]
    rows = [references[source] for source in sources]
    settings = Tuning(config.tuning_metric, config.tuner, config.tuning_rounds)
    return phrase_based.finished(binary, model, partial, config, sources, rows, settings, _START)


def counted(lines: Iterable[str]) -> Counter[str]:
    """Return how often each word stands in lines of words."""
    return Counter(word for line in lines for word in line.split())


class Simplicity:
    """Simplicity of words, by the training corpus; `common`: so many words of the simple side."""

    def __init__(self, complex_: Mapping[str, int], simple: Mapping[str, int], common: int) -> None:
        self._counts = complex_, simple
        # one more for words that were never seen
        self._sizes = [sum(counts.values()) + len(counts) + 1 for counts in self._counts]
        order = sorted(simple, key=lambda word: (-simple[word], word))
        self._common = frozenset(order[:common])

    def features(self, phrase: str) -> tuple[float, ...]:
        """Return characters / 10, syllables, the share of common words, and both frequencies."""
        words = phrase.split()
        complex_, simple = (sum(self._share(word, side) for word in words) for side in (0, 1))
        common = sum(word in self._common for word in words) / len(words)
        return len(phrase) / 10, float(sum(map(count_syllables, words))), common, simple, simple - complex_

    def _share(self, word: str, side: int) -> float:
        return math.log((self._counts[side].get(word, 0) + 1) / self._sizes[side])


def paraphrase_table(rules: Iterable[Rule], simplicity: Simplicity, most: int) -> dict[str, list[tuple[str, Features]]]:
    """Return the phrase table of sorted rules: of each complex phrase the `most` likeliest, and a word as itself."""
    table = {}
    for phrase, facing in groupby(rules, attrgetter("complex")):
        own = simplicity.features(phrase)
        rows: list[tuple[str, Features]] = [] if " " in phrase else [(phrase, (0.0,) * len(FEATURES))]
        for rule in facing:
            gains = (new - old for new, old in zip(simplicity.features(rule.simple), own, strict=True))
            values = (*rule[2:], *gains, 1.0)
            rows.append((rule.simple, tuple(round(value, _DIGITS) for value in values)))
        table[phrase] = sorted(rows, key=lambda row: (-row[1][0] - row[1][1], -row[1][6], row[0]))[: most + 1]
    return table


def load(model: Path, runtime: Runtime) -> PhraseBased:
    """Load a model folder."""
    config = stored_config(model, ParaphraseConfig)
    return phrase_based.load_tables(model, config, corrects_articles=True)
