"""Degenerate outputs, of systems that have not learned: one for all inputs, copies, empty, over-long, looping ones.

Scores of such outputs say nothing: a few frequent words for every sentence can have a SARI above that of the input.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from textsimp.core.settings import NonNegative, NonNegativeNumber, Percent
from textsimp.metrics.tokens import words

FLAWS = {"copies": "copies", "empty": "empty", "overlong": "over-long", "looping": "looping"}
"""By name: what they are called."""
DISTINCT, FLAWED, _LINES = "distinct", "flawed", "lines"
NOTE = "degenerate"
"""The note of results that says which outputs count as degenerate."""


def note_of(scope: str, system: str) -> str:
    """Name the note of results that says what is degenerate about a system's outputs for a test set, if anything is."""
    return f"{NOTE}.{scope}.{system}"


@dataclass(frozen=True)
class DegenerateLimits:
    """Section `evaluation.degenerate` of params.yaml: from where on outputs count as degenerate.

    distinct: distinct outputs in percent of distinct inputs; fewer are degenerate.
    flawed: percent of the outputs that are copies, empty, over-long or loop; more are degenerate.
    bleu: lower ones are of outputs that have nothing to do with the references.
    times, words: an output is over-long with more than `times` the words of the input, and more than `words` beyond.
    repeats: an output loops where more percent of its pairs of neighbouring words than this, and than in the input,
        stand in it before (seq-rep-2 of Welleck et al. 2020, Neural Text Generation with Unlikelihood Training).
    """

    distinct: Percent
    flawed: Percent
    bleu: Percent
    times: NonNegativeNumber
    words: NonNegative
    repeats: Percent

    def __str__(self) -> str:
        return (
            f"fewer than {self.distinct:g} percent distinct, a BLEU under {self.bleu:g}, or more than {self.flawed:g} "
            f"percent that are copies of the input, empty, over-long (over {self.times:g} times the input's words, "
            f"and over {self.words} beyond them) or loop (over {self.repeats:g} percent of their word pairs repeat)"
        )


def count_flaws(inputs: Sequence[str], outputs: Sequence[str], limits: DegenerateLimits) -> Counter[str]:
    """Return how many of N outputs are flawed, in each way (`FLAWS`) and in any; counts of parts of a text add up.

    Case and punctuation do not count: a copy has the input's words, an empty output has none.
    """
    counts: Counter[str] = Counter()
    for line, output in zip(inputs, outputs, strict=True):
        flaws = _flaws(words(line), words(output), limits)
        counts.update(flaws, **{_LINES: 1, FLAWED: bool(flaws)})
    return counts


def flaw_shares(counts: Counter[str], distinct: float) -> dict[str, float]:
    """The counts of some outputs in percent, and the percentage of distinct ones: by `DISTINCT`, `FLAWS`, `FLAWED`."""
    return {DISTINCT: distinct} | {name: 100 * counts[name] / counts[_LINES] for name in (*FLAWS, FLAWED)}


def output_shares(inputs: Sequence[str], outputs: Sequence[str], limits: DegenerateLimits) -> dict[str, float]:
    """`flaw_shares` of N outputs that are in memory, N > 0."""
    return flaw_shares(count_flaws(inputs, outputs, limits), 100 * len(set(outputs)) / len(set(inputs)))


def degeneracy(shares: Mapping[str, float], limits: DegenerateLimits, bleu: float | None = None) -> str:
    """Say what is degenerate about outputs of such shares, as in `1.6% distinct, 88.0% looping`; empty for nothing."""
    reasons = [f"{shares[DISTINCT]:.1f}% distinct"] if shares[DISTINCT] < limits.distinct else []
    if shares[FLAWED] > limits.flawed:
        reasons += [f"{shares[name]:.1f}% {called}" for name, called in FLAWS.items() if shares[name] > 0]
    if bleu is not None and bleu < limits.bleu:
        reasons.append(f"BLEU {bleu:.1f}")
    return ", ".join(reasons)


def _flaws(before: list[str], after: list[str], limits: DegenerateLimits) -> list[str]:
    if not after:
        return ["empty"]
    has_flaw = {
        "copies": before == after,
        "overlong": len(after) > max(limits.times * len(before), len(before) + limits.words),
        "looping": 100 * _repeated(after) > max(limits.repeats, 100 * _repeated(before)),
    }
    return [name for name, is_so in has_flaw.items() if is_so]


def _repeated(tokens: list[str]) -> float:
    """The share of the pairs of neighbours that stand there before."""
    pairs = len(tokens) - 1
    return 1 - len(set(pairwise(tokens))) / pairs if pairs > 0 else 0.0
