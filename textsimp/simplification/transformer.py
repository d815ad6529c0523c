"""The kind `transformer`: Transformer_bert and Transformer_rand (Jiang et al. 2020, section 5.2, Table 14)."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from textsimp.core.checkpoint import CONFIG
from textsimp.core.errors import InputError, bad_input
from textsimp.core.pretrained import encoder
from textsimp.core.reading import read_json
from textsimp.core.settings import NonNegative, Positive, PositiveNumber, Seed, Share
from textsimp.core.writing import write_json
from textsimp.simplification import fairseq_corpus, fairseq_tools
from textsimp.simplification.casing import Casing
from textsimp.simplification.fairseq_corpus import WordPiece, join_pieces
from textsimp.simplification.fairseq_generation import Generator, changed_first
from textsimp.simplification.fairseq_tools import OptimizerConfig, SearchConfig, TransformerNetwork, of_both
from textsimp.simplification.interface import CorpusFiles, Epoch, Hypothesis, Runtime, stored_config
from textsimp.simplification.spacing import Spacing, Token

START = "<s>"
"""Fairseq's spelling of [CLS], which begins each complex sentence as in BERT; fairseq itself adds [SEP] at the end."""


logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class TransformerConfig(OptimizerConfig):
    """Settings of a Transformer simplifier, those of its training beside (see `OptimizerConfig`).

    `encoder` gives the tokenizer, the shape of both halves and, with `initialise: bert`, the encoder's first weights;
    `initialise: random` starts all at random. The halves have `encoder_layers`, counted from the lowest of BERT's, and
    `decoder_layers` layers. `vocabulary: full` keeps every WordPiece, `observed` the `max_pieces` most frequent of
    those that occur `min_frequency` times in the training data, and single characters, with which other words are
    spelt. `max_length` counts WordPieces. The decoder's blocks have `decoder_ffn` units between their two linear
    layers; 0: as many as the encoder's. `normalise` says on which side of each block the states are normalised: `after`
    as in BERT, `before` as in the authors' release. Weights of linear layers that start at random have the standard
    deviation `initial_std`, BERT's is 0.02.
    """

    kind: str
    encoder: str
    initialise: Literal["bert", "random"]
    freeze_encoder: bool
    encoder_layers: Positive
    decoder_layers: Positive
    decoder_ffn: NonNegative
    normalise: Literal["after", "before"]
    initial_std: PositiveNumber
    vocabulary: Literal["full", "observed"]
    min_frequency: Positive
    max_pieces: Positive
    max_length: Positive
    dropout: Share
    seed: Seed
    search: SearchConfig


def binarize(corpus: CorpusFiles, folder: Path, config: TransformerConfig) -> None:
    """WordPiece tokens, the dictionary whose symbols are rows of BERT's table, and fairseq's binary form."""
    _check(config)
    texts = {"train": fairseq_corpus.read_parallel(corpus.train), "dev": fairseq_corpus.read_parallel(corpus.dev)}
    tokenizer = _tokenizer(texts["train"], config)
    limit = config.max_length - 1  # fairseq adds the end symbol
    columns: list[list[list[str]]] = []
    dropped = {}
    for split, (complex_sentences, simple_sentences) in texts.items():
        source = [[START, *pieces] for pieces in tokenizer.pieces(complex_sentences)]
        target = tokenizer.pieces(simple_sentences)
        dropped[f"{split}_pairs_too_long"] = fairseq_corpus.write_split(folder, split, source, target, limit)
        columns += [source, target]
    counts = fairseq_corpus.count_tokens(*columns)
    dictionary = [(piece, counts[piece]) for piece in tokenizer.vocabulary()]
    logger.info("binarized with %d WordPieces: %s", len(dictionary), dropped)
    fairseq_corpus.write_binary(folder, {"complex": dictionary, "simple": dictionary})
    fairseq_corpus.write_shortlist(folder, config.search)
    write_json(folder / "spacing.json", Spacing.learn(tokenizer.words(texts["train"][1])).to_json())
    write_json(folder / "casing.json", Casing.learn(tokenizer.written(texts["train"][1])).to_json())
    write_json(folder / "tokenizer.json", tokenizer.settings)
    write_json(folder / "binarized.json", {"encoder": config.encoder, **dropped})


def _tokenizer(texts: tuple[list[str], list[str]], config: TransformerConfig) -> WordPiece:
    """The encoder's tokenizer, or what training texts need of it."""
    whole = WordPiece.of_encoder(config.encoder)
    if config.vocabulary == "full":
        return whole
    counts = fairseq_corpus.count_tokens(*(whole.pieces(side) for side in texts))
    frequent = (piece for piece in counts if counts[piece] >= config.min_frequency)
    ranked = sorted(frequent, key=lambda piece: (-counts[piece], piece))
    return WordPiece.of_encoder(config.encoder, set(ranked[: config.max_pieces]))


