"""The search for the best simple sentences: phrases from left to right, without reordering.

Hypotheses that cover the same complex words and end in the same history of the language model are one state; at each
place the best `beam` states are extended. As all states of a place cover the same words, their scores compare without
a guess at the rest. What remains is a graph whose paths are walked back from the end, the best first: the score of the
best way to a state is known, so that no other path is looked at (A* with an exact bound), and two ways to the same
words are one.
"""

import heapq
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from operator import itemgetter, mul
from typing import NamedTuple

from textsimp.simplification.backoff_model import END, LanguageModel, Ngram
from textsimp.simplification.phrase_table import Features, PhraseTable

# The last features of a hypothesis, behind those of the phrase table: log probability of the words, their number,
# phrases, phrases left out.
LANGUAGE_MODEL, WORDS, PHRASES, DELETIONS = range(-4, 0)
FURTHER = 4
_REMEMBERED = 1 << 20  # words after a history whose probabilities are kept
_MOST_STEPS = 60  # so many times the hypotheses asked for, the search for different ones looks at the beginning of one


class _Option(NamedTuple):
    """A way to write the complex words up to `end`; `score` has all but the language model."""

    end: int
    words: tuple[str, ...]
    score: float
    features: Features


class _Arc(NamedTuple):
    """A step from a state; `score` is its whole."""

    state: int
    score: float
    option: _Option
    log_probability: float


class Output(NamedTuple):
    """A simple sentence: its words, its score, and the features that the score weighs. Shape: (F,)."""

    words: tuple[str, ...]
    score: float
    features: tuple[float, ...]


class Decoder:
    """The log-linear model with its tables.

    Args:
        weights: of the table's features and the further ones. Shape: (F,).
        longest: words of a complex phrase.
    """

    def __init__(
        self, table: PhraseTable, model: LanguageModel, weights: Sequence[float], longest: int, beam: int
    ) -> None:
        self.table, self.model, self.weights, self.beam = table, model, tuple(weights), beam
        self._longest = longest
        # of a word that the table has not: it stays, and no hypothesis can differ there
        self._unseen: Features = (0.0,) * (len(self.weights) - FURTHER)
        self._options: dict[str, list[tuple[tuple[str, ...], float, Features]]] = {}
        self._step = lru_cache(_REMEMBERED)(model.step)

    def decode(self, words: Sequence[str], n_best: int) -> list[Output]:
        """Return up to `n_best` different simple sentences with a word, the best first, one at least.

        Args:
            words: of a complex sentence, one at least.
        """
        outputs = [output for output in self._paths(*self._graph(words), n_best) if output.words]
        return outputs[:n_best] or [Output(tuple(words), 0.0, (0.0,) * len(self.weights))]

    def _graph(self, words: Sequence[str]) -> tuple[list[float], list[list[_Arc]]]:
        """Return the best score on the way to each state, and the arcs that lead there. The last state is the end."""
        weight, step = self.weights[LANGUAGE_MODEL], self._step
        scores, arcs = [0.0], list[list[_Arc]]([[]])
        states_at: list[dict[Ngram, int]] = [{} for _ in range(len(words) + 1)]
        states_at[0][self.model.begin] = 0
        for start in range(len(words)):
            reached = states_at[start].items()
            best = heapq.nsmallest(self.beam, reached, key=lambda item: (-scores[item[1]], item[0]))
            states = [(history, state, scores[state]) for history, state in best]
            for option in self._options_at(words, start):
                end, simple, gained, _ = option
                states_after = states_at[end]
                for history, state, before in states:
                    log_probability = 0.0
                    for word in simple:
                        word_probability, history = step(history, word)
                        log_probability += word_probability
                    gain = gained + weight * log_probability
                    score = before + gain
                    if (number := states_after.get(history)) is None:
                        number = states_after[history] = len(scores)
                        scores.append(score)
                        arcs.append([])
                    elif score > scores[number]:
                        scores[number] = score
                    arcs[number].append(_Arc(state, gain, option, log_probability))
        ends = []
        for history, state in states_at[-1].items():
            last, _ = step(history, END)
            ends.append(_Arc(state, weight * last, _Option(len(words), (), 0.0, ()), last))
        scores.append(max(scores[arc.state] + arc.score for arc in ends))
        return scores, [*arcs, ends]

    def _options_at(self, words: Sequence[str], start: int) -> Iterator[_Option]:
        for end in range(start + 1, min(len(words), start + self._longest) + 1):
            phrase = " ".join(words[start:end])
            if phrase not in self._options:
                rows = self.table.get(phrase, [(phrase, self._unseen)] if end - start == 1 else [])
                self._options[phrase] = [self._scored(tuple(simple.split()), features) for simple, features in rows]
            for option in self._options[phrase]:
                yield _Option(end, *option)

    def _scored(self, words: tuple[str, ...], features: Features) -> tuple[tuple[str, ...], float, Features]:
        score = sum(map(mul, self.weights, features)) + self.weights[PHRASES]
        score += self.weights[WORDS] * len(words) if words else self.weights[DELETIONS]
        return words, score, features

    def _paths(self, scores: list[float], arcs: list[list[_Arc]], number: int) -> Iterator[Output]:
        """Yield the different sentences, the best first."""
        ways: dict[int, list[tuple[float, _Arc]]] = {}

        def push(state: int, rank: int, behind: float, words: tuple[str, ...], trail: tuple[_Arc, ...]) -> None:
            """Note the way into `state` of this rank, before what is known behind the state."""
            if state not in ways:
                scored = [(scores[arc.state] + arc.score, arc) for arc in arcs[state]]
                ways[state] = sorted(scored, key=itemgetter(0), reverse=True)
            if rank < len(ways[state]):
                score = ways[state][rank][0] + behind
                heapq.heappush(heap, (-score, next(numbers), state, rank, behind, words, trail))

        # an entry has what is compared, a number that tells equals apart, and what is not compared
        heap: list[tuple[float, int, int, int, float, tuple[str, ...], tuple[_Arc, ...]]] = []
        seen: set[tuple[int, tuple[str, ...]]] = set()
        numbers, written = count(), 0
        push(len(scores) - 1, 0, 0.0, (), ())
        most = _MOST_STEPS * max(number, 50)
        while heap and written <= number and len(seen) < most:
            _, _, state, rank, behind, words, trail = heapq.heappop(heap)
            push(state, rank + 1, behind, words, trail)
            arc = ways[state][rank][1]
            words = arc.option.words + words
            if (arc.state, words) in seen:
                continue
            seen.add((arc.state, words))
            trail = (arc, *trail)
            if arc.state:
                push(arc.state, 0, behind + arc.score, words, trail)
            else:
                written += 1
                yield Output(words, behind + arc.score, _features(trail, len(self.weights)))


def _features(path: Sequence[_Arc], size: int) -> tuple[float, ...]:
    """Return the summed features of the arcs of a path. Shape: (size,)."""
    total = [0.0] * size
    for arc in path:
        for feature, value in enumerate(arc.option.features):
            total[feature] += value
        total[LANGUAGE_MODEL] += arc.log_probability
        total[WORDS] += len(arc.option.words)
        total[PHRASES] += bool(arc.option.features)
        total[DELETIONS] += bool(arc.option.features) and not arc.option.words
    return tuple(total)
