"""The kind `paraphrase`: statistical translation with paraphrase rules, tuned for SARI (Xu et al. 2016, SBMT).

The phrase table is not learnt from aligned pairs: it is made of the rules of a file of PPDB, and of each word as
itself. A rule has the probabilities of PPDB and how much simpler its simple side is, by length, syllables and frequency
in the training corpus; the language model is of the corpus's simple side, and the weights are tuned on dev for SARI by
pairwise ranking. The grammar is flat: rules with slots are left out, and categories are not compared with a parse of
the sentence, as the paper's decoder does. Table, search and language model are those of `phrase_based`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textsimp.core.bounds import NonNegative, Positive
from textsimp.core.errors import InputError, check_choice
from textsimp.simplification.interface import CorpusFiles, Epoch, Runtime
from textsimp.simplification.phrase_based import METRICS

if TYPE_CHECKING:
    from textsimp.simplification.phrase_based.trained_phrases import PhraseBased

TUNERS = ("pro", "mert")


@dataclass(frozen=True)
class ParaphraseConfig:
    """The rules, the search and the tuning.

    rules: a file of PPDB, .gz or not, or one with two words a line; see `ppdb_rules`.
    max_words: training pairs with more words on either side are left out.
    max_phrase: words of a rule, on either side.
    max_options: so many simple phrases of a complex one take part in the search, the likeliest first.
    common_words: so many most frequent words of the simple side are common English.
    order: of the language model.
    beam: so many hypotheses are extended at each place of a sentence.
    tuning_metric, tuner: one of `METRICS`, and how weights are looked for by it; see `weight_tuning`.
    tuning_sentences: the first so many different complex sentences of dev; one that stands there with several simple
        ones has several references. 0: no tuning.
    tuning_rounds, tuning_n_best: how often dev is decoded, and the length of its lists of hypotheses.
    """

    kind: str
    rules: str | None
    max_words: Positive
    max_phrase: Positive
    max_options: Positive
    common_words: Positive
    order: Positive
    beam: Positive
    tuning_metric: str
    tuner: str
    tuning_sentences: Positive
    tuning_rounds: NonNegative
    tuning_n_best: Positive

    def __post_init__(self) -> None:
        """Check the values; `InputError` names the key."""
        for key, values in (("tuning_metric", METRICS), ("tuner", TUNERS)):
            check_choice(f"paraphrase: {key}:", getattr(self, key), values)
        if self.tuner == "pro" and self.tuning_metric == "bleu":
            raise InputError("paraphrase: tuning_metric: bleu ranks no single sentences; set sari, or tuner: mert")


def binarize(corpus: CorpusFiles, folder: Path, config: ParaphraseConfig) -> None:
    """Write the words of the pairs, in lower case, and the rules that they can be used with, into an empty folder."""
    from textsimp.simplification.paraphrase import paraphrase_training

    paraphrase_training.binarize(corpus, folder, config)


def train(binary: Path, model: Path, partial: Path, config: ParaphraseConfig, runtime: Runtime) -> list[Epoch]:
    """Make the tables, tune the weights, write the model; a row of the curve is a round of tuning (1 - metric / 100).

    `partial` keeps the tables of a killed run.
    """
    from textsimp.simplification.paraphrase import paraphrase_training

    return paraphrase_training.train(binary, model, partial, config)


def load(model: Path, runtime: Runtime) -> "PhraseBased":
    """The simplifier of a model folder; `InputError` where a file is missing, damaged, or of another model."""
    from textsimp.simplification.paraphrase import paraphrase_table

    return paraphrase_table.load(model)