def train(binary: Path, model: Path, partial: Path, config: TransformerConfig, runtime: Runtime) -> list[Epoch]:
    """Train with fairseq: cross entropy, Adam, linear warm-up and decay (appendix D.1)."""
    _check(config)
    _same_encoder(binary, config)
    network, spare = _network(config)
    options = ["--seed", str(config.seed), "--bert-initial-std", repr(config.initial_std)]
    if config.initialise == "bert":
        options += ["--bert-encoder", config.encoder, "--bert-spare-layers", str(spare)]
    if config.freeze_encoder:
        options += ["--bert-freeze-encoder"]
    return fairseq_tools.train(binary, model, partial, network, options, config, runtime, "tokenizer.json")


class TrainedTransformer:
    """A Transformer in memory, with its tokenizer and the spacing of its corpus."""

    def __init__(self, model: Path, runtime: Runtime) -> None:
        config = stored_config(model, TransformerConfig)
        self._limit, self._margin = config.max_length - 1, config.search.copy_margin
        self._tokenizer = WordPiece(model / "tokenizer.json", config.encoder)
        self._spacing = Spacing.of(model / "spacing.json")
        self._casing = Casing.of(model / "casing.json")
        self._generator = Generator(model, config.search, runtime, aligned=False, spells=True)

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """See `TrainedSimplifier`; WordPieces are joined to words, words to text."""
        pieces = [[START, *row] for row in self._tokenizer.pieces(sentences)]
        generated = self._generator(fairseq_corpus.cut(pieces, self._limit, "WordPieces"), n_best)
        sources = zip(self._tokenizer.words(sentences), self._tokenizer.written(sentences), strict=True)
        hypotheses = (
            [Hypothesis(self._text(item.tokens, *source), item.score) for item in row]
            for row, source in zip(generated, sources, strict=True)
        )
        return [
            changed_first(row, sentence, self._margin, n_best)
            for row, sentence in zip(hypotheses, sentences, strict=True)
        ]

    def _text(self, pieces: Sequence[str], source: Sequence[Token], written: Sequence[str]) -> str:
        words = self._casing.write(join_pieces(pieces), [token.text for token in source], written)
        return self._spacing.join(words, source)


def load(model: Path, runtime: Runtime) -> TrainedTransformer:
    """The trained simplifier of a model folder."""
    return TrainedTransformer(model, runtime)


def _check(config: TransformerConfig) -> None:
    if config.freeze_encoder and config.initialise == "random":
        raise InputError("simplifier: freeze_encoder: an encoder that starts at random must be trained")


def _same_encoder(binary: Path, config: TransformerConfig) -> None:
    binarized_for = read_json(binary / "binarized.json")["encoder"]
    if binarized_for != config.encoder:
        what = f"made for the encoder {binarized_for!r}, not {config.encoder!r}"
        raise bad_input(binary / "binarized.json", None, what, "binarize again")


def _network(config: TransformerConfig) -> tuple[TransformerNetwork, int]:
    """A network whose halves have the encoder's shape, from its config.json; how many of its top layers are left out.

    Where normalisation stands before each block, a half ends with one and does not begin with one.
    """
    checkpoint = encoder(config.encoder)
    path, shape = checkpoint.folder / CONFIG, checkpoint.config
    for key, value in {"hidden_act": "gelu", "position_embedding_type": "absolute"}.items():
        if shape.get(key, value) != value:
            raise bad_input(path, None, f"{key} is {shape[key]!r}, not {value!r}", "name a BERT as the encoder")
    spare = shape["num_hidden_layers"] - config.encoder_layers
    if spare < 0:
        what = f"{shape['num_hidden_layers']} layers, fewer than encoder_layers: {config.encoder_layers}"
        raise bad_input(path, None, what, "ask for no more than the encoder has")
    halves = of_both(
        embed_dim=shape["hidden_size"],
        ffn_embed_dim=shape["intermediate_size"],
        attention_heads=shape["num_attention_heads"],
        normalize_before=config.normalise == "before",
    )
    halves |= {"encoder_layers": config.encoder_layers, "decoder_layers": config.decoder_layers}
    if config.decoder_ffn:
        halves["decoder_ffn_embed_dim"] = config.decoder_ffn
    network = TransformerNetwork(
        "bert_transformer",
        max_source_positions=shape["max_position_embeddings"],
        max_target_positions=shape["max_position_embeddings"],
        dropout=config.dropout,
        attention_dropout=config.dropout,
        bert_layer_norm_eps=shape.get("layer_norm_eps", 1e-12),
        **halves,
    )
    return network, spare
