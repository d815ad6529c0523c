"""What alignment systems need beside their own parts: documents, word vectors, encoders, a trained aligner (F2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from textsimp.alignment.neural.aligner import Aligner, device_of
from textsimp.alignment.neural.checkpoint import load_aligner
from textsimp.alignment.neural.config import EncoderConfig, RuntimeConfig
from textsimp.alignment.neural.sentence_encoder import SentenceEncoder
from textsimp.alignment.vectors import WordVectorConfig, WordVectors, word_vectors
from textsimp.errors import InputError
from textsimp.records import DocumentPair


@dataclass(frozen=True)
class Resources:
    """Shared by all systems of one comparison; what is slow to get is made when first asked for, once.

    Attributes:
        corpus: the documents at hand, from which lexical similarities take word counts; labels are not read.
        encoder: the pre-trained encoder of everything that needs contextual embeddings, before fine-tuning.
        aligner: the trained neural aligner, where there is one.
        variants: folder of the aligners of `aligner_variant`, where they are trained.
    """

    corpus: Sequence[DocumentPair]
    vectors_config: WordVectorConfig
    encoder: EncoderConfig
    runtime: RuntimeConfig
    aligner: Aligner | None = None
    variants: Path | None = None

    @cached_property
    def vectors(self) -> WordVectors:
        """The word vectors that the configuration names."""
        sentences = dict.fromkeys(
            text for pair in self.corpus for side in (pair.complex, pair.simple) for text in side.sentences
        )
        return word_vectors(self.vectors_config, list(sentences), self.encoder.name)

    @cached_property
    def sentence_encoder(self) -> SentenceEncoder:
        """The pre-trained encoder as a bi-encoder."""
        return SentenceEncoder(
            self.encoder.name, self.encoder.max_length, device_of(self.runtime), self.runtime.inference_batch
        )

    def trained_aligner(self, for_what: str, variant: str | None = None) -> Aligner:
        """The aligner, or one of its variants, which shares its encoder scores; `InputError` where there is none."""
        if self.aligner is None:
            raise InputError(f"{for_what} needs a trained aligner; give its folder with --model")
        if variant is None:
            return self.aligner
        if self.variants is None:
            raise InputError(f"{for_what} needs the aligner variant {variant!r}, which only the pipeline trains")
        aligner = load_aligner(self.variants / variant, self.runtime)
        aligner.scorer.keep(*self.aligner.scorer.computed())
        return aligner
