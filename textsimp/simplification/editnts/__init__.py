"""EditNTS (Dong et al. 2019): a neural programmer-interpreter that simplifies by explicit edits, in our own code."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from textsimp.core.settings import NonNegative, NonNegativeNumber, Positive, PositiveNumber, Seed
from textsimp.simplification.interface import function_of


@dataclass(frozen=True)
class EditNtsConfig:
    """Sizes and training of EditNTS (Dong et al. 2019).

    seed: of the initial weights, the order of batches and dropout.
    min_frequency, max_words: rarer words, and those beyond the most frequent so many, are unknown.
    min_add_frequency: words that fewer ADDs of the training programs write are never added.
    max_length: training pairs with more words on either side are left out.
    tagger: `none`, `rules`, `spacy` or another spaCy model; the word classes for the encoder.
    embeddings: `glove` or a file of word vectors of `embedding_size`, with which the embedding begins; null for none.
    embedding_size, tag_size, hidden_size: widths; hidden_size is that of each direction of the encoder.
    dropout: of the encoder's input and output, and in front of the output layer.
    word_dropout: share of the complex words that training shows as unknown.
    learning_rate, weight_decay, clip_norm, batch_size: of Adam.
    max_updates, max_epochs: training ends after the epoch in which one of them is reached.
    patience: training ends when dev has not improved for so many epochs; 0: it never ends early.
    selection: which epoch's model is kept: that of the highest `sari` or the lowest `loss` on dev.
    balance: exponent of the inverse frequency of KEEP, DELETE and ADD in the loss; 0: equal weights, 1: the inverse.
    keep_weight, delete_weight, add_weight: factors of the loss on top: ratios that control the generation.
    max_added_run: at most so many ADDs in a row when generating.
    precision: of a GPU, `fp32` or `bf16`; a CPU always computes in fp32.
    """

    kind: str
    seed: Seed
    min_frequency: NonNegative
    min_add_frequency: NonNegative
    max_words: Positive
    max_length: Positive
    tagger: str
    embeddings: str | None
    embedding_size: Positive
    tag_size: Positive
    hidden_size: Positive
    dropout: Annotated[float, Field(ge=0, lt=1)]
    word_dropout: Annotated[float, Field(ge=0, lt=1)]
    learning_rate: PositiveNumber
    weight_decay: NonNegativeNumber
    clip_norm: NonNegativeNumber
    batch_size: Positive
    max_updates: Positive
    max_epochs: Positive
    patience: NonNegative
    selection: Literal["sari", "loss"]
    balance: NonNegativeNumber
    keep_weight: NonNegativeNumber
    delete_weight: NonNegativeNumber
    add_weight: NonNegativeNumber
    max_added_run: Positive
    precision: Literal["fp32", "bf16"]


binarize = function_of("textsimp.simplification.editnts.edit_examples", "binarize")
train = function_of("textsimp.simplification.editnts.edit_training", "train")
load = function_of("textsimp.simplification.editnts.generation", "load")
