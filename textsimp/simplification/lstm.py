"""The kind `lstm`: the encoder-decoder of Zhang and Lapata 2017 (Jiang et al. 2020, section 5.2, Table 15).

A bidirectional LSTM encoder and an LSTM decoder with attention, over words: entities are anonymised, rare words are
<UNK>, and a generated <UNK> is replaced by the source word that the decoder attends to (Jean et al. 2015).
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.core.errors import bad_input
from textsimp.core.reading import iterate_lines
from textsimp.core.records import SIDES
from textsimp.core.settings import NonNegative, Positive, Seed, Share
from textsimp.core.word_vectors import known_vectors
from textsimp.core.writing import write_json, write_lines
from textsimp.simplification import fairseq_corpus, fairseq_tools
from textsimp.simplification.entities import Anonymiser, Word, restore
from textsimp.simplification.fairseq_generation import Generated, Generator, changed_first
from textsimp.simplification.fairseq_tools import HALVES, LstmNetwork, OptimizerConfig, SearchConfig, of_both
from textsimp.simplification.interface import CorpusFiles, Epoch, Hypothesis, Runtime, stored_config
from textsimp.simplification.spacing import Casing, Spacing

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class LstmConfig(OptimizerConfig):
    """Settings of the LSTM simplifier, those of its training beside (see `OptimizerConfig`)."""

    kind: str
    spacy_model: str  # which finds the entities: `spacy` (the packaged pipeline), an installed model or a folder of one
    min_frequency: NonNegative  # words that occur less often on a side of the training data are <UNK>
    max_length: Positive  # in words
    # `glove` or a file of word vectors, whose width takes the place of `embedding_dim`; null for none
    embeddings: str | None
    embedding_dim: Positive
    hidden_size: Positive  # of each direction of the encoder, and of the decoder
    layers: Positive
    dropout: Share
    seed: Seed
    search: SearchConfig


def binarize(corpus: CorpusFiles, folder: Path, config: LstmConfig) -> None:
    """Write anonymised words, a dictionary for each side, and fairseq's binary form."""
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
            words = ([word.text for word in row] for row in target)
            write_json(folder / "casing.json", Casing.learn(words).forms)
            write_json(folder / "spacing.json", Spacing.learn(target).counts)
    logger.info("binarized: %s", record)
    fairseq_corpus.write_binary(folder, dictionaries, config.search)
    write_json(folder / "binarized.json", record)


def train(
    binary: Path, model: Path, partial: Path, config: LstmConfig, runtime: Runtime, further: Sequence[str] = ()
) -> list[Epoch]:
    """Train with fairseq: cross entropy, Adam (Table 15), unless its `further` options say otherwise."""
    width = config.embedding_dim
    if config.embeddings is not None:
        width = int(next(iterate_lines(binary / f"embeddings.{SIDES[0]}.txt")).split()[1])
    halves = of_both(embed_dim=width, hidden_size=config.hidden_size, layers=config.layers)
    network = LstmNetwork(
        "lstm", decoder_out_embed_dim=width, encoder_bidirectional=True, dropout=config.dropout, **halves
    )
    options = ["--seed", str(config.seed), *further]
    if config.embeddings is not None:
        for half, side in zip(HALVES, SIDES, strict=True):
            options += [f"--{half}-embed-path", str(binary / f"embeddings.{side}.txt")]
    return fairseq_tools.train(binary, model, partial, network, options, config, runtime, "binarized.json")


@dataclass(frozen=True)
class Written(Hypothesis):
    """A hypothesis with its words as the network wrote them.

    What a diverse search subtracts for words of other groups is missing from the score.
    """

    tokens: Sequence[str]


class TrainedLstm:
    """An LSTM in memory, with its anonymiser and the spacing of its corpus; see `Generator` for groups."""

    def __init__(
        self, model: Path, config: LstmConfig, runtime: Runtime, groups: int = -1, diversity: float = 0.0
    ) -> None:
        self._limit, self._margin = config.max_length - 1, config.search.copy_margin
        self._anonymiser = Anonymiser(config.spacy_model)
        self._spacing = Spacing.of(model / "spacing.json")
        self._casing = Casing.of(model / "casing.json")
        self._generator = Generator(model, config.search, runtime, True, groups, diversity)

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """See `TrainedSimplifier`; entities and attended words are put back, and words become text."""
        rows = zip(self.written(sentences, n_best), sentences, strict=True)
        return [changed_first(row, sentence, self._margin, n_best) for row, sentence in rows]

    def written(self, sentences: Sequence[str], n_best: int) -> list[list[Written]]:
        """Return what the network wrote for each sentence, the most probable first."""
        sources = self._anonymiser.complex(sentences)
        rows = self._generator(fairseq_corpus.cut(_tokens(sources), self._limit, "words"), n_best)
        return [
            [Written(self._text(item, source), item.score, item.tokens) for item in row]
            for row, source in zip(rows, sources, strict=True)
        ]

    def _text(self, generated: Generated, source: Sequence[Word]) -> str:
        words = restore(generated.tokens, source, generated.attended)
        words = self._casing.write(words, [word.token for word in source], [word.text for word in source])
        return self._spacing.join(words, source)


def load(model: Path, runtime: Runtime) -> TrainedLstm:
    """Load a model folder."""
    return TrainedLstm(model, stored_config(model, LstmConfig), runtime)


def _tokens(rows: Sequence[Sequence[Word]]) -> list[list[str]]:
    return [[word.token for word in row] for row in rows]


def _dictionaries(
    folder: Path, columns: Sequence[Sequence[list[str]]], config: LstmConfig
) -> dict[str, list[tuple[str, int]]]:
    """Return side -> its frequent words and their counts; write their vectors into the folder."""
    dictionaries = {}
    for side, column in zip(SIDES, columns, strict=True):
        counts = fairseq_corpus.count_tokens(column)
        frequent = {word: count for word, count in counts.items() if count >= config.min_frequency}
        if not frequent:
            raise bad_input(folder, None, f"no {side} word occurs {config.min_frequency} times", "use more data")
        dictionaries[side] = sorted(frequent.items(), key=lambda item: (-item[1], item[0]))
        if config.embeddings is not None:
            known, matrix = known_vectors(config.embeddings, list(frequent))
            rows = (f"{word} {' '.join(map(str, vector))}" for word, vector in zip(known, matrix.tolist(), strict=True))
            head = f"{len(known)} {matrix.shape[1]}"  # which fairseq wants
            write_lines(folder / f"embeddings.{side}.txt", [head, *rows])
    return dictionaries
