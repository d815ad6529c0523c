"""Agreement coefficients against worked examples, definitions written out, and another implementation."""

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from textsimp.metrics.agreement import (
    LEVELS,
    Level,
    agreement,
    cohen_kappa,
    exact_agreement,
    fleiss_kappa,
    krippendorff_alpha,
    pairwise_kappas,
)

NONE = np.nan


def by_rater(*rows: str) -> np.ndarray:
    """Ratings written as one line of digits a rater, a dot for a missing one; shape (items, raters)."""
    return np.array([[NONE if cell == "." else float(cell) for cell in row] for row in rows]).T


# Krippendorff 2011, sections A (binary, two observers), B (nominal, a to e as 1 to 5) and C (four, with gaps)
SECTION_A = by_rater("0100000010", "1110010000")
SECTION_B = by_rater("112243335441", "212223335444")
SECTION_C = by_rater("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
# the example of the article "Krippendorff's alpha" in Wikipedia: three coders, fifteen units, two of them unpairable
WIKIPEDIA = by_rater(".....34121133.3", "1.213343.......", "..21344.21133.4")


@pytest.mark.parametrize(
    ("ratings", "level", "printed"),
    [
        (SECTION_A, "nominal", 0.095),
        (SECTION_B, "nominal", 0.692),
        (SECTION_C, "nominal", 0.743),
        (SECTION_C, "ordinal", 0.815),
        (SECTION_C, "interval", 0.849),
        (WIKIPEDIA, "nominal", 0.691),
        (WIKIPEDIA, "interval", 0.811),
    ],
)
def test_alpha_of_published_examples(ratings: np.ndarray, level: Level, printed: float) -> None:
    assert krippendorff_alpha(ratings, level) == pytest.approx(printed, abs=0.0005)


def test_alpha_by_hand() -> None:
    """Section A: 14 zeros and 6 ones; four of ten units differ. 1 - (20 - 1) * 4 / (14 * 6) = 8 / 84."""
    assert krippendorff_alpha(SECTION_A, "nominal") == pytest.approx(8 / 84)


def test_ordinal_alpha_by_hand() -> None:
    """Units (1, 1), (1, 2), (2, 4): totals 3, 2, 1 of the values 1, 2, 4.

    Distances: 1-2: 3 + 2 - 2.5 = 2.5; 2-4: 2 + 1 - 1.5 = 1.5; 1-4: 3 + 2 + 1 - 2 = 4. Observed, both orders:
    2 (6.25 + 2.25) = 17; expected 2 (3*2*6.25 + 2*1*2.25 + 3*1*16) / 5 = 36. 1 - 17 / 36 = 19 / 36.
    """
    ratings = np.array([[1.0, 1], [1, 2], [2, 4]])
    assert krippendorff_alpha(ratings, "ordinal") == pytest.approx(19 / 36)


def test_alpha_of_units_of_different_sizes_by_hand() -> None:
    """Units (1, 1, 2), (2, 2) and a lone 5, which has no pair: nominal.

    In the first unit 4 of 6 ordered pairs differ, each of weight 1 / 2: 2. Totals 2 and 3: expected 2 * 6 / 4 = 3.
    """
    ratings = np.array([[1, 1, 2], [2, NONE, 2], [NONE, 5, NONE]])
    assert krippendorff_alpha(ratings, "nominal") == pytest.approx(1 - 2 / 3)


def squared_distance(level: Level, values: list[float], one: float, other: float) -> float:
    """The three distances as Krippendorff 2011 writes them."""
    low, high = sorted((one, other))
    if level == "ordinal":
        between = sum(low <= value <= high for value in values)
        return 0.0 if low == high else (between - (values.count(low) + values.count(high)) / 2) ** 2
    return float(low != high) if level == "nominal" else (high - low) ** 2


def alpha_from_pairs(ratings: np.ndarray, level: Level) -> float:
    """Pair by pair: mean distance within units over mean distance of all pairs."""
    units = [[float(value) for value in unit if not np.isnan(value)] for unit in ratings]
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]

    def total(pool: list[float]) -> float:
        return sum(squared_distance(level, values, *pair) for pair in itertools.permutations(pool, 2))

    observed = sum(total(unit) / (len(unit) - 1) for unit in units) / len(values)
    return 1 - observed / (total(values) / (len(values) * (len(values) - 1)))


def random_ratings(seed: int, items: int = 12, raters: int = 4, missing: float = 0.25) -> np.ndarray:
    generator = np.random.default_rng(seed)
    truth = generator.integers(1, 6, size=(items, 1))
    ratings = np.clip(truth + generator.integers(-1, 2, size=(items, raters)), 1, 5).astype(float)
    ratings[generator.random(ratings.shape) < missing] = NONE
    return ratings


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(4))
def test_alpha_is_what_its_definition_says(level: Level, seed: int) -> None:
    ratings = random_ratings(seed)
    assert krippendorff_alpha(ratings, level) == pytest.approx(alpha_from_pairs(ratings, level))


