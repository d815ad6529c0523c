"""The kind `lstm`: the encoder-decoder of Zhang and Lapata 2017 (Jiang et al. 2020, section 5.2, Table 15).

A bidirectional LSTM encoder and an LSTM decoder with attention, over words: entities are anonymised, rare words are
<UNK>, and a generated <UNK> is replaced by the source word that the decoder attends to (Jean et al. 2015).
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core.bounds import NonNegative, NonNegativeNumber, Positive, PositiveNumber, Seed, Share
from textsimp.core.errors import bad_input
from textsimp.core.reading import iterate_lines, read_json
from textsimp.core.writing import write_json, write_lines
from textsimp.simplification import fairseq_corpus, fairseq_tools
from textsimp.simplification.entities import Anonymiser, Word, as_tokens, restore
from textsimp.simplification.fairseq_tools import SearchConfig, search_options
from textsimp.simplification.interface import CorpusFiles, Epoch, Runtime
from textsimp.simplification.spacing import Spacing

SIDES = ("complex", "simple")

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class LstmConfig:
    """Settings of the LSTM simplifier.

    `spacy_model` finds the entities, rules do where it is not installed; words that occur fewer than `min_frequency`
    times on a side of the training data are <UNK>. `embeddings` is a text file of word vectors (GloVe), null for
    none. Each direction of the encoder has `hidden_size` units, the decoder too. `max_length` counts words. Training
    ends after `max_updates` or `max_epochs`, whichever comes first; 0: no such limit. `patience` is in epochs; 0:
    never stop early.
    """

    kind: str
    spacy_model: str
    min_frequency: NonNegative
    max_length: Positive
    embeddings: str | None
    embedding_dim: Positive
    hidden_size: Positive
    layers: Positive
    dropout: Share
    batch_size: Positive
    learning_rate: PositiveNumber
    max_updates: NonNegative
    max_epochs: NonNegative
    patience: NonNegative
    clip_norm: NonNegativeNumber
    seed: Seed
    search: SearchConfig


def binarize(corpus: CorpusFiles, folder: Path, config: LstmConfig) -> None:
    """Anonymised words, a dictionary for each side, and fairseq's binary form."""
    anonymiser = Anonymiser(config.spacy_model)
    limit = config.max_length - 1  # fairseq adds the end symbol
    record: dict[str, Any] = {"anonymiser": anonymiser.description}
    for split, files in (("train", corpus.train), ("dev", corpus.dev)):
        complex_sentences, simple_sentences = fairseq_corpus.read_parallel(files)
        source = anonymiser.complex(complex_sentences)
        target = anonymiser.simple(simple_sentences, source)
        columns = [_tokens(source), _tokens(target)]
        record[f"{split}_pairs_too_long"] = fairseq_corpus.write_split(folder, split, columns[0], columns[1], limit)
        if split == "train":
            dictionaries = _dictionaries(folder, columns, config)
            write_json(folder / "spacing.json", Spacing.learn(map(as_tokens, target)).to_json())
    tests = anonymiser.complex(fairseq_corpus.read_tests(corpus))
    record["test_sentences_cut"] = fairseq_corpus.write_test(folder, _tokens(tests), limit)
    logger.info("binarized: %s", record)
    fairseq_corpus.write_binary(folder, dictionaries)
    rows = [[[word.token, word.text, word.spaced] for word in row] for row in tests]
    fairseq_corpus.write_rows(folder / "test.words.jsonl", rows)
    write_json(folder / "binarized.json", record)


def train(binary: Path, model: Path, partial: Path, config: LstmConfig, runtime: Runtime) -> list[Epoch]:
    """Train with fairseq: cross entropy, Adam (Table 15)."""
    sizes = {"embed-dim": config.embedding_dim, "hidden-size": config.hidden_size, "layers": config.layers}
    options = ["--arch", "lstm", "--encoder-bidirectional", "--decoder-out-embed-dim", str(config.embedding_dim)]
    for half, side in zip(("encoder", "decoder"), SIDES, strict=True):
        for key, value in sizes.items():
            options += [f"--{half}-{key}", str(value)]
        if config.embeddings is not None:
            options += [f"--{half}-embed-path", str(binary / f"embeddings.{side}.txt")]
    options += ["--criterion", "cross_entropy", "--optimizer", "adam", "--lr", repr(config.learning_rate)]
    options += ["--max-update", str(config.max_updates)]
    options += ["--lr-scheduler", "fixed", "--max-epoch", str(config.max_epochs), "--dropout", repr(config.dropout)]
    options += ["--batch-size", str(config.batch_size), "--clip-norm", repr(config.clip_norm)]
    options += ["--patience", str(config.patience or -1), "--seed", str(config.seed)]
    epochs = fairseq_tools.train(binary, model, partial, options, runtime)
    write_json(model / "anonymiser.json", {"anonymiser": read_json(binary / "binarized.json")["anonymiser"]})
    return epochs


def generate(binary: Path, model: Path, config: LstmConfig, runtime: Runtime) -> dict[str, list[str]]:
    """Generate with fairseq; put the entities and the attended words back, and make text of the words."""
    options = [*search_options(config.search), "--print-alignment", "hard"]
    hypotheses = fairseq_tools.generate(binary, model, options, runtime)
    spacing = Spacing(read_json(binary / "spacing.json"))
    sources = [[Word(*item) for item in row] for row in fairseq_corpus.read_rows(binary / "test.words.jsonl")]
    outputs = [
        spacing.join(restore(hypothesis.tokens, source, hypothesis.attended), as_tokens(source))
        for hypothesis, source in zip(hypotheses, sources, strict=True)
    ]
    return fairseq_corpus.split_outputs(outputs, binary)


def _tokens(rows: Sequence[Sequence[Word]]) -> list[list[str]]:
    return [[word.token for word in row] for row in rows]


def _dictionaries(
    folder: Path, columns: Sequence[Sequence[list[str]]], config: LstmConfig
) -> dict[str, list[tuple[str, int]]]:
    """Side -> its frequent words and their counts; their vectors go into the folder."""
    dictionaries = {}
    for side, column in zip(SIDES, columns, strict=True):
        counts = fairseq_corpus.count_tokens(column)
        frequent = [(word, count) for word, count in counts.items() if count >= config.min_frequency]
        if not frequent:
            raise bad_input(folder, None, f"no {side} word occurs {config.min_frequency} times", "use more data")
        dictionaries[side] = sorted(frequent, key=lambda item: (-item[1], item[0]))
        if config.embeddings is not None:
            _write_embeddings(Path(config.embeddings), folder / f"embeddings.{side}.txt", dict(frequent), config)
    return dictionaries


def _write_embeddings(source: Path, target: Path, words: dict[str, int], config: LstmConfig) -> None:
    """The vectors of the dictionary's words, with the first line that fairseq wants and GloVe's files lack."""
    rows = []
    for number, line in enumerate(iterate_lines(source), 1):
        word, *vector = line.split(" ")
        if word not in words:
            continue
        if len(vector) != config.embedding_dim:
            what = f"a vector of {len(vector)} numbers, not {config.embedding_dim}"
            raise bad_input(source, number, what, "set embedding_dim to the file's")
        rows.append(line)
    write_lines(target, [f"{len(rows)} {config.embedding_dim}", *rows])
