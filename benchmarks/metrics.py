"""Benchmark of SARI and of resampling, against a plain implementation with dictionaries in the same run.

Run from the repository's root:

    python -m benchmarks.metrics [--mirror FOLDER] [--sentences 50000] [--repeats 3]

Two inputs: TURK's test set (359 sentences, 8 references) with an output released for it, both from `--mirror`, or
invented sentences of the same sizes; and `--sentences` invented ones with one reference. Both sides get lines and
tokenise them; their scores are compared before anything is reported. Prints processor seconds (one thread, so that
other work on the machine counts little) and the ratio; the seconds of 10,000 resamples from the cached statistics;
and the peak of memory that Python allocates while lines come from an iterator, for growing numbers of sentences.
"""

import argparse
import random
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from textsimp.core.reading import read_lines
from textsimp.core.results import Resampling, Results
from textsimp.metrics.ngrams import Segments, chunks_of_lines
from textsimp.metrics.resampling import score_systems
from textsimp.metrics.sari import corpus_recipe, sari, sari_statistics, sentence_recipe, statistics_of_segments
from textsimp.metrics.tokens import tokenise

Corpus = tuple[list[str], list[str], list[list[str]]]
Ngrams = Counter[tuple[str, ...]]
ORDERS = range(1, 5)
SAMPLES = 10_000
GROWTH = (25_000, 50_000, 100_000)
TOLERANCE = 1e-6


def plain_sentence(corpus: Corpus) -> float:
    """SARI per sentence as the equations say it (Xu et al. 2016, section 4; deletion by precision)."""
    sources, outputs, references = corpus
    total = 0.0
    for source, output, *goals in zip(sources, outputs, *references, strict=True):
        tokens = tokenise(source), tokenise(output)[:80], [tokenise(goal) for goal in goals]
        for order in ORDERS:
            total += sum(_plain_operations(*_counted(*tokens, order)))
    return 100 * total / (12 * len(sources))


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
    wanted: Ngrams = Counter()
    for goal in goals:
        wanted.update(_ngrams(goal, order))
    old, new = (Counter(_ngrams(tokens, order)) for tokens in (source, output))
    times = len(goals)
    return (
        Counter({ngram: times * count for ngram, count in old.items()}),
        Counter({ngram: times * count for ngram, count in new.items()}),
        wanted,
    )


def _ngrams(tokens: list[str], order: int) -> Iterator[tuple[str, ...]]:
    return (tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1))


def _plain_operations(source: Ngrams, output: Ngrams, wanted: Ngrams) -> tuple[float, float, float]:
    """Add, keep and del of one sentence and order."""
    added, addable = set(output) - set(source), set(wanted) - set(source)
    add = _f1(_share(len(added & addable), len(added)), _share(len(added & addable), len(addable)))
    kept, keepable, deleted = source & output, source & wanted, source - output
    right, gone = kept & wanted, deleted - wanted
    precision, recall = _mean([right[g] / kept[g] for g in kept]), _mean([right[g] / keepable[g] for g in keepable])
    return add, _f1(precision, recall), _mean([gone[g] / deleted[g] for g in deleted])


