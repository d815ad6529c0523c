"""EditNTS (Dong et al. 2019): a neural programmer-interpreter that simplifies by explicit edits, in our own code."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from textsimp.core.settings import NonNegative, NonNegativeNumber, Positive, PositiveNumber, Seed
from textsimp.simplification.interface import function_of


@dataclass(frozen=True)
class EditNtsConfig:
    """Sizes and training of EditNTS (Dong et al. 2019)."""

    kind: str
    seed: Seed  # of the initial weights, the order of batches and dropout
    min_frequency: NonNegative  # rarer words are unknown
    min_add_frequency: NonNegative  # words that fewer ADDs of the training programs write are never added
    max_words: Positive  # words beyond the most frequent so many are unknown
    max_length: Positive  # training pairs with more words on either side are left out
    tagger: str  # `none`, `spacy` (the packaged pipeline) or another spaCy model; the word classes for the encoder
    # `glove` or a file of word vectors of `embedding_size`, with which the embedding begins; null for none
    embeddings: str | None
    embedding_size: Positive
    tag_size: Positive
    hidden_size: Positive  # of each direction of the encoder
    dropout: Annotated[float, Field(ge=0, lt=1)]  # of the encoder's input and output, and in front of the output layer
    word_dropout: Annotated[float, Field(ge=0, lt=1)]  # share of the complex words that training shows as unknown
    learning_rate: PositiveNumber  # of Adam, as what follows
    weight_decay: NonNegativeNumber
    clip_norm: NonNegativeNumber
    batch_size: Positive
    # training ends after the epoch in which one of them is reached
    max_updates: Positive
    max_epochs: Positive
    patience: NonNegative  # training ends when dev has not improved for so many epochs; 0: it never ends early
    # which epoch's model is kept: that of the highest `sari` or the lowest `loss` on dev
    selection: Literal["sari", "loss"]
    # exponent of the inverse frequency of KEEP, DELETE and ADD in the loss; 0: equal weights, 1: the inverse
    balance: NonNegativeNumber
    # factors of the loss on top: ratios that control the generation
    keep_weight: NonNegativeNumber
    delete_weight: NonNegativeNumber
    add_weight: NonNegativeNumber
    max_added_run: Positive  # at most so many ADDs in a row when generating
    precision: Literal["fp32", "bf16"]  # of a GPU, `fp32` or `bf16`; a CPU always computes in fp32


binarize = function_of("textsimp.simplification.editnts.edit_examples", "binarize")
train = function_of("textsimp.simplification.editnts.edit_training", "train")
load = function_of("textsimp.simplification.editnts.generation", "load")
