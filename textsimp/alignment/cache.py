"""Everything that the alignment systems of one comparison share: word vectors, encoders, aligner, similarities."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import Part
from textsimp.alignment.similarity import make_similarity
from textsimp.alignment.similarity.similarity import Similarity
from textsimp.core.errors import InputError
from textsimp.core.records import DocumentPair
from textsimp.core.word_vectors import WordVectorConfig, WordVectors, word_vectors

if TYPE_CHECKING:  # torch is slow to import, and most systems do without
    from textsimp.alignment.neural.aligner import Aligner
    from textsimp.alignment.neural.bert import SentenceEncoder
    from textsimp.alignment.neural.pair_scores import PairScorer


@dataclass(eq=False, repr=False)
class Cache:
    """Everything that the systems of one comparison share; what is slow to get is made when first asked for, once.

    Attributes:
        corpus: the documents at hand, from which lexical similarities take word counts; labels are not read.
        encoder: the pre-trained encoder of everything that needs contextual embeddings, before fine-tuning.
        aligner: the trained neural aligner, where there is one.
        variants: folder of the aligners of `aligner_variant`, where they are trained.
        other_encoder: name or folder of an encoder that takes the place of the one that a saved system names.
        encoders: folder of the fine-tuned pair encoders, where several are compared.
    """

    corpus: Sequence[DocumentPair]
    vectors_config: WordVectorConfig
    encoder: EncoderConfig
    device: Device
    aligner: "Aligner | None" = None
    variants: Path | None = None
    other_encoder: str | None = None
    encoders: Path | None = None

    def __post_init__(self) -> None:
        self._similarities: dict[str, Similarity] = {}
        self._scorers: dict[str, PairScorer] = {}

    @cached_property
    def vectors(self) -> WordVectors:
        """The word vectors that the configuration names."""
        return word_vectors(self.vectors_config, self.encoder.name)

    @cached_property
    def sentence_encoder(self) -> "SentenceEncoder":
        """The pre-trained encoder as a bi-encoder: the aligner's, if it has the same, with what it knows."""
        from textsimp.alignment.neural.bert import SentenceEncoder

        if self.aligner is not None and self.aligner.scorer.sentences is not None:
            own = self.aligner.config.encoder
            if (own.name, own.max_length) == (self.encoder.name, self.encoder.max_length):
                return self.aligner.scorer.sentences
        return SentenceEncoder(self.encoder.name, self.encoder.max_length, self.device.prepare(), self.device.batch)

    def trained_aligner(self, user: str, variant: str | None = None) -> "Aligner":
        """The aligner, or one of its variants, all of the same encoder: they share its passes over sentence pairs.

        Raises:
            InputError: there is none; the text says that `user` needs it.
        """
        if self.aligner is None:
            raise InputError(f"{user} needs a trained aligner; give its folder with --model")
        if variant is None:
            return self.aligner
        if self.variants is None:
            raise InputError(f"{user} needs the aligner variant {variant!r}, which only the pipeline trains")
        from textsimp.alignment.neural.aligner import ClsAligner, load_aligner

        aligner = load_aligner(self.variants / variant, self.device)
        aligner.scorer.share(self.aligner.scorer)
        if aligner.config.encoder.name == self.aligner.config.encoder.name:
            aligner.scorer.sentences = self.aligner.scorer.sentences
        if isinstance(aligner, ClsAligner) and aligner.scorer.encoder.kept is None:
            aligner.scorer.encoder.kept = {}
        return aligner

    def pair_scorer(self, trained_on: str | None = None) -> "PairScorer":
        """The aligner's scores of sentence pairs, or the same from another of the fine-tuned pair encoders.

        Raises:
            InputError: there is no aligner, or no such encoder.
        """
        what = "the similarity `encoder`"
        own = self.trained_aligner(what).scorer
        if trained_on is None:
            return own
        if trained_on not in self._scorers:
            if self.encoders is None:
                raise InputError(f"{what} needs the encoder {trained_on!r}, which only the pipeline trains")
            from textsimp.alignment.neural.bert import PairEncoder
            from textsimp.alignment.neural.pair_scores import PairScorer

            of_own = own.encoder
            options = of_own.max_length, of_own.device, of_own.batch_size, of_own.order
            encoder = PairEncoder(self.encoders / trained_on, *options)
            self._scorers[trained_on] = PairScorer(encoder, own.sentences, own.words, own.candidates)
        return self._scorers[trained_on]

    def similarity(self, part: Part) -> Similarity:
        """The similarity of a name and options, fitted on the documents at hand."""
        key = json.dumps([part.name, part.options], sort_keys=True)
        if key not in self._similarities:
            self._similarities[key] = make_similarity(part.name, part.options, self).fit(self.corpus)
        return self._similarities[key]

    def prepare(self, pairs: Sequence[DocumentPair]) -> None:
        """Drop everything that depends on the document pairs seen so far, then encode what these need at once."""
        for similarity in self._similarities.values():
            similarity.forget()
        for scorer in self._scorers.values():
            scorer.forget()
        if self.aligner is not None:
            self.aligner.forget()
            self.aligner.scorer.prepare(pairs)
