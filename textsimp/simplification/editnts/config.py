"""The parameters of EditNTS, as conf/simplifier/editnts.yaml gives them."""

from dataclasses import dataclass

from textsimp.errors import InputError

SELECTIONS = ("sari", "loss")


@dataclass(frozen=True)
class EditNtsConfig:
    """Sizes and training of EditNTS (Dong et al. 2019).

    seed: of the initial weights, the order of batches and dropout.
    min_frequency, max_words: rarer words, and those beyond the most frequent so many, are unknown.
    min_add_frequency: words that fewer ADDs of the training programs write are never added.
    max_length: training pairs with more words on either side are left out.
    tagger: `none`, `rules` or a spaCy model (rules where it is not installed); the word classes for the encoder.
    embeddings: a text file of word vectors (GloVe) with which the embedding begins; null for none.
    embedding_size, tag_size, hidden_size: widths; hidden_size is that of each direction of the encoder.
    dropout: of the encoder's input and output, and in front of the output layer.
    word_dropout: share of the complex words that training shows as unknown.
    learning_rate, weight_decay, clip_norm, batch_size: of Adam.
    max_updates, max_epochs: training ends behind the epoch in which one of them is reached.
    patience: training ends when dev has not improved for so many epochs; 0: never so.
    selection: which epoch's model is kept: that of the highest `sari` or the lowest `loss` on dev.
    balance: exponent of the inverse frequency of KEEP, DELETE and ADD in the loss; 0: equal weights, 1: the inverse.
    keep_weight, delete_weight, add_weight: factors of the loss on top: ratios that control the generation.
    max_added_run: at most so many ADDs in a row when generating.
    """

    kind: str
    seed: int
    min_frequency: int
    min_add_frequency: int
    max_words: int
    max_length: int
    tagger: str
    embeddings: str | None
    embedding_size: int
    tag_size: int
    hidden_size: int
    dropout: float
    word_dropout: float
    learning_rate: float
    weight_decay: float
    clip_norm: float
    batch_size: int
    max_updates: int
    max_epochs: int
    patience: int
    selection: str
    balance: float
    keep_weight: float
    delete_weight: float
    add_weight: float
    max_added_run: int

    def __post_init__(self) -> None:
        """Check the values; `InputError` names the key."""
        if self.selection not in SELECTIONS:
            raise InputError(f"simplifier editnts: selection: {self.selection!r} is none of {', '.join(SELECTIONS)}")
        positive = ("embedding_size", "tag_size", "hidden_size", "batch_size", "max_updates", "max_epochs")
        for key in (*positive, "max_words", "max_length", "max_added_run"):
            if getattr(self, key) < 1:
                raise InputError(f"simplifier editnts: {key}: {getattr(self, key)} is below 1")
        for key in ("dropout", "word_dropout"):
            if not 0 <= getattr(self, key) < 1:
                raise InputError(f"simplifier editnts: {key}: {getattr(self, key)} is not from 0 to below 1")
