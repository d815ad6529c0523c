"""Sentences per second of trained simplifiers, and with what outputs.

    python -m benchmarks.simplification MODEL ... --input FILE [--sentences N] [--threads N] [--device NAME]

FILE has a complex sentence in each line; MODEL is a folder that the stage train_simplifier wrote. Each line: seconds
until the model is in memory, sentences per second (distinct ones, the first batch not counted), and the share of
distinct outputs.
"""

import argparse
import itertools
import time
from pathlib import Path

from textsimp.core.reading import iterate_lines
from textsimp.simplification.interface import Runtime
from textsimp.simplification.simplifiers import load_simplifier_folder

WARM = 8
"""Sentences that are simplified before the clock starts."""


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--input", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=300)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    lines = filter(str.strip, iterate_lines(args.input))
    sentences = list(dict.fromkeys(itertools.islice(lines, args.sentences)))
    print(f"{'model':<48}{'load s':>8}{'sent/s':>8}{'distinct':>10}")
    for model in args.models:
        start = time.perf_counter()
        simplifier = load_simplifier_folder(model, Runtime(args.device, args.threads))
        loaded = time.perf_counter() - start
        simplifier.simplify(sentences[:WARM])
        start = time.perf_counter()
        outputs = {row[0].text for row in simplifier.simplify(sentences)}
        rate = len(sentences) / (time.perf_counter() - start)
        print(f"{str(model)[-47:]:<48}{loaded:8.2f}{rate:8.1f}{len(outputs) / len(sentences):10.1%}")


if __name__ == "__main__":
    main()
