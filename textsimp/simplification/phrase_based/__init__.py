"""The kind `phrase_based`: phrase-based statistical machine translation from complex to simple English.

As Coster and Kauchak 2011 (section 5) use Moses: words are aligned in both directions, pairs of phrases are taken from
the symmetrised alignment, and a decoder looks for the sentence with the highest log-linear score of phrase table,
language model of the simple side, words and phrases. With `deletion`, the table also has phrases that leave nothing
(their later extension). The word alignment is the package sil-thot's; see docs/simplifiers.md for why the rest is not.
"""

from dataclasses import dataclass
from typing import Literal

from textsimp.core.settings import NonNegative, Positive
from textsimp.simplification.interface import function_of

Metric = Literal["bleu", "sari", "sari_sentence"]
"""By corpus, or as a mean over sentences, which is the variant of Xu et al. 2016."""


@dataclass(frozen=True)
class PhraseBasedConfig:
    """The tables, the search and the tuning.

    max_words: training pairs with more words on either side are left out.
    ibm1_iterations, hmm_iterations: of the word alignment, in each direction.
    max_phrase: words of a phrase, on either side.
    min_count: pairs of phrases that are seen less often are left out, but for those of one complex word.
    deletion: whether a phrase may be left out as a whole.
    max_options: so many simple phrases of a complex one take part in the search, the likeliest first.
    order: of the language model.
    beam: so many hypotheses are extended at each place of a sentence.
    tuning_metric: what the weights are chosen by, on the first `tuning_pairs` of dev; 0: no tuning.
    tuning_rounds, tuning_n_best: how often dev is decoded, and the length of its lists of hypotheses.
    """

    kind: str
    max_words: Positive
    ibm1_iterations: Positive
    hmm_iterations: NonNegative
    max_phrase: Positive
    min_count: Positive
    deletion: bool
    max_options: Positive
    order: Positive
    beam: Positive
    tuning_metric: Metric
    tuning_pairs: NonNegative
    tuning_rounds: NonNegative
    tuning_n_best: Positive


binarize = function_of("textsimp.simplification.phrase_based.phrase_training", "binarize")
train = function_of("textsimp.simplification.phrase_based.phrase_training", "train")
load = function_of("textsimp.simplification.phrase_based.trained_phrases", "load")
