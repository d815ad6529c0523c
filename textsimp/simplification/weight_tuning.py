"""Weights of the log-linear model, by minimum error rate over lists of hypotheses (Och 2003).

As there, dev is decoded, the weights are chosen that give the best score of the corpus when the best hypothesis of each
list is taken, and dev is decoded with these, all lists being kept. The choice is by the downhill simplex of Nelder and
Mead instead of Och's search on lines; it needs no more than the counts of BLEU or of SARI of each hypothesis. By `pro`,
it is pairwise ranking (Hopkins and May 2011), as Xu et al. 2016 tune: a classifier learns from the features of two
hypotheses which is the better one.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from textsimp.metrics.bleu import bleu_statistics
from textsimp.metrics.sari import corpus_recipe, sari_statistics, sentence_recipe
from textsimp.metrics.scores import SegmentStatistics
from textsimp.simplification.phrase_decoder import Output

Floats = NDArray[np.float64]
Decode = Callable[[Sequence[float]], list[list[Output]]]  # from weights to the hypotheses of each dev sentence
# The weights of a model that was not tuned: those of Moses, and a price on phrases that are left out.
START: tuple[float, ...] = (0.2, 0.2, 0.2, 0.2, 0.5, 1.0, 0.2, -0.5)
_STEP, _TOLERANCE, _EVALUATIONS = 0.15, 1e-4, 600
# Weights that are drawn at random, of which the best are a beginning of the search as well.
_DRAWS, _SEED = 300, 13
# Of Hopkins and May: pairs of hypotheses drawn of a sentence, those kept, and the least difference, in points.
_PAIRS, _KEPT, _LEAST_GAIN = 5000, 50, 5.0


class Tuning(NamedTuple):
    """The search for weights: `bleu`, `sari` or `sari_sentence`; `mert` or `pro`; rounds at most."""

    metric: str
    tuner: str
    rounds: int


class Round(NamedTuple):
    """Weights, and the score of dev that was expected of them from the lists and that they had when decoding."""

    weights: tuple[float, ...]
    expected: float
    reached: float


class _Lists:
    """All hypotheses of each dev sentence that were ever found, with their features and counts."""

    def __init__(self, sources: Sequence[str], references: Sequence[Sequence[str]], metric: str) -> None:
        most = max(map(len, references))
        full = [[row[number % len(row)] for row in references] for number in range(most)]
        self._sources, self._references, self._metric = sources, full, metric
        self._hypotheses: list[dict[tuple[str, ...], tuple[float, ...]]] = [{} for _ in sources]

    def add(self, lists: Sequence[Sequence[Output]]) -> None:
        """Take lists in; those of a sentence that are shorter are filled up with its first hypothesis."""
        for known, outputs in zip(self._hypotheses, lists, strict=True):
            for output in outputs:
                known.setdefault(output.words, output.features)
        sizes = np.array([len(known) for known in self._hypotheses])
        places = np.arange(sizes.max())
        firsts = sizes.cumsum() - sizes
        indexes = firsts[:, None] + np.where(places < sizes[:, None], places, 0)  # (S, H)
        hypotheses = [words for known in self._hypotheses for words in known]
        statistics = self.statistics(hypotheses, np.repeat(np.arange(len(sizes)), sizes).tolist())
        self._features = np.array([features for known in self._hypotheses for features in known.values()])[indexes]
        self._counts, self._function = statistics.counts[indexes], statistics.function

    def statistics(self, words: Sequence[Sequence[str]], numbers: Sequence[int]) -> SegmentStatistics:
        """Return the metric's counts of hypotheses of the dev sentences of these numbers."""
        outputs = [" ".join(row) for row in words]
        references = [[column[number] for number in numbers] for column in self._references]
        if self._metric == "bleu":
            return bleu_statistics(outputs, references, "none")
        recipe = corpus_recipe() if self._metric == "sari" else sentence_recipe()
        return sari_statistics([self._sources[number] for number in numbers], outputs, references, recipe)

    def score(self, weights: Floats) -> float:
        """Return the metric of dev where the hypotheses of the highest scores are taken."""
        best = (self._features @ weights).argmax(1)
        return float(self._function(self._counts[np.arange(len(best)), best].sum(0))[0])

    def differences(self) -> Floats:
        """Return features of better hypotheses minus those of worse ones of the same sentence, as PRO draws them.

        Of `_PAIRS` pairs the `_KEPT` are kept that the metric of the sentence tells apart best. Shape: (P, F).
        """
        random = np.random.default_rng(_SEED)
        rows = []
        for features, counts, known in zip(self._features, self._counts, self._hypotheses, strict=True):
            scores = self._function(counts)[:, 0]
            first, second = random.integers(len(known), size=(2, _PAIRS))
            gains = scores[first] - scores[second]
            kept = np.argsort(-gains, kind="stable")[:_KEPT]
            kept = kept[gains[kept] > _LEAST_GAIN]
            rows.append(features[first[kept]] - features[second[kept]])
        return np.concatenate(rows)


