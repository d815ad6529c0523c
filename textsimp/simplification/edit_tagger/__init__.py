"""The kind `edit_tagger`: a sentence is simplified by edits, over an encoder that is mostly left as it is.

Words are kept, left out, or replaced by words of a list that is learned from the training pairs; phrases are left out
as a whole; a sentence is split where the list has the beginning of the next one. A small network over the last layer
of a packaged encoder judges each edit that a sentence offers; the best edits that do not overlap are made. Tagging
instead of writing follows LaserTagger (Malmi et al. 2019) and GECToR (Omelianchuk et al. 2020).
"""

from dataclasses import dataclass

from textsimp.core.settings import NonNegative, NonNegativeNumber, Number, Positive, PositiveNumber, Seed, Share
from textsimp.simplification.interface import function_of


@dataclass(frozen=True)
class EditTaggerConfig:
    """The word list, the network and its training.

    seed: of the initial weights, the order of batches and dropout.
    encoder: a name that `textsimp.core.pretrained.encoder` finds.
    max_pieces: a sentence is encoded in windows of so many word pieces.
    max_words: training pairs with more words on either side are left out.
    min_overlap: so are those of which a smaller share of the shorter side is common to both.
    max_pairs: the first so many of the rest are trained on.
    read_words: whether words are those of `plain_words.txt`, which people have read, or learned from the pairs.
    min_count, min_rate, max_rules: of what is learned, see `edit_rules.learn_rules`.
    hidden_size, dropout: of the network that judges edits.
    layer_learning_rate, learning_rate, batch_size: of AdamW, for the encoder's last layer and for the rest.
    max_updates, max_epochs: training ends after the epoch in which one of them is reached.
    tuned: whether the biases are chosen for SARI on dev; else they are `biases`, which reading has chosen.
    dev_pairs: of the first so many pairs of dev.
    max_bias, max_unchanged: the greatest tuned bias of a kind of edit, and of leaving a sentence unchanged.
    """

    kind: str
    seed: Seed
    encoder: str
    max_pieces: Positive
    max_words: Positive
    min_overlap: Share
    max_pairs: Positive
    read_words: bool
    min_count: Positive
    min_rate: Share
    max_rules: NonNegative
    hidden_size: Positive
    dropout: Share
    layer_learning_rate: NonNegativeNumber
    learning_rate: PositiveNumber
    batch_size: Positive
    max_updates: Positive
    max_epochs: Positive
    tuned: bool
    biases: dict[str, Number]
    dev_pairs: NonNegative
    max_bias: NonNegativeNumber
    max_unchanged: NonNegativeNumber


binarize = function_of("textsimp.simplification.edit_tagger.tagger_examples", "binarize")
train = function_of("textsimp.simplification.edit_tagger.tagger_training", "train")
load = function_of("textsimp.simplification.edit_tagger.trained_tagger", "load")
