"""The kind `paraphrase`: statistical translation with paraphrase rules, tuned for SARI (Xu et al. 2016, SBMT).

The phrase table is not learnt from aligned pairs: it is made of the rules of a file of PPDB, and of each word as
itself. A rule has the probabilities of PPDB and how much simpler its simple side is, by length, syllables and frequency
in the training corpus; the language model is of the corpus's simple side, and the weights are tuned on dev for SARI by
pairwise ranking. The grammar is flat: rules with slots are left out, and categories are not compared with a parse of
the sentence, as the paper's decoder does. Table, search and language model are those of `phrase_based`.
"""

from dataclasses import dataclass
from typing import Literal

from textsimp.core.errors import InputError
from textsimp.core.settings import NonNegative, Positive
from textsimp.simplification.interface import function_of
from textsimp.simplification.phrase_based import Metric


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
    tuning_metric, tuner: what is tuned for, and how weights are looked for by it; see `weight_tuning`.
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
    tuning_metric: Metric
    tuner: Literal["pro", "mert"]
    tuning_sentences: Positive
    tuning_rounds: NonNegative
    tuning_n_best: Positive

    def __post_init__(self) -> None:
        """Check what does not go together; `InputError` names the key."""
        if self.tuner == "pro" and self.tuning_metric == "bleu":
            raise InputError("paraphrase: tuning_metric: bleu ranks no single sentences; set sari, or tuner: mert")


binarize = function_of("textsimp.simplification.paraphrase.paraphrase_training", "binarize")
train = function_of("textsimp.simplification.paraphrase.paraphrase_training", "train")
load = function_of("textsimp.simplification.paraphrase.paraphrase_table", "load")
