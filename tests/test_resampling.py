"""Paired bootstrap and approximate randomisation against all resamples of small cases."""

import itertools

import numpy as np
import pytest

from textsimp.metrics.resampling import approximate_randomisation, holm, paired_bootstrap, random_swaps


def mean(counts: np.ndarray) -> np.ndarray:
    """Score of summed counts (sum, number)."""
    return counts[..., 0] / counts[..., 1]


def counts(*values: float) -> np.ndarray:
    return np.array([[value, 1.0] for value in values])


A, B = counts(5, 3, 4, 6), counts(4, 3.5, 1, 5)


def test_bootstrap_against_all_resamples() -> None:
    found = paired_bootstrap(A, B, mean, 40_000, 1)
    every = [mean(A[list(rows)].sum(0)) - mean(B[list(rows)].sum(0)) for rows in itertools.product(range(4), repeat=4)]
    assert found.difference == pytest.approx(mean(A.sum(0)) - mean(B.sum(0)))
    low, high = np.percentile(every, [2.5, 97.5])
    assert found.low == pytest.approx(low, abs=0.26) and found.high == pytest.approx(high, abs=0.26)
    assert found.p == pytest.approx(2 * np.mean(np.array(every) <= 0), abs=0.01)


def test_randomisation_against_all_swaps() -> None:
    observed = abs(mean(A.sum(0)) - mean(B.sum(0)))
    as_large = []
    for swaps in itertools.product([False, True], repeat=4):
        swap = np.array(swaps)[:, None]
        one, other = np.where(swap, B, A), np.where(swap, A, B)
        as_large.append(abs(mean(one.sum(0)) - mean(other.sum(0))) >= observed - 1e-9)
    found = approximate_randomisation(A, B, mean, 40_000, 1)
    assert found == pytest.approx(np.mean(as_large), abs=0.01)


def test_systems_that_are_the_same_do_not_differ() -> None:
    found = paired_bootstrap(A, A, mean, 100, 1)
    assert (found.difference, found.low, found.high, found.p) == (0, 0, 0, 1)
    assert approximate_randomisation(A, A, mean, 100, 1) == 1


def test_the_order_of_the_systems_turns_the_sign() -> None:
    one, other = paired_bootstrap(A, B, mean, 1000, 7), paired_bootstrap(B, A, mean, 1000, 7)
    assert one.difference == -other.difference and one.low == pytest.approx(-other.high)
    assert one.p == other.p


def test_the_chunks_change_nothing_but_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = paired_bootstrap(A, B, mean, 1000, 3)
    monkeypatch.setattr("textsimp.metrics.resampling._CELLS", 40)
    assert paired_bootstrap(A, B, mean, 1000, 3) == whole
    assert approximate_randomisation(A, B, mean, 1000, 3) == pytest.approx(0.5, abs=0.3)


def test_a_large_difference_is_none_of_chance() -> None:
    better, worse = counts(*[9.0] * 30), counts(*[1.0] * 30)
    assert paired_bootstrap(better, worse, mean, 500, 1).p == 0
    assert approximate_randomisation(better, worse, mean, 500, 1) == 1 / 501


@pytest.mark.parametrize(("a", "b", "samples"), [(A, B[:3], 10), (A[:0], B[:0], 10), (A, B, 0), (A[:, 0], B[:, 0], 1)])
def test_wrong_input(a: np.ndarray, b: np.ndarray, samples: int) -> None:
    with pytest.raises(ValueError, match="counts of the same units"):
        paired_bootstrap(a, b, mean, samples, 1)


def test_swaps_do_not_depend_on_the_chunks() -> None:
    whole = np.concatenate(list(random_swaps(7, 50, 3)))
    assert whole.shape == (50, 7) and set(np.unique(whole)) == {0.0, 1.0}
    assert (np.concatenate(list(random_swaps(7, 50, 3, most=11))) == whole).all()


def test_holm_by_hand() -> None:
    """0.01 * 3; 0.03 * 2; 0.04 * 1, not below the one before."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.6, 0.5]) == [1, 1] and holm([]) == []
