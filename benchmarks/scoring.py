"""Benchmark of `textsimp score` on many lines: seconds and peak of memory of the whole command, on one core.

Run from the repository's root:

    python -m benchmarks.scoring [--lines 200000 1000000] [--references 1] [--metric all]
    python -m benchmarks.scoring --agreement --lines 5000 20000

The lines are invented, with a seed: about 20 words each, a vocabulary of 60,000 words by Zipf's law, one line in six
with a second sentence, abbreviations, numbers, quotes and brackets; one output in nine copies its complex sentence.
Every run is a process of its own, bound to one core where the system can. `--agreement` compares instead the intervals
of random groups of lines, a quarter as many as lines, with those of the lines: the largest distance of two ends, in
percent of the interval's width. Beside it stands the same for the lines with two seeds, which is the noise of 10,000
resamples.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import accumulate
from pathlib import Path

import numpy as np

from textsimp.core.results import Resampling
from textsimp.metrics.grouping import Units
from textsimp.metrics.registry import MetricOptions, Texts, checked_names, local_metrics, metric_statistics
from textsimp.metrics.resampling import resample

WORDS = 60_000
SAMPLES, SEED = 10_000, 13
_ONSETS = "b c d f g h l m n p r s t v w br ch cl dr fl gr pl pr sc sh sp st th tr".split()
_CODAS = ["", "", "", "n", "r", "s", "t", "l", "nd", "st", "ck", "ng", "tion", "ed", "ing", "er", "ly", "ment", "e"]
_VOWELS = ["a", "e", "i", "o", "u", "ea", "ou", "ai", "io"]
_FREQUENT = "the of and to in a is was for that on as with by he at from his it an were are which this be".split()
_SPECIAL = ["U.S.", "Dr.", "3.5", "1,200", "1998", "didn't", "it's", '"', "(", ")", "--", "St.", "e.g.", "'s", ";", "%"]


def vocabulary(draw: random.Random) -> list[str]:
    """Distinct words, the most frequent first."""
    distinct = dict.fromkeys((*_FREQUENT, *_SPECIAL))
    while len(distinct) < WORDS:
        parts = ("".join(map(draw.choice, (_ONSETS, _VOWELS))) for _ in range(draw.choice((1, 2, 2, 3))))
        word = "".join(parts) + draw.choice(_CODAS)
        distinct[word.capitalize() if draw.random() < 0.15 else word] = None
    return list(distinct)


def invented(lines: int, references: int, seed: int = 13) -> Iterator[tuple[str, ...]]:
    """Rows of a complex sentence, an output and references."""
    draw = random.Random(seed)
    words = vocabulary(draw)
    pool = draw.choices(words, cum_weights=list(accumulate(1 / (rank + 2) for rank in range(WORDS))), k=2_000_000)
    for _ in range(lines):
        start, length = draw.randrange(len(pool) - 40), draw.randint(6, 34)
        source = pool[start : start + length]
        if draw.random() < 1 / 6:
            source[length // 2] += " ."
            source[length // 2 + 1] = source[length // 2 + 1].capitalize()
        output = source if draw.random() < 1 / 9 else list(_rewritten(source, pool, draw, 0.12))
        yield tuple(
            " ".join(line) + " ."
            for line in (source, output, *(list(_rewritten(source, pool, draw, 0.2)) for _ in range(references)))
        )


def _rewritten(source: Sequence[str], pool: Sequence[str], draw: random.Random, share: float) -> Iterator[str]:
    for word in source:
        chance = draw.random()
        if chance > share:
            yield word
        elif chance > share / 2:
            yield pool[int(draw.random() * len(pool))]


def write_lines(folder: Path, lines: int, references: int) -> list[Path]:
    """Files of the invented lines: the complex side, the output, the references."""
    paths = [folder / "complex", folder / "output", *(folder / f"reference.{k}" for k in range(references))]
    with ExitStack() as stack:
        files = [stack.enter_context(path.open("w", encoding="utf-8")) for path in paths]
        for row in invented(lines, references):
            for file, line in zip(files, row, strict=True):
                file.write(line + "\n")
    return paths


def measure(paths: Sequence[Path], metrics: Sequence[str]) -> tuple[float, float, float]:
    """Seconds of the wall clock and of the processor, and the peak of memory in MB, of one run of the command."""
    complex_file, output, *references = map(str, paths)
    arguments = ["--complex", complex_file, "--output", output, "--reference", *references, "--json"]
    command = [sys.executable, "-m", "textsimp.cli", "score", *arguments]
    command += ["--metric", *metrics] if metrics else []
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process.pid, {min(os.sched_getaffinity(0))})
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    if status:
        raise SystemExit(f"{' '.join(command)} ended with {os.waitstatus_to_exitcode(status)}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3


def agreement(lines: int) -> dict[str, dict[str, float]]:
    """How far intervals of groups of lines, and of another seed, lie from those of the lines, by measure."""
    sources, outputs, references = (list(column) for column in zip(*invented(lines, 1), strict=True))
    options = MetricOptions()
    names = local_metrics(checked_names((), options))
    whole = metric_statistics(names, Texts(sources, outputs, [references]), options)
    units = Units(SEED, lines // 4)
    units.add({"output": whole}, lines)
    kinds = {"lines": (whole, SEED), "groups": (units.statistics()["output"], SEED), "seed": (whole, SEED + 1)}
    bounds = {kind: resample([row], Resampling(SAMPLES, seed))[0] for kind, (row, seed) in kinds.items()}
    distances: dict[str, dict[str, float]] = {}
    for name in names:
        rows = zip(whole[name].measures(name), *(bounds[kind][name].estimates() for kind in kinds), strict=True)
        for measure, ours, *theirs in rows:
            ends = np.array([[each.low, each.high] for each in (ours, *theirs)], dtype=float)
            apart = np.abs(ends[1:] - ends[0]).max(1) / max(ends[0, 1] - ends[0, 0], 1e-12)
            distances[measure] = dict(zip(("groups_percent", "seed_percent"), (100 * apart).tolist(), strict=True))
    return distances


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, nargs="+", default=[200_000, 1_000_000])
    parser.add_argument("--references", type=int, default=1)
    parser.add_argument("--metric", nargs="+", default=[])
    parser.add_argument("--agreement", action="store_true")
    arguments = parser.parse_args()
    if arguments.agreement:
        print(json.dumps({str(lines): agreement(lines) for lines in arguments.lines}, indent=2))
        return
    print(f"{'lines':>10}{'wall (s)':>10}{'processor':>11}{'peak (MB)':>11}")
    for lines in arguments.lines:
        with tempfile.TemporaryDirectory() as folder:
            wall, processor, peak = measure(write_lines(Path(folder), lines, arguments.references), arguments.metric)
        print(f"{lines:>10}{wall:10.1f}{processor:11.1f}{peak:11.0f}")


if __name__ == "__main__":
    main()
