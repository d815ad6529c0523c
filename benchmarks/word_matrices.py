"""Figures 5 and 6 of Kajiwara and Komachi 2016 for a pair of sentences: which words each word alignment aligns.

Run from the repository's root:

    python -m benchmarks.word_matrices [COMPLEX SIMPLE] [--theta 0.2] [--vectors FILE]

Each cell is the cosine of two word vectors, those up to theta left empty. In bold are the pairs that the Hungarian
alignment takes (equation 3: one to one), or the maximum alignment (equation 2: each word's best partner, both ways).
"""

import argparse
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment
from tabulate import tabulate

from textsimp.alignment.similarity.word_pairs import unit_vectors
from textsimp.alignment.spec import SystemSpec
from textsimp.alignment.words import words
from textsimp.core.errors import InputError, exit_on_bad_input
from textsimp.core.word_vectors import word_vectors

COMPLEX = "The old keeper, who had tended the lamp of the lighthouse for forty years, was forced to retire."
SIMPLE = "The old man had looked after the lamp for forty years. Then he had to stop working."


def matrices(
    complex_: str, simple: str, theta: float, vectors: Path | None
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The cosines over theta, and which pairs are aligned, of each alignment. Shapes: (complex words, simple words)."""
    spec = SystemSpec.named("maximum_alignment", vectors=vectors)
    known = word_vectors(spec.vectors, spec.encoder.name)
    units = [unit_vectors(known, words(text)) for text in (complex_, simple)]
    cosine = units[0] @ units[1].T
    cosine = np.where(cosine > theta, cosine, 0.0)
    best = np.zeros(cosine.shape, dtype=bool)
    best[np.arange(len(cosine)), cosine.argmax(1)] = True
    best[cosine.argmax(0), np.arange(cosine.shape[1])] = True
    one_to_one = np.zeros(cosine.shape, dtype=bool)
    one_to_one[linear_sum_assignment(-cosine)] = True
    return {name: (cosine, links & (cosine > 0)) for name, links in (("Hungarian", one_to_one), ("Maximum", best))}


@exit_on_bad_input
def main() -> None:
    """Print both matrices as Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.word_matrices", description=__doc__.splitlines()[0])
    parser.add_argument("sentences", nargs="*", metavar="SENTENCE", help="a complex and a simple one")
    parser.add_argument("--theta", type=float, default=0.2, help="cosines up to it count nothing")
    parser.add_argument("--vectors", metavar="FILE", type=Path, help="word vectors, such as word2vec's of news")
    args = parser.parse_args()
    if len(args.sentences) not in (0, 2):
        raise InputError(f"SENTENCE: {len(args.sentences)} given; give a complex and a simple one, or none")
    complex_, simple = args.sentences or (COMPLEX, SIMPLE)
    for name, (cosine, aligned) in matrices(complex_, simple, args.theta, args.vectors).items():
        rows = [
            [
                word,
                *(
                    f"**{value:.2f}**" if bold else f"{value:.2f}" if value else ""
                    for value, bold in zip(*row, strict=True)
                ),
            ]
            for word, *row in zip(words(complex_), cosine, aligned, strict=True)
        ]
        table = tabulate(rows, ["", *words(simple)], tablefmt="github", disable_numparse=True)
        print(f"### {name} word alignment\n\n{table}\n")


if __name__ == "__main__":
    main()
