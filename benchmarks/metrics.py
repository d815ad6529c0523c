"""Benchmark of SARI over a corpus against a plain implementation with dictionaries, in the same run.

Run from the repository's root:

    python -m benchmarks.metrics [--sentences 50000] [--repeats 3]

Two inputs, invented: as many sentences and references as TURK's test set has, and `--sentences` with one reference.
Both sides get lines and tokenise them; their scores are compared before anything is reported. Prints processor seconds
(one thread, so that other work on the machine counts little) and the ratio.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from functools import partial
from time import process_time
from timeit import repeat

from benchmarks.scoring import invented
from textsimp.metrics.sari import corpus_recipe, sari
from textsimp.metrics.tokens import tokenise

Corpus = tuple[list[str], list[str], list[list[str]]]
Ngrams = Counter[tuple[str, ...]]
ORDERS = range(1, 5)
TOLERANCE = 1e-6


def plain_corpus(corpus: Corpus) -> float:
    """SARI over the corpus as EASSE defines it."""
    sources, outputs, references = corpus
    sums = {(order, name): [0, 0, 0] for order in ORDERS for name in ("add", "keep", "del")}
    for source, output, *goals in zip(sources, outputs, *references, strict=True):
        tokens = tokenise(source, "13a"), tokenise(output, "13a"), [tokenise(goal, "13a") for goal in goals]
        for order in ORDERS:
            for name, counts in _plain_counts(*_counted(*tokens, order)).items():
                sums[order, name] = [old + new for old, new in zip(sums[order, name], counts, strict=True)]
    scores = [_f1(_share(right, done), _share(right, wanted)) for right, done, wanted in sums.values()]
    return 100 * sum(scores) / len(scores)


def _counted(source: list[str], output: list[str], goals: list[list[str]], order: int) -> tuple[Ngrams, Ngrams, Ngrams]:
    """The n-grams of source and output, times the number of references, and of all references together."""
    old, new = (Counter(list(_ngrams(tokens, order)) * len(goals)) for tokens in (source, output))
    return old, new, Counter(ngram for goal in goals for ngram in _ngrams(goal, order))


def _ngrams(tokens: list[str], order: int) -> Iterator[tuple[str, ...]]:
    return (tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def _plain_counts(source: Ngrams, output: Ngrams, wanted: Ngrams) -> dict[str, list[int]]:
    """What the corpus level sums up for one sentence and order."""
    added, addable = set(output) - set(source), set(wanted) - set(source)
    kept, keepable, deleted, deletable = source & output, source & wanted, source - output, source - wanted
    return {
        "add": [len(added & addable), len(added), len(addable)],
        "keep": [(kept & wanted).total(), kept.total(), keepable.total()],
        "del": [(deleted & deletable).total(), deleted.total(), deletable.total()],
    }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def main() -> None:
    """Print the comparison; ValueError where the scores differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.metrics", description=__doc__.splitlines()[0])
    parser.add_argument("--sentences", type=int, default=50_000, help="of the second input (50000)")
    parser.add_argument("--repeats", type=int, default=3, help="timed runs, of which the best counts (3)")
    arguments = parser.parse_args()
    print(f"{'SARI':24}{'plain (s)':>12}{'ours (s)':>12}{'ratio':>8}")
    for lines, number in ((359, 8), (arguments.sentences, 1)):
        sources, outputs, *references = (list(column) for column in zip(*invented(lines, number), strict=True))
        corpus = sources, outputs, references
        work = partial(plain_corpus, corpus), partial(sari, *corpus, corpus_recipe())
        expected, score = plain_corpus(corpus), sari(*corpus, corpus_recipe()).value
        if abs(expected - score) > TOLERANCE:
            raise ValueError(f"SARI: {score} where the plain implementation has {expected}")
        slow, fast = (min(repeat(run, timer=process_time, number=1, repeat=arguments.repeats)) for run in work)
        print(f"{f'{lines} x {number}':24}{slow:12.3f}{fast:12.4f}{slow / fast:8.1f}")


if __name__ == "__main__":
    main()
