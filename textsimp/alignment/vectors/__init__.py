"""Word vectors: from a file, from skip-gram on the corpus at hand, or from an encoder's input embeddings."""

from collections.abc import Sequence

from textsimp.alignment.vectors.word_vectors import WordVectorConfig, WordVectors

__all__ = ["WordVectorConfig", "WordVectors", "word_vectors"]


def word_vectors(config: WordVectorConfig, sentences: Sequence[str], encoder_name: str) -> WordVectors:
    """The vectors of the file; without one those of the encoder, or of skip-gram trained on the sentences.

    Vectors of a file or an encoder are the same whatever the sentences are, and know the words of other sentences
    too. Skip-gram knows the words of these sentences alone, and other sentences give other vectors.

    Args:
        sentences: the distinct sentences at hand.
        encoder_name: the pre-trained encoder, as `textsimp.core.pretrained.encoder` takes it.

    Raises:
        InputError: the file is absent, damaged or of no known format, the encoder cannot be loaded, or the sentences
            are too few for skip-gram.
    """
    # gensim and transformers are slow to import
    from textsimp.alignment.vectors.files import FASTTEXT, FileVectors, recognise
    from textsimp.alignment.vectors.models import EncoderVectors, SubwordVectors, train_skipgram

    if config.file is not None:
        layout = recognise(config.file)
        if layout.kind == FASTTEXT:
            return SubwordVectors(layout)
        return FileVectors(layout, sentences)
    if config.fallback == "encoder":
        return EncoderVectors(encoder_name)
    return train_skipgram(config, sentences)
