"""The kind `transformer`: Transformer_bert and Transformer_rand (Jiang et al. 2020, section 5.2, Table 14)."""

import logging
from dataclasses import dataclass
from pathlib import Path

from textsimp.core.bounds import NonNegative, NonNegativeNumber, Positive, PositiveNumber, Seed, Share
from textsimp.core.errors import InputError, bad_input
from textsimp.core.pretrained import encoder_file
from textsimp.core.reading import read_json
from textsimp.core.writing import write_json
from textsimp.simplification import fairseq_corpus, fairseq_tools
from textsimp.simplification.fairseq_corpus import WordPiece, join_pieces
from textsimp.simplification.fairseq_tools import SearchConfig, search_options
from textsimp.simplification.interface import CorpusFiles, Epoch, Runtime
from textsimp.simplification.spacing import Spacing, Token

START = "<s>"
"""Fairseq's spelling of [CLS], which begins each complex sentence as in BERT; fairseq itself adds [SEP] at the end."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class TransformerConfig:
    """Settings of a Transformer simplifier.

    `encoder` gives the tokenizer, the shape of both halves and, with `initialise: bert`, the encoder's first weights;
    `initialise: random` starts all at random. The halves have `encoder_layers`, counted from the lowest of BERT's,
    and `decoder_layers` layers. `vocabulary: full` keeps every WordPiece,
    `observed` those of this corpus (its test sets' complex sides included, as `full` includes them). `max_length`
    counts WordPieces. The learning rate rises linearly over `warmup_updates` and falls linearly to 0 at
    `max_updates`; training ends there or after `max_epochs`. `patience` is in epochs; 0: never stop early.
    """

    kind: str
    encoder: str
    initialise: str
    freeze_encoder: bool
    encoder_layers: Positive
    decoder_layers: Positive
    vocabulary: str
    max_length: Positive
    dropout: Share
    batch_size: Positive
    learning_rate: PositiveNumber
    warmup_updates: NonNegative
    max_updates: NonNegative
    max_epochs: NonNegative
    patience: NonNegative
    clip_norm: NonNegativeNumber
    seed: Seed
    search: SearchConfig


def binarize(corpus: CorpusFiles, folder: Path, config: TransformerConfig) -> None:
    """WordPiece tokens, the dictionary whose symbols are rows of BERT's table, and fairseq's binary form."""
    _check(config)
    tokenizer = WordPiece(config.encoder)
    limit = config.max_length - 1  # fairseq adds the end symbol
    columns: list[list[list[str]]] = []
    dropped = {}
    for split, files in (("train", corpus.train), ("dev", corpus.dev)):
        complex_sentences, simple_sentences = fairseq_corpus.read_parallel(files)
        source = [[START, *pieces] for pieces in tokenizer.pieces(complex_sentences)]
        target = tokenizer.pieces(simple_sentences)
        dropped[f"{split}_pairs_too_long"] = fairseq_corpus.write_split(folder, split, source, target, limit)
        columns += [source, target]
        if split == "train":
            write_json(folder / "spacing.json", Spacing.learn(tokenizer.words(simple_sentences)).to_json())
    tests = fairseq_corpus.read_tests(corpus)
    test = [[START, *pieces] for pieces in tokenizer.pieces(tests)]
    dropped["test_sentences_cut"] = fairseq_corpus.write_test(folder, test, limit)
    logger.info("binarized: %s", dropped)
    counts = fairseq_corpus.count_tokens(*columns, test)
    pieces = [piece for piece in tokenizer.vocabulary() if config.vocabulary == "full" or counts[piece]]
    dictionary = [(piece, counts[piece]) for piece in pieces]
    fairseq_corpus.write_binary(folder, {"complex": dictionary, "simple": dictionary})
    rows = [[[word.text, int(word.spaced)] for word in words] for words in tokenizer.words(tests)]
    fairseq_corpus.write_rows(folder / "test.words.jsonl", rows)
    write_json(folder / "binarized.json", {"encoder": config.encoder, **dropped})


def train(binary: Path, model: Path, partial: Path, config: TransformerConfig, runtime: Runtime) -> list[Epoch]:
    """Train with fairseq: cross entropy, Adam, linear warm-up and decay (appendix D.1)."""
    _check(config)
    _same_encoder(binary, config)
    options = [*_shape_options(config), *_training_options(config), "--seed", str(config.seed)]
    if config.initialise == "bert":
        options += ["--bert-encoder", config.encoder]
    if config.freeze_encoder:
        options += ["--bert-freeze-encoder"]
    return fairseq_tools.train(binary, model, partial, options, runtime)


def generate(binary: Path, model: Path, config: TransformerConfig, runtime: Runtime) -> dict[str, list[str]]:
    """Generate with fairseq; WordPieces joined to words, words to text."""
    _same_encoder(binary, config)
    # WordPieces spell any word: the unknown symbol is never an answer.
    options = [*search_options(config.search), "--unkpen", "1000", "--model-overrides", "{'bert_encoder': ''}"]
    hypotheses = fairseq_tools.generate(binary, model, options, runtime)
    spacing = Spacing(read_json(binary / "spacing.json"))
    sources = fairseq_corpus.read_rows(binary / "test.words.jsonl")
    outputs = [
        spacing.join(join_pieces(hypothesis.tokens), [Token(text, bool(spaced)) for text, spaced in source])
        for hypothesis, source in zip(hypotheses, sources, strict=True)
    ]
    return fairseq_corpus.split_outputs(outputs, binary)


def _check(config: TransformerConfig) -> None:
    for key, allowed in (("initialise", ("bert", "random")), ("vocabulary", ("full", "observed"))):
        if getattr(config, key) not in allowed:
            raise InputError(f"simplifier: {key}: {getattr(config, key)!r} is none of {', '.join(allowed)}")
    if config.freeze_encoder and config.initialise == "random":
        raise InputError("simplifier: freeze_encoder: an encoder that starts at random must be trained")


def _same_encoder(binary: Path, config: TransformerConfig) -> None:
    binarized_for = read_json(binary / "binarized.json")["encoder"]
    if binarized_for != config.encoder:
        what = f"made for the encoder {binarized_for!r}, not {config.encoder!r}"
        raise bad_input(binary / "binarized.json", None, what, "binarize again")


def _shape_options(config: TransformerConfig) -> list[str]:
    """The encoder's shape, for both halves, from its config.json."""
    path = encoder_file(config.encoder, "config.json")
    shape = read_json(path)
    wanted = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
    for key, value in wanted.items():
        if shape.get(key, value) != value:
            raise bad_input(path, None, f"{key} is {shape[key]!r}, not {value!r}", "name a BERT as the encoder")
    try:
        values = {
            "embed-dim": shape["hidden_size"],
            "ffn-embed-dim": shape["intermediate_size"],
            "attention-heads": shape["num_attention_heads"],
        }
        spare = shape["num_hidden_layers"] - config.encoder_layers
        options = ["--arch", "bert_transformer", "--encoder-layers", str(config.encoder_layers)]
        options += ["--max-source-positions", str(shape["max_position_embeddings"])]
        options += ["--max-target-positions", str(shape["max_position_embeddings"])]
    except KeyError as error:
        raise bad_input(path, None, f"no {error.args[0]!r}", "name a BERT as the encoder") from None
    if spare < 0:
        what = f"{shape['num_hidden_layers']} layers, fewer than encoder_layers: {config.encoder_layers}"
        raise bad_input(path, None, what, "ask for no more than the encoder has")
    for side in ("encoder", "decoder"):
        for key, value in values.items():
            options += [f"--{side}-{key}", str(value)]
    options += ["--decoder-layers", str(config.decoder_layers), "--bert-spare-layers", str(spare)]
    return [*options, "--bert-layer-norm-eps", repr(shape.get("layer_norm_eps", 1e-12))]


def _training_options(config: TransformerConfig) -> list[str]:
    options = ["--criterion", "cross_entropy", "--optimizer", "adam", "--adam-betas", "(0.9, 0.999)"]
    options += ["--lr", repr(config.learning_rate), "--lr-scheduler", "polynomial_decay"]
    options += ["--warmup-updates", str(config.warmup_updates), "--total-num-update", str(config.max_updates)]
    options += ["--max-update", str(config.max_updates), "--max-epoch", str(config.max_epochs)]
    options += ["--dropout", repr(config.dropout), "--attention-dropout", repr(config.dropout)]
    options += ["--batch-size", str(config.batch_size), "--clip-norm", repr(config.clip_norm)]
    return [*options, "--patience", str(config.patience or -1)]
