"""Benchmark of the alignment systems: sentences per second, how that changes with the length of the articles, memory.

Run from the repository's root:

    python -m benchmarks.alignment [--sizes 25 100 400] [--systems NAME ...] [--seconds 60] [--model DIR] [--json]

Each system aligns one made-up pair of articles of each size (as many sentences on both sides, words drawn by Zipf's
law; the simple sentences are complex ones with a third of the words gone). Times are of the process, one thread, with
the similarity's own work; every system has a fresh similarity, nothing is shared. `growth` is the exponent of
the time in the number of sentences between the last two sizes: 2 is what comparing all pairs costs. `of_jaccard` is
the time beside plain Jaccard's in the same run. A size whose time would pass `--seconds`, as the last two foretell,
is left out. Systems with a fine-tuned encoder need `--model`. `peak` is the memory that Python and numpy allocated at
most for the largest size, matrices included.
"""

import argparse
import json
import random
import time
import tracemalloc
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from textsimp.alignment.cache import Cache
from textsimp.alignment.fitted import DEFAULT
from textsimp.alignment.neural.aligner import load_aligner
from textsimp.alignment.neural.aligner_settings import Device, EncoderConfig
from textsimp.alignment.parts import FROZEN
from textsimp.alignment.spec import load_system_config, system_names
from textsimp.alignment.systems import load_system, make_system
from textsimp.core.params import from_conf
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.core.word_vectors import WordVectorConfig

VOCABULARY, LENGTH, PARAGRAPH = 5_000, 25, 5
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]


def article_pair(size: int, seed: int) -> DocumentPair:
    """A pair of articles of `size` sentences each, with its true alignment."""
    draw = random.Random(seed)
    vocabulary = ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 4))) for _ in range(VOCABULARY)]
    weights = [1 / rank for rank in range(1, VOCABULARY + 1)]
    complex_ = [draw.choices(vocabulary, weights, k=LENGTH) for _ in range(size)]
    simple = [[word for word in sentence if draw.random() < 2 / 3] or sentence for sentence in complex_]
    complex_side, simple_side = (
        Document(name, level, tuple(tuple(texts[k : k + PARAGRAPH]) for k in range(0, size, PARAGRAPH)))
        for name, level, texts in (("c", 1, list(map(" ".join, complex_))), ("s", 0, list(map(" ".join, simple))))
    )
    labels = (AlignmentLabel.PARTIAL, AlignmentLabel.ALIGNED)
    links = tuple(Link(i, i, labels[i % 2]) for i in range(size))
    return DocumentPair(f"benchmark-{size}", "benchmark", f"benchmark-{size}", complex_side, simple_side, links)


def seconds_of(
    name: str, pair: DocumentPair, small: DocumentPair, make_cache: Callable[[], Cache], memory: bool
) -> tuple[float, float]:
    """Processor seconds to align one pair after fitting, and the peak of allocated memory in MiB where asked for."""
    config, cache = load_system_config(name), make_cache()
    if config.strategy.name == FROZEN:
        system = load_system(DEFAULT.with_name(name), cache, config)
    else:
        system = make_system(config, cache)
        system.fit([small], [small])
    system.prepare([])
    if memory:
        tracemalloc.start()
    start = time.process_time()
    system.align(pair)
    spent = time.process_time() - start
    peak = tracemalloc.get_traced_memory()[1] / 2**20 if memory else 0.0
    tracemalloc.stop()
    return spent, peak


def rows_of(names: Sequence[str], sizes: Sequence[int], limit: float, model: Path | None) -> list[dict[str, Any]]:
    """One row for each system: seconds by size, sentences per second at the largest, growth, memory."""
    device = from_conf("runtime", Device)
    small = article_pair(sizes[0], 1)
    pairs = [article_pair(size, 2) for size in sizes]
    aligner = load_aligner(model, device) if model else None
    encoder, vectors = from_conf("aligner.encoder", EncoderConfig), from_conf("word_vectors", WordVectorConfig)
    make_cache = partial(Cache, [small, *pairs], vectors, encoder, device, aligner)
    torch.set_num_threads(1)
    rows = []
    for name in names:
        seconds: dict[int, float] = {}
        for size, pair in zip(sizes, pairs, strict=True):
            if foretold(seconds, size) > limit:
                break
            seconds[size] = max(seconds_of(name, pair, small, make_cache, False)[0], 1e-6)
        largest = max(seconds)
        peak = seconds_of(name, pairs[sizes.index(largest)], small, make_cache, True)[1]
        rows.append(
            {
                "system": name,
                "seconds": seconds,
                "sentences_per_second": largest / seconds[largest],
                "growth": growth(seconds),
                "peak_mib": peak,
            }
        )
    return rows


def growth(seconds: dict[int, float]) -> float | None:
    """The exponent of the time in the size, from the last two sizes."""
    if len(seconds) < 2:
        return None
    (a, first), (b, second) = list(seconds.items())[-2:]
    return float(np.log(second / first) / np.log(b / a))


def foretold(seconds: dict[int, float], size: int) -> float:
    """The time that a further size is expected to take."""
    if not seconds:
        return 0.0
    last = max(seconds)
    return seconds[last] * (size / last) ** max(growth(seconds) or 2.0, 2.0)


def main() -> None:
    """Measure what the command line names and print a table or JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.alignment", description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[25, 100, 400], help="sentences of each side")
    parser.add_argument("--systems", nargs="+", help="names of conf/alignment_system; all that can run by default")
    parser.add_argument("--seconds", type=float, default=60.0, help="longest time of one measurement")
    parser.add_argument("--model", type=Path, help="folder of a trained aligner")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    names = args.systems or [
        name
        for name in system_names()
        if (args.model or not load_system_config(name).needs_aligner)
        and "variant" not in load_system_config(name).strategy.options
    ]
    rows = rows_of(
        ["jaccard", *(name for name in names if name != "jaccard")], sorted(args.sizes), args.seconds, args.model
    )
    base = rows[0]["seconds"]
    for row in rows:
        size = max(row["seconds"])
        row["of_jaccard"] = row["seconds"][size] / base[size] if size in base else None
    if args.json:
        print(json.dumps(rows, indent=2))
        return
    print(
        f"{'system':28}"
        + "".join(f"{size:>9} s" for size in sorted(args.sizes))
        + "   sent/s  growth  of_jaccard  peak MiB"
    )
    for row in rows:
        times = "".join(
            f"{row['seconds'][s]:>11.3f}" if s in row["seconds"] else f"{'-':>11}" for s in sorted(args.sizes)
        )
        grows = f"{row['growth']:.2f}" if row["growth"] is not None else "-"
        beside = f"{row['of_jaccard']:.1f}" if row["of_jaccard"] is not None else "-"
        print(
            f"{row['system']:28}{times}{row['sentences_per_second']:>9.0f}{grows:>8}{beside:>12}{row['peak_mib']:>10.1f}"
        )


if __name__ == "__main__":
    main()
