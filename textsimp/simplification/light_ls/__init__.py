"""The kind `light_ls`: words replaced by simpler ones that their vectors find (LIGHT-LS, Glavas and Stajner 2015).

For each content word that is no name, the nearest words by cosine are candidates. They are ranked by similarity to the
word, by similarity to the context, by information content and by a language model; the one with the best mean rank is
written where its information content is lower than the word's. No pair of sentences is learnt from: of the training
corpus, only the frequencies and the language model of the simple side are kept.
"""

from dataclasses import dataclass

from textsimp.core.settings import NonNegative, Positive, Share
from textsimp.simplification.interface import function_of


@dataclass(frozen=True)
class LightLsConfig:
    """What is known of words, and how candidates are chosen.

    vectors: `glove` or a file of word vectors; the paper has GloVe's of 200 dimensions.
    encoder: where `vectors` is null, a word is the input embedding of its word piece in this encoder, if it is one.
    synonyms: a file of PPDB, or of two words a line, that vectors are retrofitted to (Faruqui et al. 2015); null: none.
    frequencies: a file of `WORD COUNT`; null: the counts of the simple side of training.
    max_words: training pairs with more words on either side are left out.
    vocabulary: so many most frequent words of the corpus, and of `vectors`, have vectors.
    candidates: so many of the nearest words are looked at; the paper has 10.
    context: so many content words on either side are the context; the paper has 3.
    order: of the language model; the paper has 5.
    min_similarity: candidates of a lower cosine are left out; the paper has no such bound.
    """

    kind: str
    vectors: str | None
    encoder: str
    synonyms: str | None
    frequencies: str | None
    max_words: Positive
    vocabulary: Positive
    candidates: Positive
    context: NonNegative
    order: Positive
    min_similarity: Share


binarize = function_of("textsimp.simplification.light_ls.light_training", "binarize")
train = function_of("textsimp.simplification.light_ls.light_training", "train")
load = function_of("textsimp.simplification.light_ls.light_training", "load")