def test_cohen_by_hand() -> None:
    """20 both yes, 5 yes-no, 10 no-yes, 15 both no: 0.7 observed, 0.5 * 0.6 + 0.5 * 0.4 = 0.5 by chance."""
    one = np.repeat([1.0, 1, 0, 0], [20, 5, 10, 15])
    other = np.repeat([1.0, 0, 1, 0], [20, 5, 10, 15])
    assert cohen_kappa(one, other) == pytest.approx(0.4)


def test_quadratic_cohen_by_hand() -> None:
    """(1, 1), (2, 2), (3, 2): 1/3 observed; by chance (2/3 + 1/3 + (4/3 + 2/3)) / 3 = 1."""
    one, other = np.array([1.0, 2, 3, 4]), np.array([1.0, 2, 2, NONE])
    assert cohen_kappa(one, other, quadratic=True) == pytest.approx(2 / 3)


@pytest.mark.parametrize("seed", range(4))
def test_cohen_agrees_with_scikit_learn(seed: int) -> None:
    ratings = random_ratings(seed, items=40, raters=2, missing=0)
    one, other = ratings.T
    assert cohen_kappa(one, other) == pytest.approx(cohen_kappa_score(one.astype(int), other.astype(int)))
    expected = cohen_kappa_score(one.astype(int), other.astype(int), weights="quadratic", labels=[1, 2, 3, 4, 5])
    assert cohen_kappa(one, other, quadratic=True) == pytest.approx(expected)


def test_fleiss_of_a_published_example() -> None:
    """Ten subjects, fourteen raters: 0.210 (the example of the article "Fleiss' kappa" in Wikipedia)."""
    table = "0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"
    ratings = np.array([np.repeat(np.arange(5.0), [int(cell) for cell in row.split()]) for row in table.split("|")])
    assert ratings.shape == (10, 14)
    assert fleiss_kappa(ratings) == pytest.approx(0.210, abs=0.0005)


def test_fleiss_by_hand() -> None:
    """(1, 1, 1), (1, 2, 2): P = 1 and 1/3, mean 2/3; shares 2/3 and 1/3: 5/9. (2/3 - 5/9) / (4/9) = 1/4."""
    ratings = np.array([[1.0, 1, 1], [1, 2, 2], [3, NONE, 3]])
    assert fleiss_kappa(ratings) == pytest.approx(1 / 4), "the item that a rater left out does not count"


def test_mean_over_pairs_leaves_undefined_ones_out() -> None:
    """The third rater shares no item with the others; the fourth agrees with the first and half with the second."""
    ratings = by_rater("12..12", "11..12", "..12..", "12....")
    first = cohen_kappa(ratings[:, 0], ratings[:, 1])
    assert cohen_kappa(ratings[:, 0], ratings[:, 2]) is None
    assert pairwise_kappas(ratings) == pytest.approx([first, 1.0, 0.0])
    found = agreement(ratings)
    assert found.pairs == 3 and found.kappa == pytest.approx((first + 1) / 3)
    assert (found.raters, found.items, found.complete_items, found.ratings, found.missing) == (4, 6, 0, 12, 12)
    assert found.fleiss_kappa is None


def test_perfect_agreement_is_one_and_equal_pairs_are_a_share() -> None:
    ratings = by_rater("12345", "12345", "12345")
    found = agreement(ratings)
    names = ("exact", "kappa", "quadratic_kappa", "fleiss_kappa", *(f"alpha_{level}" for level in LEVELS))
    assert {name: getattr(found, name) for name in names} == pytest.approx(dict.fromkeys(names, 1.0))
    assert exact_agreement(np.array([[1.0, 1, 2], [3, NONE, 3], [4, NONE, NONE]])) == pytest.approx(2 / 4)


COEFFICIENTS: list[Callable[[np.ndarray], float | None]] = [
    lambda ratings: cohen_kappa(*ratings.T[:2]),
    lambda ratings: cohen_kappa(*ratings.T[:2], quadratic=True),
    fleiss_kappa,
    *(lambda ratings, level=level: krippendorff_alpha(ratings, level) for level in LEVELS),
]


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize(
    "ratings",
    [by_rater("444", "444"), by_rater("1.", ".2"), by_rater("..", ".."), np.full((0, 2), NONE)],
    ids=["all equal", "nothing shared", "no rating", "no item"],
)
def test_not_defined_without_room_for_disagreement(
    coefficient: Callable[[np.ndarray], float | None], ratings: np.ndarray
) -> None:
    assert coefficient(ratings) is None


def test_one_rater_agrees_with_nobody() -> None:
    found = agreement(by_rater("123"))
    assert (found.kappa, found.fleiss_kappa, found.alpha_interval, found.exact, found.pairs) == (None,) * 4 + (0,)


def test_a_constant_rater_agrees_by_chance_alone() -> None:
    """One always gives 3: no agreement beyond chance, yet defined, for disagreement was possible."""
    assert cohen_kappa(*by_rater("3333", "3333").T) is None
    assert cohen_kappa(*by_rater("3333", "1335").T) == pytest.approx(0)


def test_what_is_no_matrix_is_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        agreement(np.array([1.0, 2]))
    with pytest.raises(ValueError, match="finite"):
        krippendorff_alpha(np.array([[1.0, np.inf]]), "nominal")
    with pytest.raises(ValueError, match="unknown"):
        krippendorff_alpha(SECTION_A, "ratio")  # type: ignore[arg-type]
