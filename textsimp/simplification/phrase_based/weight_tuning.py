"""Weights of the log-linear model, by minimum error rate over lists of hypotheses (Och 2003).

As there, dev is decoded, the weights are chosen that give the best score of the corpus when the best hypothesis of each
list is taken, and dev is decoded with these, all lists being kept. The choice is by the downhill simplex of Nelder and
Mead instead of Och's search on lines; it needs no more than the counts of BLEU or of SARI of each hypothesis.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from textsimp.metrics.bleu import bleu_statistics
from textsimp.metrics.sari import corpus_recipe, sari_statistics
from textsimp.metrics.scores import SegmentStatistics
from textsimp.simplification.phrase_based.phrase_decoder import SIZE, Output

Floats = NDArray[np.float64]
Decode = Callable[[Sequence[float]], list[list[Output]]]
"""From weights to the hypotheses of each dev sentence."""
START: tuple[float, ...] = (0.2, 0.2, 0.2, 0.2, 0.5, 1.0, 0.2, -0.5)
"""The weights of a model that was not tuned: those of Moses, and a price on phrases that are left out."""
_STEP, _TOLERANCE, _EVALUATIONS = 0.15, 1e-4, 600
_DRAWS, _SEED = 300, 13
"""Weights that are drawn at random, of which the best are a beginning of the search as well."""


class Round(NamedTuple):
    """Weights, and the score of dev that was expected of them from the lists and that they had when decoding."""

    weights: tuple[float, ...]
    expected: float
    reached: float


class _Lists:
    """All hypotheses of each dev sentence that were ever found, with their features and counts."""

    def __init__(self, sources: Sequence[str], references: Sequence[str], metric: str) -> None:
        self._sources, self._references, self._metric = sources, references, metric
        self._found: list[dict[tuple[str, ...], tuple[float, ...]]] = [{} for _ in sources]
        self._features: Floats = np.zeros((0, 0, 0))
        self._counts: Floats = np.zeros((0, 0, 0))
        self._function: Callable[[Floats], Floats] = lambda sums: sums

    def add(self, lists: Sequence[Sequence[Output]]) -> None:
        """Take lists in; those of a sentence that are shorter are filled up with its first hypothesis."""
        for known, paths in zip(self._found, lists, strict=True):
            for path in paths:
                known.setdefault(path.words, path.features)
        longest = max(map(len, self._found))
        rows = [(number, words) for number, known in enumerate(self._found) for words in known]
        statistics = self.statistics([words for _, words in rows], [number for number, _ in rows])
        shape = (len(self._found), longest)
        places = np.zeros(shape, dtype=int)
        first = 0
        for number, known in enumerate(self._found):
            places[number] = first
            places[number, : len(known)] += np.arange(len(known))
            first += len(known)
        self._features = np.array([features for known in self._found for features in known.values()])[places]
        self._counts, self._function = statistics.counts[places], statistics.function

    def statistics(self, words: Sequence[Sequence[str]], numbers: Sequence[int]) -> SegmentStatistics:
        """The metric's counts of hypotheses of the dev sentences of these numbers."""
        outputs, references = [" ".join(row) for row in words], [self._references[number] for number in numbers]
        if self._metric == "bleu":
            return bleu_statistics(outputs, [references], "none")
        return sari_statistics([self._sources[number] for number in numbers], outputs, [references], corpus_recipe())

    def score(self, weights: Floats) -> float:
        """The metric of dev where the hypotheses of the highest scores are taken."""
        best = (self._features @ weights).argmax(1)
        return float(self._function(self._counts[np.arange(len(best)), best].sum(0))[0])


def tune(sources: Sequence[str], references: Sequence[str], metric: str, most: int, decode: Decode) -> Iterator[Round]:
    """Rounds on the words of dev, until nothing changes or there were `most`; the first is that of `START`."""
    lists = _Lists(sources, references, metric)
    weights, expected, tried = START, 0.0, set[tuple[float, ...]]()
    while weights not in tried:
        tried.add(weights)
        found = decode(weights)
        reached = lists.statistics([row[0].words for row in found], range(len(found))).score().value
        yield Round(weights, expected or reached, reached)
        if len(tried) <= most:
            lists.add(found)
            weights, expected = _best_weights(lists, np.array(weights))


def _best_weights(lists: _Lists, start: Floats) -> tuple[tuple[float, ...], float]:
    """The best weights that the simplex finds from `start`, `START` and the best drawn; their absolutes sum up to 1."""
    tried, draws = [], np.random.default_rng(_SEED).normal(START, np.abs(START), (_DRAWS, SIZE))
    for origin in (start, np.array(START), max(draws, key=lists.score)):
        origin = origin / np.abs(origin).sum()
        simplex = np.vstack([origin, origin + _STEP * np.eye(SIZE)])
        options = {"initial_simplex": simplex, "maxfev": _EVALUATIONS, "fatol": _TOLERANCE, "xatol": _TOLERANCE}
        found = minimize(lambda weights: -lists.score(weights), origin, method="Nelder-Mead", options=options)
        tried.append((float(found.fun), tuple(round(value, 6) for value in (found.x / np.abs(found.x).sum()).tolist())))
    score, weights = min(tried)
    return weights, -score