def _plain_counts(source: Ngrams, output: Ngrams, wanted: Ngrams) -> dict[str, list[int]]:
    """What the corpus level sums up for one sentence and order."""
    added, addable = set(output) - set(source), set(wanted) - set(source)
    kept, keepable, deleted, deletable = source & output, source & wanted, source - output, source - wanted
    return {
        "add": [len(added & addable), len(added), len(addable)],
        "keep": [(kept & wanted).total(), kept.total(), keepable.total()],
        "del": [(deleted & deletable).total(), deleted.total(), deletable.total()],
    }


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def invented(sentences: int, references: int, seed: int = 13) -> Iterator[tuple[str, ...]]:
    """Lines of source, output and references: 22 words on average, distributed as Zipf's law says."""
    draw = random.Random(seed)
    words = [f"word{rank}" for rank in range(30_000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    pool = draw.choices(words, weights, k=1_000_000)
    for _ in range(sentences):
        start, length = draw.randrange(len(pool) - 40), draw.randint(5, 39)
        source = pool[start : start + length]
        rewritten = [[draw.choice(pool) if draw.random() < 0.1 else word for word in source if draw.random() < 0.9]]
        rewritten += [[word for word in source if draw.random() < 0.85] for _ in range(references)]
        yield tuple(" ".join(line) + " ." for line in (source, *rewritten))


def turk(mirror: Path | None) -> Corpus:
    """TURK with the output of the paper's Transformer, or as many invented sentences."""
    if mirror is None:
        return _columns(invented(359, 8))
    stem = mirror / "turk" / "test.8turkers.tok"
    output = mirror / "jiang2020_outputs" / "transformer_bert.new_train.txt"
    references = [read_lines(f"{stem}.turk.{number}") for number in range(8)]
    return read_lines(f"{stem}.norm"), read_lines(output), references


def compare(corpus: Corpus, repeats: int) -> dict[str, dict[str, float]]:
    """Processor seconds of both implementations and their ratio; ValueError where the scores differ."""
    work: dict[str, tuple[Callable[[], float], Callable[[], float]]] = {
        "sentence": (lambda: plain_sentence(corpus), lambda: sari(*corpus, sentence_recipe()).value),
        "corpus": (lambda: plain_corpus(corpus), lambda: sari(*corpus, corpus_recipe()).value),
    }
    rows = {}
    for name, (plain, ours) in work.items():
        (slow, expected), (fast, score) = best_time(plain, repeats), best_time(ours, repeats)
        if abs(expected - score) > TOLERANCE:
            raise ValueError(f"SARI per {name}: {score} where the plain implementation has {expected}")
        rows[name] = {"sari": score, "plain_s": slow, "ours_s": fast, "ratio": slow / fast}
    return rows


def best_time(work: Callable[[], float], repeats: int) -> tuple[float, float]:
    """Processor seconds of the cheapest of `repeats` runs, which other processes disturbed least, and the result."""
    times, result = [], 0.0
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
    return min(times), result


def resampling(corpus: Corpus, repeats: int) -> dict[str, float]:
    """Wall-clock seconds of interval, paired bootstrap and approximate randomisation of two systems."""
    sources, outputs, references = corpus
    times_by_name = {}
    for name, recipe in (("sentence", sentence_recipe()), ("corpus", corpus_recipe())):
        sides = {"copy": sources, "output": outputs}
        systems = {key: {name: sari_statistics(sources, sides[key], references, recipe)} for key in sides}
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            score_systems(Results(), "test", systems, [("output", "copy")], Resampling(SAMPLES, 1))
            times.append(time.perf_counter() - start)
        times_by_name[f"{name}_s"] = min(times)
    return times_by_name


def memory(sentences: int) -> float:
    """Peak MiB that Python and numpy allocate for SARI over lines from an iterator."""
    stems = [invented(sentences, 1) for _ in range(3)]
    sides = [(row[index] for row in stem) for index, stem in enumerate(stems)]
    tracemalloc.start()
    for old, new, goal in chunks_of_lines(sides):
        statistics_of_segments(Segments(old, new, [goal]), corpus_recipe()).counts.sum(0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / (1 << 20)


def _columns(rows: Iterator[tuple[str, ...]]) -> Corpus:
    source, output, *references = (list(column) for column in zip(*rows, strict=True))
    return source, output, references


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirror", type=Path, help="folder with turk/ and jiang2020_outputs/")
    parser.add_argument("--sentences", type=int, default=50_000)
    parser.add_argument("--repeats", type=int, default=3)
    arguments = parser.parse_args()
    small = turk(arguments.mirror)
    many = _columns(invented(arguments.sentences, 1))
    result: dict[str, Any] = {
        "turk": "mirror" if arguments.mirror else "invented",
        "359 x 8": compare(small, arguments.repeats),
        f"{arguments.sentences} x 1": compare(many, arguments.repeats),
        "resampling": resampling(small, arguments.repeats),
        "memory_mib": {str(number): memory(number) for number in GROWTH},
    }
    print("\n".join(_table(result)))


def _table(result: dict[str, Any]) -> list[str]:
    lines = [f"{'SARI':24}{'plain (s)':>12}{'ours (s)':>12}{'ratio':>8}"]
    for size, rows in result.items():
        if " x " in size:
            for level, row in rows.items():
                name = f"{size}, {level}"
                lines.append(f"{name:24}{row['plain_s']:12.3f}{row['ours_s']:12.4f}{row['ratio']:8.1f}")
    lines.append(f"\n359 x 8: {result['turk']}; {SAMPLES} resamples, two systems, all tests:")
    lines += [f"  {level}: {seconds:.2f} s" for level, seconds in result["resampling"].items()]
    lines.append("\npeak of memory by number of sentences:")
    lines += [f"  {number:>8}: {peak:.1f} MiB" for number, peak in result["memory_mib"].items()]
    return lines


if __name__ == "__main__":
    main()
