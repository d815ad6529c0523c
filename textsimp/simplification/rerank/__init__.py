"""The kind `rerank`: a sequence-to-sequence model whose many hypotheses are ranked again (Kriz et al. 2019, Rerank).

As there: words count in the loss by how simple they are; the search is kept diverse; of its hypotheses, similar ones
are joined, and the rest are ranked by fluency, adequacy and simplicity.

Our reading: the network is the LSTM of the kind `lstm`; how complex words and sentences are is learnt from the two
sides of the training corpus, which has no levels as Newsela has; the search is that of Vijayakumar et al. 2018, in
groups; fluency is a language model of the simple side, adequacy the cosine of a packaged encoder's sentence vectors;
the network's own probability is a fourth measure; the weights are those with the best SARI per sentence on dev.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from textsimp.core.errors import InputError
from textsimp.core.pretrained import check_is_here
from textsimp.core.reading import read_lines
from textsimp.core.records import SIDES
from textsimp.core.settings import NonNegativeNumber, Positive, Share
from textsimp.core.writing import write_lines
from textsimp.metrics.sari import sari_statistics, sentence_recipe
from textsimp.simplification import lstm
from textsimp.simplification.fairseq_corpus import count_tokens, read_parallel, tokenised_pairs
from textsimp.simplification.fairseq_generation import Diversity
from textsimp.simplification.interface import RECORD, CorpusFiles, Epoch, Hypothesis, Runtime, stored_config
from textsimp.simplification.lstm import LstmConfig, TrainedLstm
from textsimp.simplification.phrase_based.backoff_model import (
    learn_language_model,
    read_language_model,
    write_language_model,
)
from textsimp.simplification.phrase_based.trained_phrases import LANGUAGE
from textsimp.simplification.rerank.hypothesis_choice import Judge, Weighing, Written, ranked, weigh
from textsimp.simplification.rerank.word_complexity import WordComplexity, learn_complexity

COMPLEXITY, WEIGHING, WEIGHTS = "complexity.json", "weighing.json", "weights.simple.txt"
_REMEDY = "restore the folder, or train again"
_PIECES, _BATCH = 128, 64

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RankingConfig:
    """How words are weighed in the loss, how hypotheses are sought, and how they are ranked.

    loss: a target word weighs from 1 + `loss`, the simplest, to 1 - `loss`; names, numbers and marks weigh 1.
    hypotheses: so many are sought, in `groups` of the same size; a word that earlier groups chose at the same place
        costs `diversity` in log probability, and more where they agreed before.
    clusters: hypotheses are joined to so many groups at most, the most probable of each is ranked.
    encoder: whose sentence vectors say what is similar.
    order: of the language model.
    tuning_pairs: so many pairs of dev decide how the measures are weighed.
    """

    loss: Share
    hypotheses: Positive
    groups: Positive
    diversity: NonNegativeNumber
    clusters: Positive
    encoder: str
    order: Positive
    tuning_pairs: Positive


@dataclass(frozen=True)
class RerankConfig(LstmConfig):
    """Settings of the LSTM (see `LstmConfig`), and of what makes it Rerank."""

    ranking: RankingConfig

    def __post_init__(self) -> None:
        """Check the values; `InputError` names the key."""
        super().__post_init__()
        if self.label_smoothing:
            raise InputError("simplifier: label_smoothing: the loss that weighs words has none; set it to 0")
        if self.ranking.hypotheses % self.ranking.groups:
            raise InputError("simplifier: ranking.groups: hypotheses are no multiple of it; change one of them")


def binarize(corpus: CorpusFiles, folder: Path, config: RerankConfig) -> None:
    """As the LSTM does; beside that the weights of words, what they rest on, and dev as it is."""
    lstm.binarize(corpus, folder, config)
    complexity = learn_complexity(tokenised_pairs(folder, "train"))
    complexity.write(folder / COMPLEXITY)
    counts = count_tokens([simple for _, simple in tokenised_pairs(folder, "train")])
    lines = []
    for word in sorted(word for word, count in counts.items() if count >= config.min_frequency):
        if (value := complexity.of_word(word)) is not None:
            lines.append(f"{word} {1 + config.ranking.loss * (1 - 2 * value):.4f}")
    write_lines(folder / WEIGHTS, lines)
    rows = read_parallel(corpus.dev)
    for side, sentences in zip(SIDES, rows, strict=True):
        write_lines(folder / f"dev.{side}", sentences)


def train(binary: Path, model: Path, partial: Path, config: RerankConfig, runtime: Runtime) -> list[Epoch]:
    """Train the LSTM with the weighted loss, then weigh the measures on dev."""
    weighted = ["--criterion", "weighted_cross_entropy", "--word-weights", str(binary / WEIGHTS)]
    curve = lstm.train(binary, model, partial, config, runtime, weighted)
    sentences = (simple for _, simple in tokenised_pairs(binary, "train"))
    write_language_model(model / LANGUAGE, learn_language_model(sentences, config.ranking.order))
    WordComplexity.read(binary / COMPLEXITY, _REMEDY).write(model / COMPLEXITY)
    writer = Writer(model, config, runtime)
    sources, references = (read_lines(binary / f"dev.{side}")[: config.ranking.tuning_pairs] for side in SIDES)
    shortlists = writer.judge.shortlists(sources, writer.hypotheses(sources))
    quality = [
        _sari([source] * len(row), [item.text for item in row], [reference] * len(row))
        for source, reference, (row, _) in zip(sources, references, shortlists, strict=True)
    ]
    weighing = weigh([measured for _, measured in shortlists], quality)
    weighing.write(model / WEIGHING)
    chosen = [ranked(row, measured, weighing)[0][0] for row, measured in shortlists]
    first, best = (
        float(np.mean(_sari(sources, [item.text for item in items], references)))
        for items in ([row[0] for row, _ in shortlists], chosen)
    )
    logger.info("Rerank: SARI on dev %.2f, of the most probable hypotheses %.2f; %s", best, first, weighing.weights)
    return curve


class Writer:
    """The LSTM in memory, its many hypotheses, and what they are judged with."""

    def __init__(self, model: Path, config: RerankConfig, runtime: Runtime) -> None:
        from textsimp.core.frozen_encoder import FrozenEncoder

        ranking = config.ranking
        self._number = ranking.hypotheses
        self._lstm = TrainedLstm(model, config, runtime, Diversity(ranking.groups, ranking.diversity))
        encoder = FrozenEncoder(ranking.encoder, _PIECES, runtime.device, _BATCH)
        language = read_language_model(model / LANGUAGE)
        complexity = WordComplexity.read(model / COMPLEXITY, _REMEDY)
        self.judge = Judge(language, complexity, encoder.vectors, ranking.clusters)

    def hypotheses(self, sentences: Sequence[str]) -> list[list[Written]]:
        """Those of the search for each sentence, the most probable first."""
        return [
            [Written(text, item.tokens, item.score) for item, text in row]
            for row in self._lstm.written(sentences, self._number)
        ]


@dataclass(frozen=True)
class TrainedRerank:
    """A trained model in memory."""

    writer: Writer
    weighing: Weighing

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """See `TrainedSimplifier`; scores are weighted sums of standardised measures."""
        shortlists = self.writer.judge.shortlists(sentences, self.writer.hypotheses(sentences))
        rows = [ranked(row, measured, self.weighing)[:n_best] for row, measured in shortlists]
        return [[Hypothesis(item.text, score) for item, score in row] for row in rows]


def load(model: Path, runtime: Runtime) -> TrainedRerank:
    """The trained simplifier of a model folder; `InputError` where a file is missing or damaged."""
    config = stored_config(model, RerankConfig)
    check_is_here(config.ranking.encoder, model / RECORD)
    return TrainedRerank(Writer(model, config, runtime), Weighing.read(model / WEIGHING, _REMEDY))


def _sari(sources: Sequence[str], outputs: Sequence[str], references: Sequence[str]) -> list[float]:
    statistics = sari_statistics(sources, outputs, [references], sentence_recipe())
    return [float(value) for value in statistics.per_segment()[:, 0]]
