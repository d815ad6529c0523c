"""The kind `rerank`: a sequence-to-sequence model whose many hypotheses are ranked again (Kriz et al. 2019, Rerank).

As there: words count in the loss by how simple they are; the search is kept diverse; of its hypotheses, similar ones
are joined, and the rest are ranked by fluency, adequacy and simplicity.

Our reading: the network is the LSTM of the kind `lstm`; how complex words and sentences are is learnt from the two
sides of the training corpus, which has no levels as Newsela has; the search is that of Vijayakumar et al. 2018, in
groups; fluency is a language model of the simple side, adequacy the cosine of a packaged encoder's sentence vectors;
the network's own probability is a fourth measure; the weights are those with the best SARI per sentence on dev.
"""

import logging
import math
import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from textsimp.core.errors import InputError
from textsimp.core.pretrained import check_is_here
from textsimp.core.reading import read_lines
from textsimp.core.records import SIDES
from textsimp.core.settings import NonNegativeNumber, Positive, Share, read_as
from textsimp.core.writing import copy_file, write_json, write_lines
from textsimp.metrics.readability import rule_syllables
from textsimp.metrics.sari import sari_statistics, sentence_recipe
from textsimp.simplification import lstm
from textsimp.simplification.backoff_model import LANGUAGE, LanguageModel
from textsimp.simplification.fairseq_corpus import count_tokens, read_parallel, tokenised_pairs
from textsimp.simplification.interface import RECORD, CorpusFiles, Epoch, Hypothesis, Runtime, stored_config
from textsimp.simplification.lstm import LstmConfig, TrainedLstm, Written

Floats = NDArray[np.float64]
COMPLEXITY, WEIGHING, WEIGHTS = "complexity.json", "weighing.json", "weights.simple.txt"
MEASURES = ("fluency", "adequacy", "simplicity", "likelihood")
_PIECES, _BATCH = 128, 64
_TENTHS = 10
# Measures are rounded, so that a sentence's neighbours in a batch, which touch the last bits, change no choice.
_DIGITS = 5
_RIDGE = 1.0
# A word that occurs less often, on both sides together, teaches nothing; one that occurs once need not be kept.
_FEWEST = 3
_QUANTILES = 100
_RAREST = 3  # words of a sentence that are looked at on their own
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_WORD_FEATURES, _SENTENCE_FEATURES = 4, 5
Tokens = Sequence[str]
logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RankingConfig:
    """Weights of words in the loss, the search for hypotheses, and their ranking."""

    loss: Share  # a target word weighs from 1 + `loss`, the simplest, to 1 - `loss`; names, numbers and marks weigh 1
    # so many are sought, in `groups` of the same size; a word that earlier groups chose at the same place costs
    # `diversity` in log probability, and more where they agreed before
    hypotheses: Positive
    groups: Positive
    diversity: NonNegativeNumber
    clusters: Positive  # hypotheses are joined to so many groups at most, the most probable of each is ranked
    encoder: str  # whose sentence vectors say what is similar
    order: Positive  # of the language model
    tuning_pairs: Positive  # so many pairs of dev decide how the measures are weighed


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
    """Do as the LSTM does; beside that write the weights of words, what they rest on, and dev as it is."""
    lstm.binarize(corpus, folder, config)
    pairs = tokenised_pairs(folder, "train")
    complexity = learn_complexity(pairs)
    write_json(folder / COMPLEXITY, vars(complexity))
    counts = count_tokens([simple for _, simple in pairs])
    lines = []
    for word in sorted(word for word, count in counts.items() if count >= config.min_frequency):
        if (value := complexity.of_word(word)) is not None:
            lines.append(f"{word} {1 + config.ranking.loss * (1 - 2 * value):.4f}")
    write_lines(folder / WEIGHTS, lines)
    for side, sentences in zip(SIDES, read_parallel(corpus.dev), strict=True):
        write_lines(folder / f"dev.{side}", sentences)


