"""A language model of words: interpolated Kneser-Ney (Chen and Goodman 1998), kept in the format of ARPA."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from textsimp.core.reading import iterate_lines
from textsimp.core.writing import write_lines

Ngram = tuple[str, ...]
LANGUAGE = "simple.arpa"  # the file of a model folder
BEGIN, END, UNKNOWN = "<s>", "</s>", "<unk>"
_DIGITS = 6
_LOG10 = math.log(10)
_NEVER = -99.0  # of ARPA, for the beginning of a sentence, which no word is


class LanguageModel:
    """The probability of a word after some others; logarithms are natural.

    Args:
        probabilities: n-gram -> log probability of its last word after the others.
        backoffs: n-gram -> log weight of the shorter history where the n-gram is one that the next word never followed.
    """

    def __init__(self, probabilities: Mapping[Ngram, float], backoffs: Mapping[Ngram, float]) -> None:
        self.probabilities, self.backoffs = probabilities, backoffs
        self.order = max(map(len, probabilities))
        self.begin: Ngram = (BEGIN,) if self.order > 1 else ()  # the history of a sentence's first word

    @classmethod
    def learn(cls, sentences: Iterable[Sequence[str]], order: int) -> "LanguageModel":
        """Estimate a model from sentences, one at least."""
        counts = _adjusted(sentences, order)
        vocabulary = len(counts[0]) + 1  # one for all words that were never seen
        probabilities: dict[Ngram, float] = {(UNKNOWN,): 0.0}
        backoffs: dict[Ngram, float] = {}
        for grams in counts:
            once, twice = (sum(count == times for count in grams.values()) for times in (1, 2))
            discount = once / (once + 2 * twice) if once and twice else 0.5
            totals, followers = Counter[Ngram](), Counter(gram[:-1] for gram in grams)
            for gram, count in grams.items():
                totals[gram[:-1]] += count
            shares = {history: discount * followers[history] / total for history, total in totals.items()}
            for gram, count in grams.items():
                history = gram[:-1]
                shorter = math.exp(probabilities[gram[1:]]) if history else 1 / vocabulary
                probabilities[gram] = math.log((count - discount) / totals[history] + shares[history] * shorter)
            if () in shares:
                probabilities[(UNKNOWN,)] = math.log(shares[()] / vocabulary)
            backoffs |= {history: math.log(share) for history, share in shares.items() if history}
        return cls(probabilities, backoffs)

    @classmethod
    def of(cls, path: Path) -> "LanguageModel":
        """Read what `write` wrote."""
        probabilities: dict[Ngram, float] = {}
        backoffs: dict[Ngram, float] = {}
        for line in iterate_lines(path):
            value, *rest = line.split("\t")
            if rest:  # an n-gram
                gram = tuple(rest[0].split(" "))
                probabilities[gram] = float(value) * _LOG10
                backoffs.update((gram, float(weight) * _LOG10) for weight in rest[1:])
        return cls(probabilities, backoffs)

    def write(self, path: Path) -> None:
        """Write the model in the format of ARPA."""
        by_order: defaultdict[int, list[Ngram]] = defaultdict(list)
        for gram in (*self.probabilities, (BEGIN,)):
            by_order[len(gram)].append(gram)
        lines = ["\\data\\", *(f"ngram {order}={len(grams)}" for order, grams in by_order.items())]
        for order, grams in by_order.items():
            lines += ["", f"\\{order}-grams:"]
            for gram in sorted(grams):
                weights = [self.backoffs[gram]] if gram in self.backoffs else []
                numbers = [self.probabilities.get(gram, _NEVER * _LOG10), *weights]
                probability, *backoff = (f"{value / _LOG10:.{_DIGITS}f}" for value in numbers)
                lines.append("\t".join([probability, " ".join(gram), *backoff]))
        write_lines(path, [*lines, "", "\\end\\"])

    def step(self, history: Ngram, word: str) -> tuple[float, Ngram]:
        """Return log p(word | history), and the history after it: its longest end that tells what follows from others.

        Args:
            history: `order` - 1 words at most.
        """
        probabilities, backoffs = self.probabilities, self.backoffs
        score, gram = 0.0, (*history, word)
        while (known := probabilities.get(gram)) is None:
            if len(gram) == 1:
                return score + probabilities[(UNKNOWN,)], ()
            score += backoffs.get(gram[:-1], 0.0)
            gram = gram[1:]
        after = gram[1:] if len(gram) == self.order else gram
        while after and after not in backoffs:  # no word is known after it, and its weight is 1
            after = after[1:]
        return score + known, after

    def words(self, history: Ngram, words: Iterable[str]) -> float:
        """Return log p(words | history)."""
        score = 0.0
        for word in words:
            gained, history = self.step(history, word)
            score += gained
        return score

    def sentence(self, words: Sequence[str]) -> float:
        """Return log p of a sentence and its end, per word, the end included."""
        return self.words(self.begin, [*words, END]) / (len(words) + 1)


def _adjusted(sentences: Iterable[Sequence[str]], order: int) -> list[Counter[Ngram]]:
    """Return counts of the n-grams of each order; below the highest, of the different words before them."""
    counts: list[Counter[Ngram]] = [Counter() for _ in range(order)]
    for words in sentences:
        line = (BEGIN, *words, END)
        for size in range(1, order + 1):
            counts[size - 1].update(line[start : start + size] for start in range(size == 1, len(line) - size + 1))
    for lower, higher in pairwise(counts):
        starts = {gram: count for gram, count in lower.items() if gram[0] == BEGIN}
        lower.clear()
        lower.update(gram[1:] for gram in higher)
        lower.update(starts)
    return counts