def tune(
    sources: Sequence[str],
    references: Sequence[Sequence[str]],
    settings: Tuning,
    decode: Decode,
    start: tuple[float, ...] = START,
) -> Iterator[Round]:
    """Yield rounds on the words of dev, until nothing changes or there were `rounds`; the first is that of `start`.

    Args:
        references: those of each sentence, one at least; fewer than others have are repeated in turn.
    """
    lists = _Lists(sources, references, settings.metric)
    weights, expected, tried = start, 0.0, set[tuple[float, ...]]()
    while weights not in tried:
        tried.add(weights)
        decoded = decode(weights)
        reached = lists.statistics([row[0].words for row in decoded], range(len(decoded))).score().value
        yield Round(weights, expected or reached, reached)
        if len(tried) <= settings.rounds:
            lists.add(decoded)
            search = _ranking_weights if settings.tuner == "pro" else _best_weights
            weights, expected = search(lists, np.array(weights), np.array(start))


def _best_weights(lists: _Lists, current: Floats, start: Floats) -> tuple[tuple[float, ...], float]:
    """Return the best weights that the simplex finds from the current ones, `start` and the best drawn."""
    size = len(start)
    tried, draws = [], np.random.default_rng(_SEED).normal(start, np.abs(start), (_DRAWS, size))
    for origin in (current, start, max(draws, key=lists.score)):
        origin = origin / np.abs(origin).sum()
        simplex = np.vstack([origin, origin + _STEP * np.eye(size)])
        options = {"initial_simplex": simplex, "maxfev": _EVALUATIONS, "fatol": _TOLERANCE, "xatol": _TOLERANCE}
        result = minimize(lambda weights: -lists.score(weights), origin, method="Nelder-Mead", options=options)
        tried.append((float(result.fun), _scaled(result.x)))
    score, weights = min(tried)
    return weights, -score


def _ranking_weights(lists: _Lists, current: Floats, start: Floats) -> tuple[tuple[float, ...], float]:
    """Return weights by which better hypotheses rank first (PRO): a logistic regression's, halfway from the current.

    No weight gets another sign than it has in `start`, where it has one: what is unlikely is no gain.
    """
    rows = lists.differences()
    scale = np.maximum(rows.std(0), _TOLERANCE) if len(rows) else np.ones(len(start))
    scaled = rows / scale

    def loss(weights: Floats) -> tuple[float, Floats]:
        margins = scaled @ weights
        gradient = -(scaled / (1 + np.exp(np.minimum(margins, 50)))[:, None]).sum(0)
        return float(np.logaddexp(0, -margins).sum() + weights @ weights / 2), gradient + weights

    bounds = [(0 if sign > 0 else None, 0 if sign < 0 else None) for sign in start]
    learnt = minimize(loss, current * scale, jac=True, method="L-BFGS-B", bounds=bounds).x / scale
    weights = _scaled((np.array(_scaled(learnt)) + np.array(_scaled(current))) / 2)
    return weights, lists.score(np.array(weights))


def _scaled(weights: Floats) -> tuple[float, ...]:
    """Make the absolutes sum up to 1."""
    return tuple(round(value, 6) for value in (weights / np.abs(weights).sum()).tolist())