def train(binary: Path, model: Path, partial: Path, config: RerankConfig, runtime: Runtime) -> list[Epoch]:
    """Train the LSTM with the weighted loss, then weigh the measures on dev."""
    weighted = ["--criterion", "weighted_cross_entropy", "--word-weights", str(binary / WEIGHTS)]
    curve = lstm.train(binary, model, partial, config, runtime, weighted)
    sentences = (simple for _, simple in tokenised_pairs(binary, "train"))
    LanguageModel.learn(sentences, config.ranking.order).write(model / LANGUAGE)
    copy_file(binary / COMPLEXITY, model / COMPLEXITY)
    sources, references = (read_lines(binary / f"dev.{side}")[: config.ranking.tuning_pairs] for side in SIDES)
    shortlists = load_search(model, config, runtime)(sources)
    quality = [
        _sari([source] * len(row), [item.text for item in row], [reference] * len(row))
        for source, reference, (row, _) in zip(sources, references, shortlists, strict=True)
    ]
    weighing = weigh([measured for _, measured in shortlists], quality)
    write_json(model / WEIGHING, {"measures": MEASURES, **vars(weighing)})
    chosen = [ranked(row, measured, weighing)[0][0] for row, measured in shortlists]
    first, best = (
        float(np.mean(_sari(sources, [item.text for item in items], references)))
        for items in ([row[0] for row, _ in shortlists], chosen)
    )
    logger.info("Rerank: SARI on dev %.2f, of the most probable hypotheses %.2f; %s", best, first, weighing.weights)
    return curve


def _sari(sources: Sequence[str], outputs: Sequence[str], references: Sequence[str]) -> list[float]:
    statistics = sari_statistics(sources, outputs, [references], sentence_recipe())
    return [float(value) for value in statistics.per_segment()[:, 0]]


@dataclass(frozen=True)
class WordComplexity:
    """The complexity of words and sentences, each from 0 to 1.

    A word's is the share of running words of the training corpus, both sides together, that a ridge regression finds
    less complex. What it predicts is the log of how much more often a word occurs on the complex side than on the
    simple one; it knows the word's letters, its syllables, and how often it occurs in all.
    """

    counts: dict[str, int]  # of the words that occur more than once
    # the regression's coefficients of (1, letters, syllables, log of the count)
    word: list[float]
    quantiles: list[float]  # its predictions for running words, in ascending order
    # coefficients of the features of a sentence, for its being complex (1) or simple (0)
    sentence: list[float]

    def of_word(self, word: str) -> float | None:
        """Return the complexity of a word, in any case; None for a number, a mark, an anonymised name."""
        if not _WORD.fullmatch(word):
            return None
        value = float(np.dot(self.word, _word_features(word.lower(), self.counts)))
        return bisect(self.quantiles, value) / len(self.quantiles)

    def of_sentence(self, words: Tokens) -> float:
        """Return the complexity of a sentence, by its length, its commas and the complexity of its words."""
        return float(np.clip(np.dot(self.sentence, self.features(words)), 0, 1))

    def features(self, words: Tokens) -> list[float]:
        """Return what the complexity of a sentence is predicted from, 1 first."""
        known = sorted(value for word in words if (value := self.of_word(word)) is not None)
        mean, rarest = (sum(part) / max(1, len(part)) for part in (known, known[-_RAREST:]))
        return [1.0, math.log1p(len(words)), sum(word in {",", ";", "("} for word in words) / 10, mean, rarest]


