"""Is a difference between two systems more than chance? Paired resampling of anything that sums of counts give (F1).

A score such as F1 or SARI is a function of counts that add up over units (sentences, documents, article sets). Both
tests work on the counts of each unit, once computed: nothing is scored again.

Paired bootstrap: Koehn 2004 (Statistical significance tests for machine translation evaluation). Approximate
randomisation: Riezler and Maxwell 2005 (On some pitfalls in automatic evaluation and significance testing for MT).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.float64]
Score = Callable[[Counts], NDArray[np.float64]]
"""From summed counts, shape (..., K), to scores, shape (...)."""

_CELLS = 1 << 22
"""Numbers in one chunk of the resampling weights (32 MiB)."""


@dataclass(frozen=True)
class Resampling:
    """How often the units are drawn again, and the seed of the draw."""

    samples: int
    seed: int

    def as_dict(self) -> dict[str, int]:
        """The numbers by name, for JSON."""
        return {"samples": self.samples, "seed": self.seed, "confidence": 95}


@dataclass(frozen=True)
class Difference:
    """How far system A is above system B.

    Attributes:
        difference: of the scores on all units.
        low, high: 95 percent interval of the difference over the resamples (percentiles).
        p: two-sided: twice the smaller share of the resamples on one side of no difference, at most 1.
    """

    difference: float
    low: float
    high: float
    p: float

    def as_dict(self) -> dict[str, float]:
        """The numbers by name."""
        return asdict(self)


def paired_bootstrap(a: Counts, b: Counts, score: Score, samples: int, seed: int) -> Difference:
    """Interval of score(A) - score(B) when the units are drawn again with replacement, the same for both systems.

    Args:
        a, b: counts of each unit for both systems. Shape: (units, K).

    Raises:
        ValueError: the shapes differ, or there is no unit or no sample.
    """
    a, b = _checked(a, b, samples)
    found = np.concatenate([score(one) - score(other) for one, other in bootstrap_sums([a, b], samples, seed)])
    (low, high), p = interval(found), two_sided(found)
    return Difference(_observed(a, b, score), float(low), float(high), float(p))


def approximate_randomisation(a: Counts, b: Counts, score: Score, samples: int, seed: int) -> float:
    """Probability of a difference at least as large as the observed one if the systems were interchangeable.

    Every sample swaps the two systems' counts of each unit with probability 1/2; p = (as large + 1) / (samples + 1).

    Args and raises: as for `paired_bootstrap`.
    """
    a, b = _checked(a, b, samples)
    found = np.concatenate([score(one) - score(other) for one, other in swapped_sums(a, b, samples, seed)])
    return float(as_large_share(found, np.asarray(_observed(a, b, score))))


def bootstrap_sums(systems: Sequence[Counts], samples: int, seed: int) -> Iterator[list[Counts]]:
    """Summed counts of each system when the units are drawn again with replacement, the same for all, in chunks.

    Args:
        systems: counts of each unit. Shape of each: (units, K), where K may differ.

    Yields:
        The sums of each system. Shape of each: (samples of the chunk, K).
    """
    generator = np.random.default_rng(seed)
    for weights in _weights(generator, len(systems[0]), samples):
        # not side by side in one product: equal systems are to have equal sums to the last bit
        yield [weights @ counts for counts in systems]


def swapped_sums(a: Counts, b: Counts, samples: int, seed: int) -> Iterator[tuple[Counts, Counts]]:
    """Summed counts of two systems whose units are swapped at random, in chunks; shapes as for `bootstrap_sums`."""
    total = (a + b).sum(0)
    for swapped in random_swaps(len(a), samples, seed):
        one = a.sum(0) + swapped @ (b - a)  # (size, K)
        yield one, total - one


def random_swaps(units: int, samples: int, seed: int, most: int | None = None) -> Iterator[Counts]:
    """1 for each unit that a sample swaps between two systems, else 0, in chunks, whose size changes no draw.

    Args:
        most: samples of a chunk at most; None for as many as the memory is meant for.

    Yields:
        Shape of each: (samples of the chunk, units).
    """
    generator = np.random.default_rng(seed)
    for size in _chunks(units, samples, most):
        yield generator.integers(0, 2, size=(size, units)).astype(float)


def interval(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """The 95 percent interval of resampled scores, by percentiles. Shape: (samples, ...) to (2, ...)."""
    return np.percentile(found, [2.5, 97.5], axis=0)


def two_sided(found: NDArray[np.float64]) -> NDArray[np.float64]:
    """Twice the smaller share of resampled differences on one side of 0, at most 1. Shape: (samples, ...) to (...)."""
    return np.minimum(1.0, 2 * np.minimum((found <= 0).mean(0), (found >= 0).mean(0)))


def as_large_share(found: NDArray[np.float64], observed: NDArray[np.float64]) -> NDArray[np.float64]:
    """(differences as large as the observed + 1) / (samples + 1). Shapes: (samples, ...), (...) to (...)."""
    return (as_large(found, observed).sum(0) + 1) / (len(found) + 1)


def as_large(found: NDArray[np.float64], observed: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which differences are as large as the observed one, in either direction. Shapes as for `as_large_share`."""
    # sums of the same counts in another order differ in the last bits
    return np.abs(found) >= np.abs(observed) - 1e-9


def holm(ps: Sequence[float]) -> list[float]:
    """n p values corrected for their number (Holm 1979), in their order: the smallest times n, the next times n - 1."""
    corrected, highest = [0.0] * len(ps), 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        highest = max(highest, min(1.0, ps[place] * (len(ps) - rank)))
        corrected[place] = highest
    return corrected


def _weights(generator: np.random.Generator, units: int, samples: int) -> Iterator[Counts]:
    """How often each unit is drawn in each sample, in chunks. Shape of each: (samples of the chunk, units)."""
    for size in _chunks(units, samples):
        drawn = generator.integers(0, units, size=(size, units))
        flat = drawn + units * np.arange(size)[:, None]
        yield np.bincount(flat.ravel(), minlength=size * units).reshape(size, units).astype(float)


def _chunks(units: int, samples: int, most: int | None = None) -> Iterator[int]:
    size = min(max(1, _CELLS // units), most or samples)
    for start in range(0, samples, size):
        yield min(size, samples - start)


def _observed(a: Counts, b: Counts, score: Score) -> float:
    return float(score(a.sum(0)) - score(b.sum(0)))


def _checked(a: Counts, b: Counts, samples: int) -> tuple[Counts, Counts]:
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 2 or not len(a) or samples < 1:
        got = f"{a.shape}, {b.shape}, {samples}"
        raise ValueError(f"counts of the same units, (units, K), and a sample at least; got {got}")
    return a, b
