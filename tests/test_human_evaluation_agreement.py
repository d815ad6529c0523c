"""Agreement coefficients against worked examples and definitions written out."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from textsimp.extras.human.rater_agreement import LEVELS, agreement

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
def test_alpha_of_published_examples(ratings: np.ndarray, level: str, printed: float) -> None:
    assert agreement(ratings)[f"alpha_{level}"] == pytest.approx(printed, abs=0.0005)


def test_cohen_by_hand() -> None:
    """20 both yes, 5 yes-no, 10 no-yes, 15 both no: 0.7 observed, 0.5 * 0.6 + 0.5 * 0.4 = 0.5 by chance."""
    first, second = np.repeat([1.0, 1, 0, 0], [20, 5, 10, 15]), np.repeat([1.0, 0, 1, 0], [20, 5, 10, 15])
    assert agreement(np.stack([first, second], 1))["kappa"] == pytest.approx(0.4)


def test_quadratic_cohen_knows_the_distances_of_values_that_nobody_uses() -> None:
    """(1, 1), (2, 1), (5, 5): 1/3 observed; by chance (0 + 0 + 16 + 1 + 1 + 9 + 16 + 16 + 0) / 9 = 59/9."""
    assert agreement(by_rater("125", "115"))["quadratic_kappa"] == pytest.approx(1 - (1 / 3) / (59 / 9))


def test_linear_cohen_knows_the_distances_of_values_that_nobody_uses() -> None:
    """(1, 1), (2, 1), (5, 5): 1/3 observed; by chance (0 + 0 + 4 + 1 + 1 + 3 + 4 + 4 + 0) / 9 = 17/9."""
    assert agreement(by_rater("125", "115"))["linear_kappa"] == pytest.approx(1 - (1 / 3) / (17 / 9))


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_cohen_of_many_raters_is_that_of_scikit_learn(weights: str | None) -> None:
    draw = np.random.default_rng(3)
    right = draw.integers(-2, 3, size=(40, 1))
    ratings = np.where(draw.random((40, 7)) < 0.6, right, draw.integers(-2, 3, size=(40, 7))).astype(float)
    ratings[draw.random((40, 7)) < 0.3] = NONE
    kappas, equal = [], []
    for pair in combinations(ratings.T, 2):
        first, second = np.stack(pair)[:, ~np.isnan(pair).any(0)].astype(int)
        kappas.append(cohen_kappa_score(first, second, labels=range(-2, 3), weights=weights))
        equal += (first == second).tolist()
    found = agreement(ratings)
    assert found[f"{weights}_kappa" if weights else "kappa"] == pytest.approx(np.mean(kappas), abs=1e-12)
    assert found["pairs"] == len(kappas) and found["exact"] == pytest.approx(np.mean(equal))


def test_fleiss_of_a_published_example() -> None:
    """Ten subjects, fourteen raters: 0.210 (the example of the article "Fleiss' kappa" in Wikipedia)."""
    table = "0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"
    ratings = np.array([np.repeat(np.arange(5.0), [int(cell) for cell in row.split()]) for row in table.split("|")])
    assert ratings.shape == (10, 14)
    assert agreement(ratings)["fleiss_kappa"] == pytest.approx(0.210, abs=0.0005)


def test_fleiss_by_hand() -> None:
    """(1, 1, 1), (1, 2, 2): P = 1 and 1/3, mean 2/3; shares 2/3 and 1/3: 5/9. (2/3 - 5/9) / (4/9) = 1/4."""
    ratings = np.array([[1.0, 1, 1], [1, 2, 2], [3, NONE, 3]])
    assert agreement(ratings)["fleiss_kappa"] == pytest.approx(1 / 4), "the item that a rater left out does not count"


def test_mean_over_pairs_leaves_undefined_ones_out() -> None:
    """The third rater shares no item with the others; the fourth agrees with the first and half with the second."""
    ratings = by_rater("12..12", "11..12", "..12..", "12....")
    both = agreement(ratings[:, :2])
    found = agreement(ratings)
    assert both["pairs"] == 1 and agreement(ratings[:, [0, 2]])["kappa"] is None
    assert found["pairs"] == 3 and found["kappa"] == pytest.approx((both["kappa"] + 1 + 0) / 3)
    counts = {"raters": 4, "items": 6, "complete_items": 0, "ratings": 12, "missing": 12, "fleiss_kappa": None}
    assert counts.items() <= found.items()


def test_perfect_agreement_is_one_and_equal_pairs_are_a_share() -> None:
    ratings = by_rater("12345", "12345", "12345")
    found = agreement(ratings)
    names = ("exact", "kappa", "quadratic_kappa", "fleiss_kappa", *(f"alpha_{level}" for level in LEVELS))
    assert {name: found[name] for name in names} == pytest.approx(dict.fromkeys(names, 1.0))
    assert agreement(np.array([[1.0, 1, 2], [3, NONE, 3], [4, NONE, NONE]]))["exact"] == pytest.approx(2 / 4)


@pytest.mark.parametrize(
    "ratings",
    [by_rater("444", "444"), by_rater("1.", ".2"), by_rater("..", ".."), np.full((0, 2), NONE), by_rater("123")],
    ids=["all equal", "nothing shared", "no rating", "no item", "one rater"],
)
def test_not_defined_without_room_for_disagreement(ratings: np.ndarray) -> None:
    found = agreement(ratings)
    assert (found["kappa"], found["quadratic_kappa"], found["fleiss_kappa"], found["pairs"]) == (None, None, None, 0)
    assert [found[f"alpha_{level}"] for level in LEVELS] == [None] * 3
    assert found["exact"] == (1.0 if found["ratings"] == 6 else None)