def learn_complexity(pairs: Sequence[tuple[Tokens, Tokens]]) -> WordComplexity:
    """Learn from pairs of a complex and a simple sentence, one at least."""
    sides = [_counted(row[side] for row in pairs) for side in range(2)]
    both = sides[0] + sides[1]
    totals = [max(1, side.total()) for side in sides]
    taught = sorted(word for word, count in both.items() if count >= _FEWEST) or sorted(both)
    rows = [_word_features(word, both) for word in taught]
    more = [
        math.log((sides[0][word] + 1) / (totals[0] + len(both)))
        - math.log((sides[1][word] + 1) / (totals[1] + len(both)))
        for word in taught
    ]
    coefficients = _ridge(rows, more, [math.sqrt(both[word]) for word in taught], _WORD_FEATURES)
    ordered = sorted((float(np.dot(coefficients, _word_features(word, both))), count) for word, count in both.items())
    running = np.cumsum([count for _, count in ordered])
    ranks = np.searchsorted(running, np.arange(1, _QUANTILES) / _QUANTILES * (running[-1] if len(running) else 0))
    quantiles = [ordered[rank][0] for rank in ranks.tolist()] if ordered else [0.0]
    repeated = {word: count for word, count in sorted(both.items()) if count > 1}
    words = WordComplexity(repeated, coefficients, quantiles, [0.0] * _SENTENCE_FEATURES)
    changed = [pair for pair in pairs if list(pair[0]) != list(pair[1])]
    sentences = [words.features(pair[side]) for side in range(2) for pair in changed]
    is_complex = [float(side == 0) for side in range(2) for _ in changed]
    shown = _ridge(sentences, is_complex, [1.0] * len(sentences), _SENTENCE_FEATURES)
    return WordComplexity(repeated, coefficients, quantiles, shown)


def _counted(rows: Iterable[Tokens]) -> Counter[str]:
    return Counter(word.lower() for row in rows for word in row if _WORD.fullmatch(word))


def _word_features(word: str, counts: dict[str, int]) -> list[float]:
    return [1.0, len(word) / 10, rule_syllables(word) / 3, math.log(max(1, counts.get(word, 1)))]


def _ridge(rows: list[list[float]], goals: list[float], weights: list[float], size: int) -> list[float]:
    """Return the `size` coefficients of a weighted ridge regression, the first one free; 0 where there is nothing."""
    matrix = np.array(rows).reshape(len(rows), size)
    weighted = matrix * np.array(weights)[:, None]
    penalty = _RIDGE * np.eye(size)
    penalty[0, 0] = 1e-9
    return [float(value) for value in np.linalg.solve(weighted.T @ matrix + penalty, weighted.T @ np.array(goals))]


Shortlist = tuple[list[Written], Floats]  # hypotheses, and their measures in the order of `MEASURES`. Shape: (H, 4)


@dataclass(frozen=True)
class Weighing:
    """The weight of each measure, and the mean and the deviation it has over hypotheses for dev; `MEASURES`' order."""

    weights: list[float]
    means: list[float]
    deviations: list[float]

    def scores(self, measured: Floats) -> Floats:
        """Return the weighted sum of standardised measures. Shape: (H, 4) to (H,)."""
        scores: Floats = ((measured - self.means) / self.deviations) @ np.array(self.weights)
        return scores


@dataclass(frozen=True)
class Judge:
    """Measures of hypotheses.

    `vectors` gives the vector of each text, of length 1; shape (N, d). At most `clusters` hypotheses are compared.
    """

    language: LanguageModel
    complexity: WordComplexity
    vectors: Callable[[Sequence[str]], Floats]
    clusters: int

    def shortlists(self, sources: Sequence[str], hypotheses: Sequence[Sequence[Written]]) -> list[Shortlist]:
        """Return for each source the best hypothesis of each cluster, the most probable first.

        Of hypotheses with the same text the first counts.
        """
        distinct = [list({item.text: item for item in reversed(row)}.values())[::-1] for row in hypotheses]
        vectors = self.vectors([*sources, *(item.text for row in distinct for item in row)])
        shortlists, start = [], len(sources)
        for source, row in zip(vectors, distinct, strict=False):
            own = vectors[start : start + len(row)]
            start += len(row)
            indexes = representatives(own, self.clusters)
            items = [row[index] for index in indexes]
            measured = [
                (
                    math.exp(self.language.sentence(item.tokens)),  # the geometric mean of its words' probabilities
                    float(own[index] @ source),
                    1 - self.complexity.of_sentence(item.tokens),
                    item.score,
                )
                for index, item in zip(indexes, items, strict=True)
            ]
            shortlists.append((items, np.round(measured, _DIGITS)))
        return shortlists


