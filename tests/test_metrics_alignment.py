"""Alignment scores, precision-recall curves and thresholds, by hand and against plain counting."""

import random

import numpy as np
import pytest

from textsimp.core.errors import InputError
from textsimp.core.records import AlignmentLabel, Document, DocumentPair, Link
from textsimp.metrics.curves import best_threshold, precision_recall_curve
from textsimp.metrics.links import MEASURES, alignment_scores, gold_mask, identical_mask

A, P = AlignmentLabel.ALIGNED, AlignmentLabel.PARTIAL


def _pair(links: list[Link] | None) -> DocumentPair:
    complex_ = Document("c", 0, (("same .", "one long sentence ."), ("two long sentences .", "gone .")))
    simple = Document("s", 1, (("same .", "one .", "two ."),))
    return DocumentPair("p", "test", "g", complex_, simple, None if links is None else tuple(sorted(links)))


GOLD = [Link(0, 0, A), Link(1, 1, A), Link(1, 2, P), Link(2, 2, P)]


def test_scores_by_hand() -> None:
    predicted = [Link(0, 0, A), Link(1, 1, P), Link(2, 2, A), Link(2, 3, P)]
    scores = alignment_scores([(_pair(GOLD), predicted)])
    # the identical pair (0, 0) is nobody's merit: gold 3, predicted 3, both of (1, 1) and (2, 2) right
    two_thirds = dict.fromkeys(MEASURES, 200 / 3)
    assert scores["task1"] == pytest.approx({**two_thirds, "correct": 2, "predicted": 3, "gold": 3})
    # aligned: gold (1, 1), predicted (2, 2)
    assert scores["task2"] == {**dict.fromkeys(MEASURES, 0.0), "correct": 0, "predicted": 1, "gold": 1}


def test_scores_are_summed_over_pairs() -> None:
    scores = alignment_scores([(_pair(GOLD), GOLD), (_pair([Link(1, 1, A)]), [])])
    for task, expected in (("task1", (100, 75, 600 / 7)), ("task2", (100, 50, 200 / 3))):
        assert [scores[task][measure] for measure in MEASURES] == pytest.approx(expected)


def test_nothing_to_score() -> None:
    nothing = dict.fromkeys((*MEASURES, "correct", "predicted", "gold"), 0)
    assert alignment_scores([(_pair([]), [])])["task1"] == alignment_scores([])["task2"] == nothing


@pytest.mark.parametrize(
    ("gold", "predicted", "text"),
    [
        (None, [], "no 'alignments'"),
        (GOLD, [Link(3, 0, A)], "names no sentence; simple has 0 to 2, complex 0 to 3"),
        (GOLD, [Link(0, -1, A)], "names no sentence"),
        (GOLD, [Link(1, 1, A), Link(1, 1, P)], "comes twice"),
    ],
)
def test_bad_links(gold: list[Link] | None, predicted: list[Link], text: str) -> None:
    with pytest.raises(InputError, match=text) as error:
        alignment_scores([(_pair(gold), predicted)])
    assert "'p'" in str(error.value)


def test_masks() -> None:
    pair = _pair(GOLD)
    assert np.argwhere(identical_mask(pair)).tolist() == [[0, 0]]
    assert np.argwhere(gold_mask(pair, "task1")).tolist() == [[0, 0], [1, 1], [1, 2], [2, 2]]
    assert np.argwhere(gold_mask(pair, "task2")).tolist() == [[0, 0], [1, 1]]
    one = DocumentPair("q", "test", "g", Document("c", 0, (("x",),)), Document("s", 1, (("x",),)))
    assert identical_mask(one).tolist() == [[True]]


def test_curve_by_hand() -> None:
    curve = precision_recall_curve([0.9, 0.5, 0.5, 0.1], [True, True, False, False], 4)
    assert curve.threshold.tolist() == [0.9, 0.5, 0.1]
    assert curve.precision.tolist() == pytest.approx([100, 200 / 3, 50])
    assert curve.recall.tolist() == pytest.approx([25, 50, 50])
    assert curve.max_f1 == pytest.approx(2 * 200 / 3 * 50 / (200 / 3 + 50))
    assert curve.area == pytest.approx(25 + 25 * 2 / 3)
    threshold, f1 = best_threshold([0.9, 0.5, 0.5, 0.1], [True, True, False, False], 4)
    assert (threshold, f1) == pytest.approx((0.3, curve.max_f1))


@pytest.mark.parametrize("seed", range(5))
def test_threshold_against_plain_search(seed: int) -> None:
    generator = random.Random(seed)
    scores = [generator.choice([0.1, 0.2, 0.3, 0.4, 0.5]) for _ in range(30)]
    gold = [generator.random() < score for score in scores]
    total = sum(gold) + 3

    def f1(threshold: float) -> float:
        chosen = [right for score, right in zip(scores, gold, strict=True) if score >= threshold]
        return 200 * sum(chosen) / (len(chosen) + total)

    threshold, best = best_threshold(scores, gold, total)
    assert best == pytest.approx(max(map(f1, scores)))
    assert f1(threshold) == pytest.approx(best)
    order = generator.sample(range(30), 30)
    assert best_threshold([scores[i] for i in order], [gold[i] for i in order], total) == (threshold, best)


def test_equal_f1_takes_the_highest_threshold() -> None:
    # one of two found: F1 2/3 after the first candidate, and 2 * 2 / (4 + 2) = 2/3 after the fourth
    assert best_threshold([0.8, 0.6, 0.4, 0.2], [True, False, False, True], 2)[0] == pytest.approx(0.7)


def test_threshold_edges() -> None:
    assert best_threshold([], [], 3) == (float("inf"), 0.0)
    assert best_threshold([0.5], [False], 0) == (float("inf"), 0.0)
    assert best_threshold([0.5, -np.inf], [True, True], 2) == (0.5, pytest.approx(200 / 3))
    upper = np.nextafter(0.5, 1)
    assert best_threshold([0.5, upper], [False, True], 1)[0] == upper
    assert precision_recall_curve([], [], 0).area == 0
    for scores, gold, total in (([0.1], [True, False], 2), ([float("nan")], [True], 1), ([0.1], [True], 0)):
        with pytest.raises(ValueError, match="scores|gold_total"):
            precision_recall_curve(scores, gold, total)
