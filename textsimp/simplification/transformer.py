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
from textsimp.simplification.fairseq_corpus import WordPiece, join_pieces
from textsimp.simplification.fairseq_generation import Generated, Generator, changed_first
from textsimp.simplification.fairseq_tools import OptimizerConfig, SearchConfig, TransformerNetwork, of_both
from textsimp.simplification.interface import CorpusFiles, Epoch, Hypothesis, Runtime, stored_config
from textsimp.simplification.spacing import Casing, Spacing, Token

# Fairseq's spelling of [CLS], which begins each complex sentence as in BERT; fairseq itself adds [SEP] at the end.
START = "<s>"
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class TransformerConfig(OptimizerConfig):
    """Settings of a Transformer simplifier, those of its training beside (see `OptimizerConfig`)."""

    kind: str
    encoder: str  # gives the tokenizer, the shape of both halves and, with `initialise: bert`, the first weights
    initialise: Literal["bert", "random"]  # of the encoder; the decoder starts at random
    freeze_encoder: bool
    encoder_layers: Positive  # counted from the lowest of BERT's
    decoder_layers: Positive
    decoder_ffn: NonNegative  # units between the two linear layers of the decoder's blocks; 0: as the encoder's
    # side of each block on which the states are normalised: as in BERT, or as in the authors' release
    normalise: Literal["after", "before"]
    initial_std: PositiveNumber  # standard deviation of linear layers that start at random; BERT's is 0.02
    # every WordPiece, or the `max_pieces` most frequent of those that occur `min_frequency` times in the training data,
    # and single characters, with which other words are spelt
    vocabulary: Literal["full", "observed"]
    min_frequency: Positive
    max_pieces: Positive
    max_length: Positive  # in WordPieces
    dropout: Share
    seed: Seed
    search: SearchConfig

    def __post_init__(self) -> None:
        """Check what does not go together; `InputError` names the key."""
        super().__post_init__()
        if self.freeze_encoder and self.initialise == "random":
            raise InputError("simplifier: freeze_encoder: an encoder that starts at random must be trained")


def binarize(corpus: CorpusFiles, folder: Path, config: TransformerConfig) -> None:
    """Write WordPiece tokens, the dictionary whose symbols are rows of BERT's table, and fairseq's binary form."""
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
    fairseq_corpus.write_binary(folder, {"complex": dictionary, "simple": dictionary}, config.search)
    words = tokenizer.words(texts["train"][1])
    write_json(folder / "spacing.json", Spacing.learn(row for row, _ in words).counts)
    write_json(folder / "casing.json", Casing.learn(written for _, written in words).forms)
    write_json(folder / "tokenizer.json", tokenizer.settings)
    write_json(folder / "binarized.json", {"encoder": config.encoder, **dropped})


def _tokenizer(texts: tuple[list[str], list[str]], config: TransformerConfig) -> WordPiece:
    """Return the encoder's tokenizer, or what training texts need of it."""
    whole = WordPiece.of_encoder(config.encoder)
    if config.vocabulary == "full":
        return whole
    counts = fairseq_corpus.count_tokens(*(whole.pieces(side) for side in texts))
    frequent = (piece for piece in counts if counts[piece] >= config.min_frequency)
    ranked = sorted(frequent, key=lambda piece: (-counts[piece], piece))
    return WordPiece.of_encoder(config.encoder, set(ranked[: config.max_pieces]))


def train(binary: Path, model: Path, partial: Path, config: TransformerConfig, runtime: Runtime) -> list[Epoch]:
    """Train with fairseq: cross entropy, Adam, linear warm-up and decay (appendix D.1)."""
    if (binarized_for := read_json(binary / "binarized.json")["encoder"]) != config.encoder:
        what = f"made for the encoder {binarized_for!r}, not {config.encoder!r}"
        raise bad_input(binary / "binarized.json", None, what, "binarize again")
    options = ["--seed", str(config.seed), "--bert-initial-std", repr(config.initial_std)]
    if config.initialise == "bert":
        options += ["--bert-encoder", config.encoder]
    if config.freeze_encoder:
        options += ["--bert-freeze-encoder"]
    return fairseq_tools.train(binary, model, partial, _network(config), options, config, runtime, "tokenizer.json")


class TrainedTransformer:
    """A Transformer in memory, with its tokenizer and the spacing of its corpus."""

    def __init__(self, model: Path, runtime: Runtime) -> None:
        config = stored_config(model, TransformerConfig)
        self._limit, self._margin = config.max_length - 1, config.search.copy_margin
        self._tokenizer = WordPiece(model / "tokenizer.json", config.encoder)
        self._spacing = Spacing.of(model / "spacing.json")
        self._casing = Casing.of(model / "casing.json")
        self._generator = Generator(model, config.search, runtime, of_words=False)

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """See `TrainedSimplifier`; WordPieces are joined to words, words to text."""
        pieces = [[START, *row] for row in self._tokenizer.pieces(sentences)]
        generated = self._generator(fairseq_corpus.cut(pieces, self._limit, "WordPieces"), n_best)
        sources = self._tokenizer.words(sentences)
        return [
            changed_first([self._hypothesis(item, *source) for item in row], sentence, self._margin, n_best)
            for row, sentence, source in zip(generated, sentences, sources, strict=True)
        ]

    def _hypothesis(self, generated: Generated, source: Sequence[Token], written: Sequence[str]) -> Hypothesis:
        words = self._casing.write(join_pieces(generated.tokens), [token.text for token in source], written)
        return Hypothesis(self._spacing.join(words, source), generated.score)


load = TrainedTransformer


def _network(config: TransformerConfig) -> TransformerNetwork:
    """Return a network of the shape in the encoder's config.json.

    Where normalisation stands before each block, a half ends with one and does not begin with one.
    """
    checkpoint = encoder(config.encoder)
    path, shape = checkpoint.folder / CONFIG, checkpoint.config
    if shape["hidden_act"] != "gelu":
        raise bad_input(path, None, f"hidden_act is {shape['hidden_act']!r}, not 'gelu'", "name a BERT as the encoder")
    if shape["num_hidden_layers"] < config.encoder_layers:
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
    return TransformerNetwork(
        "bert_transformer",
        max_source_positions=shape["max_position_embeddings"],
        max_target_positions=shape["max_position_embeddings"],
        dropout=config.dropout,
        attention_dropout=config.dropout,
        bert_layer_norm_eps=shape["layer_norm_eps"],
        **halves,
    )