def representatives(vectors: Floats, clusters: int) -> list[int]:
    """Return rows that stand for the others, in order: the first of each of at most `clusters` groups of near rows.

    Groups are joined by the mean cosine distance of their members (average linkage), the nearest first.
    """
    from scipy.cluster.hierarchy import fcluster, linkage

    if len(vectors) <= clusters:
        return list(range(len(vectors)))
    distances = np.clip(1 - vectors @ vectors.T, 0, None)[np.triu_indices(len(vectors), 1)]
    groups = fcluster(linkage(np.round(distances, _DIGITS), "average"), clusters, "maxclust")
    return sorted(np.unique(groups, return_index=True)[1].tolist())


def ranked(shortlist: Sequence[Written], measured: Floats, weighing: Weighing) -> list[tuple[Written, float]]:
    """Return the hypotheses of a shortlist with their scores, the best first; of equal ones the more probable."""
    scores = weighing.scores(measured).tolist()
    return sorted(zip(shortlist, scores, strict=True), key=lambda item: -item[1])


def weigh(measured: Sequence[Floats], quality: Sequence[Sequence[float]]) -> Weighing:
    """Return the weights, tenths that sum to 1, whose choices have the best mean quality.

    Only the weight of likelihood may be 0.

    Args:
        measured: the measures of each sentence's hypotheses. Shape of each: (H, 4).
        quality: SARI of each hypothesis.
    """
    rows = np.concatenate(measured)
    means, deviations = rows.mean(0), np.maximum(rows.std(0), 10.0**-_DIGITS)
    best, best_value = Weighing([], [], []), -math.inf
    for parts in product(range(1, _TENTHS), repeat=len(MEASURES) - 1):
        rest = _TENTHS - sum(parts)
        if rest < 0:
            continue
        weights = [part / _TENTHS for part in (*parts, rest)]
        tried = Weighing(weights, means.tolist(), deviations.tolist())
        value = sum(row[int(tried.scores(measures).argmax())] for measures, row in zip(measured, quality, strict=True))
        if value > best_value:
            best, best_value = tried, value
    return best


def load_search(model: Path, config: RerankConfig, runtime: Runtime) -> Callable[[Sequence[str]], list[Shortlist]]:
    """Return what finds the hypotheses of sentences that represent the others, by the LSTM in `model`."""
    from textsimp.core.frozen_encoder import FrozenEncoder

    ranking = config.ranking
    network = TrainedLstm(model, config, runtime, ranking.groups, ranking.diversity)
    encoder = FrozenEncoder(ranking.encoder, _PIECES, runtime.device, _BATCH)
    complexity = read_as(model / COMPLEXITY, WordComplexity)
    judge = Judge(LanguageModel.of(model / LANGUAGE), complexity, encoder.vectors, ranking.clusters)
    return lambda sentences: judge.shortlists(sentences, network.written(sentences, ranking.hypotheses))


@dataclass(frozen=True)
class TrainedRerank:
    """A trained model in memory."""

    search: Callable[[Sequence[str]], list[Shortlist]]
    weighing: Weighing

    def simplify(self, sentences: Sequence[str], n_best: int = 1) -> list[list[Hypothesis]]:
        """See `TrainedSimplifier`; scores are weighted sums of standardised measures."""
        rows = [ranked(*shortlist, self.weighing)[:n_best] for shortlist in self.search(sentences)]
        return [[Hypothesis(item.text, score) for item, score in row] for row in rows]


def load(model: Path, runtime: Runtime) -> TrainedRerank:
    """Load a model folder; `InputError` where a file is missing or damaged."""
    config = stored_config(model, RerankConfig)
    check_is_here(config.ranking.encoder, model / RECORD)
    return TrainedRerank(load_search(model, config, runtime), read_as(model / WEIGHING, Weighing, is_closed=False))
